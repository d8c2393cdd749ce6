//! The distribution of a text's total, as it is handed out: its totals and their probabilities.

mod compute;
mod outcomes;
mod statistics;
mod success;
mod versus;

use std::fmt;

use num_bigint::{BigInt, BigUint};
use num_rational::Ratio;
use num_traits::Zero;

use crate::number::Number;
use crate::odds::dist::Dist;
use crate::odds::kernel::Width;

pub use outcomes::Outcomes;
use outcomes::Scale;
pub use versus::Versus;

/// An exact fraction of any size, in lowest terms.
pub type Rational = Ratio<BigInt>;

/// How the probabilities of a [`Distribution`] were computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Every probability is an exact fraction, and they sum to 1.
    Exact,
    /// Every probability is an exact fraction; they sum to 1 minus [`Distribution::tail_mass`], because an explosion without end
    /// was cut off there.
    CutOff,
    /// Floating-point probabilities, each within [`Distribution::relative_error`] of the exact one.
    Float,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Method::Exact => "exact",
            Method::CutOff => "cut off",
            Method::Float => "floating point",
        })
    }
}

/// How a text's total is distributed: get one from [`Expr::odds`](crate::Expr::odds).
///
/// ```
/// use dice::{Expr, Number, Odds};
/// let odds = "4d6kh3".parse::<Expr>()?.odds(&Odds::default())?;
/// assert_eq!(odds.mean_exact().unwrap().to_string(), "15869/1296");
/// assert_eq!(odds.fraction(Number::from(18)).unwrap().to_string(), "7/432");
/// assert!((odds.at_least(Number::from(15)) - 0.231_481).abs() < 1e-6);
/// # Ok::<(), dice::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Distribution {
    dist: Dist,
    /// What the counts are divided by where that is not the number of all outcomes: the number of those that do not fail.
    given: Option<BigUint>,
}

#[cfg(test)]
impl Distribution {
    /// What does not fail of an enumeration.
    pub(crate) fn given(dist: Dist) -> Distribution {
        let given = dist.mass.total();
        Distribution { dist, given: Some(given) }
    }
}

impl Distribution {
    /// How many totals have a probability above 0.
    #[must_use]
    pub fn len(&self) -> usize {
        self.dist.cells().count()
    }

    /// Whether there is no total at all; only where everything was cut off.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How the probabilities were computed.
    #[must_use]
    pub fn method(&self) -> Method {
        match self.dist.width() {
            Width::F64 => Method::Float,
            Width::U64 | Width::U128 | Width::Limbs(_) if self.dist.tail > 0.0 => Method::CutOff,
            Width::U64 | Width::U128 | Width::Limbs(_) => Method::Exact,
        }
    }

    /// An upper bound on the probability that was cut off; 0 where nothing was.
    #[must_use]
    pub fn tail_mass(&self) -> f64 {
        self.dist.tail
    }

    /// A bound on the relative error of each probability: a rounding or two where counts are exact, else what can have
    /// gathered on the way. It holds for probabilities above 2^-1022; smaller ones may be shown as 0.
    ///
    /// ```
    /// use dice::{Expr, Method, Number, Odds, Precision};
    /// let expr: Expr = "100d6".parse()?;
    /// let float = expr.odds(&Odds { precision: Precision::Float, ..Odds::default() })?;
    /// let exact = expr.odds(&Odds { precision: Precision::Exact, ..Odds::default() })?;
    /// assert_eq!((float.method(), exact.method()), (Method::Float, Method::Exact));
    /// let (near, true_one) = (float.exactly(Number::from(350)), exact.exactly(Number::from(350)));
    /// assert!((near - true_one).abs() <= true_one * (float.relative_error() + exact.relative_error()));
    /// assert!(float.relative_error() < 1e-12 && float.fraction(Number::from(350)).is_none());
    /// # Ok::<(), dice::Error>(())
    /// ```
    #[must_use]
    pub fn relative_error(&self) -> f64 {
        let half = f64::EPSILON / 2.0;
        match self.dist.width() {
            Width::F64 => {
                let du = self.dist.roundings * half;
                if du < 0.5 { du / (1.0 - du) } else { 1.0 }
            }
            Width::U64 | Width::U128 | Width::Limbs(_) => 6.0 * half,
        }
    }

    /// The number of equally likely outcomes that the counts are counts of; `None` for floating probabilities.
    #[must_use]
    pub fn total(&self) -> Option<BigUint> {
        match self.dist.width() {
            Width::F64 => None,
            Width::U64 | Width::U128 | Width::Limbs(_) => {
                Some(self.given.clone().unwrap_or_else(|| self.dist.denom.big()))
            }
        }
    }

    /// The cell of a value, if it has one.
    fn cell(&self, value: Number) -> Option<usize> {
        let (mut low, mut high) = (0, self.dist.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.dist.value(middle) < value { low = middle + 1 } else { high = middle }
        }
        (low < self.dist.len() && self.dist.value(low) == value).then_some(low)
    }

    /// The probability of exactly this total.
    #[must_use]
    pub fn exactly(&self, value: Number) -> f64 {
        self.cell(value).map_or(0.0, |cell| Scale::of(self).probability(&self.dist.mass, cell))
    }

    /// The probability of exactly this total as a fraction; `None` for floating probabilities.
    #[must_use]
    pub fn fraction(&self, value: Number) -> Option<Rational> {
        let total = self.total()?;
        let count = self.cell(value).map_or_else(BigUint::zero, |cell| self.dist.mass.big(cell));
        Some(Ratio::new(count.into(), total.into()))
    }

    /// The probability of this total or more; what was cut off is not in it.
    #[must_use]
    pub fn at_least(&self, value: Number) -> f64 {
        let scale = Scale::of(self);
        let cells = self.dist.cells().filter(|cell| cell.0 >= value);
        cells.map(|cell| scale.probability(&self.dist.mass, cell.1)).sum()
    }

    /// The probability of this total or less; what was cut off is not in it.
    #[must_use]
    pub fn at_most(&self, value: Number) -> f64 {
        let scale = Scale::of(self);
        let cells = self.dist.cells().filter(|cell| cell.0 <= value);
        cells.map(|cell| scale.probability(&self.dist.mass, cell.1)).sum()
    }

    /// The probability of all totals that pass, as a fraction; `None` for floating probabilities.
    #[must_use]
    pub fn fraction_of(&self, pass: impl Fn(Number) -> bool) -> Option<Rational> {
        let total = self.total()?;
        let count: BigUint =
            self.dist.cells().filter(|cell| pass(cell.0)).map(|cell| self.dist.mass.big(cell.1)).sum();
        Some(Ratio::new(count.into(), total.into()))
    }
}
