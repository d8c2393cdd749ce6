//! The general machine for pools: every multiset of worths that the live dice can show, with its weight, moved through the
//! steps one by one.

mod multiset;
mod rethrown;

use std::collections::HashMap;
use std::rc::Rc;

use num_bigint::BigUint;
use num_traits::{One, Zero};

use multiset::union;
pub(super) use multiset::{Multiset, step};

use crate::ast::Span;
use crate::number::Number;
use crate::odds::acts::{Act, Kind, Unit};
use crate::odds::dist::{Dist, Gather};
use crate::odds::kernel::tally::{MAKING, took};
use crate::odds::kernel::{Denom, Mass, Width};
use crate::odds::pool::{Pool, Throw};
use crate::odds::walk::{Trouble, Walker};
use crate::odds::{float, float_u64};

/// Every way in which a pool can end.
pub(crate) struct Worlds {
    pub states: Vec<(Multiset, BigUint)>,
    pub denom: Denom,
    pub tail: f64,
}

/// More multisets than this are too many to follow.
const STATES: usize = 400_000;

/// States while they are gathered.
struct States {
    map: HashMap<Multiset, BigUint>,
    denom: Denom,
}

impl Walker<'_> {
    /// The distribution of a pool whose steps fit no faster form.
    pub(crate) fn machine(&mut self, pool: &Pool) -> Result<Dist, Trouble> {
        let worlds = self.worlds(pool.throws, pool.acts, pool.unit, pool.span)?;
        let exact = Width::for_bits(worlds.denom.bits());
        let mut gather = Gather::new(exact);
        let scale = pool.scale();
        for (dice, weight) in &worlds.states {
            let sum: i128 = dice.iter().map(|d| i128::from(pool.adds(d.0)) * i128::from(d.1)).sum();
            let cell = gather.cell(Number::ratio(sum, scale).unwrap_or(Number::ZERO));
            let mut one = Mass::zeros(exact, 1);
            one.set_big(0, weight);
            gather.mass.add_cell(cell, &one, 0);
        }
        let dist = gather.finish(worlds.denom, 0.0, worlds.tail);
        Ok(if self.is_exact() { dist } else { dist.as_float() })
    }

    /// Every way in which a pool can end.
    pub(crate) fn worlds(
        &mut self,
        throws: &[Throw],
        acts: &[Act],
        unit: Unit,
        span: Span,
    ) -> Result<Worlds, Trouble> {
        let alone = acts.iter().take_while(|act| !act.is_selection()).count();
        let (own, shared) = acts.split_at(alone);
        if throws.len() > 1 && shared.iter().any(Act::throws) {
            // Of equal dice of different kinds the earlier one is kept, and the kind matters later.
            return Err(Trouble::Enumerate);
        }
        let mut all = States { map: HashMap::from([(Vec::new(), BigUint::one())]), denom: Denom::one() };
        let mut cut = 0.0;
        for throw in throws {
            let mut states = self.thrown(throw, span)?;
            for act in &throw.then(own) {
                cut += self.apply(act, &mut states, &throw.kind, unit, span)?;
            }
            all = self.joined_states(&all, &states, span)?;
        }
        for act in shared {
            let kind = throws.first().map(|throw| Rc::clone(&throw.kind));
            match kind {
                Some(kind) => cut += self.apply(act, &mut all, &kind, unit, span)?,
                None => break,
            }
        }
        let mut states: Vec<(Multiset, BigUint)> = all.map.into_iter().collect();
        states.sort_unstable();
        Ok(Worlds { states, denom: all.denom, tail: cut })
    }

    /// All multisets of equal dice: multinomial weights, one face after the other.
    fn thrown(&mut self, throw: &Throw, span: Span) -> Result<States, Trouble> {
        let (faces, n) = (&throw.kind.faces, throw.count);
        let mut count = 1.0f64;
        for i in 1..=n.min(10_000) {
            count *= (f64::from(i) + float(faces.len()) - 1.0) / f64::from(i);
        }
        if n > 10_000 || count > float(STATES) {
            return Err(self.too_much(count * f64::from(n), span));
        }
        self.charge(count * 300.0, span)?;
        let mut open: Vec<(Multiset, BigUint, u32)> = vec![(Vec::new(), BigUint::one(), n)];
        let mut map = HashMap::new();
        for (i, &(face, weight)) in faces.iter().enumerate() {
            let mut next = Vec::new();
            for (dice, ways, left) in open {
                let mut power = BigUint::one(); // C(left, m) weight^m
                for m in 0..=left {
                    let last = i + 1 == faces.len();
                    if !last || m == left {
                        let mut dice = dice.clone();
                        if m > 0 {
                            dice.push((face, m));
                        }
                        took(MAKING);
                        next.push((dice, &ways * &power, left - m));
                    }
                    power = power * (left - m) * weight / (m + 1);
                }
            }
            open = next;
        }
        for (mut dice, ways, _) in open {
            dice.sort_unstable();
            *map.entry(dice).or_insert_with(BigUint::zero) += ways;
        }
        Ok(States { map, denom: Denom::power(throw.kind.total, n) })
    }

    /// Two independent pools as one.
    fn joined_states(&mut self, a: &States, b: &States, span: Span) -> Result<States, Trouble> {
        let mut out = HashMap::new();
        // Each pair is looked up, and its weights are multiplied.
        let limbs = |states: &States| float_u64(states.denom.bits() / 64 + 1);
        let pair = 800.0 + limbs(a) * limbs(b);
        self.charge(float(a.map.len()) * float(b.map.len()) * pair, span)?;
        for (x, p) in &a.map {
            for (y, q) in &b.map {
                took(MAKING);
                *out.entry(union(x, y)).or_insert_with(BigUint::zero) += p * q;
            }
            self.few(out.len(), span)?;
        }
        Ok(States { map: out, denom: a.denom.times(&b.denom) })
    }

    fn few(&self, states: usize, span: Span) -> Result<(), Trouble> {
        if states > STATES { Err(self.too_much(float(states) * 1e4, span)) } else { Ok(()) }
    }

    /// One step of all states; the probability that was cut off.
    fn apply(
        &mut self,
        act: &Act,
        states: &mut States,
        kind: &Kind,
        unit: Unit,
        span: Span,
    ) -> Result<f64, Trouble> {
        if !act.throws() {
            let mut out = HashMap::with_capacity(states.map.len());
            for (dice, weight) in std::mem::take(&mut states.map) {
                took(MAKING);
                *out.entry(step(act, unit, dice)).or_insert_with(BigUint::zero) += weight;
            }
            states.map = out;
            return Ok(0.0);
        }
        // Each die that enters may lose its share.
        let most = states.map.keys().map(|dice| dice.iter().map(|d| d.1).sum::<u32>()).max().unwrap_or(0);
        let tail = self.chain_tail / f64::from(most.max(1));
        let mut cut = 0.0;
        let mut laws: HashMap<i64, States> = HashMap::new();
        let mut done: Vec<States> = Vec::new();
        for (dice, weight) in std::mem::take(&mut states.map) {
            let mut here = States { map: HashMap::from([(Vec::new(), weight)]), denom: Denom::one() };
            for &(worth, count) in &dice {
                if let std::collections::hash_map::Entry::Vacant(place) = laws.entry(worth) {
                    let (law, lost) = self.die_law(act, kind, (unit, tail), worth, span)?;
                    cut = f64::max(cut, lost);
                    place.insert(law);
                }
                let law = &laws[&worth];
                for _ in 0..count {
                    here = self.joined_states(&here, law, span)?;
                }
            }
            done.push(here);
        }
        let inner = done.iter().fold(Denom::one(), |all, one| all.lcm(&one.denom));
        for one in done {
            let by = one.denom.missing_to(&inner).big();
            for (dice, weight) in one.map {
                took(MAKING);
                *states.map.entry(dice).or_insert_with(BigUint::zero) += weight * &by;
            }
            self.few(states.map.len(), span)?;
        }
        states.denom = states.denom.times(&inner);
        Ok(cut * f64::from(most))
    }
}
