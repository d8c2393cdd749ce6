//! Two independent rolls against each other: which wins, and the higher and the lower of both.
//!
//! Apart from the distribution itself, because this is where two of them meet: one may be exact and the other floating.

use num_bigint::BigUint;

use crate::ast::Comparison;
use crate::odds::combine;
use crate::odds::dist::{Dist, ratio_float};
use crate::odds::kernel::Width;

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
            let (a, b) = alike(&self.dist, &other.dist);
            let won = combine::compare(&a, comparison, &b);
            let all = self.whole() * other.whole();
            Scale::over(&won.denom, won.width()).probability(&won.mass, 1) / all
        };
        Versus {
            wins: chance(Comparison::Above),
            ties: chance(Comparison::Equal),
            loses: chance(Comparison::Below),
        }
    }

    /// The part of all outcomes that the probabilities are relative to.
    fn whole(&self) -> f64 {
        match &self.given {
            Some(given) => ratio_float(&given.clone().into(), &self.dist.denom.big().into()),
            None => 1.0,
        }
    }

    /// The distribution of the higher of this and an independent other.
    #[must_use]
    pub fn higher_of(&self, other: &Distribution) -> Distribution {
        let (a, b) = alike(&self.dist, &other.dist);
        let given = self.joint_given(other);
        Distribution { dist: combine::extreme(&a, &b, true), given }
    }

    /// The distribution of the lower of this and an independent other.
    #[must_use]
    pub fn lower_of(&self, other: &Distribution) -> Distribution {
        let (a, b) = alike(&self.dist, &other.dist);
        let given = self.joint_given(other);
        Distribution { dist: combine::extreme(&a, &b, false), given }
    }

    fn joint_given(&self, other: &Distribution) -> Option<BigUint> {
        if self.given.is_none() && other.given.is_none() {
            return None;
        }
        Some(self.total()? * other.total()?)
    }
}

/// Both exact, or both floating.
fn alike(a: &Dist, b: &Dist) -> (Dist, Dist) {
    let float = |dist: &Dist| dist.width() == Width::F64;
    match (float(a), float(b)) {
        (true, false) => (a.clone(), b.as_float()),
        (false, true) => (a.as_float(), b.clone()),
        (true, true) | (false, false) => (a.clone(), b.clone()),
    }
}
