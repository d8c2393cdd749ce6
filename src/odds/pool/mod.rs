//! Pools: which algorithm computes a pool with its steps.
//!
//! The steps of one die at a time make up a chain, which is a map of dice, and a pool without a selection is a power. A selection
//! of a pool of known size keeps a range of ranks; after an explosion of the pool it works on units. What fits nowhere goes
//! through the machine of multisets, and at last to the enumeration of the roller.

mod each;
mod ranked;
mod units;
mod wide;

use std::collections::HashMap;
use std::rc::Rc;

use crate::ast::Span;
use crate::number::Number;
use crate::odds::acts::{Act, Kind, Unit, net};
use crate::odds::chain::{Chain, Stop, clamp};
use crate::odds::dist::Dist;
use crate::odds::elem::{Elem, PLAIN};
use crate::odds::walk::{Trouble, Walker};

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

    /// What a die adds whose worth goes through the clamps among further steps first.
    fn adds_after<'a>(&self, acts: impl IntoIterator<Item = &'a Act>, worth: i64) -> i64 {
        self.adds(acts.into_iter().fold(worth, |worth, act| clamp(act, self.unit, worth)))
    }
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
            self.near_faces(&throw.kind)?;
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

    /// A chain over the given steps, for one die of a throw; all of them together may be cut off as far as one chain may.
    fn chain<'b>(
        &self,
        acts: &'b [Act],
        throw: &'b Throw,
        unit: Unit,
        leaf: &'b dyn Fn(i64) -> Elem,
    ) -> Chain<'b> {
        Chain {
            acts,
            kind: &throw.kind,
            unit,
            arithmetic: self.arithmetic,
            caps: PLAIN,
            overflow: None,
            tail: self.chain_tail / f64::from(throw.count.max(1)),
            leaf,
            memo: HashMap::new(),
            cut: 0.0,
            cuts: Vec::new(),
            endless: None,
            work: self.chain_work(),
        }
    }

    /// What a chain cost and met.
    fn settle<T>(&mut self, chain: &Chain, result: Result<T, Stop>, pool: &Pool) -> Result<T, Trouble> {
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
}
