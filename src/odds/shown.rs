//! Named pools that are used more than once: each way in which they can fall, and what later steps make of it.
//!
//! Each multiset of worths that the pool can show is taken in turn, or each way to fall into classes where all uses only count.
//! Apart from `names`, where a name is one number: here the dice behind it are still there to be kept, counted or clamped.

use std::rc::Rc;

use super::acts::{Act, Kind, Unit};
use super::dist::{Dist, Support};
use super::kernel::Mass;
use super::machine::{Multiset, Worlds};
use super::mixed::pools;
use super::names::Binding;
use super::pool::Throw;
use super::steps::Known;
use super::walk::{Trouble, Walker};
use crate::ast::{Definition, Dice, Kind as NodeKind, Named, Node, StepKind};
use crate::lower::{internal, pool_of};
use crate::number::Number;
use crate::test::Test;

/// A pool that has been thrown.
pub(super) struct Shown {
    dice: Multiset,
    unit: Unit,
    /// Successes minus failures, where it counts.
    net: Option<i64>,
}

impl<'e> Walker<'e> {
    /// The rest of a scope for every way in which a named pool can fall.
    pub(super) fn shown(
        &mut self,
        definition: &'e Definition,
        uses: &[&'e Named],
        rest: &'e [Definition],
        body: &'e Node,
    ) -> Result<Dist, Trouble> {
        let span = definition.value.span;
        match pool_of(&definition.value).map(|node| &node.kind) {
            Some(NodeKind::Dice(dice)) => self.shown_dice(definition, dice, uses, rest, body),
            Some(NodeKind::Group(group)) => {
                if let [member] = &group.members[..] {
                    let mut nodes = Vec::new();
                    pools(member, &mut nodes);
                    return self.parts(&nodes, Vec::new(), &mut |walker, parts| {
                        let known = Self::known_of(&parts);
                        walker.resolved(&group.steps, &known, &mut |walker, acts| {
                            let (throws, unit) = walker.parts_as_throws(&parts, acts, span)?;
                            walker.each_world((&throws, acts, unit), definition, rest, body)
                        })
                    });
                }
                let members = self.members(group)?;
                let size = members.iter().map(|member| u64::from(member.1)).sum();
                let mut dist =
                    self.resolved(&group.steps, &Known::of(size), &mut |walker, acts| match walker
                        .members_as_throws(&members, acts, span)?
                    {
                        Some((throws, unit)) => {
                            walker.each_world((&throws, acts, unit), definition, rest, body)
                        }
                        None => Err(Trouble::Enumerate),
                    })?;
                dist.tail += super::groups::tail_of(&members);
                Ok(dist)
            }
            Some(_) | None => Err(Trouble::Refused(internal(span))),
        }
    }

    fn shown_dice(
        &mut self,
        definition: &'e Definition,
        dice: &'e Dice,
        uses: &[&'e Named],
        rest: &'e [Definition],
        body: &'e Node,
    ) -> Result<Dist, Trouble> {
        let span = definition.value.span;
        let classes = if dice.steps.is_empty() { self.classes(uses)? } else { None };
        self.over(&dice.count, &mut |walker, number| {
            walker.counted(number, dice.count.span, |walker, count| {
                walker.of_sides(&dice.sides, &mut |walker, die| {
                    walker.resolved(&dice.steps, &Known::of(count), &mut |walker, acts| {
                        let unit = walker.unit_of(acts, 1, span)?;
                        let mut kind = walker.kind_of(die, unit, span)?;
                        if let Some(tests) = &classes {
                            kind = Rc::new(lumped(&kind, tests));
                        }
                        let throws = [walker.throw_of(kind, count, Vec::new(), span)?];
                        walker.each_world((&throws, acts, unit), definition, rest, body)
                    })
                })
            })
        })
    }

    /// The tests of all uses, where every use does nothing but count.
    fn classes(&mut self, uses: &[&'e Named]) -> Result<Option<Vec<Test>>, Trouble> {
        let mut tests = Vec::new();
        for named in uses {
            let before = tests.len();
            for step in &named.steps {
                match &step.kind {
                    StepKind::Count(condition) | StepKind::Fail(condition) => {
                        let Some(test) = self.certain_test(condition)? else { return Ok(None) };
                        tests.push(test);
                    }
                    StepKind::Sort(_) => {}
                    StepKind::Select(..)
                    | StepKind::Explode(_)
                    | StepKind::Reroll(_)
                    | StepKind::AtLeast(_)
                    | StepKind::AtMost(_) => return Ok(None),
                }
            }
            if tests.len() == before {
                return Ok(None); // used as the sum of its worths
            }
        }
        Ok(Some(tests))
    }

    /// The rest of a scope for every multiset that a pool can end with.
    fn each_world(
        &mut self,
        (throws, acts, unit): (&[Throw], &[Act], Unit),
        definition: &'e Definition,
        rest: &'e [Definition],
        body: &'e Node,
    ) -> Result<Dist, Trouble> {
        let span = definition.value.span;
        let Worlds { states, denom, tail } = self.worlds(throws, acts, unit, span)?;
        let width = self.width_of(&denom);
        let mut weights = Mass::zeros(width, states.len());
        let all = denom.big().into();
        let mut parts = Vec::with_capacity(states.len());
        self.conditions += 1;
        let mut trouble = None;
        for (cell, (dice, weight)) in states.into_iter().enumerate() {
            if let Mass::F64(row) = &mut weights {
                row[cell] = super::dist::ratio_float(&weight.into(), &all);
            } else {
                weights.set_big(cell, &weight);
            }
            let net = net_of(acts, unit, &dice);
            let shown = Shown { dice, unit, net };
            match self.bound(definition, Binding::Shown(Rc::new(shown)), rest, body) {
                Ok(part) => parts.push((cell, part)),
                Err(error) => {
                    trouble = Some(error);
                    break;
                }
            }
        }
        self.conditions -= 1;
        if let Some(trouble) = trouble {
            return Err(trouble);
        }
        let denom = if self.is_exact() { denom } else { super::kernel::Denom::one() };
        let support = Support::Grid { low: 0, step: 1, scale: 1 };
        self.mix(&parts, &Dist { support, mass: weights, denom, roundings: 2.0, tail, closed: None }, span)
    }
}

/// Successes minus failures of shown dice.
fn net_of(acts: &[Act], unit: Unit, dice: &Multiset) -> Option<i64> {
    let mut net = None;
    for &(worth, count) in dice {
        if let Some(one) = super::acts::net(acts, unit, worth) {
            *net.get_or_insert(0) += one * i64::from(count);
        }
    }
    net.or_else(|| acts.iter().any(Act::counts).then_some(0))
}

/// A kind of which only the answers to tests matter: one face for each set of answers.
fn lumped(kind: &Kind, tests: &[Test]) -> Kind {
    let mut classes: Vec<(Vec<bool>, i64, u64)> = Vec::new();
    let unit = Unit { scale: 1 };
    for &(face, weight) in &kind.faces {
        let answers: Vec<bool> = tests.iter().map(|test| unit.meets(test, face)).collect();
        match classes.iter_mut().find(|class| class.0 == answers) {
            Some(class) => class.2 += weight,
            None => classes.push((answers, face, weight)),
        }
    }
    let faces = classes.into_iter().map(|(_, face, weight)| (face, weight)).collect();
    Kind { faces, ..kind.clone() }
}

impl Shown {
    /// How many dice it has.
    pub(super) fn size(&self) -> u64 {
        self.dice.iter().map(|die| u64::from(die.1)).sum()
    }

    /// What the pool is worth as it was rolled.
    pub(super) fn rolled(&self) -> Number {
        self.total(&[], self.unit)
    }

    /// What the pool is worth after steps.
    pub(super) fn used(&self, acts: &[Act]) -> Option<Number> {
        let mut scale = i128::from(self.unit.scale);
        for act in acts {
            if let Act::AtLeast(bound) | Act::AtMost(bound) = act {
                scale = super::dist::lcm(scale, bound.denominator())?;
            }
        }
        let unit = Unit { scale: i64::try_from(scale).ok()? };
        let by = unit.scale / self.unit.scale;
        let mut dice: Multiset = Vec::with_capacity(self.dice.len());
        for &(worth, count) in &self.dice {
            dice.push((worth.checked_mul(by)?, count));
        }
        for act in acts {
            dice = super::machine::step(act, unit, dice);
        }
        let shown = Shown { dice, unit, net: self.net };
        Some(shown.total(acts, unit))
    }

    fn total(&self, acts: &[Act], unit: Unit) -> Number {
        let more = net_of(acts, unit, &self.dice);
        match (self.net, more) {
            (None, None) => {
                let sum: i128 = self.dice.iter().map(|d| i128::from(d.0) * i128::from(d.1)).sum();
                Number::ratio(sum, i128::from(unit.scale)).unwrap_or(Number::ZERO)
            }
            (before, more) => Number::from(before.unwrap_or(0) + more.unwrap_or(0)),
        }
    }
}
