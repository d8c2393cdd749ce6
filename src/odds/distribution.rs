//! The distribution of a text's total, as it is handed out.

use std::fmt;

use num_bigint::{BigInt, BigUint};
use num_rational::Ratio;
use num_traits::Zero;

use super::combine;
use super::dist::{Dist, ratio_float};
use super::elem::Arithmetic;
use super::enumerate::enumerate;
use super::kernel::{Denom, Mass, Width};
use super::options::{Odds, Precision};
use super::walk::{Trouble, Walker};
use crate::ast::{Comparison, Expr};
use crate::error::{Code, Error};
use crate::number::Number;

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

/// How a text's total is distributed: get one from [`Expr::odds`].
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

impl Expr {
    /// The exact distribution of the total; of one repetition, where the text repeats.
    ///
    /// # Errors
    /// A roll that can fail (with the chance of it, unless [`Odds::given_success`] is set), and what would take more than
    /// [`crate::Limits::steps`].
    pub fn odds(&self, options: &Odds) -> Result<Distribution, Error> {
        self.odds_of(options).map_err(|error| error.of(&self.inner.text))
    }

    fn odds_of(&self, options: &Odds) -> Result<Distribution, Error> {
        let first = match options.precision {
            Precision::Auto | Precision::Exact => Arithmetic::Exact,
            Precision::Float => Arithmetic::Float,
        };
        let mut walker = Walker::new(self, options, first);
        let trouble = match walker.whole() {
            Ok(dist) => return finish(dist, walker.fault, options),
            Err(trouble) => trouble,
        };
        let refusal = match trouble {
            Trouble::Refused(error) => return Err(error),
            Trouble::Budget(error) => error,
            Trouble::Enumerate | Trouble::Priced => {
                let rolls = usize::try_from(options.limits.steps / 1000).unwrap_or(usize::MAX);
                if let Some((dist, fault, _)) = enumerate(self, options, rolls) {
                    let float = options.precision == Precision::Float;
                    let dist = if float { super::machine::as_float(&dist) } else { dist };
                    return finish(dist, fault, options);
                }
                match walker.too_much(f64::INFINITY, self.inner.body.span) {
                    Trouble::Budget(error) | Trouble::Refused(error) => error,
                    Trouble::Enumerate | Trouble::Priced => {
                        Error::new(Code::Budget, self.inner.body.span, "too many rolls")
                    }
                }
            }
        };
        if options.precision == Precision::Auto {
            // What the exact way has taken is not spent twice, but half of the budget is left for this one.
            let left = walker.work_left().max(super::float_u64(options.limits.steps) / 2.0);
            let mut walker = Walker::new(self, options, Arithmetic::Float).with_work(left);
            if let Ok(dist) = walker.whole() {
                return finish(dist, walker.fault, options);
            }
        }
        Err(refusal)
    }
}

/// The distribution of what does not fail, or the refusal of what can.
fn finish(dist: Dist, fault: Option<Error>, options: &Odds) -> Result<Distribution, Error> {
    let Some(fault) = fault else {
        return Ok(Distribution { dist, given: None });
    };
    let float = dist.width() == Width::F64;
    if !float && dist.tail == 0.0 && dist.mass.total() == dist.denom.big() {
        // What could fail turned out to be impossible, such as a step on dice that are never left.
        return Ok(Distribution { dist, given: None });
    }
    if options.given_success && dist.len() > 0 {
        if float {
            let mut dist = dist;
            let whole = dist.present();
            dist.mass.mul_float(1.0 / whole);
            dist.roundings += super::float(dist.len());
            return Ok(Distribution { dist, given: None });
        }
        let given = dist.mass.total();
        return Ok(Distribution { dist, given: Some(given) });
    }
    let chance = if float || dist.tail > 0.0 {
        let lost = 1.0 - dist.present() - dist.tail;
        format!("with a probability of about {:.4}%", lost.max(0.0) * 100.0)
    } else {
        let all = dist.denom.big();
        let lost = Ratio::new(BigInt::from(&all - dist.mass.total()), BigInt::from(all));
        if lost.denom().bits() <= 40 {
            format!("in {} of {} outcomes", lost.numer(), lost.denom())
        } else {
            format!("with a probability of about {:.4}%", ratio_float(lost.numer(), lost.denom()) * 100.0)
        }
    };
    let what = if fault.code() == Code::DivisionByZero { "is 0" } else { "fails" };
    Err(Error::new(fault.code(), fault.span(), format!("{}: the roll fails {chance}", fault.title()))
        .label(format!("{what} {chance}"))
        .hint("for the odds of the rolls that do not fail: --given-success, or Odds::given_success in the library"))
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
        match (&self.given, self.dist.width()) {
            (_, Width::F64) => None,
            (Some(given), _) => Some(given.clone()),
            (None, _) => Some(self.dist.denom.big()),
        }
    }

    /// Every total with its probability, in ascending order.
    #[must_use]
    pub fn outcomes(&self) -> Outcomes<'_> {
        Outcomes { law: self, scale: Scale::of(self), next: 0 }
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

    /// The mean; in closed form where explosions have no end.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.dist.moments().map_or(f64::NAN, |m| ratio_float(m.mean.numer(), m.mean.denom()))
    }

    /// The standard deviation.
    #[must_use]
    pub fn sd(&self) -> f64 {
        self.variance().max(0.0).sqrt()
    }

    /// The variance.
    #[must_use]
    pub fn variance(&self) -> f64 {
        self.dist.moments().map_or(f64::NAN, |m| ratio_float(m.variance.numer(), m.variance.denom()))
    }

    /// The mean as a fraction; `None` where it is not known exactly.
    #[must_use]
    pub fn mean_exact(&self) -> Option<Rational> {
        self.knows_moments().then(|| self.dist.moments().map(|m| m.mean))?
    }

    /// The variance as a fraction; `None` where it is not known exactly.
    #[must_use]
    pub fn variance_exact(&self) -> Option<Rational> {
        self.knows_moments().then(|| self.dist.moments().map(|m| m.variance))?
    }

    fn knows_moments(&self) -> bool {
        self.dist.width() != Width::F64 && (self.dist.tail == 0.0 || self.dist.closed.is_some())
    }

    /// The lowest total; `None` only where there is none.
    #[must_use]
    pub fn min(&self) -> Option<Number> {
        self.dist.cells().next().map(|cell| cell.0)
    }

    /// The highest total that is listed; `None` only where there is none.
    #[must_use]
    pub fn max(&self) -> Option<Number> {
        (0..self.dist.len()).rev().find(|&i| !self.dist.mass.is_zero(i)).map(|i| self.dist.value(i))
    }

    /// The most likely total, the lowest of them if there are several.
    #[must_use]
    pub fn mode(&self) -> Option<Number> {
        let mut best: Option<(Number, usize)> = None;
        for (value, cell) in self.dist.cells() {
            if best.is_none_or(|(_, top)| self.dist.mass.compare_cells(cell, top).is_gt()) {
                best = Some((value, cell));
            }
        }
        best.map(|best| best.0)
    }

    /// The lowest total that is not exceeded with at least this probability, from 0 to 1.
    ///
    /// ```
    /// use dice::{Expr, Number, Odds};
    /// let odds = "2d6".parse::<Expr>()?.odds(&Odds::default())?;
    /// assert_eq!(odds.quantile(0.1), Some(Number::from(4)));
    /// assert_eq!((odds.median(), odds.mode()), (Some(Number::from(7)), Some(Number::from(7))));
    /// # Ok::<(), dice::Error>(())
    /// ```
    #[must_use]
    pub fn quantile(&self, probability: f64) -> Option<Number> {
        let scale = Scale::of(self);
        // What is missing is taken out evenly, so that the highest total answers for 1.
        let whole: f64 = self.dist.cells().map(|cell| scale.probability(&self.dist.mass, cell.1)).sum();
        let wanted = probability.clamp(0.0, 1.0) * whole;
        let mut sum = 0.0;
        let mut last = None;
        for (value, cell) in self.dist.cells() {
            sum += scale.probability(&self.dist.mass, cell);
            last = Some(value);
            // Sums of roundings must not push the median of an even distribution to the next value.
            if sum >= wanted * (1.0 - 1e-12) {
                break;
            }
        }
        last
    }

    /// The median: the quantile of 1/2.
    #[must_use]
    pub fn median(&self) -> Option<Number> {
        self.quantile(0.5)
    }

    /// How a roll of this compares with an independent roll of another.
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
        (true, false) => (a.clone(), super::machine::as_float(b)),
        (false, true) => (super::machine::as_float(a), b.clone()),
        (true, true) | (false, false) => (a.clone(), b.clone()),
    }
}

/// Counts as probabilities: one over the number of outcomes, as mantissa and exponent.
#[derive(Clone, Copy, Debug)]
struct Scale {
    mantissa: f64,
    exponent: i64,
}

impl Scale {
    fn of(law: &Distribution) -> Scale {
        match &law.given {
            Some(given) => Scale::from_big(given),
            None => Scale::over(&law.dist.denom, law.dist.width()),
        }
    }

    fn over(denom: &Denom, width: Width) -> Scale {
        match denom.small() {
            _ if width == Width::F64 => Scale { mantissa: 1.0, exponent: 0 },
            Some(small) => Scale { mantissa: super::float_u64(small), exponent: 0 },
            None => Scale::from_big(&denom.big()),
        }
    }

    fn from_big(total: &BigUint) -> Scale {
        let mut row = Mass::zeros(Width::for_bits(total.bits()), 1);
        row.set_big(0, total);
        let (mantissa, exponent) = row.scaled(0);
        Scale { mantissa, exponent }
    }

    fn probability(self, mass: &Mass, cell: usize) -> f64 {
        let (mantissa, exponent) = mass.scaled(cell);
        let ratio = mantissa / self.mantissa;
        if exponent == self.exponent {
            ratio
        } else {
            super::dist::power_of_two(ratio, exponent - self.exponent)
        }
    }
}

/// The totals of a distribution with their probabilities; see [`Distribution::outcomes`].
#[derive(Clone, Debug)]
pub struct Outcomes<'d> {
    law: &'d Distribution,
    scale: Scale,
    next: usize,
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
