//! Choices as instructions. Where it is known with what the alternatives begin, the next character leads straight to the first that
//! can fit.

use super::head::{Beginning, DEPTH};
use super::{Look, Place, Writer, traces};
use crate::grammar::code::{Op, Switch};
use crate::grammar::syntax::{Expr, Fault, Shape};

/// Choices of fewer alternatives are gone through one by one.
const FEW: usize = 3;
/// And so are those of more: places in the list of a switch are bytes.
const MANY: usize = 60;

/// An alternative of a choice.
struct Alternative<'e> {
    expr: &'e Expr,
    /// With what it begins, if that is known and not nothing.
    beginning: Option<Beginning>,
    /// Where its code begins.
    start: u32,
    /// Where it begins for characters with which no later one can begin, so that there is nothing to go back to.
    alone: Option<u32>,
}

impl Alternative<'_> {
    fn may_begin(&self, byte: Option<u8>) -> bool {
        match (&self.beginning, byte) {
            (Some(beginning), Some(byte)) => beginning.class.has_ascii(byte),
            (Some(_), None) => false,
            (None, _) => true,
        }
    }

    fn marks(&self) -> bool {
        self.beginning.as_ref().is_some_and(|beginning| beginning.marks)
    }
}

impl Writer<'_> {
    pub(super) fn choice(&mut self, parts: &[Expr], place: Place) -> Result<(), Fault> {
        let switch = (FEW..=MANY).contains(&parts.len()).then(|| self.op(Op::Switch(0)));
        let mut alternatives = Vec::new();
        let mut ends = Vec::new();
        for (index, expr) in parts.iter().enumerate() {
            let beginning = self.beginning(expr, place, DEPTH).filter(|beginning| !beginning.empty);
            alternatives.push(Alternative { expr, beginning, start: self.here(), alone: None });
            if index + 1 == parts.len() {
                self.expr(expr, place)?;
            } else {
                ends.push(self.alternative(expr, place)?);
            }
        }
        if let Some(switch) = switch {
            ends.push(self.op(Op::Go(0)));
            self.switch(switch, &mut alternatives, place, &mut ends)?;
        }
        for end in ends {
            self.lead_here(end);
        }
        Ok(())
    }

    /// One that is not the last; returns the instruction that leads to the end of the choice.
    fn alternative(&mut self, expr: &Expr, place: Place) -> Result<usize, Fault> {
        let head = self.skip(expr, place);
        let end = if head.is_some() && self.as_class(expr).is_some() {
            self.expr(expr, place)?;
            self.op(Op::Go(0))
        } else {
            let start = self.op(Op::Try(0));
            self.expr(expr, place)?;
            let end = self.op(Op::Commit(0));
            self.lead_here(start);
            end
        };
        if let Some(head) = head {
            self.lead_here(head);
        }
        Ok(end)
    }

    /// Fills in where a choice goes on before each character.
    fn switch(
        &mut self,
        at: usize,
        alternatives: &mut [Alternative<'_>],
        place: Place,
        ends: &mut Vec<usize>,
    ) -> Result<(), Fault> {
        let mut switch = Switch { ascii: [0; 128], end: 0, to: Vec::new(), other: alternatives[0].start };
        for byte in 0..128 {
            switch.ascii[usize::from(byte)] =
                self.target(&mut switch.to, alternatives, Some(byte), place, ends)?;
        }
        switch.end = self.target(&mut switch.to, alternatives, None, place, ends)?;
        self.code.switches.push(switch);
        self.code.ops[at] = Op::Switch(u32::try_from(self.code.switches.len() - 1).unwrap_or(0));
        Ok(())
    }

    /// Where a choice goes on before a character or at the end of the text: the place in the list of all such places.
    fn target(
        &mut self,
        list: &mut Vec<(u32, bool)>,
        alternatives: &mut [Alternative<'_>],
        byte: Option<u8>,
        place: Place,
        ends: &mut Vec<usize>,
    ) -> Result<u8, Fault> {
        let last = alternatives.len() - 1;
        let first = alternatives.iter().position(|part| part.may_begin(byte)).unwrap_or(last);
        let marks = alternatives[..first].iter().any(Alternative::marks);
        let later = &alternatives[first + 1..];
        let alone = !later.iter().any(|part| part.may_begin(byte));
        // If it fails, the later ones would fail here as well, and that may have to be marked: then something else must do so.
        let marked = marks || !later.iter().any(Alternative::marks);
        let part = &mut alternatives[first];
        let direct = first < last && alone && self.is_short(part.expr, place, marked);
        let to = match part.alone {
            _ if !direct => part.start,
            Some(alone) => alone,
            None => {
                let alone = self.here();
                self.expr(part.expr, place)?;
                ends.push(self.op(Op::Go(0)));
                *part.alone.insert(alone)
            }
        };
        let known = list.iter().position(|known| *known == (to, marks)).unwrap_or_else(|| {
            list.push((to, marks));
            list.len() - 1
        });
        Ok(u8::try_from(known).unwrap_or(u8::MAX))
    }

    /// Whether an alternative is the call of a rule, and thus short enough to be written twice; and one whose failure counts, unless
    /// that is `marked` already.
    fn is_short(&self, expr: &Expr, place: Place, marked: bool) -> bool {
        let Shape::Name(name) = &expr.shape else { return false };
        self.book.rule(name).is_some_and(|number| {
            let (_, counts) = traces(&self.book.rules[number], place);
            marked || (counts && place.look != Look::Not)
        })
    }
}
