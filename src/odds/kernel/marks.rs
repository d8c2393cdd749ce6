//! Pools of a random number of dice with marks: independent units that each throw several, such as exploding chains.
//!
//! For a threshold v every unit is a polynomial in two more variables: z marks a die above v (below it, where the lowest are
//! dropped), t one that shows v. Powers of z from the number of kept (dropped) dice on cannot matter and are cut, and t saturates. Units multiply
//! as polynomials, so n equal ones are one power, and whatever a kept die adds may itself be a distribution.

use super::poly::Poly;
use super::tally::{MAKING, took};
use super::width::Width;

/// How far the marks are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caps {
    /// z-marks are counted below this number.
    pub marked: usize,
    /// t-marks saturate here; 0: they are not told from unmarked dice.
    pub ties: usize,
}

/// A polynomial in z and t with distributions as coefficients.
#[derive(Clone, Debug)]
pub struct Marks {
    caps: Caps,
    cells: Vec<Poly>,
    width: Width,
}

impl Marks {
    /// Nothing.
    #[must_use]
    pub fn zero(caps: Caps, width: Width) -> Self {
        Self { caps, cells: vec![Poly::zero(width); caps.marked * (caps.ties + 1)], width }
    }

    /// A distribution with the given number of marks; nothing where they exceed the caps.
    #[must_use]
    pub fn of(poly: Poly, marked: usize, ties: usize, caps: Caps) -> Self {
        let mut out = Self::zero(caps, poly.mass.width());
        let cell = marked * (caps.ties + 1) + ties.min(caps.ties);
        if marked < caps.marked {
            out.cells[cell] = poly;
        }
        out
    }

    /// The outcomes with exactly so many marks (at least so many ties, at the cap).
    #[must_use]
    pub fn cell(&self, marked: usize, ties: usize) -> Option<&Poly> {
        self.cells.get(marked * (self.caps.ties + 1) + ties).filter(|p| !p.is_zero())
    }

    /// The coefficients by the number of marks, where ties are not told apart.
    pub(super) fn rows(&self) -> &[Poly] {
        &self.cells
    }

    /// From coefficients by the number of marks.
    pub(super) fn from_rows(cells: Vec<Poly>, caps: Caps, width: Width) -> Self {
        Self { caps, cells, width }
    }

    /// How far the marks are counted.
    #[must_use]
    pub fn caps(&self) -> Caps {
        self.caps
    }

    /// How many counts there are.
    #[must_use]
    pub fn size(&self) -> usize {
        self.cells.iter().map(|c| c.mass.len()).sum()
    }

    /// Its extent: rows of marked dice in use, columns of ties in use, and the cells of the widest coefficient.
    #[must_use]
    pub fn shape(&self) -> (usize, usize, usize) {
        let columns = self.caps.ties + 1;
        let used = self.cells.iter().enumerate().filter(|(_, cell)| !cell.is_zero());
        let (rows, ties) = used.fold((0, 0), |(rows, ties), (index, _)| {
            (rows.max(index / columns + 1), ties.max(index % columns + 1))
        });
        let wide = self.cells.iter().map(|cell| cell.mass.len()).max().unwrap_or(0);
        (rows, ties, wide)
    }

    /// The most cells that any power of this can have in one coefficient, where unmarked dice add nothing and so only
    /// marked ones, of which there are fewer than the cap, spread the outcomes.
    #[must_use]
    pub fn widest_power(&self) -> Option<usize> {
        let columns = self.caps.ties + 1;
        let mut each = 0;
        for (index, cell) in self.cells.iter().enumerate().filter(|(_, cell)| cell.mass.len() > 1) {
            let marked = index / columns;
            if marked == 0 {
                return None;
            }
            each = each.max((cell.mass.len() - 1).div_ceil(marked));
        }
        Some(each * self.caps.marked.saturating_sub(1) + 1)
    }

    /// The width of the counts.
    #[must_use]
    pub fn width(&self) -> Width {
        self.width
    }

    /// The same in another width.
    #[must_use]
    pub fn widen(self, width: Width) -> Self {
        Self { caps: self.caps, cells: self.cells.into_iter().map(|p| p.widen(width)).collect(), width }
    }

    /// Adds another times a small number.
    pub fn add_small(&mut self, other: &Self, k: u64) {
        for (to, from) in self.cells.iter_mut().zip(&other.cells) {
            to.add_small(from, k);
        }
    }

    /// Multiplies all counts.
    pub fn scale(&mut self, pieces: &[u64]) {
        for cell in &mut self.cells {
            for &piece in pieces {
                cell.mass.mul_small(piece);
            }
        }
    }

    /// Multiplies all probabilities.
    pub fn scale_float(&mut self, by: f64) {
        for cell in &mut self.cells {
            cell.mass.mul_float(by);
            cell.roundings += 2.0;
        }
    }

    /// The product. A tie beyond the cap is worth `overflow` (1 if there is none).
    #[must_use]
    pub fn times(&self, other: &Self, overflow: Option<&Poly>, width: Width) -> Self {
        let mut out = Self::zero(self.caps, width);
        let columns = self.caps.ties + 1;
        for (i, a) in self.cells.iter().enumerate().filter(|c| !c.1.is_zero()) {
            for (j, b) in other.cells.iter().enumerate().filter(|c| !c.1.is_zero()) {
                let marked = i / columns + j / columns;
                if marked >= self.caps.marked {
                    break;
                }
                took(MAKING);
                let ties = i % columns + j % columns;
                let mut product = a.times(b, width);
                if let (Some(extra), Some(over)) = (overflow, ties.checked_sub(self.caps.ties))
                    && over > 0
                {
                    product =
                        product.times(&extra.pow(u32::try_from(over).unwrap_or(u32::MAX), width), width);
                }
                out.cells[marked * columns + ties.min(self.caps.ties)].add(&product, 0);
            }
        }
        out
    }

    /// Whether n of these certainly have more marks than are counted.
    #[must_use]
    pub fn too_many(&self, n: u32) -> bool {
        let columns = self.caps.ties + 1;
        let least = self.cells.iter().position(|cell| !cell.is_zero()).map(|index| index / columns);
        let dice = usize::try_from(n).unwrap_or(usize::MAX);
        n > 0 && least.is_none_or(|least| least.saturating_mul(dice) >= self.caps.marked)
    }

    /// The count of what is not marked, where it adds nothing, ties are not told apart and counts are exact: then powers
    /// follow a recurrence.
    #[must_use]
    pub fn unmarked(&self, width: Width) -> Option<num_bigint::BigUint> {
        let first = self.cells.first().filter(|cell| cell.low == 0 && cell.mass.len() == 1)?;
        let fits = self.caps.ties == 0 && width != Width::F64 && !first.mass.is_zero(0);
        fits.then(|| first.mass.big(0))
    }

    /// The n-th power.
    #[must_use]
    pub fn pow(&self, n: u32, overflow: Option<&Poly>, width: Width) -> Self {
        if self.too_many(n) {
            return Self::zero(self.caps, width);
        }
        if let Some(unmarked) = self.unmarked(width) {
            return super::powers::marked(self, &unmarked, n, width);
        }
        let mut result = Self::of(Poly::point(width, 0, 1), 0, 0, self.caps);
        for bit in (0..32 - n.leading_zeros()).rev() {
            if result.cells.iter().any(|c| c.mass.len() > 1) || bit + 1 < 32 - n.leading_zeros() {
                result = result.times(&result, overflow, width);
            }
            if n >> bit & 1 == 1 {
                result = result.times(self, overflow, width);
            }
        }
        result
    }
}
