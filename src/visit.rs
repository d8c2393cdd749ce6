//! A walk over a tree: every node, in the order in which it is rolled.

use crate::ast::{Condition, Definition, Expr, Kind, Node, Repetition, RerollMode, Sides, Step, StepKind};

impl Expr {
    /// Hands every node to `visit`, outer nodes before inner ones, those of definitions first.
    pub fn walk<'e>(&'e self, visit: &mut impl FnMut(&'e Node)) {
        definitions(self.definitions(), visit);
        self.body().walk(visit);
    }
}

fn definitions<'e>(definitions: &'e [Definition], visit: &mut impl FnMut(&'e Node)) {
    for definition in definitions {
        definition.value.walk(visit);
    }
}

impl Node {
    /// Hands this node and every node inside to `visit`.
    pub(crate) fn walk<'e>(&'e self, visit: &mut impl FnMut(&'e Node)) {
        visit(self);
        match &self.kind {
            Kind::Number(_) => {}
            Kind::Dice(dice) => {
                dice.count.walk(visit);
                if let Sides::Computed(sides) = &dice.sides {
                    sides.walk(visit);
                }
                steps(&dice.steps, visit);
            }
            Kind::Group(group) => {
                group.members.iter().for_each(|member| member.walk(visit));
                steps(&group.steps, visit);
            }
            Kind::Named(named) => steps(&named.steps, visit),
            Kind::Call(call) => call.arguments.iter().for_each(|argument| argument.walk(visit)),
            Kind::Bracket(inner) | Kind::Signed(_, inner) => inner.walk(visit),
            Kind::Chain(chain) => {
                chain.first.walk(visit);
                chain.rest.iter().for_each(|link| link.operand.walk(visit));
            }
            Kind::Power(power) => {
                power.base.walk(visit);
                power.exponent.walk(visit);
            }
            Kind::Label(label) => label.inner.walk(visit),
            Kind::Compare(compare) => {
                compare.left.walk(visit);
                compare.right.walk(visit);
            }
            Kind::Choice(choice) => {
                choice.condition.walk(visit);
                choice.then.walk(visit);
                choice.otherwise.walk(visit);
            }
            Kind::House(house) => {
                definitions(&house.definitions, visit);
                house.body.walk(visit);
            }
        }
    }

    /// The steps of this node itself.
    pub(crate) fn own_steps(&self) -> &[Step] {
        match &self.kind {
            Kind::Dice(dice) => &dice.steps,
            Kind::Group(group) => &group.steps,
            Kind::Named(named) => &named.steps,
            Kind::Number(_)
            | Kind::Call(_)
            | Kind::Bracket(_)
            | Kind::Signed(..)
            | Kind::Chain(_)
            | Kind::Power(_)
            | Kind::Label(_)
            | Kind::Compare(_)
            | Kind::Choice(_)
            | Kind::House(_) => &[],
        }
    }
}

fn steps<'e>(steps: &'e [Step], visit: &mut impl FnMut(&'e Node)) {
    for step in steps {
        step.amounts().for_each(|amount| amount.walk(visit));
    }
}

impl Step {
    /// The numbers that the step computes when it begins, in order.
    pub(crate) fn amounts(&self) -> impl Iterator<Item = &Node> {
        let (condition, amount) = match &self.kind {
            StepKind::Select(_, _, amount) | StepKind::AtLeast(amount) | StepKind::AtMost(amount) => {
                (None, Some(amount))
            }
            StepKind::Explode(explode) => (explode.condition.as_ref(), limit(&explode.limit)),
            StepKind::Reroll(reroll) => match &reroll.mode {
                RerollMode::Newest(repetition) => (Some(&reroll.condition), limit(repetition)),
                RerollMode::Better => (Some(&reroll.condition), None),
            },
            StepKind::Count(condition) | StepKind::Fail(condition) => (Some(condition), None),
            StepKind::Sort(_) => (None, None),
        };
        condition.and_then(target).into_iter().chain(amount)
    }
}

fn target(condition: &Condition) -> Option<&Node> {
    match condition {
        Condition::Compare(_, target) => Some(target),
        Condition::Set(_) | Condition::Even | Condition::Odd => None,
    }
}

fn limit(repetition: &Repetition) -> Option<&Node> {
    match repetition {
        Repetition::Limit(amount) => Some(amount),
        Repetition::Unlimited | Repetition::Once => None,
    }
}
