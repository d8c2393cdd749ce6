//! Comparisons: behind a pool they count its dice, behind anything else they test a total.

use super::{Ask, Follower, Lower, Role, counts, internal, pool_of, pool_steps};
use crate::ast::{Compare, Comparison, Condition, Kind, Node, Repetition, Sign, Span, Step, StepKind};
use crate::error::{Code, Error};
use crate::grammar::Tree;

impl Lower<'_> {
    #[inline(never)]
    pub(super) fn compare<T: Tree>(&mut self, left: Node, tree: T) -> Result<Node, Error> {
        let at = tree.span();
        let mut parts = tree.children();
        let mut next = || parts.next().ok_or_else(|| internal(at));
        let (sign, right) = (next()?, next()?);
        let comparison = comparison(&sign)?;
        let outside = self.right_end.replace(right.span().end);
        let right = self.inside(right);
        self.right_end = outside;
        let right = right?;
        let mut fails = std::mem::take(&mut self.handed);
        for part in parts {
            let Role::Step(step) = part.role() else { return Err(internal(part.span())) };
            fails.push(self.step(step, part)?);
        }
        self.compared(left, comparison, right, fails, at)
    }

    /// A comparison, once both sides are known: of totals, or a count of the dice on the left.
    #[inline(never)]
    fn compared(
        &mut self,
        mut left: Node,
        comparison: Comparison,
        right: Node,
        mut fails: Vec<Step>,
        at: Span,
    ) -> Result<Node, Error> {
        let span = left.span.to(at);
        if let Kind::Named(named) = &unlabelled(&left).kind
            && !named.steps.is_empty()
        {
            let (name, sign) = (&named.name, comparison.symbol());
            return Err(Error::new(Code::Ambiguous, at, "is this to test the total or to count dice?")
                .hint(format!("to test the total put {name} and its steps in brackets: ({name} …){sign}…"))
                .hint(format!("to count the dice write c: {name} … c{sign}…")));
        }
        if pool_of(&left).is_none() && ends_with_open_explosion(&left) {
            return Err(Error::new(
                Code::Ambiguous,
                at,
                "is this a condition of the explosion or a test of the total?",
            )
            .hint("to test the total put the dice that explode in brackets, as in 5 + (2d6!) > 8")
            .hint("a condition of an explosion is a number, a bracket or a name, as in 2d6!>(1d4)"));
        }
        let Some(pool) = pool_of(&left) else {
            if let Some(fail) = fails.first() {
                return Err(Error::new(
                    Code::NoPool,
                    fail.span,
                    "failures are counted on dice, and this tests a total",
                ));
            }
            return Ok(Node { span, kind: Kind::Compare(Box::new(Compare { left, comparison, right })) });
        };
        if counts(pool_steps(pool)) {
            return Err(Error::new(Code::Ambiguous, at, "these dice are counted already")
                .hint("to test the count put it in brackets")
                .bracketed(left.span, "to test the count write"));
        }
        let id = self.step_id();
        self.bare.push(id);
        let condition = Condition::Compare(comparison, as_target(right));
        let count = Step { kind: StepKind::Count(condition), span: at, id };
        if let Some(steps) = steps_mut(&mut left) {
            steps.push(count);
            steps.append(&mut fails);
        }
        left.span = span;
        Ok(left)
    }
}

/// What a label stands behind, or the node itself.
fn unlabelled(node: &Node) -> &Node {
    if let Kind::Label(label) = &node.kind { unlabelled(&label.inner) } else { node }
}

/// The error for what stands behind a comparison: nothing may but failures and a choice.
pub(super) fn after_comparison(follower: Follower, at: Span) -> Error {
    match follower {
        Follower::Compare => Error::new(Code::ChainedComparison, at, "comparisons do not chain")
            .hint("put one of them in brackets, as in (1<2)<3")
            .hint("to add two counts of dice write c: 2d6c>=5 + 3d6c>=5"),
        Follower::Label | Follower::Binary(_) | Follower::Raise | Follower::Branch => {
            Error::new(Code::Unexpected, at, "only failures may follow a comparison here").hint(
                "to go on with the number put the comparison in brackets, or count with c: 5d10c>=8f1 + 2",
            )
        }
    }
}

/// The comparison that a sign stands for.
fn comparison<T: Tree>(sign: &T) -> Result<Comparison, Error> {
    match sign.role() {
        Role::Ask(Ask::Compare(comparison)) => Ok(comparison),
        Role::Ask(_)
        | Role::Operand(_)
        | Role::Follower(_)
        | Role::Step(_)
        | Role::Sides(_)
        | Role::Function(_)
        | Role::Part(_)
        | Role::House(_)
        | Role::Silent => Err(internal(sign.span())),
    }
}

/// The right side of a bare comparison as the target of a condition: in brackets where a condition needs them.
fn as_target(right: Node) -> Node {
    let span = right.span;
    if let Kind::Signed(Sign::Negative, inner) = &right.kind
        && let Kind::Number(number) = inner.kind
        && let Some(negative) = number.negated()
    {
        return Node { span, kind: Kind::Number(negative) };
    }
    match right.kind {
        Kind::Number(_) | Kind::Named(_) | Kind::Call(_) | Kind::Bracket(_) => right,
        Kind::Dice(_)
        | Kind::Group(_)
        | Kind::Signed(..)
        | Kind::Chain(_)
        | Kind::Power(_)
        | Kind::Label(_)
        | Kind::Compare(_)
        | Kind::Choice(_)
        | Kind::House(_) => Node { span, kind: Kind::Bracket(Box::new(right)) },
    }
}

fn steps_mut(node: &mut Node) -> Option<&mut Vec<Step>> {
    match &mut node.kind {
        Kind::Dice(dice) => Some(&mut dice.steps),
        Kind::Group(group) => Some(&mut group.steps),
        Kind::Label(label) => steps_mut(&mut label.inner),
        Kind::Number(_)
        | Kind::Named(_)
        | Kind::Call(_)
        | Kind::Bracket(_)
        | Kind::Signed(..)
        | Kind::Chain(_)
        | Kind::Power(_)
        | Kind::Compare(_)
        | Kind::Choice(_)
        | Kind::House(_) => None,
    }
}

/// Whether a term ends with dice whose last step explodes without a condition, so that a comparison behind it would be
/// read as that condition.
fn ends_with_open_explosion(node: &Node) -> bool {
    let open = |steps: &[Step]| match steps.last().map(|step| &step.kind) {
        Some(StepKind::Explode(explode)) => {
            explode.condition.is_none() && !matches!(explode.limit, Repetition::Limit(_))
        }
        Some(
            StepKind::Select(..)
            | StepKind::Reroll(_)
            | StepKind::AtLeast(_)
            | StepKind::AtMost(_)
            | StepKind::Count(_)
            | StepKind::Fail(_)
            | StepKind::Sort(_),
        )
        | None => false,
    };
    match &node.kind {
        Kind::Dice(dice) => open(&dice.steps),
        Kind::Group(group) => open(&group.steps),
        Kind::Signed(_, inner) => ends_with_open_explosion(inner),
        Kind::Chain(chain) => {
            ends_with_open_explosion(chain.rest.last().map_or(&chain.first, |link| &link.operand))
        }
        Kind::Power(power) => ends_with_open_explosion(&power.exponent),
        Kind::Number(_)
        | Kind::Named(_)
        | Kind::Call(_)
        | Kind::Bracket(_)
        | Kind::Label(_)
        | Kind::Compare(_)
        | Kind::Choice(_)
        | Kind::House(_) => false,
    }
}
