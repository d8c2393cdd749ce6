//! From "the text stops fitting at this byte" to what a player needs to read.
//!
//! The parser only says how far it came. What is wrong is guessed from the text around that place; every guess says
//! what is wrong in a player's words, and a repair is offered only if it leads to a text that parses.

mod ends;
mod names;
mod nearest;
mod symbol;
mod words;

use crate::ast::Span;
use crate::error::{Code, Error};
use crate::grammar::{Stop, span_of};

pub(crate) use names::unknown_name;
pub(crate) use nearest::nearest;

/// A text and the place at which it stops fitting.
struct Place<'t> {
    text: &'t str,
    /// The first byte that does not fit, blanks skipped.
    at: usize,
}

/// The error for a text that does not fit the grammar.
pub(crate) fn syntax(text: &str, stop: &Stop) -> Error {
    if text.trim().is_empty() {
        return Error::new(Code::Nothing, span_of(0, text.len()), "nothing to roll")
            .hint("write dice such as 2d6 or 4d6kh3+2");
    }
    let skipped = text[stop.at..].len() - text[stop.at..].trim_start().len();
    let place = Place { text, at: word_start(text, stop.at + skipped) };
    if place.before().is_empty() && place.rest().starts_with('#') {
        return Error::new(Code::Nothing, place.here(1), "nothing to roll: there is only a comment");
    }
    place
        .reserved_name()
        .or_else(|| place.character())
        .or_else(|| place.sign())
        .or_else(|| place.end())
        .or_else(|| place.unknown_function())
        .or_else(|| place.symbol())
        .or_else(|| place.word())
        .or_else(|| place.never_closed())
        .or_else(|| place.listed_faces())
        .or_else(|| place.missing_sides(&place.last_word().to_ascii_lowercase()))
        .or_else(|| place.side_by_side())
        .unwrap_or_else(|| place.unexpected())
}

/// The start of the word around a byte where the word has a blank before it: in `2d6 fire` the parser takes `f` for
/// a step and stops at `ire`.
fn word_start(text: &str, at: usize) -> usize {
    let head = text[..at].trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let inside = text[at..].starts_with(is_word) && head.len() < at;
    if inside
        && head.ends_with(char::is_whitespace)
        && !head.trim_end().ends_with(['+', '-', '*', '/', '(', ',', '{'])
    {
        head.len()
    } else {
        at
    }
}

impl<'t> Place<'t> {
    /// What stands before, without blanks at its end.
    fn before(&self) -> &'t str {
        self.text[..self.at].trim_end()
    }

    /// What does not fit.
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// A span of so many bytes from here.
    fn here(&self, width: usize) -> Span {
        span_of(self.at, self.at + width)
    }

    fn first(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The span of the first character.
    fn first_span(&self) -> Span {
        self.here(self.first().map_or(0, char::len_utf8))
    }

    /// The word that ends what stands before: letters, digits and `_`.
    fn last_word(&self) -> &'t str {
        let before = self.before();
        let start = before
            .rfind(|c: char| !is_word(c))
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        &before[start..]
    }

    /// Whether what stands before can be rolled as it is.
    fn complete(&self) -> bool {
        let before = self.before();
        let statement = before.rsplit(';').next().unwrap_or(before);
        !statement.trim().is_empty()
            && self.open_bracket().is_none()
            && before.ends_with(|c: char| is_word(c) || matches!(c, ')' | '}' | ']' | '%' | '!'))
    }

    /// The innermost bracket that is open here, and the character itself.
    fn open_bracket(&self) -> Option<(usize, char)> {
        let mut open = Vec::new();
        let mut label = None;
        for (at, c) in self.text[..self.at].char_indices() {
            match (label, c) {
                (Some(_), ']') => label = None,
                (Some(_), _) => {}
                (None, '[') => label = Some(at),
                (None, '(' | '{') => open.push((at, c)),
                (None, ')' | '}') => {
                    open.pop();
                }
                (None, _) => {}
            }
        }
        label.map(|at| (at, '[')).or_else(|| open.pop())
    }

    /// `2d`: the letter for dice without sides.
    fn missing_sides(&self, word: &str) -> Option<Error> {
        let head = word.strip_suffix('d')?;
        let dice = head.chars().all(|c| c.is_ascii_digit());
        let end = self.before().len();
        dice.then(|| {
            Error::new(Code::MissingSides, span_of(end - 1, end), "how many sides does the die have?")
                .label("a number, %, F or {…} is expected after d")
                .fix(span_of(end, end), "6", "for six sides write")
        })
    }

    /// `d{1..3:2}`: the braces behind `d` do not list faces.
    fn listed_faces(&self) -> Option<Error> {
        let word = self.last_word().to_ascii_lowercase();
        let count = word.strip_suffix('d')?;
        (self.first() == Some('{') && count.bytes().all(|b| b.is_ascii_digit())).then(|| {
            Error::new(Code::Faces, self.first_span(), "these faces are not understood")
                .hint("faces are listed as in d{2,3,5}, with ranges as in 1..3 and weights as in 5:2")
        })
    }

    /// A step that lacks its condition or its number.
    fn missing_amount(&self) -> Option<Error> {
        let before = self.before();
        let letters = before.len() - before.trim_end_matches(|c: char| c.is_ascii_alphabetic()).len();
        let start = before.len() - letters;
        let word = before[start..].to_ascii_lowercase();
        let what = match &*word {
            "r" | "rr" | "ro" | "rb" | "reroll" | "once" | "better" | "c" | "count" | "f" | "fail" => {
                "a condition, such as 1 or <=2"
            }
            "mi" | "min" | "ma" | "max" | "least" | "most" | "lim" | "limit" => "a number",
            _ => return None,
        };
        // Without dice before it the word is no step.
        if start == 0 {
            return None;
        }
        let span = span_of(start, before.len());
        Some(Error::new(Code::MissingAmount, span, format!("{what} is expected after {word}")))
    }

    /// Two operands with nothing between them.
    fn side_by_side(&self) -> Option<Error> {
        let first = self.first()?;
        let operand = is_word(first) || matches!(first, '(' | '{');
        if !operand
            || !self.before().ends_with(|c: char| is_word(c) || matches!(c, ')' | '}' | ']' | '%' | '!'))
        {
            return None;
        }
        if first == '('
            && let Some(error) = self.plain_condition()
        {
            return Some(error);
        }
        let width = self.rest().find(|c: char| !is_word(c)).unwrap_or(self.rest().len()).max(1);
        let what = &self.rest()[..width];
        let error = Error::new(
            Code::MissingOperator,
            self.here(width),
            format!("an operator is missing before {what}"),
        );
        let gap = span_of(self.before().len(), self.at);
        Some(if first == '(' {
            error.fix(gap, "*", "to multiply write")
        } else {
            error.fix(gap, " + ", "to add write")
        })
    }

    /// `2d6!(3)`, `2d6c(3)`, `2d6c-1`: a condition that needs a sign.
    fn plain_condition(&self) -> Option<Error> {
        let before = self.before();
        let letters = before.len() - before.trim_end_matches(|c: char| c.is_ascii_alphabetic()).len();
        let word = before[before.len() - letters..].to_ascii_lowercase();
        let word = word.strip_prefix("df").unwrap_or(&word);
        let step = before.ends_with('!')
            || matches!(
                word,
                "r" | "rr" | "ro" | "rb" | "c" | "f" | "count" | "fail" | "reroll" | "once" | "better"
            );
        let sign = span_of(self.at, self.at);
        step.then(|| {
            Error::new(Code::MissingAmount, self.first_span(), "a condition needs a sign before this")
                .hint("without a sign a condition is a plain number, a set, even or odd")
                .fix(sign, "=", "write")
        })
    }

    fn unexpected(&self) -> Error {
        if self.first() == Some('-')
            && let Some(error) = self.plain_condition()
        {
            return error;
        }
        let what = self.first().map_or_else(|| "the end".to_owned(), |c| format!("`{c}`"));
        let error = Error::new(Code::Unexpected, self.first_span(), format!("{what} does not fit here"));
        if self.complete() {
            error.hint("to add a comment, write # before it")
        } else {
            error.label("something to roll is expected")
        }
    }
}

/// Whether a character can be part of a name or a number.
fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
