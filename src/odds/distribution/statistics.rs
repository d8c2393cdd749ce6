//! Single numbers that sum a distribution up: mean, variance, extremes, quantiles.
//!
//! Apart from the probabilities of single totals: moments may be known in closed form where the table is cut off.

use crate::number::Number;
use crate::odds::dist::ratio_float;
use crate::odds::kernel::Width;

use super::outcomes::Scale;
use super::{Distribution, Rational};

impl Distribution {
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

    /// The lowest total that is listed; `None` only where there is none. Floating probabilities below about 1e-323 are 0, and
    /// totals that have such are not listed.
    #[must_use]
    pub fn min(&self) -> Option<Number> {
        self.dist.cells().next().map(|cell| cell.0)
    }

    /// The highest total that is listed, as for [`Distribution::min`]; `None` only where there is none.
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
        if probability >= 1.0 {
            return self.max();
        }
        let scale = Scale::of(self);
        // What is missing is taken out evenly.
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
}
