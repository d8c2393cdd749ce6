//! Operations on whole rows: one match on the width for many cells.

use super::limb;
use super::mass::{Mass, Width};
use super::poly::to_float;

/// Applies a closure to the zipped cells of two rows of one width, a shorter right side first widened.
macro_rules! zip_cells {
    ($self:ident, $at:ident, $src:ident, $narrow:expr, $wide:expr, $limbs:expr, $float:expr) => {
        if $self.width() != $src.width() {
            let same = $src.clone().widen($self.width());
            return zip_cells!(@same $self, $at, (&same), $narrow, $wide, $limbs, $float);
        }
        zip_cells!(@same $self, $at, $src, $narrow, $wide, $limbs, $float)
    };
    (@same $self:ident, $at:ident, $src:tt, $narrow:expr, $wide:expr, $limbs:expr, $float:expr) => {
        match ($self, $src) {
            (Mass::U64(d), Mass::U64(s)) => d[$at..].iter_mut().zip(s).for_each($narrow),
            (Mass::U128(d), Mass::U128(s)) => d[$at..].iter_mut().zip(s).for_each($wide),
            (Mass::Limbs { l, d }, Mass::Limbs { d: s, .. }) => {
                d[$at * *l..].chunks_exact_mut(*l).zip(s.chunks_exact(*l)).for_each($limbs);
            }
            (Mass::F64(d), Mass::F64(s)) => d[$at..].iter_mut().zip(s).for_each($float),
            _ => {} // the widths are equal here
        }
    };
}

#[allow(clippy::cast_precision_loss)] // small weights; the error bound counts this rounding
impl Mass {
    /// Adds a row, its first cell to cell `at`. Cells that would stand beyond the end are left out.
    pub fn add_at(&mut self, at: usize, src: &Self) {
        zip_cells!(
            self,
            at,
            src,
            |(d, &s)| *d = d.wrapping_add(s),
            |(d, &s)| *d = d.wrapping_add(s),
            |(d, s)| limb::add(d, s),
            |(d, &s)| *d += s
        );
    }

    /// Subtracts a row, its first cell from cell `at`. Not for floating rows, whose error bound would be lost.
    pub fn sub_at(&mut self, at: usize, src: &Self) {
        zip_cells!(
            self,
            at,
            src,
            |(d, &s)| *d = d.wrapping_sub(s),
            |(d, &s)| *d = d.wrapping_sub(s),
            |(d, s)| limb::sub(d, s),
            |(d, &s)| *d -= s
        );
    }

    /// Adds a row times a small number.
    pub fn add_small_at(&mut self, at: usize, src: &Self, k: u64) {
        if k == 1 {
            self.add_at(at, src);
            return;
        }
        zip_cells!(
            self,
            at,
            src,
            |(d, &s)| *d = d.wrapping_add(s.wrapping_mul(k)),
            |(d, &s)| *d = d.wrapping_add(s.wrapping_mul(u128::from(k))),
            |(d, s)| limb::add_mul(d, s, k),
            |(d, &s)| *d += s * k as f64
        );
    }

    /// Subtracts a row times a small number. Not for floating rows.
    pub fn sub_small_at(&mut self, at: usize, src: &Self, k: u64) {
        if k == 1 {
            self.sub_at(at, src);
            return;
        }
        zip_cells!(
            self,
            at,
            src,
            |(d, &s)| *d = d.wrapping_sub(s.wrapping_mul(k)),
            |(d, &s)| *d = d.wrapping_sub(s.wrapping_mul(u128::from(k))),
            |(d, s)| limb::sub_mul(d, s, k),
            |(d, &s)| *d -= s * k as f64
        );
    }

    /// Multiplies every cell by a small number.
    pub fn mul_small(&mut self, k: u64) {
        if k == 1 {
            return;
        }
        match self {
            Self::U64(v) => v.iter_mut().for_each(|x| *x = x.wrapping_mul(k)),
            Self::U128(v) => v.iter_mut().for_each(|x| *x = x.wrapping_mul(u128::from(k))),
            Self::Limbs { l, d } => d.chunks_exact_mut(*l).for_each(|row| limb::mul_small(row, k)),
            Self::F64(v) => v.iter_mut().for_each(|x| *x *= k as f64),
        }
    }

    /// Multiplies every cell of a floating row. Does nothing to an exact one.
    pub fn mul_float(&mut self, k: f64) {
        if let Self::F64(v) = self {
            for x in v {
                *x *= k;
            }
        }
    }

    /// Replaces each cell by the sum of itself and all before it.
    pub fn prefix(&mut self) {
        match self {
            Self::U64(v) => {
                let mut sum = 0u64;
                for x in v {
                    sum = sum.wrapping_add(*x);
                    *x = sum;
                }
            }
            Self::U128(v) => {
                let mut sum = 0u128;
                for x in v {
                    sum = sum.wrapping_add(*x);
                    *x = sum;
                }
            }
            Self::Limbs { l, d } => {
                for i in (*l..d.len()).step_by(*l) {
                    let (before, after) = d.split_at_mut(i);
                    limb::add(&mut after[..*l], &before[i - *l..]);
                }
            }
            Self::F64(v) => {
                let mut sum = 0.0;
                for x in v {
                    sum += *x;
                    *x = sum;
                }
            }
        }
    }

    /// `dst[at + i] += src[i] * factor[cell]` for all i.
    pub fn add_multiple(&mut self, at: usize, src: &Self, factor: &Self, cell: usize) {
        match (&mut *self, src, factor) {
            (Self::U64(d), Self::U64(s), Self::U64(f)) => {
                let k = f[cell];
                d[at..].iter_mut().zip(s).for_each(|(d, &s)| *d = d.wrapping_add(s.wrapping_mul(k)));
            }
            (Self::U128(d), Self::U128(s), Self::U128(f)) => {
                let k = f[cell];
                d[at..].iter_mut().zip(s).for_each(|(d, &s)| *d = d.wrapping_add(s.wrapping_mul(k)));
            }
            (Self::F64(d), Self::F64(s), Self::F64(f)) => {
                let k = f[cell];
                d[at..].iter_mut().zip(s).for_each(|(d, &s)| *d += s * k);
            }
            (Self::Limbs { l, d }, Self::Limbs { l: m, d: s }, Self::Limbs { l: n, d: f })
                if l == m && l == n =>
            {
                let k = &f[cell * *l..(cell + 1) * *l];
                let used = k.iter().rposition(|&x| x != 0).map_or(0, |top| top + 1);
                for (d, s) in d[at * *l..].chunks_exact_mut(*l).zip(s.chunks_exact(*l)) {
                    limb::add_product(d, &k[..used], s);
                }
            }
            _ => {
                let width = self.width();
                let (src, factor) = (src.clone().widen(width), factor.clone().widen(width));
                self.add_multiple(at, &src, &factor, cell);
            }
        }
    }

    /// `dst[at] += a[i] * b[j]`.
    pub fn add_product(&mut self, at: usize, left: &Self, i: usize, right: &Self, j: usize) {
        match (&mut *self, left, right) {
            (Self::U64(d), Self::U64(a), Self::U64(b)) => d[at] = d[at].wrapping_add(a[i].wrapping_mul(b[j])),
            (Self::U128(d), Self::U128(a), Self::U128(b)) => {
                d[at] = d[at].wrapping_add(a[i].wrapping_mul(b[j]));
            }
            (Self::F64(d), Self::F64(a), Self::F64(b)) => d[at] += a[i] * b[j],
            _ => self.add_multiple(at, &left.slice(i, i + 1), right, j),
        }
    }

    /// Adds one cell of another row to cell `at`.
    pub fn add_cell(&mut self, at: usize, src: &Self, cell: usize) {
        match (&mut *self, src) {
            (Self::U64(d), Self::U64(s)) => d[at] = d[at].wrapping_add(s[cell]),
            (Self::U128(d), Self::U128(s)) => d[at] = d[at].wrapping_add(s[cell]),
            (Self::F64(d), Self::F64(s)) => d[at] += s[cell],
            _ => self.add_at(at, &src.slice(cell, cell + 1)),
        }
    }
}

/// The product of two rows as polynomials in a given width: all pairs of cells or, where that is less work, one product of two
/// large numbers.
pub(crate) fn convolve(a: &Mass, b: &Mass, width: Width) -> Mass {
    // Cells of few limbs are the cheaper factors.
    let key = |row: &Mass| (row.width().limbs(), row.len());
    let (a, b) = if key(a) <= key(b) { (a, b) } else { (b, a) };
    if a.is_empty() || b.is_empty() {
        return Mass::zeros(width, 0);
    }
    if let Width::Limbs(l) = width {
        let cells = (to_float(a.len()), to_float(b.len()));
        let work = Convolution::of(cells, to_float(a.width().limbs()), to_float(l));
        if work.pairs > 40_000.0 && work.large < work.pairs {
            return super::kronecker::convolve(a, b, l);
        }
    }
    // The factors are taken cell by cell as they are, and the other row is widened once.
    let widen = |m: &Mass| if m.width() == width { None } else { Some(m.clone().widen(width)) };
    let (wide_a, wide_b) = (widen(a), widen(b));
    let (a, b) = (wide_a.as_ref().unwrap_or(a), wide_b.as_ref().unwrap_or(b));
    let mut out = Mass::zeros(width, a.len() + b.len() - 1);
    for i in 0..a.len() {
        if !a.is_zero(i) {
            out.add_multiple(i, b, a, i);
        }
    }
    out
}

/// The work of a product in both ways, in products of two limbs.
pub(crate) struct Convolution {
    /// All pairs of cells.
    pub pairs: f64,
    /// One product of two large numbers.
    pub large: f64,
}

impl Convolution {
    /// For rows of so many cells, the factors of `few` limbs and the product of `limbs`.
    pub(crate) fn of(cells: (f64, f64), few: f64, limbs: f64) -> Self {
        let (short, long) = (cells.0.min(cells.1) * limbs, cells.0.max(cells.1) * limbs);
        Self { pairs: cells.0 * cells.1 * few.min(limbs) * limbs, large: long * short.powf(0.585) * 12.0 }
    }

    pub(crate) fn least(&self) -> f64 {
        self.pairs.min(self.large)
    }
}
