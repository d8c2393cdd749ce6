//! An error as lines of text: the place with a caret, cut to what fits however long the text is.

use std::fmt;

use super::Error;

/// The longest word that an error repeats in full, in characters.
const WORD: usize = 60;

/// A sentence in which no word is longer than [`WORD`], so that an error stays short whatever was typed.
pub(super) fn shortened(sentence: String) -> String {
    if sentence.len() <= WORD {
        return sentence;
    }
    let mut short = String::with_capacity(sentence.len().min(400));
    let mut length = 0;
    for c in sentence.chars() {
        length = if c.is_whitespace() { 0 } else { length + 1 };
        if length <= WORD {
            short.push(c);
        } else if length == WORD + 1 {
            short.push('…');
        }
    }
    short
}

/// How much of a long line is shown on each side of the caret.
const CONTEXT: usize = 60;

impl Error {
    /// The place in characters of its line, counted from 1: line, first column, columns covered (at least 1).
    #[must_use]
    pub fn position(&self) -> (usize, usize, usize) {
        let text = self.text();
        let start = floor_boundary(text, self.parts.span.start as usize);
        let end = floor_boundary(text, (self.parts.span.end as usize).max(start));
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line = text[..start].matches('\n').count() + 1;
        let covered = text[start..end].split('\n').next().unwrap_or("");
        (line, text[line_start..start].chars().count() + 1, covered.chars().count().max(1))
    }
}

/// The nearest boundary of a character at or before a byte.
fn floor_boundary(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.title())?;
        if !self.text().is_empty() {
            let (line, column, width) = self.position();
            let shown: Vec<char> = self.text().split('\n').nth(line - 1).unwrap_or("").chars().collect();
            let first = (column - 1).saturating_sub(CONTEXT);
            let last = shown.len().min(column - 1 + width.min(CONTEXT) + CONTEXT);
            let excerpt: String = shown[first..last]
                .iter()
                .map(|c| if c.is_control() || c.is_whitespace() { ' ' } else { *c })
                .collect();
            let (before, after) =
                (if first > 0 { "… " } else { "" }, if last < shown.len() { " …" } else { "" });
            let indent = column - 1 - first + before.chars().count();
            let carets = "^".repeat(width.min(CONTEXT));
            let caption =
                if self.caption().is_empty() { String::new() } else { format!(" {}", self.caption()) };
            write!(f, "\n  {before}{excerpt}{after}\n  {:indent$}{carets}{caption}", "")?;
        }
        for note in self.notes() {
            write!(f, "\n{note}")?;
        }
        for fix in self.fixes() {
            let mut repaired = self.text().to_owned();
            repaired.replace_range(fix.span.range(), &fix.text);
            write!(f, "\n{}: {}", fix.why, shortened(repaired))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {self}", self.parts.code.number())
    }
}
