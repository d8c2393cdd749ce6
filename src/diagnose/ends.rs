//! Texts that end too early: nothing behind an operator, a bracket that stays open, a choice without its second value.
//!
//! Apart from what does not fit, because here the mistake lies before the place where the parser stopped.

use super::Place;
use crate::error::{Code, Error};
use crate::grammar::span_of;

impl Place<'_> {
    /// The text ends too early.
    pub(super) fn end(&self) -> Option<Error> {
        if !self.rest().is_empty() && !self.rest().starts_with('#') {
            return None;
        }
        let word = self.last_word().to_ascii_lowercase();
        if let Some(error) = self.missing_sides(&word) {
            return Some(error);
        }
        if let Some(error) = self.missing_amount() {
            return Some(error);
        }
        let before = self.before();
        if self.open_choice() {
            let end = before.len();
            return Some(
                Error::new(Code::MissingOperand, span_of(end, end), "a choice needs a second value")
                    .label("a colon and what holds otherwise are expected")
                    .fix(span_of(end, end), " : 0", "for nothing otherwise write"),
            );
        }
        let operator =
            before.len() - before.trim_end_matches(|c: char| "+-−*×·/÷%^=<>?:,;".contains(c)).len();
        if operator > 0 {
            let start = before.len() - operator;
            let what = &before[start..];
            return Some(
                Error::new(
                    Code::MissingOperand,
                    span_of(start, before.len()),
                    format!("something to roll is expected after {what}"),
                )
                .label("nothing follows"),
            );
        }
        if word.len() == before.len()
            && word.strip_suffix('x').is_some_and(|times| times.bytes().all(|b| b.is_ascii_digit()))
        {
            let sign = span_of(before.len() - 1, before.len());
            let title = "something to roll is expected after x";
            return Some(Error::new(Code::MissingOperand, sign, title).label("nothing follows"));
        }
        self.unclosed()
    }

    /// A bracket that is never closed, where the parser went back to its start.
    pub(super) fn never_closed(&self) -> Option<Error> {
        let whole = self.text.split('#').next().unwrap_or(self.text);
        let end = Place { text: self.text, at: whole.len() };
        end.unclosed().filter(|error| error.span().start as usize >= self.at)
    }

    /// Whether a complete text has a `?` to which no `:` belongs.
    fn open_choice(&self) -> bool {
        let count = |sign: char| self.before().chars().filter(|c| *c == sign).count();
        self.complete() && count('?') > count(':')
    }

    /// A bracket that is never closed.
    fn unclosed(&self) -> Option<Error> {
        let (at, open) = self.open_bracket()?;
        let close = match open {
            '(' => ')',
            '{' => '}',
            _ => ']',
        };
        let end = self.before().len();
        Some(
            Error::new(Code::Unclosed, span_of(at, at + 1), "this bracket is not closed")
                .label("opened here")
                .fix(span_of(end, end), close.to_string(), "close it"),
        )
    }
}
