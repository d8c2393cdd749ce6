//! Pools of a known size with any choice of ranks kept, one value after the other from the lowest.
//!
//! The state is how many dice of each group have been placed; m dice that show the next value take the next m ranks. This is the
//! evaluation by outcome that A. J. Liu's `icepool` made known, over dense rows.

use super::mass::Mass;
use super::mixed::{Group, ranks_of};
use super::poly::{Poly, small_float};
use super::tally::{MAKING, took};
use super::width::Width;
use num_bigint::BigUint;

/// The distribution of the sum of the kept ranks: `kept[r]` tells whether the die at rank r counts, rank 0 the lowest. `adds(v)` is what
/// a kept die of rank value v adds, a distribution with `unit` outcomes (1 for a plain number); a discarded one
/// counts `unit` outcomes too. `width` must hold the product of all `total^count` and `unit^dice`.
#[must_use]
pub fn keep_ranks(
    groups: &[Group],
    kept: &[bool],
    adds: impl Fn(i64) -> Poly,
    unit: &[u64],
    width: Width,
) -> Poly {
    let sizes: Vec<usize> = groups.iter().map(|g| usize::try_from(g.count).unwrap_or(0) + 1).collect();
    let states: usize = sizes.iter().product();
    let values = ranks_of(groups);
    let mut now: Vec<Poly> = vec![Poly::zero(width); states];
    now[0] = Poly::point(width, 0, 1);
    for &v in &values {
        let worth = adds(v).widen(width);
        let mut next: Vec<Poly> = vec![Poly::zero(width); states];
        for (state, row) in now.iter().enumerate().filter(|s| !s.1.is_zero()) {
            let mut step =
                Step { groups, sizes: &sizes, v, width, worth: &worth, kept, unit, next: &mut next };
            let placed = placed(state, &sizes);
            step.place(row, &placed, 0, placed.iter().sum(), 0, 1);
        }
        now = next;
    }
    now.pop().unwrap_or_else(|| Poly::zero(width)).trim()
}

/// How many dice of each group a state has placed.
fn placed(mut state: usize, sizes: &[usize]) -> Vec<usize> {
    sizes
        .iter()
        .map(|&s| {
            let here = state % s;
            state /= s;
            here
        })
        .collect()
}

/// One value being given to some of the dice that are left.
struct Step<'a> {
    groups: &'a [Group],
    sizes: &'a [usize],
    v: i64,
    width: Width,
    worth: &'a Poly,
    kept: &'a [bool],
    unit: &'a [u64],
    next: &'a mut Vec<Poly>,
}

impl Step<'_> {
    /// Lets m = 0, 1, … dice of group g show the value, then goes on to the next group; `row` grows by what they add.
    fn place(&mut self, row: &Poly, placed: &[usize], g: usize, rank: usize, state: usize, base: usize) {
        let Some(group) = self.groups.get(g) else {
            self.next[state].add(row, 0);
            return;
        };
        let left = self.sizes[g] - 1 - placed[g];
        let weight = group.faces.iter().find(|f| f.0 == self.v).map_or(0, |f| f.1);
        let mut grown = row.clone();
        let mut ways = BigUint::from(1u32); // C(left, m) weight^m
        let mut chance = 1.0;
        for m in 0..=left {
            took(MAKING);
            let mut here = grown.clone();
            if self.width == Width::F64 {
                here.mass.mul_float(chance);
                here.roundings += 4.0 * super::poly::to_float(m) + 1.0;
            } else if m > 0 {
                here.mass = times_big(&here.mass, &ways, self.width);
            }
            self.place(&here, placed, g + 1, rank + m, state + base * (placed[g] + m), base * self.sizes[g]);
            if weight == 0 || m == left {
                return;
            }
            grown = self.grow(grown, rank + m);
            ways = ways * (left - m) * weight / (m + 1);
            let ratio = super::poly::to_float(left - m) / super::poly::to_float(m + 1);
            chance *= ratio * small_float(weight) / small_float(group.total);
        }
    }

    /// One more die at the given rank.
    fn grow(&self, row: Poly, rank: usize) -> Poly {
        if self.kept.get(rank).copied().unwrap_or(false) {
            match self.worth.single() {
                Some(at) if self.unit.is_empty() => Poly { low: row.low + at, ..row },
                Some(_) | None => row.times(self.worth, self.width),
            }
        } else {
            super::mixed::scaled_by(row, self.unit)
        }
    }
}

/// A row times a number of any size.
fn times_big(row: &Mass, by: &BigUint, width: Width) -> Mass {
    let mut small = by.iter_u64_digits();
    if small.len() <= 1 {
        let mut out = row.clone();
        out.mul_small(small.next().unwrap_or(0));
        return out;
    }
    let mut factor = Mass::zeros(width, 1);
    factor.set_big(0, by);
    let mut out = Mass::zeros(width, row.len());
    out.add_multiple(0, row, &factor, 0);
    out
}
