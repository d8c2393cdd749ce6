//! Rows in other widths: what a cell of one width becomes in another.
//!
//! Every pair of widths meets here and nowhere else: the operations on rows ask for the other row in their own width, which costs
//! nothing where it has that width already, and need no arm for widths that differ.

use std::borrow::Cow;

use super::mass::Mass;
use super::width::Width;
use num_traits::ToPrimitive;

#[allow(clippy::cast_possible_truncation)] // modulo the width
impl Mass {
    /// The same cells in another exact width, or itself where the widths are equal.
    #[must_use]
    pub fn widen(self, width: Width) -> Self {
        if self.width() == width {
            return self;
        }
        match width {
            Width::U64 => Self::U64(self.words().into_owned()),
            Width::U128 => Self::U128(self.doubles().into_owned()),
            Width::Limbs(l) => Self::Limbs { l: l.max(1), d: self.limbs(l.max(1)).into_owned() },
            Width::F64 => Self::F64(self.chances().into_owned()),
        }
    }

    /// Sets cell `i` to a cell of another row of any width, modulo this width.
    #[inline]
    pub fn copy_cell(&mut self, i: usize, from: &Self, j: usize) {
        match self {
            Self::U64(d) => d[i] = from.word(j),
            Self::U128(d) => d[i] = from.double(j),
            Self::Limbs { l, d } => from.write_limbs(j, &mut d[i * *l..(i + 1) * *l]),
            Self::F64(d) => d[i] = from.chance(j),
        }
    }

    /// The cells in 64 bits.
    #[inline]
    pub(super) fn words(&self) -> Cow<'_, [u64]> {
        match self {
            Self::U64(v) => Cow::Borrowed(v),
            Self::U128(_) | Self::Limbs { .. } | Self::F64(_) => Cow::Owned(self.each(Self::word)),
        }
    }

    /// The cells in 128 bits.
    #[inline]
    pub(super) fn doubles(&self) -> Cow<'_, [u128]> {
        match self {
            Self::U128(v) => Cow::Borrowed(v),
            Self::U64(_) | Self::Limbs { .. } | Self::F64(_) => Cow::Owned(self.each(Self::double)),
        }
    }

    /// The cells in so many limbs each, one after the other.
    #[inline]
    pub(super) fn limbs(&self, l: usize) -> Cow<'_, [u64]> {
        match self {
            Self::Limbs { l: own, d } if *own == l => Cow::Borrowed(d),
            Self::U64(_) | Self::U128(_) | Self::Limbs { .. } | Self::F64(_) => {
                Cow::Owned(self.each_in_limbs(l))
            }
        }
    }

    /// The cells as floating numbers.
    #[inline]
    pub(super) fn chances(&self) -> Cow<'_, [f64]> {
        match self {
            Self::F64(v) => Cow::Borrowed(v),
            Self::U64(_) | Self::U128(_) | Self::Limbs { .. } => Cow::Owned(self.each(Self::chance)),
        }
    }

    /// All cells converted, out of the way of rows that have the width already.
    #[cold]
    fn each<T>(&self, cell: impl Fn(&Self, usize) -> T) -> Vec<T> {
        super::tally::took(self.len());
        (0..self.len()).map(|i| cell(self, i)).collect()
    }

    /// The same in so many limbs each.
    #[cold]
    fn each_in_limbs(&self, l: usize) -> Vec<u64> {
        super::tally::took(self.len() * l);
        let mut limbs = vec![0; self.len() * l];
        for (i, row) in limbs.chunks_exact_mut(l).enumerate().filter(|row| !self.is_zero(row.0)) {
            self.write_limbs(i, row);
        }
        limbs
    }

    /// Cell `i` modulo 2^64.
    #[inline]
    pub(super) fn word(&self, i: usize) -> u64 {
        match self {
            Self::U64(v) => v[i],
            Self::U128(v) => v[i] as u64,
            Self::Limbs { l, d } => d[i * l],
            Self::F64(_) => self.big(i).iter_u64_digits().next().unwrap_or(0),
        }
    }

    /// Cell `i` modulo 2^128.
    #[inline]
    pub(super) fn double(&self, i: usize) -> u128 {
        match self {
            Self::U64(v) => u128::from(v[i]),
            Self::U128(v) => v[i],
            Self::Limbs { .. } | Self::F64(_) => {
                let mut pair = [0; 2];
                self.write_limbs(i, &mut pair);
                u128::from(pair[0]) | u128::from(pair[1]) << 64
            }
        }
    }

    /// Cell `i` as a floating number.
    #[inline]
    pub(super) fn chance(&self, i: usize) -> f64 {
        match self {
            Self::F64(v) => v[i],
            Self::U64(_) | Self::U128(_) | Self::Limbs { .. } => {
                self.big(i).to_f64().unwrap_or(f64::INFINITY)
            }
        }
    }

    /// Writes cell `i` into at least one limb, modulo what those hold.
    #[inline]
    fn write_limbs(&self, i: usize, row: &mut [u64]) {
        match self {
            Self::U64(v) => {
                row.fill(0);
                row[0] = v[i];
            }
            Self::U128(v) => {
                row.fill(0);
                let parts = [v[i] as u64, (v[i] >> 64) as u64];
                row.iter_mut().zip(parts).for_each(|(limb, part)| *limb = part);
            }
            Self::Limbs { l, d } => {
                let (low, high) = row.split_at_mut(row.len().min(*l));
                low.copy_from_slice(&d[i * l..i * l + low.len()]);
                high.fill(0);
            }
            Self::F64(_) => {
                row.fill(0);
                row.iter_mut().zip(self.big(i).iter_u64_digits()).for_each(|(limb, digit)| *limb = digit);
            }
        }
    }
}
