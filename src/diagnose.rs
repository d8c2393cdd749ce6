//! From "the text stops fitting at this byte" to what a player needs to read.

use crate::ast::Span;
use crate::error::{Code, Error};
use crate::grammar::{Stop, span_of};

/// The error for a text that does not fit the grammar.
pub(crate) fn syntax(text: &str, stop: &Stop) -> Error {
    if text.trim().is_empty() {
        return Error::new(Code::Nothing, span_of(0, text.len()), "nothing to roll")
            .hint("write dice such as 2d6 or 4d6kh3+2");
    }
    let rest = &text[stop.at..];
    let width = rest.chars().next().map_or(0, char::len_utf8);
    Error::new(Code::Unexpected, span_of(stop.at, stop.at + width), format!("this is not understood: {rest}"))
}

/// The error for a name that is not set.
pub(crate) fn unknown_name(name: &str, span: Span, known: &[&str]) -> Error {
    let _ = known;
    Error::new(Code::UnknownName, span, format!("unknown name {name}"))
}
