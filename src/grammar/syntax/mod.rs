//! Reads the text of a grammar: rules with their expressions, notes and places.
//!
//! The language is that of pest, without its stack (`PUSH`, `PEEK` …). It is read here and not by pest's own reader because
//! a grammar may come from anywhere: this reader's work and depth are bounded by the length of the text, and
//! every fault has a place. The build script uses it too, hence without anything from the rest of the crate.

mod cursor;
mod expr;
mod fault;
mod literal;
mod rule;

pub use fault::{At, Fault};
pub use rule::{Expr, Kind, Rule, Shape};

use cursor::Reader;

/// The longest grammar that is read.
pub const MAX_LENGTH: usize = 256 * 1024;
/// The deepest nesting within one rule.
pub const MAX_DEPTH: usize = 64;
/// The most rules.
pub const MAX_RULES: usize = 2000;

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

impl Reader<'_> {
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
}
