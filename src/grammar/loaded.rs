//! A grammar that is read at run time.

use std::fmt;
use std::sync::Arc;

use super::book::Book;
use super::code::Code as Program;
use super::compile::compile;
use super::entangled::too_long;
use super::expansions::Expansions;
use super::machine::{End, Token, run};
use super::syntax::{self, Fault};
use super::{Reader, SOURCE, Stop, Tree, span_of};
use crate::ast::{Expr, Inner, Span};
use crate::diagnose;
use crate::error::{Code, Error};
use crate::limits::Limits;
use crate::lower::{Lower, Role};

/// The notation as a grammar file has it: other spellings and house rules without a line of Rust.
///
/// A grammar file is a copy of the built-in grammar ([`Grammar::built_in`], `dice grammar`) with other texts in it, or with house
/// rules: rules whose `///` comment has a line that begins with `=>` and stand for the notation on that line.
///
/// ```
/// use dice::{Grammar, Limits, Script};
/// let systems = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/grammars/systems.pest"));
/// let grammar = Grammar::load(systems)?;
/// let expr = grammar.parse("sr 4 + 1", &Limits::default())?;
/// assert_eq!(expr.roll(&mut Script::new([1, 5, 6, 2]))?.total(), 3.into());
/// # Ok::<(), dice::Error>(())
/// ```
#[derive(Clone)]
pub struct Grammar {
    pub(super) inner: Arc<Loaded>,
}

pub(super) struct Loaded {
    pub source: Arc<str>,
    pub book: Book,
    pub program: Program,
    pub expansions: Expansions,
}

/// A rule of a grammar, for people who read it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RuleInfo {
    /// Its name.
    pub name: String,
    /// The rule as it stands in the grammar, without its comment.
    pub source: String,
    /// The line of its name, counted from 1.
    pub line: usize,
    /// What its `///` lines say.
    pub notes: Vec<String>,
    /// For a house rule: what it stands for.
    pub expansion: Option<String>,
    /// The texts in backticks of its `///` lines.
    pub examples: Vec<String>,
}

impl Grammar {
    /// Reads a grammar.
    ///
    /// # Errors
    /// The first thing that is wrong with it, with its place; [`Grammar::faults`] has them all. The text of the error is that of the
    /// grammar.
    pub fn load(text: &str) -> Result<Grammar, Error> {
        Grammar::read(text).map_err(|mut errors| errors.swap_remove(0))
    }

    /// Everything that is wrong with a grammar.
    #[must_use]
    pub fn faults(text: &str) -> Vec<Error> {
        Grammar::read(text).err().unwrap_or_default()
    }

    fn read(text: &str) -> Result<Grammar, Vec<Error>> {
        let kept = if text.len() > syntax::MAX_LENGTH { "" } else { text };
        let source: Arc<str> = Arc::from(kept);
        let failed = |fault: &Fault| fault_error(&source, fault);
        let rules = syntax::read(text).map_err(|fault| vec![failed(&fault)])?;
        let book = Book::new(rules).map_err(|faults| faults.iter().map(failed).collect::<Vec<_>>())?;
        let program = compile(&book).map_err(|fault| vec![failed(&fault)])?;
        let mut loaded =
            Loaded { source: Arc::clone(&source), book, program, expansions: Expansions::default() };
        loaded.expansions = Expansions::load(&loaded.book, &source, &loaded).map_err(|error| vec![error])?;
        Ok(Grammar { inner: Arc::new(loaded) })
    }

    /// The grammar that is compiled into the crate, as one that is read: the texts mean the same.
    ///
    /// # Panics
    /// Never; should the built-in grammar not load, an empty one is given that refuses every text.
    #[must_use]
    pub fn built_in() -> Grammar {
        Grammar::load(SOURCE).unwrap_or_else(|_| Grammar { inner: Arc::new(Loaded::empty()) })
    }

    /// Parses a text with this grammar, as [`Expr::parse`] does with the one that is compiled in.
    ///
    /// # Errors
    /// What is wrong with the text, and where.
    pub fn parse(&self, text: &str, limits: &Limits) -> Result<Expr, Error> {
        crate::parse::parse(&*self.inner, text, limits)
    }

    /// The text of the grammar.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.inner.source
    }

    /// Its rules, in the order in which they stand.
    #[must_use]
    pub fn rules(&self) -> Vec<RuleInfo> {
        let source = &self.inner.source;
        let rule = |rule: &syntax::Rule| RuleInfo {
            name: rule.name.clone(),
            source: source[rule.at.start..rule.end].to_owned(),
            line: line(source, rule.at.start),
            notes: rule.notes.clone(),
            expansion: rule.expansion.as_ref().map(|(notation, _)| notation.clone()),
            examples: examples(&rule.notes),
        };
        self.inner.book.rules.iter().map(rule).collect()
    }
}

impl fmt::Debug for Grammar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Grammar({} rules)", self.inner.book.rules.len())
    }
}

impl Loaded {
    fn empty() -> Loaded {
        let book =
            Book { rules: Vec::new(), roles: Vec::new(), index: std::collections::HashMap::new(), start: 0 };
        Loaded { source: Arc::from(""), book, program: Program::default(), expansions: Expansions::default() }
    }
}

/// The texts in backticks.
pub(super) fn examples(notes: &[String]) -> Vec<String> {
    notes.iter().flat_map(|note| note.split('`').skip(1).step_by(2).map(str::to_owned)).collect()
}

impl Reader for Loaded {
    fn read(&self, text: &Arc<str>, lower: &mut Lower<'_>) -> Result<Inner, Error> {
        match run(&self.program, text).end {
            End::Fits(tokens) => {
                let tree = Node { loaded: self, tokens: &tokens, text, index: 0 };
                let inner = lower.roll(tree, text);
                inner.map_err(|error| {
                    if error.code() == Code::Internal { misfit(&error, self, &tokens) } else { error }
                })
            }
            End::Stops(at) => Err(diagnose::syntax(text, &Stop { at })),
            End::Busy => Err(too_long(text)),
        }
    }

    fn expansions(&self) -> Result<&Expansions, Error> {
        Ok(&self.expansions)
    }
}

/// The error for a node in a place where the lowering does not expect it.
fn misfit(error: &Error, loaded: &Loaded, tokens: &[Token]) -> Error {
    let span = error.span();
    let rule =
        tokens.iter().rev().find(|token| token.span == span).map_or("", |token| loaded.name(token.rule));
    Error::new(Code::Unexpected, span, format!("the grammar puts {rule} where it means nothing"))
        .hint("the built-in grammar (dice grammar) shows where each rule may stand")
}

impl Loaded {
    pub(super) fn name(&self, rule: u32) -> &str {
        self.book.rules.get(rule as usize).map_or("", |rule| &rule.name)
    }
}

/// A node of a tree that was parsed with a grammar that was read.
#[derive(Clone, Copy)]
pub(super) struct Node<'t> {
    loaded: &'t Loaded,
    tokens: &'t [Token],
    text: &'t str,
    index: usize,
}

pub(super) struct Children<'t> {
    parent: Node<'t>,
    next: usize,
    end: usize,
}

impl<'t> Iterator for Children<'t> {
    type Item = Node<'t>;

    fn next(&mut self) -> Option<Node<'t>> {
        if self.next >= self.end {
            return None;
        }
        let child = Node { index: self.next, ..self.parent };
        self.next = child.token().map_or(self.end, |token| token.next as usize).max(self.next + 1);
        Some(child)
    }
}

impl<'t> Node<'t> {
    fn token(&self) -> Option<&'t Token> {
        self.tokens.get(self.index)
    }
}

impl<'t> Tree for Node<'t> {
    const COMPILED: bool = false;
    type Children = Children<'t>;

    fn role(&self) -> Role {
        let role = self.token().and_then(|token| self.loaded.book.roles.get(token.rule as usize));
        role.copied().unwrap_or(Role::Silent)
    }

    fn span(&self) -> Span {
        self.token().map_or_else(Span::default, |token| token.span)
    }

    fn text(&self) -> &str {
        self.text.get(self.span().range()).unwrap_or("")
    }

    fn children(self) -> Children<'t> {
        let end = self.token().map_or(0, |token| token.next as usize);
        Children { next: self.index + 1, end, parent: self }
    }

    fn is(&self, rule: &str) -> bool {
        self.token().is_some_and(|token| self.loaded.name(token.rule) == rule)
    }
}

/// The line of a byte, counted from 1.
pub(super) fn line(source: &str, at: usize) -> usize {
    source.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count() + 1
}

/// A message about a place of a grammar.
pub(super) fn at_line(source: &str, at: usize, message: &str) -> String {
    format!("line {} of the grammar: {message}", line(source, at))
}

/// A fault of a grammar as an error.
pub(super) fn fault_error(source: &Arc<str>, fault: &Fault) -> Error {
    let span = span_of(fault.at.start, fault.at.end);
    // Without a place it is about the grammar as a whole.
    let title = if fault.at == syntax::At::default() {
        fault.what.clone()
    } else {
        at_line(source, fault.at.start, &fault.what)
    };
    let error = Error::new(Code::Grammar, span, title);
    let error = if fault.hint.is_empty() { error } else { error.hint(fault.hint.clone()) };
    if fault.at == syntax::At::default() { error } else { error.of(source) }
}
