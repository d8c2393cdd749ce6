//! Names that are not set or cannot be, and functions that do not exist: what is offered instead are names of the text and the
//! list of functions, never the words of steps.

use super::nearest::nearest;
use super::{Place, is_word};
use crate::ast::{Function, Span};
use crate::error::{Code, Error};
use crate::grammar::span_of;

impl Place<'_> {
    /// A name that cannot be set: `floor = 1; 2`.
    pub(super) fn reserved_name(&self) -> Option<Error> {
        let start = self.text[..self.at].rfind(';').map_or(0, |at| at + 1);
        let statement = &self.text[start..];
        let skipped = statement.len() - statement.trim_start().len();
        let statement = statement.trim_start();
        let length = statement.find(|c: char| !is_word(c)).unwrap_or(statement.len());
        let (word, rest) = statement.split_at(length);
        let rest = rest.trim_start();
        let sets = rest.starts_with('=') && !rest[1..].starts_with(['=', '<', '>']) && rest.contains(';');
        if !sets || word.is_empty() {
            return None;
        }
        let span = span_of(start + skipped, start + skipped + length);
        let lower = word.to_ascii_lowercase();
        let why = if Function::ALL.iter().any(|function| function.name() == lower) {
            "it is a function"
        } else if matches!(&*lower, "even" | "odd") {
            "it is a condition"
        } else if lower.starts_with(|c: char| c.is_ascii_digit() || c == '_') {
            "a name begins with a letter"
        } else if lower == "d"
            || lower
                .strip_prefix('d')
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit() || c == 'f'))
        {
            "it reads as a die"
        } else {
            return None;
        };
        Some(Error::new(Code::Name, span, format!("{word} cannot be a name: {why}")))
    }

    /// `florr(3)`.
    pub(super) fn unknown_function(&self) -> Option<Error> {
        let word = self.last_word();
        let named = word.starts_with(|c: char| c.is_ascii_alphabetic() && !is_dice(word));
        if !self.rest().starts_with('(') || !named {
            return None;
        }
        let end = self.before().len();
        let span = span_of(end - word.len(), end);
        let names: Vec<&str> = Function::ALL.iter().map(|function| function.name()).collect();
        let error = Error::new(Code::UnknownFunction, span, format!("unknown function {word}"));
        Some(match nearest(&word.to_ascii_lowercase(), &names) {
            Some(name) => error.hint(format!("did you mean {name}?")).fix(span, name, "write"),
            None => error.hint(format!("the functions are {}", names.join(", "))),
        })
    }
}

/// Whether a word reads as dice: `2d6`, `d20kh1`.
fn is_dice(word: &str) -> bool {
    let tail = word.trim_start_matches(|c: char| c.is_ascii_digit());
    tail.strip_prefix(['d', 'D'])
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit() || matches!(c, 'f' | 'F')))
}

/// The error for a name that is not set.
pub(crate) fn unknown_name(name: &str, span: Span, known: &[&str]) -> Error {
    let error = Error::new(Code::UnknownName, span, format!("unknown name {name}"));
    match nearest(name, known) {
        Some(near) => error.hint(format!("did you mean {near}?")).fix(span, near, "write"),
        None if name.chars().all(|c| c == 'd') => {
            error.hint("a die is written d and its sides").fix(span, "d6", "for a six-sided die write")
        }
        None => error.hint(format!("a name is set before it is used: {name} = 1d20; {name} + 5")),
    }
}
