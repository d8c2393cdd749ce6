//! The k highest, and all but the d lowest, of a random number of dice: what pools with marks at every threshold add up to.
//!
//! The polynomials themselves are in module `marks`; here they are only looked at, one level after the other.

use super::marks::Marks;
use super::poly::Poly;
use super::width::Width;

/// One rank of a pool with the highest k kept: what a kept die of this rank adds (a distribution with `unit` outcomes), and the pool
/// with the dice above this rank marked by z and those at it by t.
pub struct Level {
    /// What a kept die adds.
    pub adds: Poly,
    /// The pool.
    pub pool: Marks,
}

/// The sum of the k highest, from the levels in ascending order, one at a time.
///
/// The exact form is `sum_v [fewer than k above v] - [fewer than k at or above v]`, the dice at v that are needed to make k
/// adding what v adds; with ties counted (floating rows) every term is positive.
pub struct Kept {
    k: usize,
    width: Width,
    sum: Poly,
    /// Exact pools need no ties and are taken as differences with the level before.
    before: Marks,
}

impl Kept {
    /// `all` is the pool with every die marked by z: where it has fewer than k dice, all are kept, and every missing one
    /// counts `unit` outcomes.
    #[must_use]
    pub fn new(all: Marks, k: usize, unit: &[u64], width: Width) -> Self {
        let mut sum = Poly::zero(width);
        for b in 0..k {
            if let Some(cell) = all.cell(b, 0) {
                let mut cell = cell.clone();
                for _ in b..k {
                    cell = super::mixed::scaled_by(cell, unit);
                }
                sum.add(&cell, 0);
            }
        }
        Self { k, width, sum, before: all }
    }

    /// The next rank.
    pub fn level(&mut self, level: Level) {
        let (k, width) = (self.k, self.width);
        if width != Width::F64 {
            self.sum.add(&filled(&level.pool, &level.adds, k, width), 0);
            self.sum.sub(&filled(&self.before, &level.adds, k, width), 0);
            self.before = level.pool;
            return;
        }
        for b in 0..k {
            let fill = level.adds.pow(u32::try_from(k - b).unwrap_or(u32::MAX), width);
            for e in k - b..=k {
                if let Some(cell) = level.pool.cell(b, e) {
                    self.sum.add(&cell.times(&fill, width), 0);
                }
            }
        }
    }

    /// The whole sum.
    #[must_use]
    pub fn finish(self) -> Poly {
        self.sum.trim()
    }
}

/// The sum of the k highest, from all levels in ascending order; see [`Kept`].
#[cfg(test)]
pub fn keep_from_levels(
    all: &Marks,
    levels: impl Iterator<Item = Level>,
    k: usize,
    unit: &[u64],
    width: Width,
) -> Poly {
    let mut kept = Kept::new(all.clone(), k, unit, width);
    levels.for_each(|level| kept.level(level));
    kept.finish()
}

/// `sum_(b<k) row_b adds^(k-b)`, by Horner's rule.
fn filled(pool: &Marks, adds: &Poly, k: usize, width: Width) -> Poly {
    let point = adds.single().filter(|_| adds.mass.big(0) == num_bigint::BigUint::from(1u32));
    let mut sum = Poly::zero(width);
    for b in 0..k {
        if let Some(cell) = pool.cell(b, 0) {
            sum.add(cell, 0);
        }
        match point {
            Some(at) => sum.low += at,
            None => sum = sum.times(adds, width),
        }
    }
    sum
}

/// The sum of all but the d lowest of a pool with a random number of dice, from the levels in ascending order, z marking the
/// dice below and t those at a level. `none` is the pool with every die marked by z: with fewer than d dice nothing is left.
/// The marks must have been multiplied with `adds` as overflow, and a die must add outcomes of total 1 (or probabilities).
pub fn drop_from_levels(none: &Marks, levels: impl Iterator<Item = Level>, d: usize, width: Width) -> Poly {
    let mut out = Poly::zero(width);
    for b in 0..d {
        if let Some(cell) = none.cell(b, 0) {
            out.add(cell, 0);
        }
    }
    for level in levels {
        for b in 0..d {
            for e in d - b..=d {
                if let Some(cell) = level.pool.cell(b, e) {
                    let kept = u32::try_from(b + e - d).unwrap_or(u32::MAX);
                    out.add(&cell.times(&level.adds.pow(kept, width), width), 0);
                }
            }
        }
    }
    out.trim()
}
