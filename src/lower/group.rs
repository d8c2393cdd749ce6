//! Groups: results side by side, or one pool of several kinds of dice.

use super::{Lower, Part, Role, counts, internal};
use crate::ast::{Group, Kind, Node, Operator, Span, Step};
use crate::error::{Code, Error};
use crate::grammar::Tree;

impl Lower<'_> {
    #[inline(never)]
    pub(super) fn group<T: Tree>(&mut self, tree: T) -> Result<Node, Error> {
        let span = tree.span();
        let mut members = Vec::new();
        let mut steps = Vec::new();
        for part in tree.children() {
            match part.role() {
                Role::Part(Part::Member) => members.push(self.inside(part)?),
                Role::Step(step) => steps.push(self.step(step, part)?),
                Role::Operand(_)
                | Role::Follower(_)
                | Role::Ask(_)
                | Role::Sides(_)
                | Role::Function(_)
                | Role::Part(_)
                | Role::House(_)
                | Role::Silent => return Err(internal(part.span())),
            }
        }
        self.grouped(members, steps, span)
    }

    /// A group, once its members and steps are known.
    #[inline(never)]
    fn grouped(&mut self, members: Vec<Node>, steps: Vec<Step>, span: Span) -> Result<Node, Error> {
        let group = Group { id: self.node_id(), members, steps };
        if let [member] = &group.members[..] {
            one_pool(member)?;
        } else if let Some(step) = group.steps.iter().find(|step| step.kind.throws()) {
            return Err(Error::new(
                Code::StepOrder,
                step.span,
                "the members of a group are results and are not thrown again",
            )
            .hint(
                "put the step behind the dice inside, or write one pool with + instead of commas: {1d6+1d8}!",
            ));
        }
        self.step_order(&group.steps, false)?;
        Ok(Node { span, kind: Kind::Group(Box::new(group)) })
    }
}

/// Checks that the one member of a group is a sum of pools.
fn one_pool(member: &Node) -> Result<(), Error> {
    let refused = |span, what: &str| {
        Err(Error::new(Code::Member, span, format!("{what} cannot be part of one pool of dice"))
            .hint("between { and } stand pools joined by +, or two or more results set apart by commas"))
    };
    match &member.kind {
        Kind::Dice(dice) if counts(&dice.steps) => refused(member.span, "dice that are counted already"),
        Kind::Dice(_) => Ok(()),
        Kind::Label(label) => one_pool(&label.inner),
        Kind::Chain(chain) if chain.operator().is_sum() => {
            one_pool(&chain.first)?;
            for link in &chain.rest {
                if link.operator == Operator::Subtract {
                    return refused(link.at.to(link.operand.span), "a difference");
                }
                one_pool(&link.operand)?;
            }
            Ok(())
        }
        Kind::Chain(_) => refused(member.span, "a product"),
        Kind::Number(_) => refused(member.span, "a constant"),
        Kind::Group(_) => refused(member.span, "a group"),
        Kind::Named(_) => refused(member.span, "a name"),
        Kind::Call(_) => refused(member.span, "a function"),
        Kind::Bracket(_) => refused(member.span, "something in brackets"),
        Kind::Signed(..) => refused(member.span, "something with a sign"),
        Kind::Power(_) => refused(member.span, "a power"),
        Kind::Compare(_) => refused(member.span, "a comparison"),
        Kind::Choice(_) => refused(member.span, "a choice"),
        Kind::House(_) => refused(member.span, "a house rule"),
    }
}
