//! Two independent rolls against each other: which wins, and the higher and the lower of both.
//!
//! Apart from the distribution itself, because this is where two of them meet: one may be exact and the other floating.

use num_bigint::BigUint;

use crate::ast::Comparison;
use crate::odds::combine;
use crate::odds::dist::Dist;
use crate::odds::kernel::{Mass, Width};

use super::Distribution;
use super::outcomes::Scale;

/// How two independent rolls compare.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Versus {
    /// The probability that the first is higher.
    pub wins: f64,
    /// The probability that both are equal.
    pub ties: f64,
    /// The probability that the second is higher.
    pub loses: f64,
}

impl Distribution {
    ///
    /// ```
    /// use dice::{Expr, Odds};
    /// let odds = |text: &str| text.parse::<Expr>()?.odds(&Odds::default());
    /// let versus = odds("1d20")?.versus(&odds("1d20")?);
    /// assert!((versus.wins - 0.475).abs() < 1e-12 && (versus.ties - 0.05).abs() < 1e-12);
    /// # Ok::<(), dice::Error>(())
    /// ```
    #[must_use]
    pub fn versus(&self, other: &Distribution) -> Versus {
        let chance = |comparison: Comparison| {
            let (a, b, given) = self.beside(other);
            let won = combine::compare(&a, comparison, &b);
            let scale = match &given {
                Some(given) => Scale::from_big(given),
                None => Scale::over(&won.denom, won.width()),
            };
            scale.probability(&won.mass, 1)
        };
        Versus {
            wins: chance(Comparison::Above),
            ties: chance(Comparison::Equal),
            loses: chance(Comparison::Below),
        }
    }

    /// The distribution of the higher of this and an independent other.
    #[must_use]
    pub fn higher_of(&self, other: &Distribution) -> Distribution {
        let (a, b, given) = self.beside(other);
        Distribution { dist: combine::extreme(&a, &b, true), given }
    }

    /// The distribution of the lower of this and an independent other.
    #[must_use]
    pub fn lower_of(&self, other: &Distribution) -> Distribution {
        let (a, b, given) = self.beside(other);
        Distribution { dist: combine::extreme(&a, &b, false), given }
    }

    /// Both exact, with the outcomes in which neither fails if one can, or both floating.
    fn beside(&self, other: &Distribution) -> (Dist, Dist, Option<BigUint>) {
        let float = |odds: &Distribution| odds.dist.width() == Width::F64;
        if float(self) != float(other) {
            return (self.floating(), other.floating(), None);
        }
        let given = if self.given.is_none() && other.given.is_none() {
            None
        } else {
            self.total().zip(other.total()).map(|(a, b)| a * b)
        };
        (self.dist.clone(), other.dist.clone(), given)
    }

    /// Probabilities of the rolls that do not fail.
    fn floating(&self) -> Dist {
        if self.dist.width() == Width::F64 {
            return self.dist.clone();
        }
        let mut dist = self.dist.as_float();
        if self.given.is_some() {
            // Not by what failure leaves of 1: that may be too little for a floating number.
            let scale = Scale::of(self);
            let chances = (0..self.dist.len()).map(|cell| scale.probability(&self.dist.mass, cell));
            dist.mass = Mass::F64(chances.collect());
            dist.roundings += 2.0;
        }
        dist
    }
}
