//! Steps and their conditions: one function a kind of step.

use super::{Ask, Lower, Operand, Part, Role, SidesRole, StepRole, internal, only_child};
use crate::ast::{
    Condition, End, Explode, Kind, Node, Repetition, Reroll, RerollMode, Span, Step, StepKind, Take,
};
use crate::error::{Code, Error};
use crate::grammar::Tree;
use crate::number::Number;

impl StepKind {
    /// Whether it makes the pool count.
    pub(crate) fn counts(&self) -> bool {
        match self {
            StepKind::Count(_) | StepKind::Fail(_) => true,
            StepKind::Select(..)
            | StepKind::Explode(_)
            | StepKind::Reroll(_)
            | StepKind::AtLeast(_)
            | StepKind::AtMost(_)
            | StepKind::Sort(_) => false,
        }
    }

    /// Whether it throws dice.
    pub(crate) fn throws(&self) -> bool {
        match self {
            StepKind::Explode(_) | StepKind::Reroll(_) => true,
            StepKind::Select(..)
            | StepKind::AtLeast(_)
            | StepKind::AtMost(_)
            | StepKind::Count(_)
            | StepKind::Fail(_)
            | StepKind::Sort(_) => false,
        }
    }
}

impl Lower<'_> {
    pub(super) fn step_id(&mut self) -> u32 {
        self.next_step += 1;
        self.next_step - 1
    }

    pub(super) fn step<T: Tree>(&mut self, role: StepRole, tree: T) -> Result<Step, Error> {
        let span = tree.span();
        let kind = match role {
            StepRole::Select(take, end) => self.select(take, end, tree),
            StepRole::Explode { compound, penetrate, once } => self.explode(compound, penetrate, once, tree),
            StepRole::Reroll { once, better } => self.reroll(once, better, tree),
            StepRole::AtLeast => self.bound(tree).map(StepKind::AtLeast),
            StepRole::AtMost => self.bound(tree).map(StepKind::AtMost),
            StepRole::Count => self.counted(tree).map(StepKind::Count),
            StepRole::Fail => self.counted(tree).map(StepKind::Fail),
            StepRole::Sort(order) => Ok(StepKind::Sort(order)),
            StepRole::Unclear => only_child(tree).and_then(|sign| Err(unclear(sign.span()))),
        }?;
        Ok(Step { kind, span, id: self.step_id() })
    }

    #[inline(never)]
    fn select<T: Tree>(&mut self, take: Take, end: End, tree: T) -> Result<StepKind, Error> {
        let span = tree.span();
        let amount = match tree.children().next() {
            Some(amount) => self.whole_amount(amount)?,
            None => Node { kind: Kind::Number(Number::ONE), span },
        };
        Ok(StepKind::Select(take, end, amount))
    }

    #[inline(never)]
    fn explode<T: Tree>(
        &mut self,
        compound: bool,
        penetrate: bool,
        once: bool,
        tree: T,
    ) -> Result<StepKind, Error> {
        let (condition, limit) = self.condition(tree, once)?;
        Ok(StepKind::Explode(Explode { compound, penetrate, condition, limit }))
    }

    #[inline(never)]
    fn bound<T: Tree>(&mut self, tree: T) -> Result<Node, Error> {
        self.inner_operand(only_child(tree)?)
    }

    #[inline(never)]
    fn reroll<T: Tree>(&mut self, once: bool, better: bool, tree: T) -> Result<StepKind, Error> {
        let span = tree.span();
        let (condition, limit) = self.condition(tree, once || better)?;
        let condition = condition.ok_or_else(|| internal(span))?;
        let mode = if better { RerollMode::Better } else { RerollMode::Newest(limit) };
        Ok(StepKind::Reroll(Reroll { condition, mode }))
    }

    /// The condition of a step that needs one and takes no limit.
    #[inline(never)]
    fn counted<T: Tree>(&mut self, tree: T) -> Result<Condition, Error> {
        let span = tree.span();
        self.condition(tree, false)?.0.ok_or_else(|| internal(span))
    }

    /// A number that a step computes. Brackets count as a level by themselves; what a grammar may allow beside them
    /// counts here.
    fn inner_operand<T: Tree>(&mut self, tree: T) -> Result<Node, Error> {
        match tree.role() {
            Role::Operand(Operand::Number | Operand::Bracket | Operand::Call | Operand::Hole) => {
                self.operand(tree)
            }
            Role::Operand(_)
            | Role::Follower(_)
            | Role::Step(_)
            | Role::Ask(_)
            | Role::Sides(_)
            | Role::Function(_)
            | Role::Part(_)
            | Role::House(_)
            | Role::Silent => {
                let span = tree.span();
                self.nested(span, |lower| lower.operand(tree))
            }
        }
    }

    /// An amount that has to be a whole number where it is written out.
    fn whole_amount<T: Tree>(&mut self, tree: T) -> Result<Node, Error> {
        let amount = self.inner_operand(tree)?;
        match amount.kind {
            Kind::Number(number) if number.as_whole().is_none() => {
                Err(Error::new(Code::Amount, amount.span, "a whole number of dice is expected here"))
            }
            Kind::Number(_)
            | Kind::Dice(_)
            | Kind::Group(_)
            | Kind::Named(_)
            | Kind::Call(_)
            | Kind::Bracket(_)
            | Kind::Signed(..)
            | Kind::Chain(_)
            | Kind::Power(_)
            | Kind::Label(_)
            | Kind::Compare(_)
            | Kind::Choice(_)
            | Kind::House(_) => Ok(amount),
        }
    }

    /// The condition and the limit among the parts of a step. `once` is a limit that the step's word implies.
    fn condition<T: Tree>(&mut self, tree: T, once: bool) -> Result<(Option<Condition>, Repetition), Error> {
        let mut condition = None;
        let mut limit = if once { Repetition::Once } else { Repetition::Unlimited };
        let mut parts = tree.children();
        while let Some(part) = parts.next() {
            let span = part.span();
            condition = Some(match part.role() {
                Role::Operand(Operand::Number) => {
                    let number = self.number(&part)?;
                    Condition::Compare(
                        crate::ast::Comparison::Equal,
                        Node { kind: Kind::Number(number), span },
                    )
                }
                Role::Ask(Ask::Compare(comparison)) => {
                    let target = parts.next().ok_or_else(|| internal(span))?;
                    Condition::Compare(comparison, self.target(target)?)
                }
                Role::Ask(Ask::Set) => Condition::Set(self.set(part)?),
                Role::Ask(Ask::Even) => Condition::Even,
                Role::Ask(Ask::Odd) => Condition::Odd,
                Role::Part(Part::Limit) => {
                    if once {
                        return Err(Error::new(
                            Code::Ambiguous,
                            span,
                            "this step happens once, so a limit contradicts it",
                        )
                        .hint("leave out either the limit or once"));
                    }
                    limit = Repetition::Limit(self.whole_amount(only_child(part)?)?);
                    continue;
                }
                Role::Ask(Ask::BelowZero)
                | Role::Operand(_)
                | Role::Follower(_)
                | Role::Step(_)
                | Role::Sides(SidesRole::Percent | SidesRole::Fudge | SidesRole::Faces)
                | Role::Function(_)
                | Role::Part(_)
                | Role::House(_)
                | Role::Silent => return Err(internal(span)),
            });
        }
        Ok((condition, limit))
    }

    /// The number behind the sign of a condition.
    fn target<T: Tree>(&mut self, tree: T) -> Result<Node, Error> {
        let span = tree.span();
        match tree.role() {
            Role::Ask(Ask::BelowZero) => {
                let number = self.number(&only_child(tree)?)?;
                let negative = number.negated().ok_or_else(|| internal(span))?;
                Ok(Node { kind: Kind::Number(negative), span })
            }
            Role::Part(Part::Name) => self.name(&tree),
            Role::Operand(_) => self.inner_operand(tree),
            Role::Ask(_)
            | Role::Follower(_)
            | Role::Step(_)
            | Role::Sides(_)
            | Role::Function(_)
            | Role::Part(_)
            | Role::House(_)
            | Role::Silent => Err(internal(span)),
        }
    }

    fn set<T: Tree>(&mut self, tree: T) -> Result<Vec<(i64, i64)>, Error> {
        let mut ranges = Vec::new();
        for element in tree.children() {
            let span = element.span();
            let mut ends = element.children();
            let low = self.whole(ends.next().ok_or_else(|| internal(span))?)?;
            let high = ends.next().map_or(Ok(low), |end| self.whole(end))?;
            if low > high {
                return Err(backwards(low, high, span));
            }
            ranges.push((low, high));
        }
        Ok(ranges)
    }

    /// A whole number that may be negative.
    pub(super) fn whole<T: Tree>(&mut self, tree: T) -> Result<i64, Error> {
        let span = tree.span();
        let digits = only_child(tree)?;
        let negative = digits.span().start > span.start;
        let number = self.number(&digits)?;
        let whole = number.as_i64().map(|whole| if negative { -whole } else { whole });
        whole.ok_or_else(|| Error::new(Code::Faces, span, "faces are whole numbers"))
    }

    /// Checks what may follow a count: only steps that count, and sorting.
    #[expect(clippy::unused_self, reason = "called like the functions of rules")]
    pub(super) fn step_order(&self, steps: &[Step], counted: bool) -> Result<(), Error> {
        let mut counted = counted;
        for step in steps {
            match step.kind {
                StepKind::Count(_) | StepKind::Fail(_) => counted = true,
                StepKind::Sort(_) => {}
                StepKind::Select(..)
                | StepKind::Explode(_)
                | StepKind::Reroll(_)
                | StepKind::AtLeast(_)
                | StepKind::AtMost(_)
                    if counted =>
                {
                    return Err(Error::new(Code::StepOrder, step.span, "the dice are counted already, so this step comes too late")
                        .hint("after count and fail only count, fail and sort may follow; put this step before them"));
                }
                StepKind::Select(..)
                | StepKind::Explode(_)
                | StepKind::Reroll(_)
                | StepKind::AtLeast(_)
                | StepKind::AtMost(_) => {}
            }
        }
        Ok(())
    }
}

/// The error for a range that runs backwards.
pub(super) fn backwards(low: i64, high: i64, span: Span) -> Error {
    Error::new(Code::Faces, span, format!("this range runs backwards, from {low} to {high}")).fix(
        span,
        format!("{high}..{low}"),
        "write",
    )
}

/// The error for `2d6!=4`.
fn unclear(span: Span) -> Error {
    Error::new(Code::Ambiguous, span, "explode, or compare? != could mean either after dice")
        .hint("to explode on a face write it without =, as in 2d6!4")
        .hint("to test the total put the dice in brackets, as in (2d6)<>4")
}
