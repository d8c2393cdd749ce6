//! Means and variances, as exact fractions.

use std::collections::BTreeMap;

use num_bigint::{BigInt, BigUint};
use num_traits::Zero;

use super::dist::{Dist, Moments, Rational, Support};
use super::kernel::{Mass, Width};
use crate::number::Number;

/// Mean and variance of what a table holds, given that it happens; `None` where it holds nothing.
pub(crate) fn of(dist: &Dist) -> Option<Moments> {
    if let Some(known) = on_whole_numbers(dist) {
        return Some(known);
    }
    let sums = match &dist.mass {
        Mass::F64(values) => float_sums(dist, values),
        Mass::U64(_) | Mass::U128(_) | Mass::Limbs { .. } => exact_sums(dist),
    };
    let [whole, first, second] = sums;
    if whole.is_zero() {
        return None;
    }
    let mean = first / &whole;
    // Roundings alone could put it below 0.
    let variance = (second / whole - &mean * &mean).max(Rational::zero());
    Some(Moments { mean, variance })
}

/// The same over whole numbers where nothing is missing: the number of outcomes is known by its factors, which takes the place
/// of greatest common divisors of large numbers.
fn on_whole_numbers(dist: &Dist) -> Option<Moments> {
    let Support::Grid { low, step, scale: 1 } = dist.support else { return None };
    if is_float(dist.width()) || dist.tail > 0.0 {
        return None;
    }
    let [mut whole, mut first, mut second] = [BigUint::zero(), BigUint::zero(), BigUint::zero()];
    for i in (0..dist.len()).filter(|&i| !dist.mass.is_zero(i)) {
        let count = dist.mass.big(i);
        let once = &count * i;
        second += &once * i;
        first += once;
        whole += count;
    }
    if whole.is_zero() || whole != dist.denom.big() {
        return None;
    }
    let [whole, first, second] = [whole, first, second].map(BigInt::from);
    // Variance from the lowest value on, then the mean moved by it.
    let spread = (&second * &whole - &first * &first) * step * step;
    let mean = first * step + &whole * low;
    let reduced = |top: BigInt, times: u32| {
        let (top, bottom) = dist.denom.pow(times).reduce(top)?;
        Some(Rational::new_raw(top, bottom))
    };
    Some(Moments { mean: reduced(mean, 1)?, variance: reduced(spread, 2)? })
}

/// `sum c`, `sum c x`, `sum c x^2`.
fn exact_sums(dist: &Dist) -> [Rational; 3] {
    match &dist.support {
        Support::Grid { low, step, scale } => {
            // In steps from the lowest value, so that the numbers stay small.
            let [mut whole, mut first, mut second] = [BigUint::zero(), BigUint::zero(), BigUint::zero()];
            for i in (0..dist.len()).filter(|&i| !dist.mass.is_zero(i)) {
                let count = dist.mass.big(i);
                let once = &count * i;
                second += &once * i;
                first += once;
                whole += count;
            }
            let [whole, first, second] = [whole, first, second].map(|x| Rational::from(BigInt::from(x)));
            let low = Rational::new(BigInt::from(*low), BigInt::from(*scale));
            let step = Rational::new(BigInt::from(*step), BigInt::from(*scale));
            let shifted = &first * &step;
            let square = second * &step * &step
                + Rational::from(BigInt::from(2)) * &low * &shifted
                + &low * &low * &whole;
            [whole.clone(), shifted + low * whole, square]
        }
        Support::List(values) => {
            // Over each denominator by itself: whole numbers need no greatest common divisors.
            let mut parts: BTreeMap<i128, [BigInt; 3]> = BTreeMap::new();
            for (i, &value) in values.iter().enumerate().filter(|(i, _)| !dist.mass.is_zero(*i)) {
                let count = BigInt::from(dist.mass.big(i));
                let x = BigInt::from(value.numerator());
                let [whole, first, second] = parts.entry(value.denominator()).or_default();
                let once = &count * &x;
                *second += &once * &x;
                *first += once;
                *whole += count;
            }
            let mut sums = [Rational::zero(), Rational::zero(), Rational::zero()];
            for (denominator, [whole, first, second]) in parts {
                let over = BigInt::from(denominator);
                sums[2] += Rational::new(second, &over * &over);
                sums[1] += Rational::new(first, over);
                sums[0] += Rational::from(whole);
            }
            sums
        }
    }
}

/// The same from floating rows, taken from the mean on so that little is cancelled.
fn float_sums(dist: &Dist, values: &[f64]) -> [Rational; 3] {
    let numbers = || values.iter().enumerate().map(|(i, &p)| (dist.value(i).to_f64(), p));
    let (sum, all) = numbers().fold((0.0, 0.0), |(sum, all), (x, p)| (sum + p * x, all + p));
    let middle = if all > 0.0 { sum / all } else { 0.0 };
    let (mut first, mut second) = (0.0, 0.0);
    for (x, p) in numbers() {
        first += p * (x - middle);
        second += p * (x - middle) * (x - middle);
    }
    let [whole, first, second, middle] = [all, first, second, middle].map(from_float);
    let square = second + Rational::from(BigInt::from(2)) * &middle * &first + &middle * &middle * &whole;
    [whole.clone(), first + middle * whole, square]
}

/// A floating number as the fraction that it is.
pub(crate) fn from_float(x: f64) -> Rational {
    if !x.is_finite() {
        return Rational::zero();
    }
    let (mantissa, exponent, sign) = num_traits::float::FloatCore::integer_decode(x);
    let whole = BigInt::from(mantissa) * BigInt::from(sign);
    let power = BigInt::from(1) << exponent.unsigned_abs();
    if exponent < 0 { Rational::new(whole, power) } else { Rational::from(whole * power) }
}

/// A number as a fraction.
pub(crate) fn rational(x: Number) -> Rational {
    Rational::new_raw(BigInt::from(x.numerator()), BigInt::from(x.denominator()))
}

impl Moments {
    /// The moments of a sum of independent numbers.
    pub(crate) fn plus(&self, other: &Moments) -> Moments {
        Moments { mean: &self.mean + &other.mean, variance: &self.variance + &other.variance }
    }

    /// The moments of a multiple.
    pub(crate) fn times(&self, by: Number) -> Moments {
        let by = rational(by);
        Moments { mean: &self.mean * &by, variance: &self.variance * &by * &by }
    }

    /// The moments of a mixture; the weights sum to the whole.
    pub(crate) fn mixture(parts: &[(Rational, Moments)]) -> Option<Moments> {
        let whole: Rational = parts.iter().map(|part| part.0.clone()).sum();
        if whole.is_zero() {
            return None;
        }
        let mut mean = Rational::zero();
        let mut square = Rational::zero();
        for (weight, moments) in parts {
            mean += weight * &moments.mean;
            square += weight * (&moments.variance + &moments.mean * &moments.mean);
        }
        let mean = mean / &whole;
        let variance = square / whole - &mean * &mean;
        Some(Moments { mean, variance })
    }
}

/// Whether counts of this width are floating.
pub(crate) fn is_float(width: Width) -> bool {
    width == Width::F64
}
