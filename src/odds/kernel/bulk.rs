//! Operations on whole rows: one match on the width for many cells.

use super::limb;
use super::mass::Mass;
use super::poly::to_float;
use super::tally::took;
use super::width::Width;

/// Applies a closure to the zipped cells of two rows, the right side brought to the width of the left one.
macro_rules! zip_cells {
    ($self:ident, $at:ident, $src:ident, $narrow:expr, $wide:expr, $limbs:expr, $float:expr) => {
        $self.took_words($src.len());
        match $self {
            Mass::U64(d) => d[$at..].iter_mut().zip($src.words().iter()).for_each($narrow),
            Mass::U128(d) => d[$at..].iter_mut().zip($src.doubles().iter()).for_each($wide),
            Mass::Limbs { l, d } => {
                let limbs = $src.limbs(*l);
                d[$at * *l..].chunks_exact_mut(*l).zip(limbs.chunks_exact(*l)).for_each($limbs);
            }
            Mass::F64(d) => d[$at..].iter_mut().zip($src.chances().iter()).for_each($float),
        }
    };
}

#[allow(clippy::cast_precision_loss)] // small weights; the error bound counts this rounding
impl Mass {
    /// Counts a step for each word of so many cells; those of more limbs are counted limb by limb.
    #[inline]
    fn took_words(&self, cells: usize) {
        took(match self {
            Self::U64(_) | Self::F64(_) => cells,
            Self::U128(_) => cells * 2,
            Self::Limbs { .. } => 0,
        });
    }

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
        self.took_words(self.len());
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
            took(v.len());
            for x in v {
                *x *= k;
            }
        }
    }

    /// Replaces each cell by the sum of itself and all before it.
    pub fn prefix(&mut self) {
        self.took_words(self.len());
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

    /// The sum of all cells as a row of one cell; of no cells, no cell.
    #[must_use]
    pub fn collapsed(&self) -> Self {
        let mut sums = self.clone();
        sums.prefix();
        let n = sums.len();
        sums.slice(n.saturating_sub(1), n)
    }

    /// `dst[at + i] += src[i] * factor[cell]` for all i.
    pub fn add_multiple(&mut self, at: usize, src: &Self, factor: &Self, cell: usize) {
        self.took_words(src.len());
        match self {
            Self::U64(d) => {
                let (src, k) = (src.words(), factor.word(cell));
                let cells = d[at..].iter_mut().zip(src.iter());
                cells.for_each(|(d, &s)| *d = d.wrapping_add(s.wrapping_mul(k)));
            }
            Self::U128(d) => {
                let (src, k) = (src.doubles(), factor.double(cell));
                let cells = d[at..].iter_mut().zip(src.iter());
                cells.for_each(|(d, &s)| *d = d.wrapping_add(s.wrapping_mul(k)));
            }
            Self::Limbs { l, d } => {
                let (src, factor) = (src.limbs(*l), factor.limbs(*l));
                let k = &factor[cell * *l..(cell + 1) * *l];
                let used = k.iter().rposition(|&x| x != 0).map_or(0, |top| top + 1);
                for (d, s) in d[at * *l..].chunks_exact_mut(*l).zip(src.chunks_exact(*l)) {
                    limb::add_product(d, &k[..used], s);
                }
            }
            Self::F64(d) => {
                let k = factor.chance(cell);
                d[at..].iter_mut().zip(src.chances().iter()).for_each(|(d, &s)| *d += s * k);
            }
        }
    }

    /// `dst[at] += a[i] * b[j]`.
    pub fn add_product(&mut self, at: usize, left: &Self, i: usize, right: &Self, j: usize) {
        self.took_words(1);
        match self {
            Self::U64(d) => d[at] = d[at].wrapping_add(left.word(i).wrapping_mul(right.word(j))),
            Self::U128(d) => d[at] = d[at].wrapping_add(left.double(i).wrapping_mul(right.double(j))),
            Self::Limbs { .. } => self.add_multiple(at, &left.slice(i, i + 1), right, j),
            Self::F64(d) => d[at] += left.chance(i) * right.chance(j),
        }
    }

    /// Adds one cell of another row to cell `at`.
    pub fn add_cell(&mut self, at: usize, src: &Self, cell: usize) {
        self.took_words(1);
        match self {
            Self::U64(d) => d[at] = d[at].wrapping_add(src.word(cell)),
            Self::U128(d) => d[at] = d[at].wrapping_add(src.double(cell)),
            Self::Limbs { .. } => self.add_at(at, &src.slice(cell, cell + 1)),
            Self::F64(d) => d[at] += src.chance(cell),
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
