//! The number of equally likely outcomes, as a product of prime powers.
//!
//! `6^100 * 8^3` stays factored, so multiplying two of them, bringing two distributions to a common one, and knowing how wide the
//! counts must be all cost nothing compared with the counts themselves.

use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

/// A positive whole number in factored form.
///
/// Factors are found by trial division up to a bound; a larger rest counts as one factor. So a common multiple is always
/// right, and it is the least one unless two different large rests share a factor.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Denom {
    factors: Vec<(u64, u32)>,
}

/// Trial division stops here; sides of dice and weights are rarely larger.
const TRIAL_BOUND: u64 = 1 << 16;

impl Denom {
    /// One.
    #[must_use]
    pub fn one() -> Self {
        Self::default()
    }

    /// `base^exponent`. A base of 0 counts as 1.
    #[must_use]
    pub fn power(base: u64, exponent: u32) -> Self {
        let mut factors = Vec::with_capacity(4);
        let mut rest = base.max(1);
        if exponent > 0 {
            let mut take = |p: u64, rest: &mut u64| {
                let mut e = 0;
                while rest.is_multiple_of(p) {
                    *rest /= p;
                    e += exponent;
                }
                if e > 0 {
                    factors.push((p, e));
                }
            };
            take(2, &mut rest);
            let mut p = 3;
            while p * p <= rest && p < TRIAL_BOUND {
                take(p, &mut rest);
                p += 2;
            }
            if rest > 1 {
                factors.push((rest, exponent));
            }
        }
        Self { factors }
    }

    /// The product.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        self.merge(other, |a, b| a + b)
    }

    /// This to a power.
    #[must_use]
    pub fn pow(&self, exponent: u32) -> Self {
        if exponent == 0 {
            return Self::one();
        }
        Self { factors: self.factors.iter().map(|&(p, e)| (p, e * exponent)).collect() }
    }

    /// A common multiple (the least one of the factored forms).
    #[must_use]
    pub fn lcm(&self, other: &Self) -> Self {
        self.merge(other, u32::max)
    }

    /// What this must be multiplied with to become `multiple`, which must be a multiple of it in factored form.
    #[must_use]
    pub fn missing_to(&self, multiple: &Self) -> Self {
        let mut factors = Vec::new();
        for &(p, e) in &multiple.factors {
            let have = self.factors.iter().find(|f| f.0 == p).map_or(0, |f| f.1);
            if e > have {
                factors.push((p, e - have));
            }
        }
        Self { factors }
    }

    fn merge(&self, other: &Self, join: impl Fn(u32, u32) -> u32) -> Self {
        let (a, b) = (&self.factors, &other.factors);
        if a.is_empty() {
            return other.clone();
        }
        let mut factors = Vec::with_capacity(a.len() + b.len());
        let (mut i, mut j) = (0, 0);
        while i < a.len() || j < b.len() {
            match (a.get(i), b.get(j)) {
                (Some(&(p, e)), Some(&(q, f))) if p == q => {
                    factors.push((p, join(e, f)));
                    i += 1;
                    j += 1;
                }
                (Some(&x), Some(&y)) if x.0 < y.0 => {
                    factors.push(x);
                    i += 1;
                }
                (Some(&x), None) => {
                    factors.push(x);
                    i += 1;
                }
                (Some(_) | None, Some(&y)) => {
                    factors.push(y);
                    j += 1;
                }
                (None, None) => break,
            }
        }
        Self { factors }
    }

    /// Whether it is 1.
    #[must_use]
    pub fn is_one(&self) -> bool {
        self.factors.is_empty()
    }

    /// The base-2 logarithm.
    #[must_use]
    #[allow(clippy::cast_precision_loss)]
    pub fn log2(&self) -> f64 {
        self.factors.iter().map(|&(p, e)| (p as f64).log2() * f64::from(e)).sum()
    }

    /// Bits that hold it and every smaller count.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a positive number far below 2^63
    pub fn bits(&self) -> u64 {
        // The slack is far above the rounding of the logarithm; at worst a count is stored one width too wide.
        let log = self.log2();
        (log + 1e-9 + log * 1e-12).floor() as u64 + 1
    }

    /// The factors in pieces that each fit 64 bits, for multiplying a row step by step.
    #[must_use]
    pub fn chunks(&self) -> Vec<u64> {
        let mut out = Vec::new();
        let mut chunk = 1u64;
        for &(p, e) in &self.factors {
            for _ in 0..e {
                if let Some(x) = chunk.checked_mul(p) {
                    chunk = x;
                } else {
                    out.push(chunk);
                    chunk = p;
                }
            }
        }
        if chunk > 1 {
            out.push(chunk);
        }
        out
    }

    /// A numerator and this in lowest terms; `None` where a factor may not be a prime.
    #[must_use]
    pub fn reduce(&self, mut numerator: BigInt) -> Option<(BigInt, BigInt)> {
        if numerator.is_zero() {
            return Some((numerator, BigInt::one()));
        }
        let mut left = self.clone();
        for (prime, exponent) in &mut left.factors {
            if *prime >= TRIAL_BOUND * TRIAL_BOUND {
                return None;
            }
            // As many at once as fit 64 bits, then one by one.
            let many = 63 / (64 - prime.leading_zeros());
            for few in [many, 1] {
                let divisor = prime.pow(few);
                while *exponent >= few && (&numerator % divisor).is_zero() {
                    numerator /= divisor;
                    *exponent -= few;
                }
            }
        }
        Some((numerator, left.big().into()))
    }

    /// The number itself where it fits 64 bits.
    #[must_use]
    pub fn small(&self) -> Option<u64> {
        self.factors.iter().try_fold(1u64, |acc, &(p, e)| acc.checked_mul(p.checked_pow(e)?))
    }

    /// The number itself.
    #[must_use]
    pub fn big(&self) -> BigUint {
        if let Some(small) = self.small() {
            return BigUint::from(small);
        }
        self.factors.iter().fold(BigUint::one(), |acc, &(p, e)| acc * BigUint::from(p).pow(e))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factored_arithmetic_agrees_with_numbers() {
        for a in 1..60u64 {
            for b in 1..60u64 {
                let (x, y) = (Denom::power(a, 3), Denom::power(b, 2));
                let both = x.times(&y);
                assert_eq!(both.big(), BigUint::from(a * a * a * b * b));
                let lcm = x.lcm(&y);
                assert_eq!(lcm.big(), num_integer::lcm(x.big(), y.big()));
                assert_eq!(x.missing_to(&lcm).times(&x), lcm);
                assert!(both.bits() >= both.big().bits() && both.bits() <= both.big().bits() + 1);
                let fraction = num_rational::Ratio::new(BigInt::from(a * 12), BigInt::from(both.big()));
                let (top, bottom) = both.reduce(BigInt::from(a * 12)).unwrap();
                assert_eq!((&top, &bottom), (fraction.numer(), fraction.denom()));
                let product: BigUint = both.chunks().into_iter().map(BigUint::from).product();
                assert_eq!(product, both.big());
            }
        }
        assert_eq!(Denom::power(6, 100).bits(), 259);
        assert_eq!(Denom::power(10, 30).pow(2), Denom::power(10, 60));
    }
}
