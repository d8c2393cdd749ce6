//! One function a kind of step: its amounts and targets become numbers, and what they can be is mixed.

use super::acts::{Act, Explosion, Mode, Rerolling};
use super::combine;
use super::dist::Dist;
use super::walk::{Trouble, Walker};
use crate::ast::{Condition, Explode, Repetition, Reroll, RerollMode, Span, Step, StepKind, Take};
use crate::eval::amount;
use crate::number::Number;
use crate::test::Test;

/// What is done with a pool once its steps are known.
pub(crate) type Done<'d, 'e> = dyn FnMut(&mut Walker<'e>, &[Act]) -> Result<Dist, Trouble> + 'd;

/// What is done with a limit once it is known.
type WithLimit<'d, 'e> = dyn FnMut(&mut Walker<'e>, Option<u64>) -> Result<Dist, Trouble> + 'd;

/// How many of the steps may go on without end.
pub(crate) fn unlimited(steps: &[Step]) -> u32 {
    steps
        .iter()
        .map(|step| match &step.kind {
            StepKind::Explode(explode) => u32::from(explode.limit == Repetition::Unlimited),
            StepKind::Reroll(_)
            | StepKind::Select(..)
            | StepKind::AtLeast(_)
            | StepKind::AtMost(_)
            | StepKind::Count(_)
            | StepKind::Fail(_)
            | StepKind::Sort(_) => 0,
        })
        .sum()
}

/// The steps so far.
#[derive(Clone, Default)]
pub(crate) struct Known {
    acts: Vec<Act>,
    /// How many dice are live, where that is known before the dice are thrown.
    size: Option<u64>,
    /// At least so many are live.
    least: u64,
}

impl Known {
    pub(crate) fn of(size: u64) -> Known {
        Known { acts: Vec::new(), size: Some(size), least: size }
    }

    /// The dice of two pools together, before any further step.
    pub(crate) fn beside(&self, other: &Known) -> Known {
        let size = self.size.zip(other.size).map(|(a, b)| a + b);
        Known { acts: Vec::new(), size, least: self.least + other.least }
    }

    /// The same after further steps.
    pub(crate) fn after(self, acts: &[Act]) -> Known {
        acts.iter().fold(self, |known, act| known.with(act.clone()))
    }

    fn with(&self, act: Act) -> Known {
        let mut next = self.clone();
        if act.adds_dice() {
            next.size = None;
        }
        if let Act::Select(take, _, count) = &act {
            let left = |size: u64| match take {
                Take::Keep => size.min(*count),
                Take::Drop => size.saturating_sub(*count),
            };
            next.size = match (take, self.size) {
                (Take::Keep | Take::Drop, Some(size)) => Some(left(size)),
                (Take::Keep, None) if *count <= self.least => Some(*count),
                (Take::Keep | Take::Drop, None) => None,
            };
            next.least = left(self.least);
        }
        next.acts.push(act);
        next
    }
}

impl<'e> Walker<'e> {
    /// Hands the steps with their numbers to `done`, once for each way in which the numbers can come up, and mixes.
    pub(crate) fn resolved(
        &mut self,
        steps: &'e [Step],
        known: &Known,
        done: &mut Done<'_, 'e>,
    ) -> Result<Dist, Trouble> {
        let Some((step, rest)) = steps.split_first() else {
            return done(self, &known.acts);
        };
        match &step.kind {
            StepKind::Sort(_) => self.resolved(rest, known, done),
            StepKind::Select(take, end, node) => {
                let amounts = self.node(node)?;
                // All amounts from the number of the dice on are one.
                let amounts = match known.size.filter(|_| amounts.certain().is_none()) {
                    Some(size) => combine::map(&amounts, |amount| {
                        let all = Number::whole(i128::from(size));
                        Some(if amount.as_whole().is_some() { amount.min(all) } else { amount })
                    }),
                    None => amounts,
                };
                self.over_values(&amounts, 1.0, node.span, &mut |walker, number| match amount(
                    number,
                    node,
                    "the number of dice",
                )
                .map(|wanted| Act::Select(*take, *end, wanted))
                {
                    Ok(act) => walker.resolved(rest, &known.with(act), done),
                    Err(error) => Ok(walker.fail(error)),
                })
            }
            StepKind::AtLeast(node) => self.over(node, &mut |walker, number| {
                walker.resolved(rest, &known.with(Act::AtLeast(number)), done)
            }),
            StepKind::AtMost(node) => self.over(node, &mut |walker, number| {
                walker.resolved(rest, &known.with(Act::AtMost(number)), done)
            }),
            StepKind::Count(condition) => self.tested(condition, &mut |walker, test| {
                walker.resolved(rest, &known.with(Act::Count(test)), done)
            }),
            StepKind::Fail(condition) => self.tested(condition, &mut |walker, test| {
                walker.resolved(rest, &known.with(Act::Fail(test)), done)
            }),
            StepKind::Explode(explode) => self.exploding(explode, step.span, &mut |walker, mut explosion| {
                explosion.guard = guard(known, explosion.limit.is_none(), explosion.test.clone());
                walker.resolved(rest, &known.with(Act::Explode(explosion)), done)
            }),
            StepKind::Reroll(reroll) => self.rerolling(reroll, step.span, &mut |walker, mut reroll| {
                let endless = matches!(reroll.mode, Mode::Newest(None));
                reroll.guard = reroll_guard(known, endless, &reroll.test);
                walker.resolved(rest, &known.with(Act::Reroll(reroll)), done)
            }),
        }
    }

    /// A condition with its number.
    fn tested(
        &mut self,
        condition: &'e Condition,
        f: &mut dyn FnMut(&mut Self, Test) -> Result<Dist, Trouble>,
    ) -> Result<Dist, Trouble> {
        match condition {
            Condition::Compare(comparison, target) => {
                self.over(target, &mut |walker, number| f(walker, Test::Compare(*comparison, number)))
            }
            Condition::Set(ranges) => f(self, Test::Set(ranges.clone())),
            Condition::Even => f(self, Test::Even),
            Condition::Odd => f(self, Test::Odd),
        }
    }

    /// A condition whose number can be nothing else, if it is one.
    pub(crate) fn certain_test(&mut self, condition: &'e Condition) -> Result<Option<Test>, Trouble> {
        Ok(match condition {
            Condition::Compare(comparison, target) if !super::names::has_names(target) => {
                self.node(target)?.certain().map(|number| Test::Compare(*comparison, number))
            }
            Condition::Compare(..) => None,
            Condition::Set(ranges) => Some(Test::Set(ranges.clone())),
            Condition::Even => Some(Test::Even),
            Condition::Odd => Some(Test::Odd),
        })
    }

    /// A limit with its number; `None` is as often as it happens.
    fn limited(&mut self, repetition: &'e Repetition, f: &mut WithLimit<'_, 'e>) -> Result<Dist, Trouble> {
        match repetition {
            Repetition::Unlimited => f(self, None),
            Repetition::Once => f(self, Some(1)),
            Repetition::Limit(node) => {
                self.over(node, &mut |walker, number| match amount(number, node, "the limit") {
                    Ok(limit) => f(walker, Some(limit)),
                    Err(error) => Ok(walker.fail(error)),
                })
            }
        }
    }

    fn exploding(
        &mut self,
        explode: &'e Explode,
        span: Span,
        f: &mut dyn FnMut(&mut Self, Explosion) -> Result<Dist, Trouble>,
    ) -> Result<Dist, Trouble> {
        let mut with_test = |walker: &mut Self, test: Option<Test>| {
            walker.limited(&explode.limit, &mut |walker, limit| {
                let (compound, penetrate) = (explode.compound, explode.penetrate);
                f(
                    walker,
                    Explosion { compound, penetrate, test: test.clone(), limit, guard: Vec::new(), span },
                )
            })
        };
        match &explode.condition {
            None => with_test(self, None),
            Some(condition) => self.tested(condition, &mut |walker, test| with_test(walker, Some(test))),
        }
    }

    fn rerolling(
        &mut self,
        reroll: &'e Reroll,
        span: Span,
        f: &mut dyn FnMut(&mut Self, Rerolling) -> Result<Dist, Trouble>,
    ) -> Result<Dist, Trouble> {
        self.tested(&reroll.condition, &mut |walker, test| match &reroll.mode {
            RerollMode::Better => {
                f(walker, Rerolling { test: test.clone(), mode: Mode::Better, guard: Vec::new(), span })
            }
            RerollMode::Newest(repetition) => walker.limited(repetition, &mut |walker, limit| {
                f(
                    walker,
                    Rerolling { test: test.clone(), mode: Mode::Newest(limit), guard: Vec::new(), span },
                )
            }),
        })
    }
}

/// The tests of the unlimited explosions so far, and of this one.
fn guard(known: &Known, endless: bool, test: Option<Test>) -> Vec<Option<Test>> {
    let mut guard: Vec<Option<Test>> = known
        .acts
        .iter()
        .filter_map(|act| match act {
            Act::Explode(explosion) => explosion.limit.is_none().then(|| explosion.test.clone()),
            Act::Select(..)
            | Act::Reroll(_)
            | Act::AtLeast(_)
            | Act::AtMost(_)
            | Act::Count(_)
            | Act::Fail(_) => None,
        })
        .collect();
    if endless {
        guard.push(test);
    }
    guard
}

/// The tests of the unlimited rerolls so far, and of this one.
fn reroll_guard(known: &Known, endless: bool, test: &Test) -> Vec<Option<Test>> {
    let mut guard: Vec<Option<Test>> = known
        .acts
        .iter()
        .filter_map(|act| match act {
            Act::Reroll(reroll) => {
                matches!(reroll.mode, Mode::Newest(None)).then(|| Some(reroll.test.clone()))
            }
            Act::Select(..)
            | Act::Explode(_)
            | Act::AtLeast(_)
            | Act::AtMost(_)
            | Act::Count(_)
            | Act::Fail(_) => None,
        })
        .collect();
    if endless {
        guard.push(Some(test.clone()));
    }
    guard
}
