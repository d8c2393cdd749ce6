//! What each step does to the bounds of a pool: to the worths of its dice and to how many there are.

use super::range::{UNBOUNDED, ZERO, added, join, negated, pairwise};
use super::select::select;
use super::{Bounds, Walk};
use crate::ast::{
    Condition, Dice, Explode, Group, Kind, Node, Repetition, Reroll, RerollMode, Sides, Step, StepKind,
};
use crate::number::Number;

/// Dice or members that can have the same worths.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub worth: Bounds,
    /// The natural faces, for what is thrown again.
    pub faces: Bounds,
    /// How many there are at least and at most.
    pub count: (u64, Option<u64>),
}

impl Walk {
    /// Dice before their steps.
    pub(super) fn thrown(&mut self, dice: &Dice) -> Part {
        let count = self.node(&dice.count);
        let at_least = count.0.and_then(|low| low.ceil().as_u64()).unwrap_or(0);
        let at_most = count.1.and_then(|high| high.floor().max(Number::ZERO).as_u64());
        let faces = match &dice.sides {
            Sides::Known(die) => (Some(Number::from(die.bottom())), Some(Number::from(die.top()))),
            Sides::Computed(node) => (Some(Number::ONE), self.node(node).1),
        };
        Part { worth: faces, faces, count: (at_least, at_most) }
    }

    pub(super) fn group(&mut self, group: &Group) -> Bounds {
        let mut parts = Vec::new();
        if let [member] = &group.members[..] {
            self.gather(member, &mut parts);
        } else {
            for member in &group.members {
                let worth = self.node(member);
                parts.push(Part { worth, faces: UNBOUNDED, count: (1, Some(1)) });
            }
        }
        self.pool(parts, &group.steps)
    }

    /// The dice of a sum of pools. Those with steps of their own lose their number, for simplicity.
    fn gather(&mut self, node: &Node, parts: &mut Vec<Part>) {
        match &node.kind {
            Kind::Dice(dice) => {
                let part = self.thrown(dice);
                parts.extend(self.stepped(vec![part], &dice.steps).0);
            }
            Kind::Chain(chain) => {
                self.gather(&chain.first, parts);
                chain.rest.iter().for_each(|link| self.gather(&link.operand, parts));
            }
            Kind::Label(label) => self.gather(&label.inner, parts),
            Kind::Number(_)
            | Kind::Group(_)
            | Kind::Named(_)
            | Kind::Call(_)
            | Kind::Bracket(_)
            | Kind::Signed(..)
            | Kind::Power(_)
            | Kind::Compare(_)
            | Kind::Choice(_)
            | Kind::House(_) => {}
        }
    }

    pub(super) fn pool(&mut self, parts: Vec<Part>, steps: &[Step]) -> Bounds {
        let (parts, net) = self.stepped(parts, steps);
        net.unwrap_or_else(|| parts.into_iter().map(total).fold(ZERO, added))
    }

    /// The parts after the steps, and the bounds of the count if there is one.
    fn stepped(&mut self, mut parts: Vec<Part>, steps: &[Step]) -> (Vec<Part>, Option<Bounds>) {
        let mut net = None;
        for (place, step) in steps.iter().enumerate() {
            match &step.kind {
                StepKind::Select(take, end, node) => {
                    let amount = self.node(node);
                    let last = steps[place + 1..].iter().all(|step| matches!(step.kind, StepKind::Sort(_)));
                    parts = select(&parts, *take, *end, amount, last);
                }
                StepKind::Explode(explode) => {
                    let most = self.most(&explode.limit);
                    parts.iter_mut().for_each(|part| exploded(part, explode, most));
                }
                StepKind::Reroll(reroll) => parts.iter_mut().for_each(|part| rerolled(part, reroll)),
                StepKind::AtLeast(node) => {
                    let bound = self.node(node);
                    parts.iter_mut().for_each(|part| part.worth = pairwise(part.worth, bound, Number::max));
                }
                StepKind::AtMost(node) => {
                    let bound = self.node(node);
                    parts.iter_mut().for_each(|part| part.worth = pairwise(part.worth, bound, Number::min));
                }
                StepKind::Count(condition) => {
                    net = Some(added(net.unwrap_or(ZERO), met(&parts, condition)));
                }
                StepKind::Fail(condition) => {
                    net = Some(added(net.unwrap_or(ZERO), negated(met(&parts, condition))));
                }
                StepKind::Sort(_) => {}
            }
        }
        (parts, net)
    }

    /// The most extras for each die; `None` for any number.
    fn most(&mut self, repetition: &Repetition) -> Option<u64> {
        match repetition {
            Repetition::Unlimited => None,
            Repetition::Once => Some(1),
            Repetition::Limit(node) => self.node(node).1.and_then(|most| most.floor().as_u64()),
        }
    }
}

/// The sum of some dice with the same worths.
fn total(part: Part) -> Bounds {
    let times = |worth: Option<Number>, few: u64, many: Option<u64>, harmless: bool| -> Option<Number> {
        let count = if harmless { few } else { many? };
        if count == 0 {
            return Some(Number::ZERO);
        }
        worth?.times(Number::whole(i128::from(count)))
    };
    let (low, high) = part.worth;
    let (few, many) = part.count;
    (
        times(low, few, many, low.is_some_and(|low| !low.is_negative())),
        times(high, few, many, high.is_some_and(|high| high <= Number::ZERO)),
    )
}

fn exploded(part: &mut Part, explode: &Explode, most: Option<u64>) {
    let less = Number::whole(i128::from(explode.penetrate));
    let extra =
        (part.faces.0.and_then(|low| low.minus(less)), part.faces.1.and_then(|high| high.minus(less)));
    if explode.compound {
        let times = most.map(|most| Number::whole(i128::from(most)));
        let grown = |end: Option<Number>, extra: Option<Number>, harmless: bool| {
            if harmless { end } else { end?.plus(extra?.times(times?)?) }
        };
        part.worth = (
            grown(part.worth.0, extra.0, extra.0.is_some_and(|least| !least.is_negative())),
            grown(part.worth.1, extra.1, extra.1.is_some_and(|greatest| greatest <= Number::ZERO)),
        );
    } else {
        part.worth = join(part.worth, extra);
        part.count.1 =
            part.count.1.zip(most).and_then(|(count, most)| count.checked_mul(most.checked_add(1)?));
    }
}

fn rerolled(part: &mut Part, reroll: &Reroll) {
    match reroll.mode {
        RerollMode::Newest(_) => part.worth = join(part.worth, part.faces),
        RerollMode::Better => part.worth.1 = join(part.worth, part.faces).1,
    }
}

/// How many dice can meet a condition.
fn met(parts: &[Part], _condition: &Condition) -> Bounds {
    let most = parts.iter().try_fold(0_u64, |sum, part| sum.checked_add(part.count.1?));
    (Some(Number::ZERO), most.map(|most| Number::whole(i128::from(most))))
}
