//! Selections from a pool of known size: the dice in a range of ranks.
//!
//! Apart from the units, where how many dice there are depends on what they show.

use std::collections::HashMap;

use crate::ast::End;
use crate::number::Number;
use crate::odds::acts::Act;
use crate::odds::cost::{self, Adds};
use crate::odds::dist::Dist;
use crate::odds::elem::{Arithmetic, Elem, PLAIN};
use crate::odds::float_u64;
use crate::odds::kernel::{
    Denom, Group, Mass, Poly, Ranked, Width, keep_highest, keep_mixed, keep_ranks, ordinary_work, present,
};
use crate::odds::walk::{Trouble, Walker};
use crate::plain::stays;

use super::{Pool, Throw};

/// The ranks that selections of a pool of known size leave, rank 0 the lowest.
pub(super) fn band(acts: &[Act], size: u64) -> (u64, u64) {
    let (mut low, mut high) = (0, size);
    for act in acts {
        if let Act::Select(take, end, amount) = act {
            match stays(*take, *end, *amount, high - low) {
                (End::Highest, kept) => low = high - kept,
                (End::Lowest, kept) => high = low + kept,
            }
        }
    }
    (low, high)
}

/// A rank of dice with what a kept one adds.
pub(super) struct Worths {
    /// Worth after the steps before the selection.
    pub law: Poly,
    pub denom: Denom,
}

impl Walker<'_> {
    /// The law of worth of one die after steps that leave it one die.
    fn worths(&mut self, pool: &Pool, acts: &[Act], throw: &Throw) -> Result<(Worths, f64), Trouble> {
        // One die is exact even where the pool is computed in floating point.
        let leaf = |worth: i64| Elem::leaf(Arithmetic::Exact, worth, 0, 0, PLAIN);
        let mut chain = self.chain(acts, throw, pool.unit, &leaf);
        chain.arithmetic = Arithmetic::Exact;
        let one = chain.fresh(0);
        let one = self.settle(&chain, one, pool)?;
        let cut = chain.cut * f64::from(throw.count);
        Ok((Worths { law: one.plain().trim(), denom: one.denom }, cut))
    }

    /// A selection of dice that stay one die each: a range of ranks.
    pub(super) fn band_of(
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
            let adds = |worth: i64| pool.adds_after(later, worth);
            return self.ranked_plain(pool, laws, band, &adds, denom);
        }
        let Some(throw) = throws.first() else {
            return Ok(Dist::point(Number::ZERO, self.width_of(&Denom::one())));
        };
        let arithmetic = self.arithmetic;
        let leaf = |worth: i64| Elem::leaf(arithmetic, pool.adds(worth), 0, 0, PLAIN);
        let mut chain = self.chain(later, throw, pool.unit, &leaf);
        let worths = laws.iter().flat_map(|law| present(&law.law).map(|cell| cell.0));
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
        let ends: Vec<_> = values.values().map(|value| (value.low, value.high())).collect();
        self.charge(cost::ranks(&groups, &kept, width, &Adds::of(&ends)), pool.span)?;
        let unit = if self.is_exact() { inner.chunks() } else { Vec::new() };
        let zero = Poly::zero(width);
        let poly = keep_ranks(&groups, &kept, |v| values.get(&v).unwrap_or(&zero).clone(), &unit, width);
        let mut dist = Dist::of_poly(poly, all, pool.scale());
        dist.tail = cut * float_u64(pool.size());
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
        if k == 0 {
            // Only whether no outcome is missing matters.
            let mut none = Poly::point(width, 0, 1);
            for ((faces, total), throw) in small.iter().zip(pool.throws) {
                let ranked: Vec<_> = faces.iter().map(|&(_, weight)| Ranked { adds: 0, weight }).collect();
                none = none.times(&keep_highest(&ranked, throw.count, 0, *total, width), width);
            }
            return Ok(Dist::of_poly(none, denom, scale));
        }
        if low > 0 && !top {
            let groups = self.groups(laws, pool.throws, pool)?;
            let kept = kept(band, size);
            let added = groups.iter().flat_map(|group| group.faces.iter().map(|face| adds(face.0)));
            let ends: Vec<_> = added.map(|adds| (adds, adds)).collect();
            self.charge(cost::ranks(&groups, &kept, width, &Adds::of(&ends)), pool.span)?;
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
            let work = cost::keep(&ranked, throw.count, k, width);
            self.charge_for(work, 4.0 * cost::reach(&ranked) * f64::from(k), width, pool.span)?;
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
        self.charge(work.unwrap_or_else(|| cost::mixed(&groups, k, width)), pool.span)?;
        let poly = keep_mixed(&groups, k, &adds, width);
        Ok(Dist::of_poly(poly, denom, scale))
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
            let faces = present(&law.law).map(|(worth, i)| (worth, weights[i]));
            Some((faces.collect(), total))
        }
        Mass::F64(_) | Mass::U128(_) | Mass::Limbs { .. } => None,
    }
}
