//! Rows of counts, in the narrowest width that holds them.

use super::limb;
use super::width::Width;
use num_bigint::BigUint;

/// A row of non-negative counts (or probabilities), all of one width.
///
/// Whole-number operations wrap modulo the width, so intermediate differences may be negative.
#[derive(Clone, Debug, PartialEq)]
pub enum Mass {
    /// Counts of at most 63 bits.
    U64(Vec<u64>),
    /// Counts of at most 127 bits.
    U128(Vec<u128>),
    /// Counts of `l` limbs: count i is `d[i * l..(i + 1) * l]`, least limb first.
    Limbs {
        /// Limbs a count.
        l: usize,
        /// All limbs.
        d: Vec<u64>,
    },
    /// Probabilities.
    F64(Vec<f64>),
}

impl Mass {
    /// `n` zeros.
    #[must_use]
    pub fn zeros(width: Width, n: usize) -> Self {
        match width {
            Width::U64 => Self::U64(vec![0; n]),
            Width::U128 => Self::U128(vec![0; n]),
            Width::Limbs(l) => Self::Limbs { l: l.max(1), d: vec![0; n * l.max(1)] },
            Width::F64 => Self::F64(vec![0.0; n]),
        }
    }

    /// One cell that holds a small count.
    #[must_use]
    pub fn one(width: Width, count: u64) -> Self {
        let mut mass = Self::zeros(width, 1);
        mass.set(0, count);
        mass
    }

    /// Cells from small counts.
    #[must_use]
    pub fn from_small(width: Width, counts: &[u64]) -> Self {
        if width == Width::U64 {
            return Self::U64(counts.to_vec());
        }
        let mut mass = Self::zeros(width, counts.len());
        for (i, &c) in counts.iter().enumerate() {
            mass.set(i, c);
        }
        mass
    }

    /// The number of cells.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::U64(v) => v.len(),
            Self::U128(v) => v.len(),
            Self::Limbs { l, d } => d.len() / l,
            Self::F64(v) => v.len(),
        }
    }

    /// Whether there are no cells.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The width of the cells.
    #[must_use]
    pub fn width(&self) -> Width {
        match self {
            Self::U64(_) => Width::U64,
            Self::U128(_) => Width::U128,
            Self::Limbs { l, .. } => Width::Limbs(*l),
            Self::F64(_) => Width::F64,
        }
    }

    /// Whether cell `i` is zero; a cell beyond the end is.
    #[must_use]
    pub fn is_zero(&self, i: usize) -> bool {
        match self {
            Self::U64(v) => v.get(i).is_none_or(|&x| x == 0),
            Self::U128(v) => v.get(i).is_none_or(|&x| x == 0),
            Self::Limbs { l, d } => d.get(i * l..(i + 1) * l).is_none_or(limb::is_zero),
            Self::F64(v) => v.get(i).is_none_or(|&x| x == 0.0),
        }
    }

    /// Cell `i` as a whole number. A floating cell is cut to a whole number, which is of no use but does no harm.
    #[must_use]
    pub fn big(&self, i: usize) -> BigUint {
        match self {
            Self::U64(v) => BigUint::from(v.get(i).copied().unwrap_or(0)),
            Self::U128(v) => BigUint::from(v.get(i).copied().unwrap_or(0)),
            Self::Limbs { l, d } => d.get(i * l..(i + 1) * l).map_or_else(BigUint::default, big_of),
            Self::F64(v) => {
                v.get(i).and_then(|&x| num_traits::FromPrimitive::from_f64(x)).unwrap_or_default()
            }
        }
    }

    /// Cell `i` as `mantissa * 2^exponent`, with the relative error of one rounding.
    #[must_use]
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation)] // one rounding is what the contract says
    pub fn scaled(&self, i: usize) -> (f64, i64) {
        match self {
            Self::U64(v) => (v.get(i).copied().unwrap_or(0) as f64, 0),
            Self::U128(v) => (v.get(i).copied().unwrap_or(0) as f64, 0),
            Self::Limbs { l, d } => {
                let (m, e) = d.get(i * l..(i + 1) * l).map_or((0, 0), limb::to_scaled);
                (m as f64, e)
            }
            Self::F64(v) => (v.get(i).copied().unwrap_or(0.0), 0),
        }
    }

    /// Sets cell `i` to a small count.
    #[allow(clippy::cast_precision_loss)] // weights of dice; a float row is normalised by its total anyway
    pub fn set(&mut self, i: usize, count: u64) {
        match self {
            Self::U64(v) => v[i] = count,
            Self::U128(v) => v[i] = u128::from(count),
            Self::Limbs { l, d } => {
                let row = &mut d[i * *l..(i + 1) * *l];
                row.fill(0);
                row[0] = count;
            }
            Self::F64(v) => v[i] = count as f64,
        }
    }

    /// Sets cell `i` to a whole number, modulo the width.
    pub fn set_big(&mut self, i: usize, count: &BigUint) {
        match self {
            Self::U64(v) => v[i] = count.iter_u64_digits().next().unwrap_or(0),
            Self::U128(v) => {
                let mut digits = count.iter_u64_digits();
                let low = u128::from(digits.next().unwrap_or(0));
                v[i] = low | u128::from(digits.next().unwrap_or(0)) << 64;
            }
            Self::Limbs { l, d } => {
                let row = &mut d[i * *l..(i + 1) * *l];
                row.fill(0);
                for (r, digit) in row.iter_mut().zip(count.iter_u64_digits()) {
                    *r = digit;
                }
            }
            Self::F64(v) => v[i] = num_traits::ToPrimitive::to_f64(count).unwrap_or(f64::INFINITY),
        }
    }

    /// The cells of a range, as a row of its own.
    #[must_use]
    pub fn slice(&self, from: usize, to: usize) -> Self {
        match self {
            Self::U64(v) => Self::U64(v[from..to].to_vec()),
            Self::U128(v) => Self::U128(v[from..to].to_vec()),
            Self::Limbs { l, d } => Self::Limbs { l: *l, d: d[from * l..to * l].to_vec() },
            Self::F64(v) => Self::F64(v[from..to].to_vec()),
        }
    }

    /// Cuts or extends the row with zeros.
    pub fn resize(&mut self, n: usize) {
        match self {
            Self::U64(v) => v.resize(n, 0),
            Self::U128(v) => v.resize(n, 0),
            Self::Limbs { l, d } => d.resize(n * *l, 0),
            Self::F64(v) => v.resize(n, 0.0),
        }
    }

    /// The cells in the opposite order.
    pub fn reverse(&mut self) {
        match self {
            Self::U64(v) => v.reverse(),
            Self::U128(v) => v.reverse(),
            Self::Limbs { l, d } => {
                let n = d.len() / *l;
                for i in 0..n / 2 {
                    let (low, high) = d.split_at_mut((n - 1 - i) * *l);
                    low[i * *l..(i + 1) * *l].swap_with_slice(&mut high[..*l]);
                }
            }
            Self::F64(v) => v.reverse(),
        }
    }

    /// Which of two cells holds more.
    #[must_use]
    pub fn compare_cells(&self, i: usize, j: usize) -> std::cmp::Ordering {
        match self {
            Self::U64(v) => v[i].cmp(&v[j]),
            Self::U128(v) => v[i].cmp(&v[j]),
            Self::Limbs { l, d } => {
                d[i * l..(i + 1) * l].iter().rev().cmp(d[j * l..(j + 1) * l].iter().rev())
            }
            Self::F64(v) => v[i].total_cmp(&v[j]),
        }
    }

    /// The sum of all cells as a whole number (exact widths).
    #[must_use]
    pub fn total(&self) -> BigUint {
        match self {
            Self::U64(v) => BigUint::from(v.iter().map(|&x| u128::from(x)).sum::<u128>()),
            Self::U128(v) => v.iter().map(|&x| BigUint::from(x)).sum(),
            Self::Limbs { l, d } => {
                let mut sum = vec![0; l + 1];
                for row in d.chunks_exact(*l) {
                    limb::add_extended(&mut sum, row);
                }
                big_of(&sum)
            }
            Self::F64(v) => num_traits::FromPrimitive::from_f64(v.iter().sum()).unwrap_or_default(),
        }
    }
}

/// A whole number from limbs, least first.
pub(crate) fn big_of(limbs: &[u64]) -> BigUint {
    let mut bytes = Vec::with_capacity(limbs.len() * 8);
    for limb in limbs {
        bytes.extend_from_slice(&limb.to_le_bytes());
    }
    BigUint::from_bytes_le(&bytes)
}
