//! The text of a grammar and how far it is read: tokens, blanks and comments, but nothing of what they mean together.

use super::{At, Fault};

pub(super) struct Reader<'t> {
    pub text: &'t str,
    pub pos: usize,
    /// How many levels are open within one rule.
    pub depth: usize,
}

impl<'t> Reader<'t> {
    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.pos..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn eat(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.pos += token.len();
        }
        found
    }

    /// The place of what comes next.
    pub(super) fn here(&self) -> At {
        At { start: self.pos, end: self.pos + self.peek().map_or(0, char::len_utf8) }
    }

    pub(super) fn since(&self, start: usize) -> At {
        At { start, end: self.pos }
    }

    pub(super) fn need(&mut self, token: &str, why: &str) -> Result<(), Fault> {
        self.blanks()?;
        if self.eat(token) {
            Ok(())
        } else {
            Err(self.unexpected(&format!("`{token}` is expected here, {why}")))
        }
    }

    pub(super) fn unexpected(&self, what: &str) -> Fault {
        let end = if self.rest().is_empty() { ", but the grammar ends" } else { "" };
        Fault::new(self.here(), format!("{what}{end}"))
    }

    /// The rest of the line.
    pub(super) fn line(&mut self) -> &'t str {
        let rest = self.rest();
        let line = rest.split('\n').next().unwrap_or(rest);
        self.pos += line.len();
        line
    }

    /// Skips blanks and comments, but not `///` and `//!`.
    pub(super) fn blanks(&mut self) -> Result<(), Fault> {
        loop {
            let rest = self.rest();
            let blank = rest.bytes().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n')).count();
            if blank > 0 {
                self.pos += blank;
            } else if rest.starts_with("\r\n") {
                self.pos += 2;
            } else if rest.starts_with("//") && !rest.starts_with("///") && !rest.starts_with("//!") {
                self.line();
            } else if rest.starts_with("/*") {
                self.block_comment()?;
            } else {
                return Ok(());
            }
        }
    }

    /// Comments nest; counting keeps that linear.
    pub(super) fn block_comment(&mut self) -> Result<(), Fault> {
        let start = self.pos;
        let mut open = 0_usize;
        while let Some(next) = self.peek() {
            if self.eat("/*") {
                open += 1;
            } else if self.eat("*/") {
                open -= 1;
                if open == 0 {
                    return Ok(());
                }
            } else {
                self.pos += next.len_utf8();
            }
        }
        Err(Fault::new(At { start, end: start + 2 }, "this comment is not closed"))
    }

    pub(super) fn name(&mut self) -> Option<String> {
        let rest = self.rest();
        let length = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        let name = &rest[..length];
        if name.is_empty() || name.starts_with(|first: char| first.is_ascii_digit()) {
            return None;
        }
        self.pos += length;
        Some(name.to_owned())
    }
}
