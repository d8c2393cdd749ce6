//! Reads the text of a grammar: rules with their expressions, notes and places.
//!
//! The language is that of pest, without its stack (`PUSH`, `PEEK` …). It is read here and not by pest's own reader because
//! a grammar may come from anywhere: this reader's work and depth are bounded by the length of the text, and
//! every fault has a place. The build script uses it too, hence without anything from the rest of the crate.

/// A range of bytes of the grammar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct At {
    /// The first byte.
    pub start: usize,
    /// The byte behind the last.
    pub end: usize,
}

/// What is wrong with a grammar, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The place.
    pub at: At,
    /// One line that says what is wrong.
    pub what: String,
    /// What to do about it, or nothing.
    pub hint: String,
}

impl Fault {
    /// A fault without advice.
    pub fn new(at: At, what: impl Into<String>) -> Fault {
        Fault { at, what: what.into(), hint: String::new() }
    }

    /// Adds advice.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Fault {
        self.hint = hint.into();
        self
    }
}

/// One rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name.
    pub name: String,
    /// Where the name stands.
    pub at: At,
    /// Where the rule ends: behind its closing brace.
    pub end: usize,
    /// The sign before its brace.
    pub kind: Kind,
    /// What it matches.
    pub body: Expr,
    /// Its `///` lines, without the one that begins with `=>`.
    pub notes: Vec<String>,
    /// For a house rule: the notation it stands for, and the byte at which that begins.
    pub expansion: Option<(String, usize)>,
}

/// How a rule treats blanks and leaves nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `{ }`
    Normal,
    /// `_{ }`
    Silent,
    /// `@{ }`
    Atomic,
    /// `${ }`
    Compound,
    /// `!{ }`
    NonAtomic,
}

/// An expression and its place.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub shape: Shape,
    /// Where it stands.
    pub at: At,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum Shape {
    /// `"a"`
    Text(String),
    /// `^"a"`
    AnyCase(String),
    /// `'a'..'z'`
    Range(char, char),
    /// A rule, of the grammar or built in.
    Name(String),
    /// `&e`
    And(Box<Expr>),
    /// `!e`
    Not(Box<Expr>),
    /// `a ~ b`
    Sequence(Vec<Expr>),
    /// `a | b`
    Choice(Vec<Expr>),
    /// `e?`
    Optional(Box<Expr>),
    /// `e*`
    Star(Box<Expr>),
    /// `e+`
    Plus(Box<Expr>),
    /// `e{2,5}`, `e{2}`, `e{2,}`, `e{,5}`
    Times(Box<Expr>, u32, Option<u32>),
}

impl Expr {
    /// The expressions directly inside.
    pub fn parts(&self) -> &[Expr] {
        match &self.shape {
            Shape::Text(_) | Shape::AnyCase(_) | Shape::Range(..) | Shape::Name(_) => &[],
            Shape::And(inner)
            | Shape::Not(inner)
            | Shape::Optional(inner)
            | Shape::Star(inner)
            | Shape::Plus(inner)
            | Shape::Times(inner, ..) => std::slice::from_ref(&**inner),
            Shape::Sequence(parts) | Shape::Choice(parts) => parts,
        }
    }
}

/// The longest grammar that is read.
pub const MAX_LENGTH: usize = 256 * 1024;
/// The deepest nesting within one rule.
pub const MAX_DEPTH: usize = 64;
/// The most rules.
pub const MAX_RULES: usize = 2000;
/// The largest number of repetitions that is written out.
const MAX_TIMES: u32 = 100;

/// Reads a grammar.
///
/// # Errors
/// The first thing that is no grammar.
pub fn read(text: &str) -> Result<Vec<Rule>, Fault> {
    if text.len() > MAX_LENGTH {
        let what =
            format!("the grammar is too long: {} bytes, where {MAX_LENGTH} are read at most", text.len());
        return Err(Fault::new(At::default(), what));
    }
    let mut reader = Reader { text, pos: 0, depth: 0 };
    let mut rules: Vec<Rule> = Vec::new();
    let (mut notes, mut expansion) = (Vec::new(), None);
    loop {
        reader.blanks()?;
        let start = reader.pos;
        if reader.rest().is_empty() {
            return Ok(rules);
        } else if reader.rest().starts_with("//!") && rules.is_empty() && notes.is_empty() {
            reader.line();
        } else if reader.eat("///") {
            let from = reader.pos;
            let line = reader.line();
            match line.trim_start().strip_prefix("=>") {
                Some(notation) if expansion.is_none() => {
                    let at = from + line.len() - notation.trim_start().len();
                    expansion = Some((notation.trim().to_owned(), at));
                }
                Some(_) => {
                    let at = At { start, end: reader.pos };
                    return Err(Fault::new(
                        at,
                        "a house rule stands for one notation: here is a second => line",
                    ));
                }
                None => notes.push(line.trim().to_owned()),
            }
        } else {
            let rule = reader.rule(std::mem::take(&mut notes), expansion.take())?;
            rules.push(rule);
            if rules.len() > MAX_RULES {
                return Err(Fault::new(
                    At { start, end: start + 1 },
                    format!("there are more than {MAX_RULES} rules"),
                ));
            }
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    pos: usize,
    depth: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.pos..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.pos += token.len();
        }
        found
    }

    /// The place of what comes next.
    fn here(&self) -> At {
        At { start: self.pos, end: self.pos + self.peek().map_or(0, char::len_utf8) }
    }

    fn since(&self, start: usize) -> At {
        At { start, end: self.pos }
    }

    fn need(&mut self, token: &str, why: &str) -> Result<(), Fault> {
        self.blanks()?;
        if self.eat(token) {
            Ok(())
        } else {
            Err(self.unexpected(&format!("`{token}` is expected here, {why}")))
        }
    }

    fn unexpected(&self, what: &str) -> Fault {
        let end = if self.rest().is_empty() { ", but the grammar ends" } else { "" };
        Fault::new(self.here(), format!("{what}{end}"))
    }

    /// The rest of the line.
    fn line(&mut self) -> &'t str {
        let rest = self.rest();
        let line = rest.split('\n').next().unwrap_or(rest);
        self.pos += line.len();
        line
    }

    /// Skips blanks and comments, but not `///` and `//!`.
    fn blanks(&mut self) -> Result<(), Fault> {
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
    fn block_comment(&mut self) -> Result<(), Fault> {
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

    fn rule(&mut self, notes: Vec<String>, expansion: Option<(String, usize)>) -> Result<Rule, Fault> {
        let start = self.pos;
        let Some(name) = self.name() else {
            return Err(self.unexpected("a rule is expected here: its name, =, and { }"));
        };
        let at = self.since(start);
        self.need("=", &format!("behind the name of the rule {name}"))?;
        self.blanks()?;
        let kind = match self.peek() {
            Some('_') => Kind::Silent,
            Some('@') => Kind::Atomic,
            Some('$') => Kind::Compound,
            Some('!') => Kind::NonAtomic,
            _ => Kind::Normal,
        };
        if kind != Kind::Normal {
            self.pos += 1;
        }
        self.need("{", &format!("to begin the rule {name}"))?;
        let body = self.choice()?;
        self.need("}", &format!("to end the rule {name}; between two parts stands ~ or |"))?;
        Ok(Rule { name, at, end: self.pos, kind, body, notes, expansion })
    }

    fn name(&mut self) -> Option<String> {
        let rest = self.rest();
        let length = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        let name = &rest[..length];
        if name.is_empty() || name.starts_with(|first: char| first.is_ascii_digit()) {
            return None;
        }
        self.pos += length;
        Some(name.to_owned())
    }

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

    fn choice(&mut self) -> Result<Expr, Fault> {
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

    fn string(&mut self) -> Result<String, Fault> {
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

    fn character(&mut self) -> Result<char, Fault> {
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
