//! Computed numbers of equal dice: `sum_n p_n P^n` by Horner's rule, one pass and no separate powers.

use super::factor::Factor;
use super::mass::Mass;
use super::poly::{Poly, small_float, to_float};
use super::width::Width;

/// The distribution of the sum of n equal dice, n = 0, 1, … in `counts[n]` of `count_total` outcomes.
///
/// Each power is brought to the outcomes of the largest count, so the denominator is `count_total` times
/// `total^(counts.len() - 1)`, which `width` must hold exactly; `total` is the number of outcomes of one die.
#[must_use]
pub fn mixture_of_counts(die: &Factor, counts: &[u64], count_total: u64, total: u64, width: Width) -> Poly {
    let last = counts.len().saturating_sub(1);
    // The first dice fit machine words even where the last ones do not; bits as in `Denom::bits`.
    let narrow = |dice: usize| {
        let log = small_float(count_total.max(1)).log2() + to_float(dice) * small_float(total.max(1)).log2();
        let bits =
            num_traits::ToPrimitive::to_u64(&(log + 1e-9 + log * 1e-12)).map_or(u64::MAX, |bits| bits + 1);
        if to_float(width.limbs()) * 64.0 <= log + 2.0 { width } else { Width::for_bits(bits) }
    };
    let mut sum = Poly::zero(narrow(0));
    // scale[n] = total^(last - n), built while walking down.
    let mut scale = Mass::one(narrow(0), 1);
    for (n, &p) in counts.iter().enumerate().rev() {
        let now = narrow(last - n);
        if scale.width() != now {
            (sum, scale) = (sum.widen(now), scale.widen(now));
        }
        if n < last {
            sum = one_more(sum, die, total);
            scale.mul_small(total);
        }
        if p > 0 {
            let mut weight = scale.clone();
            weight.mul_small(p);
            sum.add_cell(0, &weight, 0, 0.0);
        }
    }
    sum.widen(width)
}

/// The same in floating point: n dice with the probability of cell n of `chances`, which took so many `roundings`.
#[must_use]
pub fn mixture_of_chances(die: &Factor, chances: &[f64], roundings: f64, total: u64) -> Poly {
    let row = Mass::F64(chances.to_vec());
    let mut sum = Poly::zero(Width::F64);
    for (n, &p) in chances.iter().enumerate().rev() {
        sum = one_more(sum, die, total);
        if p > 0.0 {
            sum.add_cell(0, &row, n, roundings);
        }
    }
    sum
}

/// A sum of dice with one die more, and with room at 0 for the sum of none.
fn one_more(sum: Poly, die: &Factor, total: u64) -> Poly {
    if sum.is_zero() { sum } else { sum.times_factor_from(0, die, total) }
}
