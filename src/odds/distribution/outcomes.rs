//! Counts as probabilities, and the list of all totals with theirs.
//!
//! Apart from the distribution, because the number that counts are divided by is prepared once for many of them.

use num_bigint::BigUint;

use crate::number::Number;
use crate::odds::dist::power_of_two;
use crate::odds::float_u64;
use crate::odds::kernel::{Denom, Mass, Width};

use super::Distribution;

/// Counts as probabilities: one over the number of outcomes, as mantissa and exponent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    mantissa: f64,
    exponent: i64,
}

impl Scale {
    pub(super) fn of(law: &Distribution) -> Scale {
        match &law.given {
            Some(given) => Scale::from_big(given),
            None => Scale::over(&law.dist.denom, law.dist.width()),
        }
    }

    pub(super) fn over(denom: &Denom, width: Width) -> Scale {
        if width == Width::F64 {
            return Scale { mantissa: 1.0, exponent: 0 };
        }
        match denom.small() {
            Some(small) => Scale { mantissa: float_u64(small), exponent: 0 },
            None => Scale::from_big(&denom.big()),
        }
    }

    pub(super) fn from_big(total: &BigUint) -> Scale {
        let mut row = Mass::zeros(Width::for_bits(total.bits()), 1);
        row.set_big(0, total);
        let (mantissa, exponent) = row.scaled(0);
        Scale { mantissa, exponent }
    }

    pub(super) fn probability(self, mass: &Mass, cell: usize) -> f64 {
        let (mantissa, exponent) = mass.scaled(cell);
        let ratio = mantissa / self.mantissa;
        if exponent == self.exponent { ratio } else { power_of_two(ratio, exponent - self.exponent) }
    }
}

/// The totals of a distribution with their probabilities; see [`Distribution::outcomes`].
#[derive(Clone, Debug)]
pub struct Outcomes<'d> {
    law: &'d Distribution,
    scale: Scale,
    next: usize,
}

impl Distribution {
    /// Every total with its probability, in ascending order.
    #[must_use]
    pub fn outcomes(&self) -> Outcomes<'_> {
        Outcomes { law: self, scale: Scale::of(self), next: 0 }
    }
}

impl Iterator for Outcomes<'_> {
    type Item = (Number, f64);

    fn next(&mut self) -> Option<(Number, f64)> {
        let dist = &self.law.dist;
        while self.next < dist.len() {
            let cell = self.next;
            self.next += 1;
            if !dist.mass.is_zero(cell) {
                return Some((dist.value(cell), self.scale.probability(&dist.mass, cell)));
            }
        }
        None
    }
}
