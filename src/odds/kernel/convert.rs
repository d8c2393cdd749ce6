//! Rows in other widths: what a cell of one width becomes in another.
//!
//! Every pair of widths meets here, so that the operations on rows know one width at a time.

use super::mass::Mass;
use super::width::Width;

impl Mass {
    /// The same cells in another exact width, or itself where the widths are equal.
    #[must_use]
    pub fn widen(self, width: Width) -> Self {
        if self.width() == width {
            return self;
        }
        let n = self.len();
        if let (Self::U64(v), Width::U128) = (&self, width) {
            Self::U128(v.iter().map(|&x| u128::from(x)).collect())
        } else {
            let mut wide = Self::zeros(width, n);
            for i in 0..n {
                if !self.is_zero(i) {
                    wide.copy_cell(i, &self, i);
                }
            }
            wide
        }
    }

    /// Sets cell `i` to a cell of another row of any width, modulo this width.
    #[allow(clippy::cast_possible_truncation)] // modulo the width
    pub fn copy_cell(&mut self, i: usize, from: &Self, j: usize) {
        match (&mut *self, from) {
            (Self::U64(d), Self::U64(s)) => d[i] = s[j],
            (Self::U128(d), Self::U128(s)) => d[i] = s[j],
            (Self::U128(d), Self::U64(s)) => d[i] = u128::from(s[j]),
            (Self::F64(d), Self::F64(s)) => d[i] = s[j],
            (Self::Limbs { l, d }, Self::Limbs { l: m, d: s }) => {
                let row = &mut d[i * *l..(i + 1) * *l];
                let shared = (*l).min(*m);
                row.fill(0);
                row[..shared].copy_from_slice(&s[j * m..j * m + shared]);
            }
            (Self::Limbs { .. }, Self::U64(s)) => self.set(i, s[j]),
            (Self::Limbs { l, d }, Self::U128(s)) => {
                let row = &mut d[i * *l..(i + 1) * *l];
                row.fill(0);
                row[0] = s[j] as u64;
                if *l > 1 {
                    row[1] = (s[j] >> 64) as u64;
                }
            }
            _ => self.set_big(i, &from.big(j)),
        }
    }
}
