//! Names: what is rolled once and used in several places is conditioned on.
//!
//! A name that is used once is as good as its text in that place. A number that is used more often takes each of its values in
//! turn, and what depends on it is computed for each; a pool takes each multiset of worths that it can show, or each
//! way to fall into classes where all uses only count. Everything else keeps its independence.

use std::rc::Rc;

use super::acts::{Act, Kind, Unit};
use super::dist::{Dist, Support};
use super::kernel::Mass;
use super::machine::{Multiset, Worlds};
use super::pool::Throw;
use super::steps::Known;
use super::throws::pools;
use super::walk::{Trouble, Walker};
use crate::ast::{Definition, Dice, Kind as NodeKind, Named, Node, Span, StepKind};
use crate::eval::dice_count;
use crate::lower::{internal, pool_of};
use crate::number::Number;
use crate::test::Test;

/// What a name stands for while the text behind it is computed.
#[derive(Clone)]
pub(crate) enum Binding<'e> {
    /// This number.
    Value(Number),
    /// A number of this distribution, used in one place.
    Once(Dist),
    /// The pool of this definition, used in one place.
    Inline(&'e Definition),
    /// A pool that shows these worths.
    Shown(Rc<Shown>),
}

/// A pool that has been thrown.
pub(crate) struct Shown {
    dice: Multiset,
    unit: Unit,
    /// Successes minus failures, where it counts.
    net: Option<i64>,
}

/// Whether a name stands anywhere inside.
pub(crate) fn has_names(node: &Node) -> bool {
    let mut found = false;
    node.walk(&mut |node| found |= matches!(node.kind, NodeKind::Named(_)));
    found
}

/// The places where a name is used behind its definition.
fn uses<'e>(index: u32, rest: &'e [Definition], body: &'e Node) -> Vec<&'e Named> {
    let mut found = Vec::new();
    let mut visit = |node: &'e Node| {
        if let NodeKind::Named(named) = &node.kind
            && named.index == index
        {
            found.push(&**named);
        }
    };
    for definition in rest {
        definition.value.walk(&mut visit);
    }
    body.walk(&mut visit);
    found
}

impl<'e> Walker<'e> {
    /// A body behind its definitions.
    pub(crate) fn scope(&mut self, definitions: &'e [Definition], body: &'e Node) -> Result<Dist, Trouble> {
        let Some((definition, rest)) = definitions.split_first() else {
            return self.node(body);
        };
        let uses = uses(definition.index, rest, body);
        let stepped = uses.iter().any(|named| !named.steps.is_empty());
        if uses.len() > 1 && stepped {
            return self.shown(definition, &uses, rest, body);
        }
        let before = self.faults;
        if let [_] = &uses[..]
            && stepped
        {
            // Whether the pool can fail is seen from its total.
            self.node(&definition.value)?;
            if self.faults > before {
                return self.shown(definition, &uses, rest, body);
            }
            return self.bound(definition, Binding::Inline(definition), rest, body);
        }
        let value = self.node(&definition.value)?;
        let fails = self.faults > before;
        if uses.len() == 1 && !fails {
            return self.bound(definition, Binding::Once(value), rest, body);
        }
        if uses.is_empty() {
            let result = self.scope(rest, body)?;
            if !fails {
                return Ok(result);
            }
            let mut sum = value.mass.clone();
            sum.prefix();
            let cells = sum.len();
            let mass = if cells == 0 { sum } else { sum.slice(cells - 1, cells) };
            let parts: Vec<_> = (0..mass.len()).map(|cell| (cell, result.clone())).collect();
            return self.mix(&parts, &Dist { mass, closed: None, ..value }, definition.span);
        }
        // What a name stands for may make any case dear, so prices between cases are rough.
        self.over_values(&value, 2.0, definition.span, &mut |walker, number| {
            walker.bound(definition, Binding::Value(number), rest, body)
        })
    }

    /// The rest of a scope with a name bound.
    fn bound(
        &mut self,
        definition: &Definition,
        binding: Binding<'e>,
        rest: &'e [Definition],
        body: &'e Node,
    ) -> Result<Dist, Trouble> {
        let index = definition.index as usize;
        if let Some(place) = self.env.get_mut(index) {
            *place = Some(binding);
        }
        let result = self.scope(rest, body);
        if let Some(place) = self.env.get_mut(index) {
            *place = None;
        }
        result
    }

    /// A name where it is used.
    pub(crate) fn named(&mut self, named: &'e Named, span: Span) -> Result<Dist, Trouble> {
        let binding = self.env.get(named.index as usize).cloned().flatten();
        match binding {
            Some(Binding::Value(number)) => Ok(self.point(number)),
            Some(Binding::Once(dist)) => Ok(dist),
            Some(Binding::Inline(definition)) => match pool_of(&definition.value).map(|node| &node.kind) {
                Some(NodeKind::Dice(dice)) => self.dice_and(dice, &named.steps, span),
                Some(NodeKind::Group(group)) => self.group_and(group, &named.steps, span),
                Some(_) | None => Err(Trouble::Refused(internal(span))),
            },
            Some(Binding::Shown(shown)) => {
                let size = shown.dice.iter().map(|die| u64::from(die.1)).sum();
                if named.steps.is_empty() {
                    let total = shown.total(&[], shown.unit);
                    return Ok(self.point(total));
                }
                self.resolved(&named.steps, &Known::of(size), &mut |walker, acts| {
                    let total = shown.used(acts).ok_or(Trouble::Enumerate)?;
                    Ok(walker.point(total))
                })
            }
            None => Err(Trouble::Refused(internal(span))),
        }
    }

    /// The rest of a scope for every way in which a named pool can fall.
    fn shown(
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
                self.resolved(&group.steps, &Known::of(size), &mut |walker, acts| match walker
                    .members_as_throws(&members, acts, span)?
                {
                    Some((throws, unit)) => walker.each_world((&throws, acts, unit), definition, rest, body),
                    None => Err(Trouble::Enumerate),
                })
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
            let count = match dice_count(number, dice.count.span) {
                Ok(count) => count,
                Err(error) => return Ok(walker.fail(error)),
            };
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
    /// What the pool is worth after steps.
    fn used(&self, acts: &[Act]) -> Option<Number> {
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
