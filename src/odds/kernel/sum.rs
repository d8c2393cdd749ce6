//! Sums of equal dice, and counts of successes.

use super::factor::Factor;
use super::mass::Mass;
use super::poly::{Poly, signed};
use super::recurrence;
use super::width::Width;
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

/// The cells of a polynomial with their exponents.
pub fn cells(poly: &Poly) -> impl Iterator<Item = (i64, usize)> + '_ {
    (0..poly.mass.len()).map(|i| (poly.low + signed(i), i))
}

/// The same without cells of zero.
pub fn present(poly: &Poly) -> impl Iterator<Item = (i64, usize)> + '_ {
    cells(poly).filter(|cell| !poly.mass.is_zero(cell.1))
}
