//! Terms: a first operand and what follows it, and the operands that brackets and signs make. Here everything that nests comes
//! by, so here the depth is counted.

use super::{Follower, Lower, Operand, Role, compare, internal};
use crate::ast::{Call, Function, Kind, Node, Sign, Span};
use crate::error::{Code, Error};
use crate::grammar::Tree;

/// How deep terms and operands can be in each other within one bracket, sign, power or choice: the bracket and what is in it, the
/// right side of a comparison, of a sum and of a product, and dice with an amount in brackets.
const LEVELS: usize = 6;
/// What fits a stack of 2 MiB in every build, whatever nests.
const MAX_LEVELS: usize = 800;

impl Lower<'_> {
    /// A first operand and everything that follows it. `at` is where it should be, if nothing is there.
    pub(super) fn term<T: Tree>(&mut self, parts: impl Iterator<Item = T>, at: Span) -> Result<Node, Error> {
        self.level::<T>(at)?;
        let term = self.term_of(parts, at);
        self.levels -= 1;
        term
    }

    /// Takes note of one more term or operand inside another. In the compiled grammar brackets bound that already; it is
    /// for grammars that let other things nest.
    fn level<T: Tree>(&mut self, at: Span) -> Result<(), Error> {
        if !T::COMPILED && self.levels > MAX_LEVELS.min(LEVELS * (self.limits.depth + 2)) {
            return Err(super::too_deep(self.limits.depth, at));
        }
        self.levels += 1;
        Ok(())
    }

    fn term_of<T: Tree>(&mut self, mut parts: impl Iterator<Item = T>, at: Span) -> Result<Node, Error> {
        let first = parts.next().ok_or_else(|| internal(at))?;
        let mut node = self.operand(first)?;
        let mut compared = false;
        for part in parts {
            node = match part.role() {
                Role::Follower(follower) => {
                    if compared && follower != Follower::Branch {
                        return Err(compare::after_comparison(follower, part.span()));
                    }
                    compared |= follower == Follower::Compare;
                    self.follower(follower, node, part)?
                }
                Role::Operand(Operand::Dice) => self.dice(Some(node), part)?,
                Role::Operand(_)
                | Role::Step(_)
                | Role::Ask(_)
                | Role::Sides(_)
                | Role::Function(_)
                | Role::Part(_)
                | Role::House(_)
                | Role::Silent => return Err(internal(part.span())),
            };
        }
        Ok(node)
    }

    /// The term that is all there is inside a node.
    pub(super) fn inside<T: Tree>(&mut self, tree: T) -> Result<Node, Error> {
        let span = tree.span();
        self.term(tree.children(), span)
    }

    pub(super) fn operand<T: Tree>(&mut self, tree: T) -> Result<Node, Error> {
        self.level::<T>(tree.span())?;
        let operand = self.operand_of(tree);
        self.levels -= 1;
        operand
    }

    fn operand_of<T: Tree>(&mut self, tree: T) -> Result<Node, Error> {
        let span = tree.span();
        let operand = match tree.role() {
            Role::Operand(operand) => operand,
            Role::House(_) => Operand::House,
            Role::Follower(_)
            | Role::Step(_)
            | Role::Ask(_)
            | Role::Sides(_)
            | Role::Function(_)
            | Role::Part(_)
            | Role::Silent => return Err(internal(span)),
        };
        match operand {
            Operand::Number => Ok(Node { kind: Kind::Number(self.number(&tree)?), span }),
            Operand::Bracket => self.bracket(tree),
            Operand::Dice => self.dice(None, tree),
            Operand::Group => self.enclosed(span, |lower| lower.group(tree)),
            Operand::House => self.house(tree),
            Operand::Call => self.enclosed(span, |lower| lower.call(tree)),
            Operand::Named => self.named(tree),
            Operand::Hole => self.hole(tree),
            Operand::Signed(sign) => self.signed(sign, tree),
        }
    }

    #[inline(never)]
    fn bracket<T: Tree>(&mut self, tree: T) -> Result<Node, Error> {
        let span = tree.span();
        let inner = self.enclosed(span, |lower| lower.inside(tree))?;
        Ok(Node { kind: Kind::Bracket(Box::new(inner)), span })
    }

    #[inline(never)]
    fn signed<T: Tree>(&mut self, sign: Sign, tree: T) -> Result<Node, Error> {
        let span = tree.span();
        let inner = self.nested(span, |lower| lower.inside(tree))?;
        Ok(Node { span, kind: Kind::Signed(sign, Box::new(inner)) })
    }

    #[inline(never)]
    fn call<T: Tree>(&mut self, tree: T) -> Result<Node, Error> {
        let span = tree.span();
        let mut parts = tree.children();
        let name = parts.next().ok_or_else(|| internal(span))?;
        let Role::Function(function) = name.role() else { return Err(internal(name.span())) };
        let mut arguments = Vec::new();
        for part in parts {
            arguments.push(self.inside(part)?);
        }
        called(function, arguments, span)
    }
}

/// A call, once its arguments are known.
#[inline(never)]
fn called(function: Function, arguments: Vec<Node>, span: Span) -> Result<Node, Error> {
    if let [_, extra, ..] = &arguments[..]
        && !function.is_variadic()
    {
        let title = format!("{} takes one value, not {}", function.name(), arguments.len());
        return Err(Error::new(Code::Arguments, extra.span, title).hint(format!(
            "several values go into {} or {}",
            Function::Min.name(),
            Function::Max.name()
        )));
    }
    Ok(Node { span, kind: Kind::Call(Box::new(Call { function, arguments })) })
}
