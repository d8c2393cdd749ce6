//! Expressions as instructions, one function for each that needs more than one.

use super::{Place, Writer};
use crate::grammar::class::{Builtin, Class, builtin};
use crate::grammar::code::Op;
use crate::grammar::syntax::{Expr, Fault, Shape};

/// The most instructions that a grammar may become.
const MAX_OPS: usize = 400_000;

impl Writer<'_> {
    pub(super) fn expr(&mut self, expr: &Expr, place: Place) -> Result<(), Fault> {
        if self.code.ops.len() > MAX_OPS {
            return Err(Fault::new(expr.at, "the grammar becomes too large here")
                .hint("repetitions such as {50} multiply what they repeat"));
        }
        if let Some(class) = self.as_class(expr) {
            let class = self.class(class);
            self.op(Op::One(class));
            return Ok(());
        }
        match &expr.shape {
            Shape::Text(text) | Shape::AnyCase(text) => {
                self.code.texts.push(text.as_str().into());
                let index = u32::try_from(self.code.texts.len() - 1).unwrap_or(0);
                self.op(if matches!(expr.shape, Shape::Text(_)) {
                    Op::Text(index)
                } else {
                    Op::AnyCase(index)
                });
            }
            Shape::Range(low, high) => {
                let class = self.class(Class::range(*low, *high));
                self.op(Op::One(class));
            }
            Shape::Name(name) => match self.book.rule(name) {
                Some(number) => self.call(number, place),
                None => self.builtin(name),
            },
            Shape::And(inner) => self.ahead(inner, place)?,
            Shape::Not(inner) => self.refused(inner, place)?,
            Shape::Sequence(parts) => {
                for (index, part) in parts.iter().enumerate() {
                    if index > 0 {
                        self.blanks(place);
                    }
                    self.expr(part, place)?;
                }
            }
            Shape::Choice(parts) => self.choice(parts, place)?,
            Shape::Optional(inner) => self.optional(inner, place)?,
            Shape::Star(inner) => self.star(inner, place)?,
            Shape::Plus(inner) => {
                self.expr(inner, place)?;
                self.blanks(place);
                self.star(inner, place)?;
            }
            Shape::Times(inner, least, most) => self.times(inner, *least, *most, place)?,
        }
        Ok(())
    }

    fn ahead(&mut self, inner: &Expr, place: Place) -> Result<(), Fault> {
        if let Some(class) = self.as_class(inner) {
            let class = self.class(class);
            self.op(Op::Before(class));
            return Ok(());
        }
        let start = self.op(Op::Try(0));
        self.expr(inner, place.ahead())?;
        let back = self.op(Op::Back(0));
        self.lead_here(start);
        self.fail();
        self.lead_here(back);
        Ok(())
    }

    fn refused(&mut self, inner: &Expr, place: Place) -> Result<(), Fault> {
        if let Some(class) = self.as_class(inner) {
            let class = self.class(class);
            self.op(Op::NotBefore(class));
            return Ok(());
        }
        let head = self.skip(inner, place.refused());
        let start = self.op(Op::Try(0));
        self.expr(inner, place.refused())?;
        self.op(Op::Refuse);
        self.lead_here(start);
        if let Some(head) = head {
            self.lead_here(head);
        }
        Ok(())
    }

    fn optional(&mut self, inner: &Expr, place: Place) -> Result<(), Fault> {
        let head = self.skip(inner, place);
        if let Some(head) = head
            && self.as_class(inner).is_some()
        {
            self.expr(inner, place)?;
            self.lead_here(head);
            return Ok(());
        }
        let start = self.op(Op::Try(0));
        self.expr(inner, place)?;
        let end = self.op(Op::Commit(0));
        self.lead_here(start);
        self.lead_here(end);
        if let Some(head) = head {
            self.lead_here(head);
        }
        Ok(())
    }

    fn star(&mut self, inner: &Expr, place: Place) -> Result<(), Fault> {
        if !self.has_blanks(place)
            && let Some(class) = self.as_class(inner)
        {
            let class = self.class(class);
            self.op(Op::Many(class));
            return Ok(());
        }
        if !self.has_blanks(place)
            && let Some(head) = self.skip(inner, place)
        {
            let start = self.op(Op::Try(0));
            self.expr(inner, place)?;
            self.op(Op::Commit(u32::try_from(head).unwrap_or(0)));
            self.lead_here(start);
            self.lead_here(head);
            return Ok(());
        }
        let start = self.op(Op::Try(0));
        self.expr(inner, place)?;
        // From the second turn on there may be blanks before, which count only if the turn succeeds.
        let turn = self.op(Op::Again(0));
        self.lead_here(turn);
        self.blanks(place);
        if self.has_blanks(place) {
            self.expr(inner, place)?;
            let again = u32::try_from(turn + 1).unwrap_or(0);
            self.op(Op::Again(again));
        } else {
            let again = u32::try_from(start + 1).unwrap_or(0);
            self.code.ops[turn] = Op::Again(again);
        }
        self.lead_here(start);
        Ok(())
    }

    fn times(&mut self, inner: &Expr, least: u32, most: Option<u32>, place: Place) -> Result<(), Fault> {
        let turns = most.unwrap_or(least + 1);
        for turn in 0..turns {
            if turn > 0 {
                self.blanks(place);
            }
            if turn < least {
                self.expr(inner, place)?;
            } else if most.is_none() {
                self.star(inner, place)?;
            } else {
                self.optional(inner, place)?;
            }
        }
        Ok(())
    }

    fn builtin(&mut self, name: &str) {
        match builtin(name) {
            Some(Builtin::Any) => self.op(Op::Any),
            Some(Builtin::Start) => self.op(Op::Start),
            Some(Builtin::End) => self.op(Op::End),
            Some(Builtin::Class(class)) => {
                let class = self.class(class);
                self.op(Op::One(class))
            }
            Some(Builtin::Newline) => {
                let mut ends = Vec::new();
                for text in ["\r\n", "\n", "\r"] {
                    self.code.texts.push(text.into());
                    let index = u32::try_from(self.code.texts.len() - 1).unwrap_or(0);
                    let start = self.op(Op::Try(0));
                    self.op(Op::Text(index));
                    ends.push(self.op(Op::Commit(0)));
                    self.lead_here(start);
                }
                self.fail();
                for end in ends {
                    self.lead_here(end);
                }
                0
            }
            None => {
                self.fail();
                0
            }
        };
    }
}
