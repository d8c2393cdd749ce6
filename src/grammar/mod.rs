//! The grammar: the only module that knows pest.

mod book;
mod class;
mod code;
mod compile;
#[cfg(feature = "program")]
mod diagram;
mod entangled;
mod expansions;
mod loaded;
mod machine;
mod parts;
mod progress;
mod reach;
mod registry;
mod syntax;
#[cfg(test)]
mod tests;
mod tree;
mod warn;

use std::sync::{Arc, LazyLock};

use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};
use pest::iterators::{Pair, Pairs};

use crate::ast::{Inner, Span};
use crate::diagnose;
use crate::error::Error;
use crate::lower::{Lower, Role, role};
use book::Book;
use loaded::fault_error;
use syntax::Fault;

pub(crate) use expansions::Expansions;
pub use loaded::{Grammar, RuleInfo};
pub use tree::ParseNode;
pub use warn::Warning;

/// The grammar as it was when the crate was built.
pub(crate) const SOURCE: &str = include_str!("../../dice.pest");

// What the derive writes has no docs and is none of our style.
#[allow(missing_docs, clippy::pedantic, clippy::all)]
mod compiled {
    #[derive(pest_derive::Parser)]
    #[grammar = "../dice.pest"]
    pub(crate) struct DiceParser;
}

pub(crate) use compiled::Rule;
pub use registry::{GrammarRule, grammar_rules, grammar_source, rules_in};

/// A node of a parse tree, whichever grammar it was parsed with.
pub(crate) trait Tree: Sized {
    /// Whether the grammar is the compiled one, in which only brackets, signs, powers and choices nest.
    const COMPILED: bool;
    type Children: Iterator<Item = Self>;
    fn role(&self) -> Role;
    fn span(&self) -> Span;
    fn text(&self) -> &str;
    fn children(self) -> Self::Children;
    /// Whether it is a node of the rule with this name.
    fn is(&self, rule: &str) -> bool;
}

/// Where a text stopped fitting the grammar.
#[derive(Debug)]
pub(crate) struct Stop {
    /// The first byte that does not fit.
    pub at: usize,
}

/// A node parsed with the compiled grammar.
pub(crate) struct Compiled<'i>(Pair<'i, Rule>);

pub(crate) struct CompiledChildren<'i>(Pairs<'i, Rule>);

impl<'i> Iterator for CompiledChildren<'i> {
    type Item = Compiled<'i>;

    #[inline]
    fn next(&mut self) -> Option<Compiled<'i>> {
        self.0.next().map(Compiled)
    }
}

impl<'i> Tree for Compiled<'i> {
    const COMPILED: bool = true;
    type Children = CompiledChildren<'i>;

    #[inline]
    fn role(&self) -> Role {
        role(self.0.as_rule())
    }

    #[inline]
    fn span(&self) -> Span {
        let span = self.0.as_span();
        span_of(span.start(), span.end())
    }

    fn text(&self) -> &str {
        self.0.as_str()
    }

    #[inline]
    fn children(self) -> CompiledChildren<'i> {
        CompiledChildren(self.0.into_inner())
    }

    fn is(&self, rule: &str) -> bool {
        format!("{:?}", self.0.as_rule()) == rule
    }
}

/// A span; texts are at most 4 GiB long because their length is limited before they are parsed.
#[expect(clippy::cast_possible_truncation, reason = "the length limit is below 2^32")]
pub(crate) fn span_of(start: usize, end: usize) -> Span {
    Span { start: start as u32, end: end as u32 }
}

/// Parses a text with the compiled grammar.
pub(crate) fn parse(text: &Arc<str>) -> Result<Compiled<'_>, Stop> {
    let failed = |error: &pest::error::Error<Rule>| {
        let at = match error.location {
            InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
        };
        match error.variant {
            ErrorVariant::ParsingError { .. } | ErrorVariant::CustomError { .. } => Stop { at },
        }
    };
    let mut pairs = compiled::DiceParser::parse(Rule::roll, text).map_err(|error| failed(&error))?;
    pairs.next().map(Compiled).ok_or(Stop { at: 0 })
}

/// A grammar as the parsing of a text needs it.
pub(crate) trait Reader {
    /// Parses a text and lowers it.
    fn read(&self, text: &Arc<str>, lower: &mut Lower<'_>) -> Result<Inner, Error>;

    /// What its house rules stand for.
    fn expansions(&self) -> Result<&Expansions, Error>;
}

/// The grammar that was compiled into the crate.
pub(crate) struct BuiltIn;

/// What its house rules stand for: it has none as it is, but may be given some.
static EXPANSIONS: LazyLock<Result<Expansions, Error>> = LazyLock::new(|| {
    let source: Arc<str> = Arc::from(SOURCE);
    let failed = |mut faults: Vec<Fault>| fault_error(&source, &faults.swap_remove(0));
    let rules = syntax::read(SOURCE).map_err(|fault| fault_error(&source, &fault))?;
    if rules.iter().all(|rule| rule.expansion.is_none()) {
        return Ok(Expansions::default());
    }
    Expansions::load(&Book::new(rules).map_err(failed)?, &source, &BuiltIn)
});

impl Reader for BuiltIn {
    fn read(&self, text: &Arc<str>, lower: &mut Lower<'_>) -> Result<Inner, Error> {
        entangled::untangled(text)?;
        let tree = parse(text).map_err(|stop| diagnose::syntax(text, &stop))?;
        lower.roll(tree, text)
    }

    fn expansions(&self) -> Result<&Expansions, Error> {
        EXPANSIONS.as_ref().map_err(Clone::clone)
    }
}
