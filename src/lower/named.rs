//! Names where they are used, alone or with steps behind them.

use super::{Lower, Role, internal};
use crate::ast::{Kind, Named, Node, Span, Step, StepKind};
use crate::error::{Code, Error};
use crate::grammar::Tree;

impl Lower<'_> {
    #[inline(never)]
    pub(super) fn named<T: Tree>(&mut self, tree: T) -> Result<Node, Error> {
        let span = tree.span();
        let mut parts = tree.children();
        let word = parts.next().ok_or_else(|| internal(span))?;
        let node = self.name(&word)?;
        let mut steps = Vec::new();
        for part in parts {
            let Role::Step(step) = part.role() else { return Err(internal(part.span())) };
            steps.push(self.step(step, part)?);
        }
        if steps.is_empty() { Ok(node) } else { self.named_pool(node, steps, span) }
    }

    /// A name with steps behind it.
    #[inline(never)]
    fn named_pool(&mut self, mut node: Node, steps: Vec<Step>, span: Span) -> Result<Node, Error> {
        let first_span = steps.first().map_or(span, |step| step.span);
        if let Some(end) = self.right_end {
            if steps.iter().all(|step| matches!(step.kind, StepKind::Fail(_))) && span.end == end {
                self.handed = steps;
                return Ok(node);
            }
            return Err(Error::new(
                Code::Ambiguous,
                first_span,
                "right of a comparison a name takes no steps",
            )
            .hint("put the name and its steps in brackets"));
        }
        let Kind::Named(named) = &mut node.kind else { return Err(internal(span)) };
        let known =
            self.names.iter().find(|known| known.index == named.index).ok_or_else(|| internal(span))?;
        let name = &named.name;
        if !known.pool {
            return Err(Error::new(
                Code::NoPool,
                first_span,
                format!("{name} is a number, not a pool of dice"),
            )
            .hint(format!("a name holds a pool where it is set to nothing but dice: {name} = 4d6;")));
        }
        if let Some(step) = steps.iter().find(|step| step.kind.throws()) {
            return Err(Error::new(
                Code::StepOrder,
                step.span,
                format!("the dice of {name} lie on the table and are not thrown again"),
            )
            .hint(format!("explode or reroll where {name} is set")));
        }
        let counted = known.counts;
        self.step_order(&steps, counted)?;
        node.span = span;
        if let Kind::Named(named) = &mut node.kind {
            named.steps = steps;
        }
        Ok(node)
    }

    /// A name where its value is used.
    pub(super) fn name<T: Tree>(&mut self, tree: &T) -> Result<Node, Error> {
        let span = tree.span();
        let name: Box<str> = tree.text().to_ascii_lowercase().into();
        let Some(known) = self.names.iter().find(|known| known.name == name) else {
            let names: Vec<&str> = self.names.iter().map(|known| &*known.name).collect();
            return Err(crate::diagnose::unknown_name(&name, span, &names));
        };
        let index = known.index;
        let named = Named { id: self.node_id(), name, index, steps: Vec::new() };
        Ok(Node { span, kind: Kind::Named(Box::new(named)) })
    }
}
