//! What each step does to what is known of a pool, and what it cannot do to it.

use super::Checker;
use super::pool::{KindFacts, Known, PoolFacts};
use super::refusals::{endless, pointless, too_few};
use super::worths::Worths;
use crate::ast::{Condition, End, Explode, Node, Repetition, Reroll, RerollMode, Span, Step, StepKind, Take};
use crate::die::Die;
use crate::error::Error;
use crate::eval::{amount, surviving};
use crate::test::Test;

impl Checker<'_> {
    /// Checks one step and follows what it does to the pool.
    pub(super) fn step(&mut self, pool: &mut PoolFacts, step: &Step) -> Result<(), Error> {
        match &step.kind {
            StepKind::Select(take, _, node) => self.select(pool, step, *take, node),
            StepKind::Explode(explode) => self.explode(pool, step, explode),
            StepKind::Reroll(reroll) => self.reroll(pool, step, reroll),
            StepKind::AtLeast(node) => self.clamp(pool, node, End::Lowest),
            StepKind::AtMost(node) => self.clamp(pool, node, End::Highest),
            StepKind::Count(condition) => {
                let test = self.test(condition)?;
                if let Some(test) = test
                    && self.bare.contains(&step.id)
                {
                    pointless(pool, &test, step)?;
                }
                Ok(())
            }
            StepKind::Fail(condition) => self.test(condition).map(drop),
            StepKind::Sort(_) => Ok(()),
        }
    }

    fn select(&mut self, pool: &mut PoolFacts, step: &Step, take: Take, node: &Node) -> Result<(), Error> {
        let wanted = match self.node(node)? {
            Some(number) => self.tried(amount(number, node, "the number of dice"))?,
            None => None,
        };
        let size = if pool.empty { None } else { pool.size };
        if let (Some(wanted), Some(size)) = (wanted, size)
            && wanted > size
        {
            return Err(too_few(step, take, wanted, (size, pool.known), node));
        }
        pool.known = Known::Left(step.span);
        pool.size = match (pool.size, wanted) {
            (Some(size), Some(wanted)) => Some(match take {
                Take::Keep => wanted.min(size),
                Take::Drop => size.saturating_sub(wanted),
            }),
            (_, _) => None,
        };
        Ok(())
    }

    fn explode(&mut self, pool: &mut PoolFacts, step: &Step, explode: &Explode) -> Result<(), Error> {
        let test = match &explode.condition {
            Some(condition) => self.test(condition)?.map(Some),
            None => Some(None),
        };
        let limit = self.limit(&explode.limit)?;
        if limit == Bound::None {
            let known = test.is_some();
            if let Some(test) = &test {
                pool.explosions.push(test.clone());
            }
            let checked = must_end(&pool.kinds, &pool.explosions, step, endless::explosion)?;
            self.note_end(step, known && checked);
        }
        for kind in &mut pool.kinds {
            let Some(die) = &kind.die else {
                kind.worths = Worths::Unknown;
                continue;
            };
            let test = test.as_ref().map(|test| test.clone().unwrap_or_else(|| Test::face(die.top())));
            if limit == Bound::Most(0) || test.as_ref().is_some_and(|test| kind.worths.none(test)) {
                continue;
            }
            kind.worths.explode(die, explode, limit.most());
        }
        if !explode.compound {
            pool.size = None;
        }
        Ok(())
    }

    fn reroll(&mut self, pool: &mut PoolFacts, step: &Step, reroll: &Reroll) -> Result<(), Error> {
        let test = self.test(&reroll.condition)?;
        let limit = match &reroll.mode {
            RerollMode::Newest(repetition) => self.limit(repetition)?,
            RerollMode::Better => Bound::Most(1),
        };
        if limit == Bound::None {
            if let Some(test) = &test {
                pool.rerolls.push(Some(test.clone()));
            }
            let checked = must_end(&pool.kinds, &pool.rerolls, step, endless::reroll)?;
            self.note_end(step, test.is_some() && checked);
        }
        for kind in &mut pool.kinds {
            let Some((die, test)) = kind.die.as_ref().zip(test.as_ref()) else {
                kind.worths = Worths::Unknown;
                continue;
            };
            if limit != Bound::Most(0) && !kind.worths.none(test) {
                kind.worths.reroll(die, test, limit == Bound::None);
            }
        }
        Ok(())
    }

    fn clamp(&mut self, pool: &mut PoolFacts, node: &Node, side: End) -> Result<(), Error> {
        let bound = self.node(node)?;
        for kind in &mut pool.kinds {
            match bound {
                Some(bound) => kind.worths.clamp(bound, side),
                None => kind.worths = Worths::Unknown,
            }
        }
        Ok(())
    }

    /// A condition, if its number is constant.
    fn test(&mut self, condition: &Condition) -> Result<Option<Test>, Error> {
        Ok(match condition {
            Condition::Compare(comparison, target) => {
                self.node(target)?.map(|target| Test::Compare(*comparison, target))
            }
            Condition::Set(ranges) => Some(Test::Set(ranges.clone())),
            Condition::Even => Some(Test::Even),
            Condition::Odd => Some(Test::Odd),
        })
    }

    fn limit(&mut self, repetition: &Repetition) -> Result<Bound, Error> {
        Ok(match repetition {
            Repetition::Unlimited => Bound::None,
            Repetition::Once => Bound::Most(1),
            Repetition::Limit(node) => match self.node(node)? {
                Some(limit) => {
                    self.tried(amount(limit, node, "the limit"))?.map_or(Bound::Unknown, Bound::Most)
                }
                None => Bound::Unknown,
            },
        })
    }

    pub(super) fn note_end(&mut self, step: &Step, ends: bool) {
        if let Some(facts) = self.facts.get_mut(step.id as usize) {
            facts.ends = ends;
        }
    }
}

/// How often something may happen to a die.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    None,
    Most(u64),
    Unknown,
}

impl Bound {
    fn most(self) -> Option<u64> {
        match self {
            Bound::Most(most) => Some(most),
            Bound::None | Bound::Unknown => None,
        }
    }
}

/// Refuses unlimited explosions or rerolls that together meet every face of a kind; whether all kinds are known.
fn must_end(
    kinds: &[KindFacts],
    tests: &[Option<Test>],
    step: &Step,
    error: fn(&Die, Span) -> Error,
) -> Result<bool, Error> {
    let mut known = true;
    for kind in kinds {
        match &kind.die {
            Some(die) if surviving(die, tests).is_none() => return Err(error(die, step.span)),
            Some(_) => {}
            None => known = false,
        }
    }
    Ok(known)
}
