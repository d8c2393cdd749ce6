//! Blanks and comments that pest puts between the parts of others, as instructions.

use super::{Blanks, Place, Writer};
use crate::grammar::code::Op;
use crate::grammar::syntax::Kind;

impl Writer<'_> {
    pub(super) fn has_blanks(&self, place: Place) -> bool {
        place.blanks == Blanks::Free
            && (self.book.rule("WHITESPACE").is_some() || self.book.rule("COMMENT").is_some())
    }

    /// Blanks and comments between two parts, where they may stand.
    pub(super) fn blanks(&mut self, place: Place) {
        if !self.has_blanks(place) {
            return;
        }
        if let Some(rule) = self.book.rule("WHITESPACE") {
            self.repeat_rule(rule, place);
        }
        if let Some(comment) = self.book.rule("COMMENT") {
            let start = self.op(Op::Try(0));
            let turn = u32::try_from(self.code.ops.len()).unwrap_or(0);
            self.call(comment, place);
            if let Some(rule) = self.book.rule("WHITESPACE") {
                self.repeat_rule(rule, place);
            }
            self.op(Op::Again(turn));
            self.lead_here(start);
        }
    }

    fn repeat_rule(&mut self, rule: usize, place: Place) {
        let body = &self.book.rules[rule];
        if body.kind == Kind::Silent
            && let Some(class) = self.as_class(&body.body)
        {
            let class = self.class(class);
            self.op(Op::Many(class));
            return;
        }
        let start = self.op(Op::Try(0));
        let turn = u32::try_from(self.code.ops.len()).unwrap_or(0);
        self.call(rule, place);
        self.op(Op::Again(turn));
        self.lead_here(start);
    }
}
