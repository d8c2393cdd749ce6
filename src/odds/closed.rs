//! Means and variances of endless chains in closed form.
//!
//! With q the chance that an extra explodes, the sum X of all extras has `E X = E v / (1 - q)` and
//! `E X^2 = (E v^2 + 2 E[v; explodes] E X) / (1 - q)`, v being what one extra contributes by itself: X = v + [explodes] X'.

use std::collections::HashMap;

use num_bigint::BigInt;
use num_traits::{One, Zero};

use super::acts::{Act, Explosion, Kind, Mode, Unit, net};
use super::chain::{clamp, explodes};
use super::dist::{Moments, Rational};
use super::kernel::first_that_stays;
use super::moments::rational;
use crate::number::Number;
use crate::test::Test;

/// First and second moment.
type Two = (Rational, Rational);

/// Chains of dice of one kind without a selection.
pub(crate) struct Closed<'a> {
    pub acts: &'a [Act],
    pub kind: &'a Kind,
    pub unit: Unit,
    pub memo: HashMap<(usize, i64), Option<Two>>,
}

/// Chains with more throws than this are not worth the fractions.
const LIMIT: u32 = 1000;

/// Dice with more faces than this are not worth the fractions.
const FACES: usize = 2000;

impl Closed<'_> {
    /// Mean and variance of one die with all it brings, where there is a closed form.
    pub(crate) fn moments(&mut self) -> Option<Moments> {
        if self.kind.faces.len() > FACES {
            return None;
        }
        let faces = self.kind.faces.clone();
        let (mean, square) = self.average(&faces, self.kind.total, |own, f| own.value(0, f))?;
        let variance = square - &mean * &mean;
        Some(Moments { mean, variance })
    }

    fn average(
        &mut self,
        faces: &[(i64, u64)],
        total: u64,
        mut f: impl FnMut(&mut Self, i64) -> Option<Two>,
    ) -> Option<Two> {
        let (mut mean, mut square) = (Rational::zero(), Rational::zero());
        for &(face, weight) in faces {
            let (one, two) = f(self, face)?;
            let weight = Rational::from(BigInt::from(weight));
            mean += &weight * one;
            square += weight * two;
        }
        let total = Rational::from(BigInt::from(total));
        Some((mean / &total, square / total))
    }

    fn value(&mut self, t: usize, worth: i64) -> Option<Two> {
        if let Some(known) = self.memo.get(&(t, worth)) {
            return known.clone();
        }
        let value = self.compute(t, worth);
        self.memo.insert((t, worth), value.clone());
        value
    }

    fn compute(&mut self, t: usize, worth: i64) -> Option<Two> {
        let acts = self.acts;
        match acts.get(t) {
            None => {
                let end = net(acts, self.unit, worth).map_or_else(|| self.unit.number(worth), Number::from);
                let x = rational(end);
                Some((x.clone(), &x * &x))
            }
            Some(act @ (Act::AtLeast(_) | Act::AtMost(_))) => self.value(t + 1, clamp(act, self.unit, worth)),
            Some(Act::Count(_) | Act::Fail(_)) => self.value(t + 1, worth),
            Some(Act::Select(..)) => None,
            Some(Act::Reroll(reroll)) => {
                if self.unit.meets(&reroll.test, worth) {
                    self.reroll(t, &reroll.test, reroll.mode, worth)
                } else {
                    self.value(t + 1, worth)
                }
            }
            Some(Act::Explode(explosion)) => {
                if explosion.limit == Some(0) || !explodes(explosion, self.kind, self.unit, worth) {
                    return self.value(t + 1, worth);
                }
                if explosion.compound && t + 1 < acts.len() {
                    return None; // later steps look at the grown worth
                }
                let (one, two) = self.value(t + 1, worth)?;
                let (more, square) = self.extras(t, explosion)?;
                let both = &one * &more * Rational::from(BigInt::from(2));
                Some((one + more, two + both + square))
            }
        }
    }

    fn reroll(&mut self, t: usize, test: &Test, mode: Mode, worth: i64) -> Option<Two> {
        let (faces, total, unit) = (self.kind.faces.clone(), self.kind.total, self.unit);
        match mode {
            Mode::Better => self.average(&faces, total, |own, f| own.value(t + 1, f.max(worth))),
            Mode::Newest(Some(0)) => self.value(t + 1, worth),
            Mode::Newest(None) => {
                let rest: Vec<_> = faces.into_iter().filter(|f| !unit.meets(test, f.0)).collect();
                let weight: u64 = rest.iter().map(|f| f.1).sum();
                if weight == 0 { None } else { self.average(&rest, weight, |own, f| own.value(t + 1, f)) }
            }
            Mode::Newest(Some(times)) => {
                let times = u32::try_from(times).ok().filter(|times| *times <= LIMIT)?;
                let (again, stay): (Vec<_>, Vec<_>) = faces.into_iter().partition(|f| unit.meets(test, f.0));
                let going: u64 = again.iter().map(|f| f.1).sum();
                let stay = self.average(&stay, total, |own, f| own.value(t + 1, f))?;
                let again = self.average(&again, total, |own, f| own.value(t + 1, f))?;
                // What stays at one of the throws, and what the last one shows all the same.
                let throws = BigInt::from(total).pow(times - 1);
                let first = Rational::new(first_that_stays(going, total, times).into(), throws.clone());
                let last = Rational::new(BigInt::from(going).pow(times - 1), throws);
                Some((&first * stay.0 + &last * again.0, first * stay.1 + last * again.1))
            }
        }
    }

    /// The moments of all extras of one die that exploded.
    fn extras(&mut self, t: usize, explosion: &Explosion) -> Option<Two> {
        let less = if explosion.penetrate { self.unit.scale } else { 0 };
        let (faces, total, unit) = (self.kind.faces.clone(), self.kind.total, self.unit);
        let kind = self.kind;
        let goes = |f: i64| explodes(explosion, kind, unit, f);
        let going: u64 = faces.iter().filter(|f| goes(f.0)).map(|f| f.1).sum();
        let all = self.average(&faces, total, |own, f| own.value(t + 1, f - less))?;
        let part = self.average(&faces, total, |own, f| {
            if goes(f) { own.value(t + 1, f - less) } else { Some((Rational::zero(), Rational::zero())) }
        })?;
        let q = Rational::new(BigInt::from(going), BigInt::from(total));
        let two = Rational::from(BigInt::from(2));
        match explosion.limit {
            None if q.is_one() => None,
            None => {
                let stop = Rational::one() - q;
                let mean = all.0 / &stop;
                let square = (all.1 + two * part.0 * &mean) / stop;
                Some((mean, square))
            }
            Some(limit) => {
                let (mut mean, mut square) = (Rational::zero(), Rational::zero());
                let limit = u32::try_from(limit).ok().filter(|limit| *limit <= LIMIT)?;
                for _ in 0..limit {
                    square = &all.1 + &two * &part.0 * &mean + &q * square;
                    mean = &all.0 + &q * mean;
                }
                Some((mean, square))
            }
        }
    }
}
