//! The general machine for pools: every multiset of worths that the live dice can show, with its weight, moved through the
//! steps one by one.

use std::collections::HashMap;
use std::rc::Rc;

use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::acts::{Act, Kind, Mode, Unit};
use super::chain::{clamp, explodes};
use super::dist::{Dist, Gather};
use super::kernel::{Denom, Mass, Width};
use super::pool::{Pool, Throw};
use super::walk::{Trouble, Walker};
use crate::ast::{End, Span, Take};
use crate::number::Number;

/// Worths with how many dice show each, ascending.
pub(crate) type Multiset = Vec<(i64, u32)>;

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
        Ok(if self.is_exact() { dist } else { as_float(&dist) })
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
            count *= (f64::from(i) + super::float(faces.len()) - 1.0) / f64::from(i);
        }
        if n > 10_000 || count > super::float(STATES) {
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
        self.charge(super::float(a.map.len()) * super::float(b.map.len()) * 200.0, span)?;
        for (x, p) in &a.map {
            for (y, q) in &b.map {
                *out.entry(union(x, y)).or_insert_with(BigUint::zero) += p * q;
            }
            self.few(out.len(), span)?;
        }
        Ok(States { map: out, denom: a.denom.times(&b.denom) })
    }

    fn few(&self, states: usize, span: Span) -> Result<(), Trouble> {
        if states > STATES { Err(self.too_much(super::float(states) * 1e4, span)) } else { Ok(()) }
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
                *out.entry(step(act, unit, dice)).or_insert_with(BigUint::zero) += weight;
            }
            states.map = out;
            return Ok(0.0);
        }
        let mut cut = 0.0;
        let mut laws: HashMap<i64, States> = HashMap::new();
        let mut done: Vec<States> = Vec::new();
        for (dice, weight) in std::mem::take(&mut states.map) {
            let mut here = States { map: HashMap::from([(Vec::new(), weight)]), denom: Denom::one() };
            for &(worth, count) in &dice {
                if let std::collections::hash_map::Entry::Vacant(place) = laws.entry(worth) {
                    let (law, lost) = self.die_law(act, kind, unit, worth, span)?;
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
                *states.map.entry(dice).or_insert_with(BigUint::zero) += weight * &by;
            }
            self.few(states.map.len(), span)?;
        }
        states.denom = states.denom.times(&inner);
        let most = states.map.keys().map(|dice| dice.iter().map(|d| d.1).sum::<u32>()).max().unwrap_or(0);
        Ok(cut * f64::from(most))
    }

    /// What one die of a worth becomes in a step that throws.
    fn die_law(
        &mut self,
        act: &Act,
        kind: &Kind,
        unit: Unit,
        worth: i64,
        span: Span,
    ) -> Result<(States, f64), Trouble> {
        let stays =
            || States { map: HashMap::from([(vec![(worth, 1)], BigUint::one())]), denom: Denom::one() };
        let nothing = || States { map: HashMap::new(), denom: Denom::one() };
        let one_of = |faces: &mut dyn Iterator<Item = (i64, u64)>, total: u64| {
            let mut map = HashMap::new();
            for (face, weight) in faces {
                *map.entry(vec![(face, 1)]).or_insert_with(BigUint::zero) += weight;
            }
            States { map, denom: Denom::power(total, 1) }
        };
        match act {
            Act::Reroll(reroll) if unit.meets(&reroll.test, worth) => match reroll.mode {
                Mode::Newest(Some(0)) => Ok((stays(), 0.0)),
                Mode::Better => {
                    let better = |f: &(i64, u64)| (f.0.max(worth), f.1);
                    Ok((one_of(&mut kind.faces.iter().map(better), kind.total), 0.0))
                }
                Mode::Newest(None) => {
                    if kind.never_ends(&reroll.guard) {
                        self.endless(Some(act), kind, span);
                        return Ok((nothing(), 0.0));
                    }
                    let rest = || kind.faces.iter().filter(|f| !unit.meets(&reroll.test, f.0)).copied();
                    Ok((one_of(&mut rest(), rest().map(|f| f.1).sum()), 0.0))
                }
                Mode::Newest(Some(times)) => {
                    // Face f stands after i throws that all met the test before, or at the last throw.
                    let total = BigUint::from(kind.total);
                    let met: u64 =
                        kind.faces.iter().filter(|f| unit.meets(&reroll.test, f.0)).map(|f| f.1).sum();
                    let times = u32::try_from(times).unwrap_or(u32::MAX);
                    if times > 10_000 {
                        return Err(self.too_much(f64::from(times), span));
                    }
                    let mut map = HashMap::new();
                    for &(face, weight) in &kind.faces {
                        let mut ways = BigUint::zero();
                        let first = if unit.meets(&reroll.test, face) { times - 1 } else { 0 };
                        for i in first..times {
                            ways += BigUint::from(met).pow(i) * weight * total.pow(times - 1 - i);
                        }
                        map.insert(vec![(face, 1)], ways);
                    }
                    Ok((States { map, denom: Denom::power(kind.total, times) }, 0.0))
                }
            },
            Act::Explode(explosion)
                if explosion.limit != Some(0) && explodes(explosion, kind, unit, worth) =>
            {
                self.exploded(act, kind, unit, worth, span)
            }
            Act::Select(..)
            | Act::Explode(_)
            | Act::Reroll(_)
            | Act::AtLeast(_)
            | Act::AtMost(_)
            | Act::Count(_)
            | Act::Fail(_) => Ok((stays(), 0.0)),
        }
    }

    /// A die with all its extras.
    fn exploded(
        &mut self,
        act: &Act,
        kind: &Kind,
        unit: Unit,
        worth: i64,
        span: Span,
    ) -> Result<(States, f64), Trouble> {
        let Act::Explode(explosion) = act else { return Err(Trouble::Enumerate) };
        let going: u64 =
            kind.faces.iter().filter(|f| explodes(explosion, kind, unit, f.0)).map(|f| f.1).sum();
        let endless = explosion.limit.is_none();
        if endless && (going == kind.total || kind.never_ends(&explosion.guard)) {
            self.endless(Some(act), kind, span);
            return Ok((States { map: HashMap::new(), denom: Denom::one() }, 0.0));
        }
        let q = super::float_u64(going) / super::float_u64(kind.total);
        let depth = match explosion.limit {
            Some(limit) => limit,
            None if going == 0 => 1,
            None => num_traits::ToPrimitive::to_u64(&(self.chain_tail.ln() / q.ln()).ceil().max(1.0))
                .unwrap_or(u64::MAX),
        };
        let less = if explosion.penetrate { unit.scale } else { 0 };
        let mut open: HashMap<Multiset, BigUint> = HashMap::from([(vec![(worth, 1)], BigUint::one())]);
        let mut done: HashMap<Multiset, BigUint> = HashMap::new();
        let total = BigUint::from(kind.total);
        for level in 0..depth {
            let mut next: HashMap<Multiset, BigUint> = HashMap::new();
            self.charge(super::float(open.len()) * super::float(kind.faces.len()) * 300.0, span)?;
            self.few(open.len() + done.len(), span)?;
            done.values_mut().for_each(|weight| *weight *= &total);
            for (dice, weight) in open {
                for &(face, own) in &kind.faces {
                    let dice = if explosion.compound {
                        vec![(dice[0].0 + face - less, 1)]
                    } else {
                        union(&dice, &vec![(face - less, 1)])
                    };
                    let goes = explodes(explosion, kind, unit, face);
                    let last = level + 1 == depth;
                    if goes && last && endless {
                        continue; // cut off
                    }
                    let into = if goes && !last { &mut next } else { &mut done };
                    *into.entry(dice).or_insert_with(BigUint::zero) += &weight * own;
                }
            }
            open = next;
            if open.is_empty() && level + 1 < depth {
                let denom = Denom::power(kind.total, u32::try_from(level + 1).unwrap_or(u32::MAX));
                return Ok((States { map: done, denom }, 0.0));
            }
        }
        let denom = Denom::power(kind.total, u32::try_from(depth).unwrap_or(u32::MAX));
        let cut = if endless { q.powf(super::float_u64(depth)) } else { 0.0 };
        Ok((States { map: done, denom }, cut))
    }
}

/// A step that throws nothing.
pub(crate) fn step(act: &Act, unit: Unit, dice: Multiset) -> Multiset {
    match act {
        Act::AtLeast(_) | Act::AtMost(_) => {
            let clamped: Multiset =
                dice.iter().map(|&(worth, count)| (clamp(act, unit, worth), count)).collect();
            merged(clamped)
        }
        Act::Select(take, end, amount) => select(dice, *take, *end, *amount),
        Act::Explode(_) | Act::Reroll(_) | Act::Count(_) | Act::Fail(_) => dice,
    }
}

fn select(dice: Multiset, take: Take, end: End, amount: u64) -> Multiset {
    let size: u64 = dice.iter().map(|d| u64::from(d.1)).sum();
    let amount = amount.min(size);
    // How many of the lowest are passed over before the ones that stay, and how many stay.
    let (skip, stay) = match (take, end) {
        (Take::Keep, End::Highest) => (size - amount, amount),
        (Take::Keep, End::Lowest) => (0, amount),
        (Take::Drop, End::Highest) => (0, size - amount),
        (Take::Drop, End::Lowest) => (amount, size - amount),
    };
    let (mut skip, mut stay) = (skip, stay);
    let mut out = Vec::with_capacity(dice.len());
    for (worth, count) in dice {
        let gone = skip.min(u64::from(count));
        skip -= gone;
        let kept = stay.min(u64::from(count) - gone);
        stay -= kept;
        if kept > 0 {
            out.push((worth, u32::try_from(kept).unwrap_or(u32::MAX)));
        }
    }
    out
}

/// Equal worths together; the worths ascend.
fn merged(dice: Multiset) -> Multiset {
    let mut out: Multiset = Vec::with_capacity(dice.len());
    for (worth, count) in dice {
        match out.last_mut() {
            Some(last) if last.0 == worth => last.1 += count,
            Some(_) | None => out.push((worth, count)),
        }
    }
    out
}

/// The dice of both.
fn union(a: &Multiset, b: &Multiset) -> Multiset {
    let mut both: Multiset = a.iter().chain(b).copied().collect();
    both.sort_unstable_by_key(|die| die.0);
    merged(both)
}

/// Exact counts as probabilities.
pub(crate) fn as_float(dist: &Dist) -> Dist {
    let all = dist.denom.big().into();
    let cells = (0..dist.len()).map(|i| super::dist::ratio_float(&dist.mass.big(i).into(), &all)).collect();
    Dist { mass: Mass::F64(cells), denom: Denom::one(), roundings: 3.0, ..dist.clone() }
}
