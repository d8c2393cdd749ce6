//! The k highest of different dice.
//!
//! Exact rows count, for every threshold, the dice above it: fewer than k above v, minus fewer than k at or above v, leaves the
//! outcomes in which v is the k-th highest. Floating rows must not subtract: there the k-th highest die is made unique by
//! position (of equal dice the earlier one is the higher), which keeps every term positive.

use super::factor::Factor;
use super::poly::{Poly, small_float};
use super::width::Width;

/// Equal dice of a mixed pool.
#[derive(Clone, Debug)]
pub struct Group {
    /// Rank and weight of each face; ranks differ and ascend.
    pub faces: Vec<(i64, u64)>,
    /// The outcomes of one die, at least the sum of the weights.
    pub total: u64,
    /// How many dice.
    pub count: u32,
}

/// All ranks that dice of the groups can show, in ascending order.
#[must_use]
pub fn ranks_of(groups: &[Group]) -> Vec<i64> {
    let mut ranks: Vec<i64> = groups.iter().flat_map(|g| g.faces.iter().map(|f| f.0)).collect();
    ranks.sort_unstable();
    ranks.dedup();
    ranks
}

/// The distribution of the sum of the k dice of highest rank, a die of rank r adding `adds(r)`. `width` must hold the product of
/// all `total^count`. Keeping at least as many as there are keeps all. For the lowest, negate the ranks.
#[must_use]
pub fn keep_mixed(groups: &[Group], k: u32, adds: &impl Fn(i64) -> i64, width: Width) -> Poly {
    let dice: u64 = groups.iter().map(|g| u64::from(g.count)).sum();
    if u64::from(k) >= dice {
        let mut sum = Poly::point(width, 0, 1);
        for group in groups {
            let Some(die) = added(&group.faces, adds, |_| true) else { return Poly::zero(width) };
            sum = sum.times(&super::sum::sum_of(&die, group.count, group.total, width), width);
        }
        return sum;
    }
    if k == 0 {
        let all = keep_mixed(groups, u32::MAX, adds, width);
        return collapsed(&all, 0);
    }
    let kept = usize::try_from(k).unwrap_or(usize::MAX);
    if let Some(poly) = super::ordinary::keep_ordinary(groups, kept, adds, width) {
        return poly;
    }
    let ranks = ranks_of(groups);
    let mut out = Poly::zero(width);
    if width == Width::F64 {
        for &v in &ranks {
            out.add(&pivot(groups, kept, adds, v), adds(v) * i64::from(k));
        }
        return out;
    }
    // Rows above a rank are the rows at or above the next one, so one product of dice serves two terms.
    for (i, &v) in ranks.iter().enumerate() {
        let rows = rows_above(groups, kept, adds, v, width);
        for (b, row) in rows.iter().enumerate() {
            let missing = i64::from(k) - super::poly::signed(b);
            out.add(row, adds(v) * missing);
            if let Some(&next) = ranks.get(i + 1) {
                out.sub(row, adds(next) * missing);
            }
        }
    }
    // Below the lowest rank there is nothing, so no outcome has fewer than k of more than k dice at or above it.
    out.trim()
}

/// The faces that pass, as what they add.
fn added(faces: &[(i64, u64)], adds: &impl Fn(i64) -> i64, pass: impl Fn(i64) -> bool) -> Option<Factor> {
    let up: Vec<_> = faces.iter().filter(|f| pass(f.0)).map(|f| (adds(f.0), f.1)).collect();
    Factor::new(&up)
}

/// The weight of the faces that pass.
fn weight(faces: &[(i64, u64)], pass: impl Fn(i64) -> bool) -> u64 {
    faces.iter().filter(|f| pass(f.0)).map(|f| f.1).sum()
}

/// `rows[b]` for b < k: outcomes with exactly b dice above v, as the sum of what those add.
fn rows_above(groups: &[Group], k: usize, adds: &impl Fn(i64) -> i64, v: i64, width: Width) -> Vec<Poly> {
    let mut rows = vec![Poly::point(width, 0, 1)];
    for group in groups {
        let rest = weight(&group.faces, |r| r <= v);
        let up = added(&group.faces, adds, |r| r > v);
        for _ in 0..group.count {
            let mut next = Vec::with_capacity(k);
            for b in 0..k.min(rows.len() + 1) {
                let mut row = Poly::zero(width);
                if let Some(same) = rows.get(b) {
                    row.add_small(same, rest);
                }
                if let (Some(less), Some(die)) = (b.checked_sub(1).and_then(|b| rows.get(b)), &up)
                    && !less.is_zero()
                {
                    row.add(&less.times_factor(die, group.total), 0);
                }
                next.push(row);
            }
            rows = next;
        }
    }
    rows
}

/// The outcomes in which the k-th highest die shows v, as probabilities, what it and its equals add left out.
fn pivot(groups: &[Group], k: usize, adds: &impl Fn(i64) -> i64, v: i64) -> Poly {
    let nothing = || Poly::zero(Width::F64);
    // before[b]: the pivot is still to come and b dice count as above it; after[b]: it has been.
    let (mut before, mut after) = (vec![nothing(); k], vec![nothing(); k]);
    before[0] = Poly::point(Width::F64, 0, 1);
    let base = adds(v);
    for group in groups {
        let part =
            |pass: &dyn Fn(i64) -> bool| small_float(weight(&group.faces, pass)) / small_float(group.total);
        let (low, tie) = (part(&|r| r < v), part(&|r| r == v));
        let up = added(&group.faces, &|r| adds(r) - base, |r| r > v);
        let scaled = |row: &Poly, by: f64| {
            let mut row = row.clone();
            row.mass.mul_float(by);
            row.roundings += 3.0;
            row
        };
        let raised = |row: &Poly| match &up {
            Some(die) if !row.is_zero() => row.times_factor(die, group.total),
            Some(_) | None => nothing(),
        };
        for _ in 0..group.count {
            for b in (0..k).rev() {
                let mut late = scaled(&after[b], low + tie);
                late.add(&scaled(&before[b], tie), 0);
                let mut early = scaled(&before[b], low);
                if b > 0 {
                    late.add(&raised(&after[b - 1]), 0);
                    early.add(&raised(&before[b - 1]), 0);
                    early.add(&scaled(&before[b - 1], tie), 0);
                }
                (after[b], before[b]) = (late, early);
            }
        }
    }
    after.pop().unwrap_or_else(nothing)
}

/// A row times a whole number of any size, given in pieces.
#[must_use]
pub fn scaled_by(mut poly: Poly, pieces: &[u64]) -> Poly {
    for &piece in pieces {
        poly.mass.mul_small(piece);
    }
    poly
}

/// A row with all cells added up, at one exponent.
#[must_use]
pub fn collapsed(poly: &Poly, at: i64) -> Poly {
    let n = poly.mass.len();
    let mut out = Poly::exact(at, poly.mass.collapsed());
    if out.mass.width() == Width::F64 {
        out.roundings = poly.roundings + super::poly::to_float(n);
    }
    out
}
