//! What helps while a line is typed: completion, hints, highlighting, and the question whether the line is complete.

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

use dice::Code;
use rustyline::completion::{Completer, Pair};
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Context, Helper};

use super::{paint, vocabulary};
use crate::cli::language::Language;
use crate::cli::names::{Names, definition};
use crate::cli::odds_of;

/// The help, with the names of the session.
pub struct Help {
    pub language: Rc<Language>,
    pub names: Rc<RefCell<Names>>,
    pub color: bool,
}

impl Helper for Help {}

impl Validator for Help {
    /// An open bracket goes on in the next line.
    fn validate(&self, context: &mut ValidationContext) -> rustyline::Result<ValidationResult> {
        let open = self.goes_on(context.input());
        Ok(if open { ValidationResult::Incomplete } else { ValidationResult::Valid(None) })
    }
}

impl Help {
    /// Whether a bracket is open; a second Enter, on an empty line, gives up.
    pub fn goes_on(&self, line: &str) -> bool {
        let text = definition(line).map_or(line, |(_, text)| text);
        !line.ends_with('\n') && self.language.parse(text).is_err_and(|error| error.code() == Code::Unclosed)
    }
}

impl Completer for Help {
    type Candidate = Pair;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let before = &line[..at];
        if before.starts_with(':') && !before.contains(' ') {
            return Ok((0, pairs(vocabulary::COMMANDS.iter().copied(), before)));
        }
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let word = before.len() - before.trim_end_matches(is_word).len();
        let (word_at, word) = (at - word, &before[at - word..]);
        let names = self.names.borrow();
        let mut found = if word.starts_with(|c: char| c.is_ascii_alphabetic()) {
            pairs(names.iter(), word)
        } else {
            Vec::new()
        };
        if !found.is_empty() && word.contains(|c: char| c.is_ascii_digit()) {
            return Ok((word_at, found));
        }
        let letters = before.len() - before.trim_end_matches(|c: char| c.is_ascii_alphabetic()).len();
        let word = &before[at - letters..];
        let ready =
            before[..at - letters].trim_end().ends_with(|c: char| c.is_ascii_digit() || ")}%!".contains(c));
        if ready {
            found.extend(pairs(vocabulary::STEPS.iter().copied(), word));
        } else {
            found.extend(pairs(vocabulary::FUNCTIONS.iter().copied(), word));
        }
        Ok((at - letters, found))
    }
}

/// The entries that begin with a word.
fn pairs<'a>(entries: impl Iterator<Item = (&'a str, &'a str)>, word: &str) -> Vec<Pair> {
    let word = word.to_lowercase();
    let fits = entries.filter(|(entry, _)| entry.starts_with(&word));
    fits.map(|(entry, meaning)| Pair {
        display: format!("{entry:<13} {meaning}"),
        replacement: entry.to_owned(),
    })
    .collect()
}

impl Hinter for Help {
    type Hint = Meaning;

    fn hint(&self, line: &str, at: usize, _: &Context<'_>) -> Option<Meaning> {
        if at < line.len() || line.trim().is_empty() || line.starts_with(':') {
            return None;
        }
        let text = definition(line).map_or(line, |(_, text)| text);
        let expr = self.names.borrow().understand(text, &self.language).ok()?;
        let mut words: Vec<String> = paint::meaning(&expr).into_iter().map(str::to_owned).collect();
        words.extend(odds_of::quick_mean(&expr).map(|mean| format!("mean {}", odds_of::two(mean))));
        (!words.is_empty()).then(|| Meaning(format!("   {}", words.join(", "))))
    }
}

/// What a line means; it is only looked at, never put into the line.
pub struct Meaning(String);

impl rustyline::hint::Hint for Meaning {
    fn display(&self) -> &str {
        &self.0
    }

    fn completion(&self) -> Option<&str> {
        None
    }
}

impl Highlighter for Help {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        if !self.color || line.starts_with(':') {
            return Cow::Borrowed(line);
        }
        let text = definition(line).map_or(line, |(_, text)| text);
        let start = text.as_ptr() as usize - line.as_ptr() as usize;
        let (before, after) = (&line[..start], paint::comment(&line[start + text.len()..]));
        match self.language.parse(text) {
            Ok(expr) => Cow::Owned(format!("{before}{}{after}", paint::tree(&expr))),
            Err(error) if error.code() == Code::UnknownName => Cow::Borrowed(line),
            Err(error) => Cow::Owned(format!("{before}{}{after}", paint::fault(text, error.span()))),
        }
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        if self.color { Cow::Owned(format!("\x1b[2m{hint}\x1b[0m")) } else { Cow::Borrowed(hint) }
    }

    fn highlight_char(&self, _: &str, _: usize, _: CmdKind) -> bool {
        self.color
    }
}
