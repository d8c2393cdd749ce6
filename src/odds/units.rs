//! Selections of a random number of dice, and of dice whose weights are beyond 64 bits: units with marks.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::acts::Act;
use super::chain::clamp;
use super::dist::Dist;
use super::elem::{Arithmetic, Elem};
use super::foresee::Held;
use super::kernel::{Caps, Denom, Kept, Level, Marks, Poly, Width, cells, drop_from_levels};
use super::pool::Pool;
use super::walk::{Trouble, Walker};
use crate::ast::{End, Take};

impl Walker<'_> {
    /// A selection after an explosion, or `None` where the steps do not fit this form.
    pub(crate) fn units(
        &mut self,
        pool: &Pool,
        before: &[Act],
        block: &[Act],
        after: &[Act],
    ) -> Result<Option<Dist>, Trouble> {
        let mut selections = block.iter().filter(|act| act.is_selection());
        let (Some(Act::Select(take, end, amount)), None) = (selections.next(), selections.next()) else {
            return Ok(None);
        };
        // Marks carry no number of outcomes for what a kept die adds, so later throws go elsewhere.
        if after.iter().any(Act::throws) {
            return Ok(None);
        }
        let later: Vec<&Act> = block.iter().chain(after).filter(|act| !act.is_selection()).collect();
        let adds =
            |worth: i64| pool.adds(later.iter().fold(worth, |worth, act| clamp(act, pool.unit, worth)));
        let marked = usize::try_from(*amount).unwrap_or(usize::MAX);
        let worths: Vec<i64> = self.reachable(pool, before)?.into_iter().collect();
        // Ranks ascend towards the end that is kept (or away from the one that is dropped).
        let upwards = match (take, end) {
            (Take::Keep, End::Highest) | (Take::Drop, End::Lowest) => 1,
            (Take::Keep, End::Lowest) | (Take::Drop, End::Highest) => -1,
        };
        let mut worths = worths;
        // For each worth every face is looked at anew.
        let faces: usize = pool.throws.iter().map(|throw| throw.kind.faces.len()).sum();
        self.charge(super::float(worths.len()) * super::float(faces) * 100.0, pool.span)?;
        if upwards < 0 {
            worths.reverse();
        }
        let job = Job { pool, before, adds: &adds, upwards };
        let dist = match take {
            Take::Keep if marked == 0 => self.none_kept(&job)?,
            Take::Keep => self.kept_units(&job, &worths, marked)?,
            Take::Drop if marked == 0 => return Ok(None),
            Take::Drop => self.dropped_units(&job, &worths, marked)?,
        };
        Ok(Some(dist))
    }

    /// Nothing is kept: only whether all goes well matters.
    fn none_kept(&mut self, job: &Job) -> Result<Dist, Trouble> {
        let caps = Caps { marked: 1, ties: 0 };
        let (all, cut) =
            self.unit_pool(job, caps, None, &|arithmetic, _| Elem::leaf(arithmetic, 0, 0, 0, caps))?;
        let mut dist = Dist::of_poly(all.plain(), all.denom, job.pool.scale());
        dist.tail = cut;
        Ok(dist)
    }

    /// The number of outcomes of all. Where marks are capped, what is beyond the cap is left out and its outcomes with it, so they
    /// are counted where nothing is marked.
    fn outcomes_of(&mut self, job: &Job) -> Result<Denom, Trouble> {
        let caps = Caps { marked: 1, ties: 0 };
        let (all, _) =
            self.unit_pool(job, caps, None, &|arithmetic, _| Elem::leaf(arithmetic, 0, 0, 0, caps))?;
        Ok(all.denom)
    }

    /// The k of highest rank.
    fn kept_units(&mut self, job: &Job, worths: &[i64], k: usize) -> Result<Dist, Trouble> {
        let exact = self.is_exact();
        let caps = Caps { marked: k, ties: if exact { 0 } else { k } };
        self.room_for(caps, job)?;
        let up = job.upwards;
        let (all, cut) = self.unit_pool(job, caps, None, &|arithmetic, worth| {
            Elem::leaf(arithmetic, (job.adds)(worth), 1, 0, caps)
        })?;
        let denom = self.outcomes_of(job)?;
        let width = self.width_of(&denom);
        let mut kept = Kept::new(all.checked_over(&denom, width)?.marks, k, &[], width);
        let level = |walker: &mut Self, v: i64| {
            let (level, _) = walker.unit_pool(job, caps, None, &|arithmetic, worth| {
                let above = worth * up > v * up;
                let tie = usize::from(!exact && worth == v);
                let at = if above { (job.adds)(worth) } else { 0 };
                Elem::leaf(arithmetic, at, usize::from(above), tie, caps)
            })?;
            Ok(level.checked_over(&denom, width)?.marks)
        };
        self.foresee_cases(worths.len(), 1.0, job.pool.span, &mut |walker, case| {
            level(walker, worths[case]).map(|_| Held::NOTHING)
        })?;
        for &v in worths {
            let pool = level(self, v)?;
            kept.level(Level { adds: Poly::point(width, (job.adds)(v), 1), pool });
        }
        self.sound(Dist::of_poly(kept.finish(), denom, job.pool.scale()), cut, job)
    }

    /// All but the d of lowest rank.
    fn dropped_units(&mut self, job: &Job, worths: &[i64], d: usize) -> Result<Dist, Trouble> {
        let exact = self.is_exact();
        let caps = Caps { marked: d, ties: if exact { 0 } else { d } };
        self.room_for(caps, job)?;
        let up = job.upwards;
        let (none, cut) =
            self.unit_pool(job, caps, None, &|arithmetic, _| Elem::leaf(arithmetic, 0, 1, 0, caps))?;
        let denom = self.outcomes_of(job)?;
        let width = self.width_of(&denom);
        let none = none.checked_over(&denom, width)?;
        let one = self.width_of(&Denom::one());
        let level = |walker: &mut Self, v: i64| {
            let own = (!exact).then(|| Poly::point(one, (job.adds)(v), 1));
            let (level, _) = walker.unit_pool(job, caps, own.as_ref(), &|arithmetic, worth| {
                let (below, tie) = (worth * up < v * up, !exact && worth == v);
                let at = if below || tie { 0 } else { (job.adds)(worth) };
                Elem::leaf(arithmetic, at, usize::from(below), usize::from(tie), caps)
            })?;
            Ok(level.checked_over(&denom, width)?.marks)
        };
        self.foresee_cases(worths.len(), 1.0, job.pool.span, &mut |walker, case| {
            level(walker, worths[case]).map(|_| Held::NOTHING)
        })?;
        let poly = if exact {
            // Fewer than d below v, less fewer than d at or below v, the missing ones taken away at v.
            let mut kept = Kept::new(none.marks.clone(), d, &[], width);
            for &v in worths.iter().rev() {
                let pool = level(self, v)?;
                kept.level(Level { adds: Poly::point(width, -(job.adds)(v), 1), pool });
            }
            kept.finish()
        } else {
            let mut levels = Vec::new();
            for &v in worths {
                let pool = level(self, v)?;
                levels.push(Level { adds: Poly::point(width, (job.adds)(v), 1), pool });
            }
            drop_from_levels(&none.marks, levels.into_iter(), d, width)
        };
        self.sound(Dist::of_poly(poly, denom, job.pool.scale()), cut, job)
    }

    /// What differences of levels leave, if it is all there is: levels that are cut off in different places would not cancel, and
    /// then sums of positive terms, in floating point, must do.
    fn sound(&self, mut dist: Dist, cut: f64, job: &Job) -> Result<Dist, Trouble> {
        if self.is_exact() && self.faults == 0 && (dist.present() + cut - 1.0).abs() > cut + 1e-9 {
            return Err(self.too_much(f64::INFINITY, job.pool.span));
        }
        dist.tail = cut;
        Ok(dist)
    }

    /// Refuses marks of which there are too many to hold.
    fn room_for(&mut self, caps: Caps, job: &Job) -> Result<(), Trouble> {
        // Each coefficient takes some words, and a chain of steps holds a hundred of them.
        let coefficients = super::float(caps.marked) * super::float(caps.ties + 1);
        self.charge_for(coefficients, coefficients * 1000.0, Width::U64, job.pool.span)
    }

    /// The whole pool with the marks that a leaf sets, and what was cut off.
    fn unit_pool(
        &mut self,
        job: &Job,
        caps: Caps,
        overflow: Option<&Poly>,
        leaf: &dyn Fn(Arithmetic, i64) -> Elem,
    ) -> Result<(Elem, f64), Trouble> {
        let arithmetic = self.arithmetic;
        let mut whole = Elem::leaf(arithmetic, 0, 0, 0, caps);
        let mut cut = 0.0;
        for throw in job.pool.throws {
            let kind = Rc::clone(&throw.kind);
            let leaf = |worth: i64| leaf(arithmetic, worth);
            let acts = throw.then(job.before);
            let mut chain = self.chain(&acts, &kind, job.pool.unit, &leaf);
            chain.caps = caps;
            chain.overflow = overflow.cloned();
            chain.tail /= f64::from(throw.count.max(1));
            let one = chain.fresh(0);
            let one = self.settle(&chain, one, job.pool)?;
            cut += chain.cut * f64::from(throw.count);
            let width = arithmetic.width(&one.denom.pow(throw.count).times(&whole.denom));
            self.charge_marks(&one, &whole, throw.count, overflow.is_some(), width, job.pool.span)?;
            let power = one.pow(throw.count, overflow, arithmetic);
            whole = whole.times(&power, overflow, arithmetic);
        }
        Ok((whole, cut))
    }
}

/// A selection of units.
struct Job<'a> {
    pool: &'a Pool<'a>,
    before: &'a [Act],
    adds: &'a dyn Fn(i64) -> i64,
    upwards: i64,
}

/// The kept ranks `low..high` (at one end) of independent dice with wide weights.
pub(crate) fn wide(
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
    let coefficients = super::float(caps.marked) * super::float(caps.ties + 1);
    walker.charge_for(coefficients, coefficients * 30.0, Width::U64, pool.span)?;
    let float = |poly: &Poly, own: &Denom| {
        if exact { poly.clone() } else { probabilities(poly, own) }
    };
    let laws: Vec<(Poly, u32)> = units.iter().map(|(poly, own, n)| (float(poly, own), *n)).collect();
    // Each value looks at each cell once.
    let looks =
        super::float(values.len()) * laws.iter().map(|(law, _)| super::float(law.mass.len())).sum::<f64>();
    walker.charge(looks * 15.0, pool.span)?;
    let mut build = |mark: &dyn Fn(i64) -> (usize, usize, i64)| -> Result<Marks, Trouble> {
        let mut whole = Marks::of(Poly::point(width, 0, 1), 0, 0, caps);
        for (law, n) in &laws {
            // In the width of one die: powers take what they need.
            let mut parts: Vec<(usize, usize, Poly)> = Vec::new();
            for (worth, cell) in cells(law).filter(|c| !law.mass.is_zero(c.1)) {
                let (marked, ties, at) = mark(worth);
                let part = Poly { low: at, mass: law.mass.slice(cell, cell + 1), roundings: law.roundings };
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
            let counts = super::float(law.mass.len()) * f64::from(*n);
            walker.charge_for(super::cost::power(law, *n, width), counts * 3.0, width, pool.span)?;
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
            let part =
                Poly { low: adds(worth), mass: law.mass.slice(cell, cell + 1), roundings: law.roundings };
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
    let all = denom.big().into();
    let values =
        (0..poly.mass.len()).map(|i| super::dist::ratio_float(&poly.mass.big(i).into(), &all)).collect();
    Poly { low: poly.low, mass: super::kernel::Mass::F64(values), roundings: poly.roundings + 2.0 }
}
