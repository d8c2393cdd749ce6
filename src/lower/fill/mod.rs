//! Copies of trees with the holes of a template filled. Every die, step and name of a copy is one of its own, so a part
//! that is used twice is rolled twice.

mod steps;

use std::collections::HashMap;

use crate::ast::{
    Call, Chain, Choice, Compare, Definition, Dice, Group, House, Kind, Label, Link, Named, Node, Power,
    Sides, Span,
};
use crate::error::{Code, Error};
use crate::lower::house::{HOLES, Template};
use crate::lower::{Lower, internal, too_deep};

/// The most nodes that the house rules of one text may stand for.
const MAX_NODES: usize = 50_000;

/// One use of a template.
pub(super) struct Filler<'f, 'l> {
    lower: &'f mut Lower<'l>,
    template: &'f Template,
    parts: &'f [Node],
    /// For each hole the part that fills it.
    fills: &'f [Option<usize>],
    /// Where the house rule stands in the text: that is where its nodes are. Parts keep their own places.
    at: Option<Span>,
    /// The names that were set inside, with their places in the environment before and after.
    names: HashMap<u32, u32>,
    depth: usize,
}

impl<'f, 'l> Filler<'f, 'l> {
    pub(super) fn new(
        lower: &'f mut Lower<'l>,
        template: &'f Template,
        parts: &'f [Node],
        fills: &'f [Option<usize>],
        at: Span,
    ) -> Filler<'f, 'l> {
        let depth = lower.depth;
        Filler { lower, template, parts, fills, at: Some(at), names: HashMap::new(), depth }
    }

    fn span(&self, own: Span) -> Span {
        self.at.unwrap_or(own)
    }

    pub(super) fn definitions(&mut self, definitions: &[Definition]) -> Result<Vec<Definition>, Error> {
        let mut copies = Vec::with_capacity(definitions.len());
        for definition in definitions {
            let value = self.node(&definition.value)?;
            let index = self.lower.next_name;
            self.lower.next_name += 1;
            self.names.insert(definition.index, index);
            let (name, span) = (definition.name.clone(), self.span(definition.span));
            copies.push(Definition { name, index, value, pool: definition.pool, span });
        }
        Ok(copies)
    }

    /// A copy of a node; a hole becomes its part, in brackets where it is more than one word.
    pub(super) fn node(&mut self, node: &Node) -> Result<Node, Error> {
        if let Kind::Bracket(inner) = &node.kind
            && self.is_hole(inner)
        {
            // `($1)` filled with `(0-3)` is `(0-3)`.
            return self.deeper(node.span, |copy| match copy.node(inner)? {
                bracket @ Node { kind: Kind::Bracket(_), .. } => Ok(bracket),
                inner => Ok(Node { span: inner.span, kind: Kind::Bracket(Box::new(inner)) }),
            });
        }
        if let Some(part) = self.filled(node)? {
            return Ok(if is_word(&part) {
                part
            } else {
                Node { span: part.span, kind: Kind::Bracket(Box::new(part)) }
            });
        }
        self.lower.expanded += 1;
        if self.lower.expanded > MAX_NODES {
            let title = format!(
                "the house rules of this text stand for too much notation: more than {MAX_NODES} parts"
            );
            return Err(Error::new(Code::Limit, self.span(node.span), title));
        }
        let kind = self.kind(node)?;
        Ok(Node { kind, span: self.span(node.span) })
    }

    /// The part that fills a node, if that is a hole.
    fn filled(&mut self, node: &Node) -> Result<Option<Node>, Error> {
        let (Kind::Named(named), Some(_)) = (&node.kind, self.at) else { return Ok(None) };
        let Some(number) = named.index.checked_sub(HOLES) else { return Ok(None) };
        let hole = self.template.holes.get(number as usize).ok_or_else(|| internal(node.span))?;
        let parts = self.parts;
        match self.fills.get(number as usize).copied().flatten().and_then(|part| parts.get(part)) {
            Some(part) => {
                // The names of the text are not those of the template, also where they are the same words.
                let outside = (self.at.take(), std::mem::take(&mut self.names));
                let copy = self.node(part);
                (self.at, self.names) = outside;
                copy.map(Some)
            }
            None => match &hole.default {
                Some(default) => self.node(default).map(Some),
                None => Err(Error::new(
                    Code::MissingOperand,
                    self.span(node.span),
                    format!("a part is missing here: {}", hole.text),
                )),
            },
        }
    }

    /// Copies one level deeper, or refuses to.
    fn deeper<R>(
        &mut self,
        span: Span,
        inside: impl FnOnce(&mut Self) -> Result<R, Error>,
    ) -> Result<R, Error> {
        if self.depth >= self.lower.limits.depth {
            return Err(too_deep(self.lower.limits.depth, self.span(span)));
        }
        self.depth += 1;
        let result = inside(self);
        self.depth -= 1;
        result
    }

    fn kind(&mut self, node: &Node) -> Result<Kind, Error> {
        let span = node.span;
        Ok(match &node.kind {
            Kind::Number(number) => Kind::Number(*number),
            Kind::Dice(dice) => {
                let id = self.lower.node_id();
                let count = self.node(&dice.count)?;
                let sides = match &dice.sides {
                    Sides::Known(die) => Sides::Known(die.clone()),
                    Sides::Computed(sides) => Sides::Computed(self.node(sides)?),
                };
                let steps = self.steps(&dice.steps)?;
                // A number of dice that was typed is where to look if it is wrong.
                let thrown = match &dice.count.kind {
                    Kind::Bracket(inner) if self.is_hole(inner) => count.span,
                    Kind::Bracket(_) | Kind::Number(_) => self.span(dice.thrown),
                    Kind::Dice(_)
                    | Kind::Group(_)
                    | Kind::Named(_)
                    | Kind::Call(_)
                    | Kind::Signed(..)
                    | Kind::Chain(_)
                    | Kind::Power(_)
                    | Kind::Label(_)
                    | Kind::Compare(_)
                    | Kind::Choice(_)
                    | Kind::House(_) => return Err(internal(span)),
                };
                Kind::Dice(Box::new(Dice { id, count, sides, steps, thrown }))
            }
            Kind::Group(group) => {
                let id = self.lower.node_id();
                let members = self.deeper(span, |copy| copy.nodes(&group.members))?;
                Kind::Group(Box::new(Group { id, members, steps: self.steps(&group.steps)? }))
            }
            Kind::Named(named) => {
                let index = self.names.get(&named.index).copied().unwrap_or(named.index);
                let (id, name) = (self.lower.node_id(), named.name.clone());
                Kind::Named(Box::new(Named { id, name, index, steps: self.steps(&named.steps)? }))
            }
            Kind::Call(call) => {
                let arguments = self.deeper(span, |copy| copy.nodes(&call.arguments))?;
                Kind::Call(Box::new(Call { function: call.function, arguments }))
            }
            Kind::Bracket(inner) => Kind::Bracket(Box::new(self.deeper(span, |copy| copy.node(inner))?)),
            Kind::Signed(sign, inner) => {
                Kind::Signed(*sign, Box::new(self.deeper(span, |copy| copy.node(inner))?))
            }
            Kind::Chain(chain) => {
                let first = self.node(&chain.first)?;
                let mut rest = Vec::with_capacity(chain.rest.len());
                for link in &chain.rest {
                    let (operator, at) = (link.operator, self.span(link.at));
                    rest.push(Link { operator, at, operand: self.node(&link.operand)? });
                }
                Kind::Chain(Box::new(Chain { first, rest }))
            }
            Kind::Power(power) => {
                let base = self.node(&power.base)?;
                let exponent = self.deeper(span, |copy| copy.node(&power.exponent))?;
                Kind::Power(Box::new(Power { base, exponent, at: self.span(power.at) }))
            }
            Kind::Label(label) => {
                Kind::Label(Box::new(Label { inner: self.node(&label.inner)?, text: label.text.clone() }))
            }
            Kind::Compare(compare) => {
                let (left, right) = (self.node(&compare.left)?, self.node(&compare.right)?);
                Kind::Compare(Box::new(Compare { left, comparison: compare.comparison, right }))
            }
            Kind::Choice(choice) => {
                let condition = self.node(&choice.condition)?;
                self.deeper(span, |copy| {
                    let (then, otherwise) = (copy.node(&choice.then)?, copy.node(&choice.otherwise)?);
                    Ok(Kind::Choice(Box::new(Choice { condition, then, otherwise })))
                })?
            }
            Kind::House(house) => {
                let (definitions, body) = self.deeper(span, |copy| {
                    let definitions = copy.definitions(&house.definitions)?;
                    Ok((definitions, copy.node(&house.body)?))
                })?;
                let typed = self.typed(&house.typed);
                Kind::House(Box::new(House { rule: house.rule.clone(), typed, definitions, body }))
            }
        })
    }

    fn is_hole(&self, node: &Node) -> bool {
        matches!(&node.kind, Kind::Named(named) if named.index >= HOLES) && self.at.is_some()
    }

    /// What a house rule inside another would have been typed as.
    fn typed(&self, typed: &str) -> Box<str> {
        let mut typed = typed.to_owned();
        if self.at.is_some() && typed.contains('$') {
            for (hole, fill) in self.template.holes.iter().zip(self.fills) {
                let part = fill.and_then(|part| self.parts.get(part)).or(hole.default.as_ref());
                if let Some(part) = part {
                    let bracketed = matches!(part.kind, Kind::Bracket(_));
                    let part = part.to_string();
                    if bracketed {
                        typed = typed.replace(&format!("({})", hole.text), &part);
                    }
                    typed = typed.replace(&*hole.text, &part);
                }
            }
        }
        typed.into()
    }

    fn nodes(&mut self, nodes: &[Node]) -> Result<Vec<Node>, Error> {
        nodes.iter().map(|node| self.node(node)).collect()
    }
}

/// Whether a part can stand anywhere without brackets around it.
fn is_word(part: &Node) -> bool {
    match &part.kind {
        Kind::Number(number) => !number.is_negative(),
        Kind::Named(named) => named.steps.is_empty(),
        Kind::Call(_) | Kind::Bracket(_) => true,
        Kind::Dice(_)
        | Kind::Group(_)
        | Kind::Signed(..)
        | Kind::Chain(_)
        | Kind::Power(_)
        | Kind::Label(_)
        | Kind::Compare(_)
        | Kind::Choice(_)
        | Kind::House(_) => false,
    }
}
