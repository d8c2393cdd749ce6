//! Selections of a random number of dice, after an explosion of the pool: units with marks.
//!
//! Apart from the selections by rank, which know how many dice there are.

use std::cell::RefCell;
use std::collections::BTreeSet;

use crate::ast::{End, Take};
use crate::odds::acts::Act;
use crate::odds::dist::Dist;
use crate::odds::elem::{Arithmetic, Elem, PLAIN};
use crate::odds::float;
use crate::odds::foresee::Held;
use crate::odds::kernel::{Caps, Denom, Kept, Level, Poly, Width, drop_from_levels};
use crate::odds::walk::{Trouble, Walker};
use crate::plain::stays;

use super::Pool;

impl Walker<'_> {
    /// A selection after an explosion, or `None` where the steps do not fit this form.
    pub(super) fn units(
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
        let adds = |worth: i64| pool.adds_after(later.iter().copied(), worth);
        let marked = usize::try_from(*amount).unwrap_or(usize::MAX);
        let worths: Vec<i64> = self.reachable(pool, before)?.into_iter().collect();
        // Ranks ascend towards the end that is kept (or away from the one that is dropped).
        let upwards = match stays(*take, *end, *amount, *amount).0 {
            End::Highest => 1,
            End::Lowest => -1,
        };
        let mut worths = worths;
        // For each worth every face is looked at anew.
        let faces: usize = pool.throws.iter().map(|throw| throw.kind.faces.len()).sum();
        self.charge(float(worths.len()) * float(faces) * 100.0, pool.span)?;
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
        let coefficients = float(caps.marked) * float(caps.ties + 1);
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
            let leaf = |worth: i64| leaf(arithmetic, worth);
            let acts = throw.then(job.before);
            let mut chain = self.chain(&acts, throw, job.pool.unit, &leaf);
            chain.caps = caps;
            chain.overflow = overflow.cloned();
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

    /// The worths that dice can have when they reach the selection.
    fn reachable(&mut self, pool: &Pool, before: &[Act]) -> Result<BTreeSet<i64>, Trouble> {
        let seen = RefCell::new(BTreeSet::new());
        let arithmetic = self.arithmetic;
        let leaf = |worth: i64| {
            seen.borrow_mut().insert(worth);
            Elem::leaf(arithmetic, 0, 0, 0, PLAIN)
        };
        for throw in pool.throws {
            let acts = throw.then(before);
            let mut chain = self.chain(&acts, throw, pool.unit, &leaf);
            let result = chain.fresh(0).map(|_| ());
            self.settle(&chain, result, pool)?;
        }
        Ok(seen.into_inner())
    }
}

/// A selection of units.
struct Job<'a> {
    pool: &'a Pool<'a>,
    before: &'a [Act],
    adds: &'a dyn Fn(i64) -> i64,
    upwards: i64,
}
