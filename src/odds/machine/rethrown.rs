//! What one die of a multiset becomes in a step that throws again: a reroll, or an explosion with all its extras.
//!
//! Apart from the worlds, which move whole multisets: here one die is followed, whatever lies beside it.

use std::collections::HashMap;

use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::States;
use super::multiset::{Multiset, union};
use crate::ast::Span;
use crate::odds::acts::{Act, Kind, Mode, Unit};
use crate::odds::chain::explodes;
use crate::odds::kernel::tally::{MAKING, took};
use crate::odds::kernel::{Denom, first_that_stays};
use crate::odds::walk::{Trouble, Walker};
use crate::odds::{float, float_u64};

impl Walker<'_> {
    /// What one die of a worth becomes in a step that throws, and what is cut off: at most `tail`.
    pub(super) fn die_law(
        &mut self,
        act: &Act,
        kind: &Kind,
        (unit, tail): (Unit, f64),
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
                    // A face stands at the first throw that does not meet the test, or at the last one.
                    let met: u64 =
                        kind.faces.iter().filter(|f| unit.meets(&reroll.test, f.0)).map(|f| f.1).sum();
                    let times = u32::try_from(times).unwrap_or(u32::MAX);
                    let limbs = f64::from(times) * float_u64(kind.total).log2() / 64.0 + 1.0;
                    self.charge(limbs * limbs + float(kind.faces.len()) * limbs, span)?;
                    let (first, last) =
                        (first_that_stays(met, kind.total, times), BigUint::from(met).pow(times - 1));
                    let mut map = HashMap::new();
                    for &(face, weight) in &kind.faces {
                        let ways = if unit.meets(&reroll.test, face) { &last } else { &first };
                        map.insert(vec![(face, 1)], ways * weight);
                    }
                    Ok((States { map, denom: Denom::power(kind.total, times) }, 0.0))
                }
            },
            Act::Explode(explosion)
                if explosion.limit != Some(0) && explodes(explosion, kind, unit, worth) =>
            {
                self.exploded(act, kind, (unit, tail), worth, span)
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
        (unit, tail): (Unit, f64),
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
        let q = float_u64(going) / float_u64(kind.total);
        let depth = match explosion.limit {
            Some(limit) => limit,
            None if going == 0 => 1,
            None => {
                num_traits::ToPrimitive::to_u64(&(tail.ln() / q.ln()).ceil().max(1.0)).unwrap_or(u64::MAX)
            }
        };
        let less = if explosion.penetrate { unit.scale } else { 0 };
        let mut open: HashMap<Multiset, BigUint> = HashMap::from([(vec![(worth, 1)], BigUint::one())]);
        let mut done: HashMap<Multiset, BigUint> = HashMap::new();
        let total = BigUint::from(kind.total);
        for level in 0..depth {
            let mut next: HashMap<Multiset, BigUint> = HashMap::new();
            self.charge(float(open.len()) * float(kind.faces.len()) * 300.0, span)?;
            self.few(open.len() + done.len(), span)?;
            for weight in done.values_mut() {
                *weight *= &total;
            }
            for (dice, weight) in open {
                for &(face, own) in &kind.faces {
                    let dice = if explosion.compound {
                        vec![(dice[0].0 + face - less, 1)]
                    } else {
                        union(&dice, &vec![(face - less, 1)])
                    };
                    took(MAKING);
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
        let cut = if endless { q.powf(float_u64(depth)) } else { 0.0 };
        Ok((States { map: done, denom }, cut))
    }
}
