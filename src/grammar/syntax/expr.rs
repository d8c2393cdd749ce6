//! Reads expressions, one function a level of precedence. Only here does the reader recurse, so only here is its depth bounded.

use super::cursor::Reader;
use super::{At, Expr, Fault, MAX_DEPTH, Shape};

/// The largest number of repetitions that is written out.
const MAX_TIMES: u32 = 100;

impl Reader<'_> {
    /// Goes one level deeper, or refuses to.
    fn deeper(&mut self) -> Result<(), Fault> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Fault::new(
                self.here(),
                format!("this nests too deep: more than {MAX_DEPTH} levels in one rule"),
            )
            .hint("give a part of it a rule of its own"));
        }
        Ok(())
    }

    pub(super) fn choice(&mut self) -> Result<Expr, Fault> {
        self.deeper()?;
        self.blanks()?;
        let start = self.pos;
        self.eat("|");
        let mut parts = vec![self.sequence()?];
        loop {
            self.blanks()?;
            if !self.eat("|") {
                break;
            }
            parts.push(self.sequence()?);
        }
        self.depth -= 1;
        Ok(self.joined(start, parts, Shape::Choice))
    }

    fn sequence(&mut self) -> Result<Expr, Fault> {
        self.blanks()?;
        let start = self.pos;
        let mut parts = vec![self.term()?];
        loop {
            self.blanks()?;
            if !self.eat("~") {
                break;
            }
            parts.push(self.term()?);
        }
        Ok(self.joined(start, parts, Shape::Sequence))
    }

    fn joined(&self, start: usize, mut parts: Vec<Expr>, join: fn(Vec<Expr>) -> Shape) -> Expr {
        match parts.pop() {
            Some(only) if parts.is_empty() => only,
            last => {
                parts.extend(last);
                let end = parts.last().map_or(self.pos, |part| part.at.end);
                Expr { shape: join(parts), at: At { start, end } }
            }
        }
    }

    fn term(&mut self) -> Result<Expr, Fault> {
        let depth = self.depth;
        self.blanks()?;
        if self.eat("#") {
            // A tag: `#count = number`. Nothing here looks at tags.
            self.name().ok_or_else(|| self.unexpected("a tag's name is expected here"))?;
            self.need("=", "behind a tag")?;
            self.blanks()?;
        }
        let mut prefixes = Vec::new();
        while let Some(sign @ ('&' | '!')) = self.peek() {
            prefixes.push((sign, self.pos));
            self.deeper()?;
            self.pos += 1;
            self.blanks()?;
        }
        let start = self.pos;
        let mut expr = self.node()?;
        loop {
            let end = self.pos;
            self.blanks()?;
            let shape: fn(Box<Expr>) -> Shape = match self.peek() {
                Some('?') => Shape::Optional,
                Some('*') => Shape::Star,
                Some('+') => Shape::Plus,
                Some('{') => {
                    self.deeper()?;
                    let (least, most) = self.times()?;
                    expr = Expr { shape: Shape::Times(Box::new(expr), least, most), at: self.since(start) };
                    continue;
                }
                _ => {
                    expr.at.end = end;
                    break;
                }
            };
            self.deeper()?;
            self.pos += 1;
            expr = Expr { shape: shape(Box::new(expr)), at: self.since(start) };
        }
        for (sign, start) in prefixes.into_iter().rev() {
            let at = At { start, end: expr.at.end };
            let inner = Box::new(expr);
            expr = Expr { shape: if sign == '&' { Shape::And(inner) } else { Shape::Not(inner) }, at };
        }
        self.depth = depth;
        Ok(expr)
    }

    /// `{n}`, `{n,}`, `{,n}` or `{n,m}`.
    fn times(&mut self) -> Result<(u32, Option<u32>), Fault> {
        let start = self.pos;
        self.pos += 1;
        let least = self.times_number()?;
        self.blanks()?;
        let most = if self.eat(",") { self.times_number()? } else { least };
        self.need("}", "to end the number of repetitions")?;
        let at = self.since(start);
        if [least, most].into_iter().flatten().any(|times| times > MAX_TIMES) {
            return Err(Fault::new(at, format!("more than {MAX_TIMES} repetitions cannot be written out"))
                .hint("* and + repeat without a number"));
        }
        match (least, most) {
            (None, None) => Err(Fault::new(at, "a number of repetitions is expected here")),
            (_, Some(0)) => Err(Fault::new(at, "nothing can be repeated 0 times")),
            (Some(least), Some(most)) if least > most => {
                Err(Fault::new(at, format!("at least {least} and at most {most} contradict each other")))
            }
            (least, most) => Ok((least.unwrap_or(0), most)),
        }
    }

    fn times_number(&mut self) -> Result<Option<u32>, Fault> {
        self.blanks()?;
        let rest = self.rest();
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        self.pos += length;
        Ok((length > 0).then(|| rest[..length].parse().unwrap_or(u32::MAX)))
    }

    fn node(&mut self) -> Result<Expr, Fault> {
        let start = self.pos;
        let shape = match self.peek() {
            Some('(') => {
                self.pos += 1;
                let inner = self.choice()?;
                self.blanks()?;
                if !self.eat(")") {
                    return Err(self.unexpected("this does not fit: `~`, `|` or `)` is expected here"));
                }
                return Ok(Expr { at: self.since(start), ..inner });
            }
            Some('"') => Shape::Text(self.string()?),
            Some('^') => {
                self.pos += 1;
                self.blanks()?;
                Shape::AnyCase(self.string()?)
            }
            Some('\'') => {
                let low = self.character()?;
                self.need("..", "between the ends of a range")?;
                self.blanks()?;
                Shape::Range(low, self.character()?)
            }
            _ => match self.name() {
                Some(name) => {
                    if name.starts_with("PUSH")
                        || ["PEEK", "PEEK_ALL", "POP", "POP_ALL", "DROP"].contains(&&*name)
                    {
                        return Err(Fault::new(self.since(start), format!("{name} is not known here"))
                            .hint("pest's stack (PUSH, PEEK, POP, DROP) is of no use to this notation"));
                    }
                    Shape::Name(name)
                }
                None => return Err(self.unexpected("a rule's name, a text in quotes or ( is expected here")),
            },
        };
        Ok(Expr { shape, at: self.since(start) })
    }
}
