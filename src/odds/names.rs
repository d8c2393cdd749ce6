//! Names: what is rolled once and used in several places is conditioned on.
//!
//! A name that is used once is as good as its text in that place. A number that is used more often takes each of its values in
//! turn, and what depends on it is computed for each; what a pool takes instead is in module `shown`. Everything else keeps its
//! independence.

use std::rc::Rc;

use super::dist::Dist;
use super::shown::Shown;
use super::steps::Known;
use super::walk::{Trouble, Walker};
use crate::ast::{Definition, Kind as NodeKind, Named, Node, Span};
use crate::lower::{internal, pool_of};
use crate::number::Number;

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
            let mass = value.mass.collapsed();
            let parts: Vec<_> = (0..mass.len()).map(|cell| (cell, result.clone())).collect();
            return self.mix(&parts, &Dist { mass, closed: None, ..value }, definition.span);
        }
        // What a name stands for may make any case dear, so prices between cases are rough.
        self.over_values(&value, 2.0, definition.span, &mut |walker, number| {
            walker.bound(definition, Binding::Value(number), rest, body)
        })
    }

    /// The rest of a scope with a name bound.
    pub(super) fn bound(
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
                if named.steps.is_empty() {
                    return Ok(self.point(shown.rolled()));
                }
                self.resolved(&named.steps, &Known::of(shown.size()), &mut |walker, acts| {
                    let total = shown.used(acts).ok_or(Trouble::Enumerate)?;
                    Ok(walker.point(total))
                })
            }
            None => Err(Trouble::Refused(internal(span))),
        }
    }
}
