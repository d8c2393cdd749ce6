//! Sums of equal dice, and counts of successes.

use super::factor::Factor;
use super::mass::{Mass, Width};
use super::poly::{Poly, signed, small_float, to_float};
use super::recurrence;
use num_bigint::BigUint;
use num_traits::One;

/// The distribution of the sum of n equal dice.
///
/// `total` is the number of outcomes of one die; the weights may sum to less where outcomes are missing. `width` must hold
/// `total^n`. Floating rows are probabilities.
#[must_use]
pub fn sum_of(die: &Factor, n: u32, total: u64, width: Width) -> Poly {
    if n == 0 {
        return Poly::point(width, 0, 1);
    }
    if n == 1 && width != Width::F64 {
        return die.poly(width);
    }
    if let Width::Limbs(l) = width {
        if let Some(poly) = by_recurrence(die, n, &BigUint::one(), l) {
            return poly;
        }
        return die.poly(width).pow(n, width);
    }
    let mut sum =
        if width == Width::F64 { Poly::point(width, 0, 1).times_factor(die, total) } else { die.poly(width) };
    for _ in 1..n {
        sum = sum.times_factor(die, total);
    }
    sum
}

/// `scale` times the n-th power of a die in rows of `l` limbs, by the linear recurrence.
pub(crate) fn by_recurrence(die: &Factor, n: u32, scale: &BigUint, l: usize) -> Option<Poly> {
    let degree = (die.weights().len() - 1).checked_mul(usize::try_from(n).ok()?)?;
    let low = die.low * i64::from(n);
    let bits = u64::try_from(l).ok()? * 64;
    let (numerator, divided) = die.numerator();
    let half = if die.is_symmetric() { degree / 2 } else { degree };
    let row = recurrence::power(&numerator, divided, n, scale, half, bits)?;
    if half == degree {
        return Some(Poly::exact(low, row.widen(Width::Limbs(l))));
    }
    let mut mass = Mass::zeros(Width::Limbs(l), degree + 1);
    for i in 0..=half {
        mass.copy_cell(i, &row, i);
        mass.copy_cell(degree - i, &row, i);
    }
    Some(Poly::exact(low, mass))
}

/// `sum_n p_n P^n` for small weights `p_n` of counts n = 0, 1, …, by Horner's rule: one pass, no separate powers.
///
/// Each power is brought to the outcomes of the largest count, so the denominator is that of the counts times
/// `total^(counts.len() - 1)`, which `width` must hold. Floating rows take `p_n / count_total` instead.
#[must_use]
pub fn mixture_of_counts(die: &Factor, counts: &[u64], count_total: u64, total: u64, width: Width) -> Poly {
    let mut sum = Poly::zero(width);
    let last = counts.len().saturating_sub(1);
    // scale[n] = total^(last - n), built while walking down.
    let mut scale = Mass::one(width, 1);
    let narrow = |dice: usize| {
        // As in `Denom::bits`; the first dice fit machine words even where the last ones do not.
        let log = small_float(count_total.max(1)).log2() + to_float(dice) * small_float(total.max(1)).log2();
        let bits =
            num_traits::ToPrimitive::to_u64(&(log + 1e-9 + log * 1e-12)).map_or(u64::MAX, |bits| bits + 1);
        if width == Width::F64 || to_float(width.limbs()) * 64.0 <= log + 2.0 {
            width
        } else {
            Width::for_bits(bits)
        }
    };
    if width != Width::F64 {
        (sum, scale) = (Poly::zero(narrow(0)), Mass::one(narrow(0), 1));
    }
    for (n, &p) in counts.iter().enumerate().rev() {
        let now = narrow(last - n);
        if scale.width() != now {
            (sum, scale) = (sum.widen(now), scale.widen(now));
        }
        if n < last {
            sum = if sum.is_zero() { sum } else { sum.times_factor(die, total) };
            if width != Width::F64 {
                scale.mul_small(total);
            }
        }
        if p > 0 {
            let mut weight = scale.clone();
            weight.mul_small(p);
            weight.mul_float(1.0 / small_float(count_total));
            sum.add_cell(0, &weight, 0, 2.0);
        }
    }
    sum.widen(width)
}

/// The cells of a polynomial with their exponents.
pub fn cells(poly: &Poly) -> impl Iterator<Item = (i64, usize)> + '_ {
    (0..poly.mass.len()).map(|i| (poly.low + signed(i), i))
}
