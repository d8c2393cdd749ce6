//! One die as a polynomial with small weights, and rows multiplied by it.

use super::mass::{Mass, Width};
use super::poly::{Poly, signed, span};

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
}

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
        let terms: Vec<_> = weights.iter().copied().enumerate().filter(|t| t.1 > 0).collect();
        let differences = if terms.len() > 2 { differences(&weights, terms.len()) } else { None };
        Self { low, weights, terms, differences }
    }

    /// The weights of consecutive exponents from `low`.
    #[must_use]
    pub fn weights(&self) -> &[u64] {
        &self.weights
    }

    /// The sum of all weights.
    #[must_use]
    pub fn total(&self) -> u128 {
        self.weights.iter().map(|&w| u128::from(w)).sum()
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
            (_, _) => self.terms.len(),
        }
    }

    /// The polynomial as a row of the given width.
    #[must_use]
    pub fn poly(&self, width: Width) -> Poly {
        Poly::exact(self.low, Mass::from_small(width, &self.weights))
    }

    /// A row times this polynomial, the first cell of the result at the sum of the lowest exponents.
    #[must_use]
    pub fn multiply(&self, row: &Mass) -> Mass {
        let m = self.weights.len();
        if row.is_empty() {
            return row.clone();
        }
        if m > 2
            && let Some(w) = self.uniform()
        {
            let mut out = row.window(m);
            out.mul_small(w);
            return out;
        }
        let len = row.len() + m - 1;
        let exact = row.width() != Width::F64;
        if let (Some(differences), true) = (&self.differences, exact) {
            // The term beyond the last face only brings the sums back to zero, so it is left out with its cell.
            let mut out = Mass::zeros(row.width(), len);
            for &(i, d) in differences {
                if i < len {
                    if d > 0 {
                        out.add_small_at(i, row, d.unsigned_abs());
                    } else {
                        out.sub_small_at(i, row, d.unsigned_abs());
                    }
                }
            }
            out.prefix();
            return out;
        }
        let mut out = Mass::zeros(row.width(), len);
        for &(i, w) in &self.terms {
            out.add_small_at(i, row, w);
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
