//! Selections by rank of dice whose weights are beyond 64 bits, or floating: marks in place of weights.
//!
//! Apart from the other selections by rank, whose algorithms work on faces with small weights.

use std::collections::BTreeSet;

use crate::ast::Span;
use crate::odds::acts::{Act, Unit};
use crate::odds::cost;
use crate::odds::dist::{Dist, chances};
use crate::odds::elem::Elem;
use crate::odds::kernel::{Caps, Denom, Kept, Level, Marks, Poly, Width, cells, present};
use crate::odds::walk::{Trouble, Walker};

use super::Pool;
use super::ranked::{Worths, band};

impl Walker<'_> {
    /// Dice with weights beyond 64 bits.
    pub(super) fn wide_ranks(
        &mut self,
        pool: &Pool,
        laws: &[Worths],
        band: (u64, u64),
        adds: &dyn Fn(i64) -> i64,
        denom: &Denom,
    ) -> Result<Dist, Trouble> {
        let units: Vec<(&Poly, &Denom, u32)> =
            laws.iter().zip(pool.throws).map(|(law, throw)| (&law.law, &law.denom, throw.count)).collect();
        let values: BTreeSet<i64> =
            units.iter().flat_map(|unit| present(unit.0).map(|cell| cell.0)).collect();
        wide(self, pool, &units, band, adds, denom, &values)
    }

    /// A selection of members whose weights are wide or floating.
    pub(in crate::odds) fn wide_pool(
        &mut self,
        laws: &[(Poly, Denom, u32)],
        acts: &[Act],
        unit: Unit,
        denom: &Denom,
        span: Span,
    ) -> Result<Dist, Trouble> {
        if !acts.iter().all(|act| act.is_selection() || act.clamps() || act.counts()) {
            return Err(Trouble::Enumerate);
        }
        // Clamps keep the order of worths, so those before the selection may as well come after it.
        let size = laws.iter().map(|law| u64::from(law.2)).sum();
        let pool = Pool { throws: &[], acts, unit, span };
        let units: Vec<(&Poly, &Denom, u32)> = laws.iter().map(|(law, own, n)| (law, own, *n)).collect();
        let values: BTreeSet<i64> = laws.iter().flat_map(|law| present(&law.0).map(|cell| cell.0)).collect();
        let adds = |worth: i64| pool.adds_after(acts, worth);
        wide(self, &pool, &units, band(acts, size), &adds, denom, &values)
    }
}

/// The kept ranks `low..high` (at one end) of independent dice with wide weights.
fn wide(
    walker: &mut Walker,
    pool: &Pool,
    units: &[(&Poly, &Denom, u32)],
    band: (u64, u64),
    adds: &dyn Fn(i64) -> i64,
    denom: &Denom,
    values: &BTreeSet<i64>,
) -> Result<Dist, Trouble> {
    let size: u64 = units.iter().map(|u| u64::from(u.2)).sum();
    let (low, high) = band;
    if low > 0 && high < size && low < high {
        return Err(Trouble::Enumerate);
    }
    let up: i64 = if high == size { 1 } else { -1 };
    let k = usize::try_from(high - low).unwrap_or(usize::MAX);
    let width = walker.width_of(denom);
    let exact = walker.is_exact();
    let caps = Caps { marked: k.max(1), ties: if exact { 0 } else { k } };
    let coefficients = crate::odds::float(caps.marked) * crate::odds::float(caps.ties + 1);
    walker.charge_for(coefficients, coefficients * 30.0, Width::U64, pool.span)?;
    let float = |poly: &Poly, own: &Denom| {
        if exact { poly.clone() } else { probabilities(poly, own) }
    };
    let laws: Vec<(Poly, u32)> = units.iter().map(|(poly, own, n)| (float(poly, own), *n)).collect();
    // Each value looks at each cell once.
    let looks = crate::odds::float(values.len())
        * laws.iter().map(|(law, _)| crate::odds::float(law.mass.len())).sum::<f64>();
    walker.charge(looks * 15.0, pool.span)?;
    let mut build = |mark: &dyn Fn(i64) -> (usize, usize, i64)| -> Result<Marks, Trouble> {
        let mut whole = Marks::of(Poly::point(width, 0, 1), 0, 0, caps);
        for (law, n) in &laws {
            // In the width of one die: powers take what they need.
            let mut parts: Vec<(usize, usize, Poly)> = Vec::new();
            for (worth, cell) in present(law) {
                let (marked, ties, at) = mark(worth);
                let part = law.lone(cell, at);
                match parts.iter_mut().find(|known| (known.0, known.1) == (marked, ties)) {
                    Some(known) => known.2.add(&part, 0),
                    None => parts.push((marked, ties, part)),
                }
            }
            let mut one = Marks::zero(caps, law.mass.width());
            for (marked, ties, part) in parts {
                one.add_small(&Marks::of(part, marked, ties, caps), 1);
            }
            let elem = |marks: &Marks| Elem { marks: marks.clone(), denom: Denom::one() };
            walker.charge_marks(&elem(&one), &elem(&whole), *n, false, width, pool.span)?;
            whole = whole.times(&one.pow(*n, None, width), None, width);
        }
        Ok(whole)
    };
    let order: Vec<i64> =
        if up > 0 { values.iter().copied().collect() } else { values.iter().rev().copied().collect() };
    let all = build(&|worth| if k == 0 { (0, 0, 0) } else { (1, 0, adds(worth)) })?;
    if k == 0 {
        let poly = all.cell(0, 0).cloned().unwrap_or_else(|| Poly::zero(width));
        return Ok(Dist::of_poly(poly, denom.clone(), pool.scale()));
    }
    if u64::try_from(k).is_ok_and(|k| k == size) {
        for (law, n) in &laws {
            let counts = crate::odds::float(law.mass.len()) * f64::from(*n);
            walker.charge_for(cost::power(law, *n, width), counts * 3.0, width, pool.span)?;
        }
        let whole = build_all(&laws, adds, width);
        return Ok(Dist::of_poly(whole, denom.clone(), pool.scale()));
    }
    let mut kept = Kept::new(all, k, &[], width);
    for &v in &order {
        let pool = build(&|worth| {
            let above = worth * up > v * up;
            (usize::from(above), usize::from(!exact && worth == v), if above { adds(worth) } else { 0 })
        })?;
        kept.level(Level { adds: Poly::point(width, adds(v), 1), pool });
    }
    Ok(Dist::of_poly(kept.finish(), denom.clone(), pool.scale()))
}

/// The sum of all.
fn build_all(laws: &[(Poly, u32)], adds: &dyn Fn(i64) -> i64, width: Width) -> Poly {
    let mut whole = Poly::point(width, 0, 1);
    for (law, n) in laws {
        let mut one = Poly::zero(width);
        for (worth, cell) in cells(law) {
            let part = law.lone(cell, adds(worth));
            one.add(&part.widen(width), 0);
        }
        whole = whole.times(&one.pow(*n, width), width);
    }
    whole
}

/// Exact counts as probabilities.
fn probabilities(poly: &Poly, denom: &Denom) -> Poly {
    if poly.mass.width() == Width::F64 {
        return poly.clone();
    }
    Poly { low: poly.low, mass: chances(&poly.mass, denom), roundings: poly.roundings + 2.0 }
}
