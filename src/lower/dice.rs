//! Dice: count, sides and listed faces.

use super::steps::backwards;
use super::{Lower, Operand, Part, Role, SidesRole, internal};
use crate::ast::{Dice, Kind, Node, Sides, Span};
use crate::die::{Die, Entry};
use crate::error::{Code, Error};
use crate::grammar::Tree;
use crate::limits::exceeded;
use crate::number::Number;

impl Lower<'_> {
    /// Dice; `count` is what stands before the `d`, a number or a bracket.
    pub(super) fn dice<T: Tree>(&mut self, count: Option<Node>, tree: T) -> Result<Node, Error> {
        let own = tree.span();
        let start = count.as_ref().map_or(own.start, |count| count.span.start);
        let count = match count {
            Some(count) => self.count(count)?,
            None => Node { kind: Kind::Number(Number::ONE), span: Span { start, end: start } },
        };
        let mut parts = tree.children();
        let sides = parts.next().ok_or_else(|| internal(own))?;
        let thrown = Span { start, end: sides.span().end };
        let sides = self.sides(sides)?;
        let mut steps = Vec::new();
        for part in parts {
            let Role::Step(step) = part.role() else { return Err(internal(part.span())) };
            steps.push(self.step(step, part)?);
        }
        self.step_order(&steps, false)?;
        let dice = Dice { id: self.node_id(), count, sides, steps, thrown };
        Ok(Node { kind: Kind::Dice(Box::new(dice)), span: Span { start, end: own.end } })
    }

    #[expect(clippy::unused_self, reason = "called like the functions of rules")]
    fn count(&self, count: Node) -> Result<Node, Error> {
        match count.kind {
            Kind::Number(number) if number.as_whole().is_none() => {
                Err(Error::new(Code::Count, count.span, "a whole number of dice is expected here"))
            }
            Kind::Number(_) | Kind::Bracket(_) => Ok(count),
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
            | Kind::House(_) => Err(internal(count.span)),
        }
    }

    fn sides<T: Tree>(&mut self, tree: T) -> Result<Sides, Error> {
        let span = tree.span();
        match tree.role() {
            Role::Operand(Operand::Number) => plain(self.number(&tree)?, span).map(Sides::Known),
            Role::Operand(Operand::Bracket) => Ok(Sides::Computed(self.operand(tree)?)),
            Role::Sides(SidesRole::Percent) => Ok(Sides::Known(Die::Plain(100))),
            Role::Sides(SidesRole::Fudge) => Ok(Sides::Known(Die::Fudge)),
            Role::Sides(SidesRole::Faces) => self.faces(tree).map(Sides::Known),
            Role::Operand(_)
            | Role::Follower(_)
            | Role::Step(_)
            | Role::Ask(_)
            | Role::Function(_)
            | Role::Part(_)
            | Role::House(_)
            | Role::Silent => Err(internal(span)),
        }
    }

    fn faces<T: Tree>(&mut self, tree: T) -> Result<Die, Error> {
        let span = tree.span();
        let mut entries = Vec::new();
        let mut faces: u64 = 0;
        for face in tree.children() {
            let at = face.span();
            let entry = self.face(face)?;
            let count = u64::try_from(i128::from(entry.high) - i128::from(entry.low) + 1).unwrap_or(u64::MAX);
            faces = faces.saturating_add(count);
            if faces > self.limits.faces {
                return Err(exceeded("faces", self.limits.faces, at, "too many faces on one die"));
            }
            entries.push(entry);
        }
        Die::listed(entries)
            .ok_or_else(|| Error::new(Code::Faces, span, "the weights of these faces are too large together"))
    }

    fn face<T: Tree>(&mut self, tree: T) -> Result<Entry, Error> {
        let span = tree.span();
        let mut parts = tree.children();
        let low = self.whole(parts.next().ok_or_else(|| internal(span))?)?;
        let Some(part) = parts.next() else { return Ok(Entry { low, high: low, weight: 1 }) };
        let at = part.span();
        match part.role() {
            Role::Part(Part::Weight) => {
                let weight = self.number(&super::only_child(part)?)?;
                match weight.as_u64() {
                    Some(0) => Err(Error::new(Code::Faces, at, "a face of weight 0 never comes up")
                        .hint("leave the face out")),
                    Some(weight) => Ok(Entry { low, high: low, weight }),
                    None => Err(Error::new(Code::Faces, at, "weights are whole numbers")),
                }
            }
            Role::Part(Part::Whole) => {
                let high = self.whole(part)?;
                if low > high { Err(backwards(low, high, span)) } else { Ok(Entry { low, high, weight: 1 }) }
            }
            Role::Operand(_)
            | Role::Follower(_)
            | Role::Step(_)
            | Role::Ask(_)
            | Role::Sides(_)
            | Role::Function(_)
            | Role::Part(_)
            | Role::House(_)
            | Role::Silent => Err(internal(at)),
        }
    }
}

/// A plain die of so many sides.
///
/// # Errors
/// Fewer than one side, or a fraction.
pub(crate) fn plain(sides: Number, span: Span) -> Result<Die, Error> {
    if let Some(die) = sides.as_u64().and_then(Die::plain) {
        return Ok(die);
    }
    Err(match sides.as_whole() {
        Some(whole) if whole < 1 => {
            Error::new(Code::Sides, span, format!("a die needs at least one side, not {whole}"))
        }
        Some(_) => Error::new(Code::NumberTooLarge, span, "a die has at most 9223372036854775807 sides"),
        None => Error::new(Code::Sides, span, format!("a die has a whole number of sides, not {sides}")),
    })
}
