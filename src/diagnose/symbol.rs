//! Characters and signs that do not fit.

use super::{Place, is_word};
use crate::error::{Code, Error};
use crate::grammar::span_of;

impl Place<'_> {
    /// A character that the notation does not have at all.
    pub(super) fn character(&self) -> Option<Error> {
        let c = self.first()?;
        if c.is_ascii_graphic() || "−×·÷".contains(c) {
            return None;
        }
        let span = self.first_span();
        let code = format!("U+{:04X}", u32::from(c));
        let visible = !c.is_control() && !is_invisible(c);
        let name =
            if visible { format!("`{c}` ({code})") } else { format!("an invisible character ({code})") };
        let error = Error::new(Code::Character, span, format!("{name} is not part of the notation"));
        Some(match look_alike(c) {
            Some(plain) => {
                // Where one character was copied from elsewhere, others may have been too.
                let all: String =
                    self.text.chars().map(|c| look_alike(c).unwrap_or_else(|| c.to_string())).collect();
                error.label(format!("write {plain}")).fix(span_of(0, self.text.len()), all, "write")
            }
            None if visible => error,
            None => error.hint("delete it: it may have come along when the text was copied"),
        })
    }

    /// Signs of comparison that stand wrong: `=<`, `==` in a condition, `!!!`.
    pub(super) fn sign(&self) -> Option<Error> {
        let around =
            |width: usize| self.at.checked_sub(1).and_then(|start| self.text.get(start..start + width));
        for (wrong, right) in [("=<", "<="), ("=>", ">=")] {
            let start = match (around(2), self.rest().starts_with(wrong)) {
                (Some(pair), _) if pair == wrong => self.at - 1,
                (_, true) => self.at,
                (_, false) => continue,
            };
            let span = span_of(start, start + 2);
            return Some(
                Error::new(Code::Unexpected, span, format!("{wrong} is not a comparison"))
                    .fix(span, right, "write"),
            );
        }
        if self.text[..self.at].ends_with('!') && self.rest().starts_with('!')
            || self.rest().starts_with("!!!")
        {
            let start = self.text[..self.at].trim_end_matches('!').len();
            let end = self.at + self.rest().len() - self.rest().trim_start_matches('!').len();
            return Some(
                Error::new(Code::Ambiguous, span_of(start, end), "three exclamation marks are not a step")
                    .hint("explode is !, compound is !!; to do both leave a blank between them"),
            );
        }
        let first = self.first()?;
        if !matches!(first, '<' | '>' | '=' | '!') {
            return None;
        }
        self.condition_sign(first)
    }

    /// `4d6c==6` and `4d6c!=6`.
    fn condition_sign(&self, first: char) -> Option<Error> {
        let doubled = first == '=' && self.before().ends_with('=');
        let start = if doubled { self.before().len() - 1 } else { self.at };
        let (wrong, right) = match self.text.get(start..start + 2)? {
            "==" => ("==", "="),
            "!=" => ("!=", "<>"),
            _ => return None,
        };
        let step = self.text[..start].trim_end().ends_with(|c: char| c.is_ascii_alphabetic());
        let span = span_of(start, start + 2);
        step.then(|| {
            Error::new(Code::Unexpected, span, format!("{wrong} is not written in conditions"))
                .fix(span, right, "write")
        })
    }

    /// Punctuation that does not fit where it stands.
    pub(super) fn symbol(&self) -> Option<Error> {
        let first = self.first()?;
        let span = self.first_span();
        let before = self.before();
        let error = |code, title: &str| Error::new(code, span, title);
        let open = self.open_bracket();
        Some(match first {
            ',' if before.ends_with(|c: char| c.is_ascii_digit())
                && self.rest()[1..].starts_with(|c: char| c.is_ascii_digit())
                && open.is_none() =>
            {
                error(Code::Unexpected, "a comma is no decimal sign")
                    .fix(span, ".", "for a decimal write")
                    .hint("commas stand between the arguments of a function, the members of a group and listed faces")
            }
            ',' => error(Code::Unexpected, "a comma does not fit here")
                .hint("commas stand between the arguments of a function, the members of a group and listed faces"),
            ')' | '}' | ']' if open.is_none_or(|(_, open)| !closes(open, first)) => {
                error(Code::Unexpected, "this closes a bracket that is not open")
            }
            '}' if before.ends_with('{') => error(Code::Faces, "there is nothing between { and }")
                .hint("faces are listed as in d{2,3,5}, results as in {2d6, 1d8}"),
            ')' if before.ends_with('(') => error(Code::MissingOperand, "there is nothing between ( and )"),
            '[' if !self.rest().lines().next().unwrap_or("").contains(']') => error(Code::Unclosed, "this label is not closed")
                .label("opened here")
                .hint("a label ends with ] on the same line"),
            '[' if before.ends_with(']') => error(Code::Unexpected, "a term has one label at most"),
            '[' if self.complete() => error(Code::Unexpected, "a label holds no [ of its own"),
            '[' => error(Code::Unexpected, "a label stands behind its term, as in 2d6[fire]"),
            ':' if before.ends_with('?') => {
                error(Code::MissingOperand, "something to roll is expected between ? and :")
            }
            ':' => error(Code::Unexpected, "there is no ? to which this : belongs"),
            ';' => error(Code::Unexpected, "; ends a definition, such as a = 1d20;"),
            '.' if before.ends_with(|c: char| c.is_ascii_digit()) => {
                error(Code::Unexpected, "digits are expected behind a decimal point")
            }
            '.' => error(Code::Unexpected, "a number begins with a digit").fix(span, "0.", "write"),
            '$' => error(Code::Unexpected, "$ has a meaning only in the => line of a house rule"),
            '!' if self.complete() => error(Code::NoPool, "only dice and groups explode")
                .hint("put ! directly behind the dice, as in 3d6!"),
            '=' if before.ends_with(is_word) => error(Code::Unexpected, "= sets a name only at the start of a statement that ends with ;"),
            _ => return None,
        })
    }
}

fn closes(open: char, close: char) -> bool {
    matches!((open, close), ('(', ')') | ('{', '}') | ('[', ']'))
}

fn is_invisible(c: char) -> bool {
    matches!(u32::from(c), 0x00AD | 0x180E | 0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x206F | 0xFEFF)
}

/// The plain character that one of another alphabet stands for.
fn look_alike(c: char) -> Option<String> {
    let plain = match c {
        '\u{2010}'..='\u{2015}' | '\u{FE58}' | '\u{FE63}' | '\u{FF0D}' => '-',
        '\u{2264}' => return Some("<=".to_owned()),
        '\u{2265}' => return Some(">=".to_owned()),
        '\u{2260}' => return Some("<>".to_owned()),
        '\u{2217}' | '\u{22C5}' | '\u{2022}' => '*',
        '\u{2044}' | '\u{2215}' => '/',
        // Full-width forms of ASCII.
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0)?,
        _ => return None,
    };
    Some(plain.to_string())
}
