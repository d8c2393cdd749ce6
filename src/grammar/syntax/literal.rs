//! Reads what stands in quotes, with its escapes.

use super::cursor::Reader;
use super::{At, Fault};

impl Reader<'_> {
    pub(super) fn string(&mut self) -> Result<String, Fault> {
        let start = self.pos;
        if !self.eat("\"") {
            return Err(self.unexpected("a text in quotes is expected here"));
        }
        let mut string = String::new();
        loop {
            match self.peek() {
                Some('"') => {
                    self.pos += 1;
                    return Ok(string);
                }
                Some('\\') => string.push(self.escape()?),
                Some(other) => {
                    self.pos += other.len_utf8();
                    string.push(other);
                }
                None => {
                    return Err(Fault::new(
                        At { start, end: start + 1 },
                        "this text is not closed by a second \"",
                    ));
                }
            }
        }
    }

    pub(super) fn character(&mut self) -> Result<char, Fault> {
        let start = self.pos;
        if !self.eat("'") {
            return Err(self.unexpected("a character in single quotes is expected here"));
        }
        let character = match self.peek() {
            Some('\\') => self.escape()?,
            Some(other) if other != '\'' => {
                self.pos += other.len_utf8();
                other
            }
            _ => return Err(self.unexpected("one character is expected here")),
        };
        if self.eat("'") {
            Ok(character)
        } else {
            Err(Fault::new(At { start, end: start + 1 }, "this character is not closed by a second '"))
        }
    }

    fn escape(&mut self) -> Result<char, Fault> {
        let start = self.pos;
        self.pos += 1;
        let letter = self.peek();
        self.pos += letter.map_or(0, char::len_utf8);
        let code = |digits: &str| u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
        let hex = |text: &str| text.bytes().take_while(u8::is_ascii_hexdigit).count();
        let found = match letter {
            Some(same @ ('"' | '\\' | '\'')) => Some(same),
            Some('r') => Some('\r'),
            Some('n') => Some('\n'),
            Some('t') => Some('\t'),
            Some('0') => Some('\0'),
            Some('x') if hex(self.rest()) >= 2 => {
                self.pos += 2;
                code(&self.text[self.pos - 2..self.pos])
            }
            Some('u') if self.eat("{") => {
                let digits = hex(self.rest());
                let found = code(&self.rest()[..digits]);
                self.pos += digits;
                found.filter(|_| (2..=6).contains(&digits) && self.eat("}"))
            }
            _ => None,
        };
        found.ok_or_else(|| {
            Fault::new(self.since(start), "this escape is not known")
                .hint("known are \\\" \\\\ \\' \\n \\r \\t \\0 \\x41 and \\u{e9}")
        })
    }
}
