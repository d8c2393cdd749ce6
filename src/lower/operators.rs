//! What follows a first operand and takes it as its left side: operators, powers, labels and choices. Comparisons have a file
//! of their own, because what they mean depends on what stands left of them.

use super::{Follower, Lower, internal, only_child};
use crate::ast::{Chain, Choice, Kind, Label, Link, Node, Operator, Power, Span};
use crate::error::{Code, Error};
use crate::grammar::Tree;

impl Lower<'_> {
    pub(super) fn follower<T: Tree>(
        &mut self,
        follower: Follower,
        left: Node,
        tree: T,
    ) -> Result<Node, Error> {
        match follower {
            Follower::Label => Self::label(left, tree),
            Follower::Binary(operator) => self.binary(operator, left, tree),
            Follower::Raise => self.raise(left, tree),
            Follower::Compare => self.compare(left, tree),
            Follower::Branch => self.branch(left, tree),
        }
    }

    #[inline(never)]
    fn label<T: Tree>(inner: Node, tree: T) -> Result<Node, Error> {
        if let Kind::Label(_) = inner.kind {
            return Err(Error::new(Code::Unexpected, tree.span(), "a term has one label at most"));
        }
        let span = inner.span.to(tree.span());
        let text = only_child(tree)?.text().into();
        Ok(Node { span, kind: Kind::Label(Box::new(Label { inner, text })) })
    }

    #[inline(never)]
    fn binary<T: Tree>(&mut self, operator: Operator, left: Node, tree: T) -> Result<Node, Error> {
        let span = left.span.to(tree.span());
        let start = tree.span().start;
        let operand = self.inside(tree)?;
        let at = Span { start, end: operand.span.start };
        let link = Link { operator, at, operand };
        let kind = match left {
            Node { kind: Kind::Chain(mut chain), .. } if chain.operator().is_sum() == operator.is_sum() => {
                chain.rest.push(link);
                Kind::Chain(chain)
            }
            first => Kind::Chain(Box::new(Chain { first, rest: vec![link] })),
        };
        Ok(Node { kind, span })
    }

    #[inline(never)]
    fn raise<T: Tree>(&mut self, base: Node, tree: T) -> Result<Node, Error> {
        let span = base.span.to(tree.span());
        let start = tree.span().start;
        let exponent = self.nested(span, |lower| lower.inside(tree))?;
        let at = Span { start, end: exponent.span.start };
        Ok(Node { span, kind: Kind::Power(Box::new(Power { base, exponent, at })) })
    }

    #[inline(never)]
    fn branch<T: Tree>(&mut self, condition: Node, tree: T) -> Result<Node, Error> {
        let span = condition.span.to(tree.span());
        let at = tree.span();
        let (then, otherwise) = self.enclosed(at, |lower| {
            let mut parts = tree.children();
            let mut next = || parts.next().ok_or_else(|| internal(at));
            let (then, otherwise) = (next()?, next()?);
            Ok((lower.inside(then)?, lower.inside(otherwise)?))
        })?;
        Ok(Node { span, kind: Kind::Choice(Box::new(Choice { condition, then, otherwise })) })
    }
}
