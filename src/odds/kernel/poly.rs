//! Distributions as polynomials: the coefficient of `y^x` is the number of outcomes with total x.

use super::bulk::convolve;
use super::factor::Factor;
use super::mass::Mass;
use super::width::Width;

/// A dense polynomial with whole exponents from `low` upwards; exponents may be negative. No cells: the zero polynomial.
#[derive(Clone, Debug, PartialEq)]
pub struct Poly {
    /// The exponent of the first cell.
    pub low: i64,
    /// The counts.
    pub mass: Mass,
    /// Floating rows: a bound on the number of roundings on any path to a cell, so that every cell has a relative error of at
    /// most this times 2^-53 (to first order; see [`Poly::relative_error`]). Exact rows: 0.
    pub roundings: f64,
}

impl Poly {
    /// A row with nothing rounded yet.
    #[must_use]
    pub fn exact(low: i64, mass: Mass) -> Self {
        Self { low, mass, roundings: 0.0 }
    }

    /// Nothing at all.
    #[must_use]
    pub fn zero(width: Width) -> Self {
        Self::exact(0, Mass::zeros(width, 0))
    }

    /// `count * y^at`.
    #[must_use]
    pub fn point(width: Width, at: i64, count: u64) -> Self {
        Self::exact(at, Mass::one(width, count))
    }

    /// The sum of `count * y^exponent` over small counts, in any order.
    #[must_use]
    pub fn from_terms(width: Width, terms: &[(i64, u64)]) -> Self {
        let Some(low) = terms.iter().map(|t| t.0).min() else { return Self::zero(width) };
        let high = terms.iter().map(|t| t.0).max().unwrap_or(low);
        let mut counts = vec![0u64; span(low, high)];
        for &(at, count) in terms {
            counts[span(low, at) - 1] += count;
        }
        if width == Width::U64 {
            return Self::exact(low, Mass::U64(counts));
        }
        let mass = Mass::from_small(width, &counts);
        Self::exact(low, mass)
    }

    /// Whether there are no cells.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.mass.is_empty()
    }

    /// The exponent of the last cell.
    #[must_use]
    pub fn high(&self) -> i64 {
        self.low + signed(self.mass.len()) - 1
    }

    /// Extends the range of exponents so that `low..=high` can be written to.
    fn cover(&mut self, low: i64, high: i64) {
        if self.is_zero() {
            self.low = low;
            self.mass.resize(span(low, high));
            return;
        }
        if low < self.low {
            let mut wider = Mass::zeros(self.mass.width(), span(low, self.high().max(high)));
            wider.add_at(span(low, self.low) - 1, &self.mass);
            self.low = low;
            self.mass = wider;
        } else if high > self.high() {
            let n = span(self.low, high);
            self.mass.resize(n);
        }
    }

    /// Adds another polynomial of the same width, `shift` added to its exponents.
    pub fn add(&mut self, other: &Self, shift: i64) {
        if !other.is_zero() {
            self.cover(other.low + shift, other.high() + shift);
            self.mass.add_at(span(self.low, other.low + shift) - 1, &other.mass);
            self.round_after(other.roundings, 1.0);
        }
    }

    /// Subtracts another polynomial of the same width (exact widths only).
    pub fn sub(&mut self, other: &Self, shift: i64) {
        if !other.is_zero() {
            self.cover(other.low + shift, other.high() + shift);
            self.mass.sub_at(span(self.low, other.low + shift) - 1, &other.mass);
        }
    }

    /// Adds another polynomial times a small number.
    pub fn add_small(&mut self, other: &Self, k: u64) {
        if !other.is_zero() && k > 0 {
            self.cover(other.low, other.high());
            self.mass.add_small_at(span(self.low, other.low) - 1, &other.mass, k);
            self.round_after(other.roundings, 2.0);
        }
    }

    /// Adds one cell of a row of numbers with the given number of roundings, times `y^at`.
    pub fn add_cell(&mut self, at: i64, row: &Mass, cell: usize, roundings: f64) {
        self.cover(at, at);
        self.round_after(roundings, 1.0);
        self.mass.add_cell(span(self.low, at) - 1, row, cell);
    }

    /// The product in the given width.
    #[must_use]
    pub fn times(&self, other: &Self, width: Width) -> Self {
        let mut out = Self::exact(self.low + other.low, convolve(&self.mass, &other.mass, width));
        if width == Width::F64 {
            out.roundings =
                self.roundings + other.roundings + to_float(self.mass.len().min(other.mass.len())) + 1.0;
        }
        out
    }

    /// The n-th power in the given width.
    #[must_use]
    pub fn pow(&self, n: u32, width: Width) -> Self {
        if n == 0 {
            return Self::point(width, 0, 1);
        }
        let mut base = self.clone().widen(width);
        let mut left = n;
        let mut result: Option<Self> = None;
        loop {
            if left & 1 == 1 {
                result = Some(match result {
                    None => base.clone(),
                    Some(r) => r.times(&base, width),
                });
            }
            left >>= 1;
            if left == 0 {
                return result.unwrap_or(base);
            }
            base = base.times(&base, width);
        }
    }

    /// Drops cells of zero at both ends.
    #[must_use]
    pub fn trim(self) -> Self {
        let n = self.mass.len();
        let Some(first) = (0..n).find(|&i| !self.mass.is_zero(i)) else {
            return Self::zero(self.mass.width());
        };
        let last = (first..n).rev().find(|&i| !self.mass.is_zero(i)).unwrap_or(first);
        if first == 0 && last + 1 == n {
            return self;
        }
        Self {
            low: self.low + signed(first),
            mass: self.mass.slice(first, last + 1),
            roundings: self.roundings,
        }
    }

    /// The same polynomial in another width.
    #[must_use]
    pub fn widen(self, width: Width) -> Self {
        Self { low: self.low, mass: self.mass.widen(width), roundings: self.roundings }
    }

    /// Notes that floating cells met others with so many roundings and were rounded again themselves.
    fn round_after(&mut self, other: f64, more: f64) {
        if self.mass.width() == Width::F64 {
            self.roundings = self.roundings.max(other) + more;
        }
    }

    /// This times one die. Floating rows are divided by `total`, the die's number of outcomes, so that they stay probabilities.
    #[must_use]
    pub fn times_factor(&self, die: &Factor, total: u64) -> Self {
        self.times_factor_from(self.low + die.low, die, total)
    }

    /// The same with the exponents from `low` on, as room for what is to be added there.
    #[must_use]
    pub fn times_factor_from(&self, low: i64, die: &Factor, total: u64) -> Self {
        let own = self.low + die.low;
        let low = low.min(own);
        let lead = span(low, own) - 1;
        let mut out = Self { low, mass: die.multiply(&self.mass, lead), roundings: self.roundings };
        if self.mass.width() == Width::F64 {
            out.mass.mul_float(1.0 / small_float(total));
            out.roundings += to_float(die.weights().len()) + 4.0;
        }
        out
    }

    /// One cell of it, at another exponent.
    #[must_use]
    pub fn lone(&self, cell: usize, at: i64) -> Self {
        Self { low: at, mass: self.mass.slice(cell, cell + 1), roundings: self.roundings }
    }

    /// The exponent, where there is exactly one cell.
    #[must_use]
    pub fn single(&self) -> Option<i64> {
        (self.mass.len() == 1).then_some(self.low)
    }
}

/// The number of whole numbers from `low` to `high`; 0 where they run backwards.
pub(crate) fn span(low: i64, high: i64) -> usize {
    usize::try_from(high - low + 1).unwrap_or(0)
}

/// A length as a signed number.
pub(crate) fn signed(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// A length as a floating number.
#[allow(clippy::cast_precision_loss)] // lengths stay far below 2^53
pub(crate) fn to_float(n: usize) -> f64 {
    n as f64
}

/// A weight as a floating number, with one rounding.
#[allow(clippy::cast_precision_loss)] // counted by the callers
pub(crate) fn small_float(n: u64) -> f64 {
    n as f64
}
