//! One die as a polynomial with small weights, and rows multiplied by it.

use super::mass::Mass;
use super::poly::{Poly, signed, span};
use super::tally::{MAKING, took};
use super::width::Width;

/// A polynomial with small whole weights, kept sparse in the cheaper of two ways: by its terms, or by the terms of
/// `(1 - y) P(y)`. Dice with runs of equally likely faces have few of the latter: an ordinary die has two.
#[derive(Clone, Debug)]
pub struct Factor {
    /// The exponent of the first cell.
    pub low: i64,
    /// The weights by exponent, first and last not zero.
    weights: Vec<u64>,
    /// The non-zero weights with their places.
    terms: Vec<(usize, u64)>,
    /// The non-zero terms of `(1 - y) P`, where there are fewer of them and none is too large.
    differences: Option<Vec<(usize, i64)>>,
    /// Neighbours of equal weight, where windows over them are cheaper for a floating row than its terms.
    runs: Vec<Run>,
}

/// Consecutive exponents of equal weight.
#[derive(Clone, Copy, Debug)]
struct Run {
    start: usize,
    len: usize,
    weight: u64,
}

/// Operations a cell for a window over a floating row, which is then weighted and added.
const WINDOW: usize = 5;

impl Factor {
    /// From weighted exponents in any order; equal exponents add up. `None` if there are none, or if the weights of one
    /// exponent do not fit 64 bits.
    #[must_use]
    pub fn new(faces: &[(i64, u64)]) -> Option<Self> {
        let low = faces.iter().filter(|f| f.1 > 0).map(|f| f.0).min()?;
        let high = faces.iter().filter(|f| f.1 > 0).map(|f| f.0).max()?;
        let mut weights = vec![0u64; span(low, high)];
        for &(at, w) in faces.iter().filter(|f| f.1 > 0) {
            let cell = &mut weights[span(low, at) - 1];
            *cell = cell.checked_add(w)?;
        }
        Some(Self::from_weights(low, weights))
    }

    /// From the weights of consecutive exponents, first and last not zero.
    #[must_use]
    pub fn from_weights(low: i64, weights: Vec<u64>) -> Self {
        if let Some(&w) = weights.first()
            && weights.len() > 2
            && w < 1 << 62
            && weights.iter().all(|&x| x == w)
        {
            // An ordinary die: windows need no terms.
            let (w, end) = (w.cast_signed(), weights.len());
            return Self {
                low,
                weights,
                terms: Vec::new(),
                differences: Some(vec![(0, w), (end, -w)]),
                runs: Vec::new(),
            };
        }
        let terms: Vec<_> = weights.iter().copied().enumerate().filter(|t| t.1 > 0).collect();
        let differences = if terms.len() > 2 { differences(&weights, terms.len()) } else { None };
        let runs = if differences.is_some() { runs(&weights) } else { Vec::new() };
        let runs = if runs.len() * WINDOW < terms.len() { runs } else { Vec::new() };
        Self { low, weights, terms, differences, runs }
    }

    /// The weights of consecutive exponents from `low`.
    #[must_use]
    pub fn weights(&self) -> &[u64] {
        &self.weights
    }

    /// The weight of every face, where all consecutive faces weigh the same.
    #[must_use]
    pub fn uniform(&self) -> Option<u64> {
        let first = *self.weights.first()?;
        self.weights.iter().all(|&w| w == first).then_some(first)
    }

    /// Whether the weights read the same from both ends.
    #[must_use]
    pub fn is_symmetric(&self) -> bool {
        let n = self.weights.len();
        (0..n / 2).all(|i| self.weights[i] == self.weights[n - 1 - i])
    }

    /// The numerator of P over `(1 - y)^d`, and whether d is 1; never d = 1 for floating rows.
    #[must_use]
    pub fn numerator(&self) -> (Vec<(usize, i64)>, bool) {
        match &self.differences {
            Some(d) => (d.clone(), true),
            None => {
                (self.terms.iter().map(|&(i, w)| (i, i64::try_from(w).unwrap_or(i64::MAX))).collect(), false)
            }
        }
    }

    /// The number of operations a cell when a row is multiplied by this.
    #[must_use]
    pub fn cost(&self, width: Width) -> usize {
        match (&self.differences, width) {
            (Some(d), Width::U64 | Width::U128 | Width::Limbs(_)) => d.len() + 1,
            (Some(_), Width::F64) if self.uniform().is_some() => 2,
            (Some(_), Width::F64) if !self.runs.is_empty() => self.runs.len() * WINDOW,
            (Some(_) | None, Width::F64) | (None, Width::U64 | Width::U128 | Width::Limbs(_)) => {
                self.terms.len()
            }
        }
    }

    /// The polynomial as a row of the given width.
    #[must_use]
    pub fn poly(&self, width: Width) -> Poly {
        Poly::exact(self.low, Mass::from_small(width, &self.weights))
    }

    /// A row times this polynomial, after `lead` empty cells; the cell behind them is at the sum of the lowest exponents.
    #[must_use]
    pub fn multiply(&self, row: &Mass, lead: usize) -> Mass {
        let m = self.weights.len();
        took(MAKING);
        if row.is_empty() {
            return row.clone();
        }
        if m > 2
            && let Some(w) = self.uniform()
        {
            let mut out = row.window(m, lead);
            out.mul_small(w);
            return out;
        }
        let len = lead + row.len() + m - 1;
        let mut out = Mass::zeros(row.width(), len);
        let exact = row.width() != Width::F64;
        if let (Some(differences), true) = (&self.differences, exact) {
            // The term beyond the last face only brings the sums back to zero, so it is left out with its cell.
            for &(i, d) in differences.iter().filter(|d| lead + d.0 < len) {
                if d > 0 {
                    out.add_small_at(lead + i, row, d.unsigned_abs());
                } else {
                    out.sub_small_at(lead + i, row, d.unsigned_abs());
                }
            }
            out.prefix();
        } else if self.runs.is_empty() || exact {
            for &(i, w) in &self.terms {
                out.add_small_at(lead + i, row, w);
            }
        } else {
            for run in &self.runs {
                out.add_small_at(lead + run.start, &row.window(run.len, 0), run.weight);
            }
        }
        out
    }

    /// The highest exponent.
    #[must_use]
    pub fn high(&self) -> i64 {
        self.low + signed(self.weights.len()) - 1
    }
}

/// The non-zero terms of `(1 - y) P`, if there are fewer than `limit`, counting one for the running sum.
fn differences(weights: &[u64], limit: usize) -> Option<Vec<(usize, i64)>> {
    let mut out = Vec::new();
    let mut before = 0i64;
    for (i, &w) in weights.iter().chain(std::iter::once(&0)).enumerate() {
        let w = i64::try_from(w).ok().filter(|&w| w < 1 << 62)?;
        if w != before {
            out.push((i, w - before));
            before = w;
        }
        if out.len() + 1 >= limit {
            return None;
        }
    }
    Some(out)
}

/// The runs of equal weight that is not 0.
fn runs(weights: &[u64]) -> Vec<Run> {
    let mut out: Vec<Run> = Vec::new();
    for (i, &weight) in weights.iter().enumerate().filter(|w| *w.1 > 0) {
        match out.last_mut() {
            Some(run) if run.weight == weight && run.start + run.len == i => run.len += 1,
            Some(_) | None => out.push(Run { start: i, len: 1, weight }),
        }
    }
    out
}
