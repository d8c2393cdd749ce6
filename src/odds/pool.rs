//! Pools: which algorithm computes a pool with its steps.
//!
//! The steps of one die at a time make up a chain, which is a map of dice, and a pool without a selection is a power. A selection
//! of a pool of known size keeps a range of ranks; after an explosion of the pool it works on units. What fits nowhere goes
//! through the machine of multisets, and at last to the enumeration of the roller.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use super::acts::{Act, Kind, Unit, net};
use super::chain::{Chain, Stop};
use super::closed::Closed;
use super::combine;
use super::dist::{Dist, Moments};
use super::elem::{Arithmetic, Elem, PLAIN};
use super::kernel::{
    Denom, Factor, Group, Mass, Poly, Ranked, Width, cells, keep_highest, keep_mixed, keep_ranks,
    ordinary_work, sum_of,
};
use super::walk::{Trouble, Walker};
use crate::ast::{End, Span, Take};
use crate::number::Number;

/// Equal dice of a pool, with the steps that stand inside the braces of a mixed pool and act first.
#[derive(Clone, Debug)]
pub(crate) struct Throw {
    pub kind: Rc<Kind>,
    pub count: u32,
    pub first: Vec<Act>,
}

impl Throw {
    /// The own steps and then others.
    pub(crate) fn then(&self, acts: &[Act]) -> Vec<Act> {
        self.first.iter().chain(acts).cloned().collect()
    }
}

/// A pool with its steps, all numbers known.
pub(crate) struct Pool<'a> {
    pub throws: &'a [Throw],
    pub acts: &'a [Act],
    pub unit: Unit,
    pub span: Span,
}

impl Pool<'_> {
    fn size(&self) -> u64 {
        self.throws.iter().map(|t| u64::from(t.count)).sum()
    }

    /// The grid of the end result: units of worth, or whole numbers once something counts.
    pub(crate) fn scale(&self) -> i128 {
        if self.acts.iter().any(Act::counts) { 1 } else { i128::from(self.unit.scale) }
    }

    /// What a die of a final worth adds.
    pub(crate) fn adds(&self, worth: i64) -> i64 {
        net(self.acts, self.unit, worth).unwrap_or(worth)
    }
}

/// The ranks that selections of a pool of known size leave, rank 0 the lowest.
fn band(acts: &[Act], size: u64) -> (u64, u64) {
    let (mut low, mut high) = (0, size);
    for act in acts {
        if let Act::Select(take, end, amount) = act {
            let here = high - low;
            let amount = (*amount).min(here);
            let kept = match take {
                Take::Keep => amount,
                Take::Drop => here - amount,
            };
            let from_the_top = match (take, end) {
                (Take::Keep, End::Highest) | (Take::Drop, End::Lowest) => true,
                (Take::Keep, End::Lowest) | (Take::Drop, End::Highest) => false,
            };
            if from_the_top {
                low = high - kept;
            } else {
                high = low + kept;
            }
        }
    }
    (low, high)
}

/// A rank of dice with what a kept one adds.
struct Worths {
    /// Worth after the steps before the selection.
    law: Poly,
    denom: Denom,
}

impl Walker<'_> {
    /// The distribution of a pool.
    pub(crate) fn pool(&mut self, pool: &Pool) -> Result<Dist, Trouble> {
        if pool.throws.iter().any(|throw| throw.count == 0) {
            // What would happen to dice that are not there must not be computed: it could fail.
            let throws: Vec<Throw> = pool.throws.iter().filter(|throw| throw.count > 0).cloned().collect();
            if throws.is_empty() {
                return Ok(self.point(Number::ZERO));
            }
            return self.pool(&Pool { throws: &throws, ..*pool });
        }
        for throw in pool.throws {
            if let (Some((low, _)), Some((high, _))) = (throw.kind.faces.first(), throw.kind.faces.last()) {
                self.near(*low, *high, throw.kind.faces.len())?;
            }
        }
        if pool.throws.iter().any(|throw| throw.first.iter().any(Act::is_selection)) {
            return self.machine(pool);
        }
        let Some(first) = pool.acts.iter().position(Act::is_selection) else {
            return self.without_selection(pool);
        };
        let last = pool.acts.iter().rposition(Act::is_selection).unwrap_or(first);
        let (before, rest) = pool.acts.split_at(first);
        let (block, after) = rest.split_at(last - first + 1);
        let one_kind = pool.throws.len() <= 1;
        let simple = block.iter().all(|act| act.is_selection() || act.clamps());
        let kinds_matter = after.iter().any(Act::throws) && !one_kind;
        if simple && !kinds_matter {
            let mut early = before.iter().chain(pool.throws.iter().flat_map(|throw| &throw.first));
            if !early.any(Act::adds_dice) {
                return self.band_of(pool, before, block, after);
            }
            if let Some(dist) = self.units(pool, before, block, after)? {
                return Ok(dist);
            }
        }
        self.machine(pool)
    }

    /// A chain over the given steps.
    pub(crate) fn chain<'b>(
        &self,
        acts: &'b [Act],
        kind: &'b Kind,
        unit: Unit,
        leaf: &'b dyn Fn(i64) -> Elem,
    ) -> Chain<'b> {
        Chain {
            acts,
            kind,
            unit,
            arithmetic: self.arithmetic,
            caps: PLAIN,
            overflow: None,
            tail: self.chain_tail,
            leaf,
            memo: HashMap::new(),
            cut: 0.0,
            endless: None,
            work: self.chain_work(),
        }
    }

    /// What a chain cost and met.
    pub(crate) fn settle<T>(
        &mut self,
        chain: &Chain,
        result: Result<T, Stop>,
        pool: &Pool,
    ) -> Result<T, Trouble> {
        if let Some(at) = chain.endless {
            self.endless(chain.acts.get(at), chain.kind, pool.span);
        }
        let used = self.chain_work() - chain.work;
        match result {
            Ok(value) => {
                self.charge(used, pool.span)?;
                Ok(value)
            }
            Err(Stop(more)) => {
                let steps = self.chain_work() + more;
                if steps <= self.work_left() {
                    // Where a case is only priced the chain was stopped early.
                    self.priced(steps, 0.0, 1.0)?;
                }
                Err(self.too_much(steps, pool.span))
            }
        }
    }

    /// Every die by itself: powers of what one die brings.
    fn without_selection(&mut self, pool: &Pool) -> Result<Dist, Trouble> {
        let mut sum: Option<Dist> = None;
        let simple = |act: &Act| act.counts() || act.clamps();
        for throw in pool.throws {
            let one = if throw.first.iter().chain(pool.acts).all(simple) {
                self.mapped(pool, throw)?
            } else {
                self.chained(pool, throw)?
            };
            sum = Some(match sum {
                None => one,
                Some(sum) => self.add(&sum, &one, pool.span)?,
            });
        }
        Ok(sum.unwrap_or_else(|| Dist::point(Number::ZERO, self.width_of(&Denom::one()))))
    }

    /// Dice whose faces only become other numbers.
    fn mapped(&mut self, pool: &Pool, throw: &Throw) -> Result<Dist, Trouble> {
        let kind = &throw.kind;
        let die = if pool.acts.is_empty() && throw.first.is_empty() {
            Factor::new(&kind.faces)
        } else {
            let end = |&(f, w): &(i64, u64)| {
                let acts = throw.first.iter().chain(pool.acts);
                let worth = acts.fold(f, |worth, act| super::chain::clamp(act, pool.unit, worth));
                (pool.adds(worth), w)
            };
            Factor::new(&kind.faces.iter().map(end).collect::<Vec<_>>())
        };
        let Some(die) = die else { return Err(self.too_much(f64::INFINITY, pool.span)) };
        self.power(&die, kind.total, throw.count, pool)
    }

    /// The sum of n equal dice with small weights.
    fn power(&mut self, die: &Factor, total: u64, n: u32, pool: &Pool) -> Result<Dist, Trouble> {
        let denom = self.arithmetic.denom(total, n);
        let width = self.width_of(&denom);
        let cells = super::float(die.weights().len().saturating_sub(1)) * f64::from(n) + 1.0;
        // Symmetric dice are computed up to the middle and mirrored.
        self.charge_for(super::cost::sum(die, n, width), cells * 1.5, width, pool.span)?;
        Ok(Dist::of_poly(sum_of(die, n, total, width), denom, pool.scale()))
    }

    /// Dice that go through a chain of steps.
    fn chained(&mut self, pool: &Pool, throw: &Throw) -> Result<Dist, Trouble> {
        let arithmetic = self.arithmetic;
        let leaf = |worth: i64| Elem::leaf(arithmetic, pool.adds(worth), 0, 0, PLAIN);
        let kind = Rc::clone(&throw.kind);
        let acts = throw.then(pool.acts);
        let mut chain = self.chain(&acts, &kind, pool.unit, &leaf);
        chain.tail /= f64::from(throw.count.max(1));
        let one = chain.fresh(0);
        let one = self.settle(&chain, one, pool)?;
        let cut = chain.cut;
        let mut dist = self.elem_power(&one, throw.count, pool)?;
        if cut > 0.0 {
            dist.tail = cut * f64::from(throw.count);
            let mut closed = Closed { acts: &acts, kind: &kind, unit: pool.unit, memo: HashMap::new() };
            if let Some(one) = closed.moments() {
                let n = super::dist::Rational::from(num_bigint::BigInt::from(throw.count));
                let moments = Moments { mean: one.mean * &n, variance: one.variance * n };
                dist.closed = Some(Box::new(moments));
            }
        }
        Ok(dist)
    }

    /// n independent ones of what a chain made.
    pub(crate) fn elem_power(&mut self, one: &Elem, n: u32, pool: &Pool) -> Result<Dist, Trouble> {
        let poly = one.plain().trim();
        let denom = one.denom.pow(n);
        let width = self.width_of(&denom);
        if poly.is_zero() {
            let width = self.width_of(&Denom::one());
            return Ok(if n == 0 { Dist::point(Number::ZERO, width) } else { Dist::nothing(width) });
        }
        if let (Mass::U64(weights), Some(total)) = (&poly.mass, one.denom.small())
            && width != Width::F64
        {
            let die = Factor::from_weights(poly.low, weights.clone());
            return self.power(&die, total, n, pool);
        }
        let cells = super::float(poly.mass.len()) * f64::from(n);
        self.charge_for(super::cost::power(&poly, n, width), cells * 3.0, width, pool.span)?;
        Ok(Dist::of_poly(poly.pow(n, width), denom, pool.scale()))
    }

    /// The law of worth of one die after steps that leave it one die.
    fn worths(&mut self, pool: &Pool, acts: &[Act], throw: &Throw) -> Result<(Worths, f64), Trouble> {
        let kind = Rc::clone(&throw.kind);
        // One die is exact even where the pool is computed in floating point.
        let leaf = |worth: i64| Elem::leaf(Arithmetic::Exact, worth, 0, 0, PLAIN);
        let mut chain = self.chain(acts, &kind, pool.unit, &leaf);
        chain.arithmetic = Arithmetic::Exact;
        chain.tail /= f64::from(throw.count.max(1));
        let one = chain.fresh(0);
        let one = self.settle(&chain, one, pool)?;
        let cut = chain.cut * f64::from(throw.count);
        Ok((Worths { law: one.plain().trim(), denom: one.denom }, cut))
    }

    /// A selection of dice that stay one die each: a range of ranks.
    fn band_of(
        &mut self,
        pool: &Pool,
        before: &[Act],
        block: &[Act],
        after: &[Act],
    ) -> Result<Dist, Trouble> {
        let size = pool.size();
        let (low, high) = band(block, size);
        if (low, high) == (0, size) {
            let acts: Vec<Act> = pool.acts.iter().filter(|act| !act.is_selection()).cloned().collect();
            return self.without_selection(&Pool { acts: &acts, ..*pool });
        }
        let mut laws = Vec::new();
        let mut tail = 0.0;
        for throw in pool.throws {
            let law = if before.is_empty() && throw.first.is_empty() {
                let law = Poly::from_terms(Width::U64, &throw.kind.faces);
                Worths { law, denom: Denom::power(throw.kind.total, 1) }
            } else {
                let (law, cut) = self.worths(pool, &throw.then(before), throw)?;
                tail += cut;
                law
            };
            laws.push(law);
        }
        let later: Vec<Act> = block.iter().chain(after).filter(|act| !act.is_selection()).cloned().collect();
        let mut dist = self.ranked(pool, &laws, (low, high), &later)?;
        dist.tail += tail;
        Ok(dist)
    }

    /// The sum of what the dice at ranks `low..high` add after the later steps.
    fn ranked(
        &mut self,
        pool: &Pool,
        laws: &[Worths],
        band: (u64, u64),
        later: &[Act],
    ) -> Result<Dist, Trouble> {
        let throws = pool.throws;
        let mut denom = Denom::one();
        if self.is_exact() {
            for (law, throw) in laws.iter().zip(throws) {
                denom = denom.times(&law.denom.pow(throw.count));
            }
        }
        // A plain map of worths, or a distribution where later steps throw again.
        if band.0 == band.1 || later.iter().all(|act| act.clamps() || act.counts()) {
            let adds = |worth: i64| {
                pool.adds(later.iter().fold(worth, |worth, act| super::chain::clamp(act, pool.unit, worth)))
            };
            return self.ranked_plain(pool, laws, band, &adds, denom);
        }
        let Some(throw) = throws.first() else {
            return Ok(Dist::point(Number::ZERO, self.width_of(&Denom::one())));
        };
        let kind = Rc::clone(&throw.kind);
        let arithmetic = self.arithmetic;
        let leaf = |worth: i64| Elem::leaf(arithmetic, pool.adds(worth), 0, 0, PLAIN);
        let mut chain = self.chain(later, &kind, pool.unit, &leaf);
        chain.tail /= f64::from(throw.count.max(1));
        let worths = laws
            .iter()
            .flat_map(|law| cells(&law.law).filter(|cell| !law.law.mass.is_zero(cell.1)).map(|cell| cell.0));
        let values = worths.map(|worth| Ok((worth, chain.value(0, worth)?))).collect();
        let values: HashMap<i64, Elem> = self.settle(&chain, values, pool)?;
        let cut = chain.cut;
        let inner = values.values().fold(Denom::one(), |inner, value| inner.lcm(&value.denom));
        let width = self.width_of(&inner);
        let values: HashMap<i64, Poly> =
            values.into_iter().map(|(w, v)| (w, v.over(&inner, width).plain())).collect();
        let all = denom.times(&inner.pow(u32::try_from(pool.size()).unwrap_or(u32::MAX)));
        let width = self.width_of(&all);
        let groups = self.groups(laws, throws, pool)?;
        let kept = kept(band, pool.size());
        self.charge(
            super::cost::ranks(&groups, &kept, width, values.values().map(|v| v.mass.len()).max()),
            pool.span,
        )?;
        let unit = if self.is_exact() { inner.chunks() } else { Vec::new() };
        let zero = Poly::zero(width);
        let poly = keep_ranks(&groups, &kept, |v| values.get(&v).unwrap_or(&zero).clone(), &unit, width);
        let mut dist = Dist::of_poly(poly, all, pool.scale());
        dist.tail = cut * super::float_u64(pool.size());
        Ok(dist)
    }

    /// Dice with small weights for the algorithms over faces.
    fn groups(&mut self, laws: &[Worths], throws: &[Throw], pool: &Pool) -> Result<Vec<Group>, Trouble> {
        let mut groups = Vec::new();
        for (law, throw) in laws.iter().zip(throws) {
            let small = small_law(law);
            let Some((faces, total)) = small else { return Err(self.too_much(f64::INFINITY, pool.span)) };
            groups.push(Group { faces, total, count: throw.count });
        }
        Ok(groups)
    }

    /// The same where each kept worth adds a number.
    fn ranked_plain(
        &mut self,
        pool: &Pool,
        laws: &[Worths],
        band: (u64, u64),
        adds: &dyn Fn(i64) -> i64,
        denom: Denom,
    ) -> Result<Dist, Trouble> {
        let (low, high) = band;
        let size = pool.size();
        let small: Option<Vec<_>> = laws.iter().map(small_law).collect();
        let Some(small) = small else { return self.wide_ranks(pool, laws, band, adds, &denom) };
        let width = self.width_of(&denom);
        let k = u32::try_from(high - low).unwrap_or(u32::MAX);
        let top = high == size;
        let scale = pool.scale();
        if low > 0 && !top {
            let groups = self.groups(laws, pool.throws, pool)?;
            let kept = kept(band, size);
            self.charge(super::cost::ranks(&groups, &kept, width, Some(1)), pool.span)?;
            let poly =
                keep_ranks(&groups, &kept, |v| Poly::point(Width::U64, adds(v), 1).widen(width), &[], width);
            return Ok(Dist::of_poly(poly, denom, scale));
        }
        if let ([(faces, total)], [throw]) = (small.as_slice(), pool.throws) {
            let mut ranked: Vec<Ranked> =
                faces.iter().map(|&(f, weight)| Ranked { adds: adds(f), weight }).collect();
            if !top {
                ranked.reverse();
            }
            // Neighbours that add the same are one face, however they compare.
            ranked.dedup_by(|next, first| {
                let same = next.adds == first.adds;
                if same {
                    first.weight += next.weight;
                }
                same
            });
            let work = super::cost::keep(&ranked, throw.count, k, width);
            self.charge_for(work, 4.0 * super::cost::reach(&ranked) * f64::from(k), width, pool.span)?;
            let poly = keep_highest(&ranked, throw.count, k, *total, width);
            return Ok(Dist::of_poly(poly, denom, scale));
        }
        let sign = if top { 1 } else { -1 };
        let mut groups = self.groups(laws, pool.throws, pool)?;
        if !top {
            for group in &mut groups {
                group.faces.iter_mut().for_each(|face| face.0 = -face.0);
                group.faces.reverse();
            }
        }
        let adds = |rank: i64| adds(rank * sign);
        let work = ordinary_work(&groups, k, &adds, width);
        self.charge(work.unwrap_or_else(|| super::cost::mixed(&groups, k, width)), pool.span)?;
        let poly = keep_mixed(&groups, k, &adds, width);
        Ok(Dist::of_poly(poly, denom, scale))
    }

    /// Dice with weights beyond 64 bits.
    fn wide_ranks(
        &mut self,
        pool: &Pool,
        laws: &[Worths],
        band: (u64, u64),
        adds: &dyn Fn(i64) -> i64,
        denom: &Denom,
    ) -> Result<Dist, Trouble> {
        let units: Vec<(&Poly, &Denom, u32)> =
            laws.iter().zip(pool.throws).map(|(law, throw)| (&law.law, &law.denom, throw.count)).collect();
        let values: BTreeSet<i64> = units
            .iter()
            .flat_map(|unit| {
                cells(unit.0).filter(|c| !unit.0.mass.is_zero(c.1)).map(|c| c.0).collect::<Vec<_>>()
            })
            .collect();
        super::units::wide(self, pool, &units, band, adds, denom, &values)
    }

    /// The worths that dice can have when they reach the selection.
    pub(crate) fn reachable(&mut self, pool: &Pool, before: &[Act]) -> Result<BTreeSet<i64>, Trouble> {
        let seen = RefCell::new(BTreeSet::new());
        let arithmetic = self.arithmetic;
        let leaf = |worth: i64| {
            seen.borrow_mut().insert(worth);
            Elem::leaf(arithmetic, 0, 0, 0, PLAIN)
        };
        for throw in pool.throws {
            let kind = Rc::clone(&throw.kind);
            let acts = throw.then(before);
            let mut chain = self.chain(&acts, &kind, pool.unit, &leaf);
            // As far as the chains of the pool itself go.
            chain.tail /= f64::from(throw.count.max(1));
            let result = chain.fresh(0).map(|_| ());
            self.settle(&chain, result, pool)?;
        }
        Ok(seen.into_inner())
    }

    /// The sum of two independent numbers within the budget.
    pub(crate) fn add(&mut self, a: &Dist, b: &Dist, span: Span) -> Result<Dist, Trouble> {
        let denom = a.denom.times(&b.denom);
        self.charge_for(
            combine::add_cost(a, b),
            3.0 * super::float(a.len() + b.len()),
            a.width_for(&denom),
            span,
        )?;
        match combine::add(a, b) {
            Some(sum) => Ok(sum),
            None => Ok(self.add_lossy(a, b, span)),
        }
    }
}

/// The mask of a range of ranks.
fn kept(band: (u64, u64), size: u64) -> Vec<bool> {
    (0..size).map(|rank| rank >= band.0 && rank < band.1).collect()
}

/// Faces and number of outcomes, where both are small.
fn small_law(law: &Worths) -> Option<(Vec<(i64, u64)>, u64)> {
    let total = law.denom.small()?;
    match &law.law.mass {
        Mass::U64(weights) => {
            let faces = cells(&law.law).filter(|c| weights[c.1] > 0).map(|(worth, i)| (worth, weights[i]));
            Some((faces.collect(), total))
        }
        Mass::F64(_) | Mass::U128(_) | Mass::Limbs { .. } => None,
    }
}

impl Walker<'_> {
    /// A selection of members whose weights are wide or floating.
    pub(crate) fn wide_pool(
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
        let values: BTreeSet<i64> = laws
            .iter()
            .flat_map(|law| {
                cells(&law.0).filter(|c| !law.0.mass.is_zero(c.1)).map(|c| c.0).collect::<Vec<_>>()
            })
            .collect();
        let adds = |worth: i64| {
            pool.adds(acts.iter().fold(worth, |worth, act| super::chain::clamp(act, unit, worth)))
        };
        super::units::wide(self, &pool, &units, band(acts, size), &adds, denom, &values)
    }
}
