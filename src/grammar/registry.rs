//! The list of all rules, for the tests that check the documentation, the case files and the grammar itself
//! against it. No part of the public interface.

use std::collections::BTreeSet;

use pest::Parser;
use pest::iterators::Pair;

use super::{Rule, SOURCE, compiled, syntax};
use crate::lower::{Operand, Role, role};

/// A rule of the grammar as the tests need to know it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GrammarRule {
    /// Its name in `dice.pest`.
    pub name: String,
    /// Whether the table of roles says that it leaves no node in the tree.
    pub silent: bool,
    /// Whether it is a house rule, or stands around one.
    pub house: bool,
    /// The lines of its comment in the grammar.
    pub note: Vec<String>,
    /// The last text between backticks in its comment.
    pub example: Option<String>,
}

/// Every rule of the compiled grammar, in its order.
#[must_use]
pub fn grammar_rules() -> Vec<GrammarRule> {
    let read = syntax::read(SOURCE).unwrap_or_default();
    Rule::all_rules()
        .iter()
        .map(|rule| {
            let name = format!("{rule:?}");
            let note = read.iter().find(|rule| rule.name == name).map(|rule| rule.notes.clone());
            let note = note.unwrap_or_default();
            GrammarRule {
                silent: role(*rule) == Role::Silent,
                house: matches!(role(*rule), Role::House(_) | Role::Operand(Operand::House)),
                example: example(&note.join(" ")),
                name,
                note,
            }
        })
        .collect()
}

/// The text of the compiled grammar.
#[must_use]
pub fn grammar_source() -> &'static str {
    SOURCE
}

/// The names of the rules that have a node in the parse tree of a text, whether or not the text then turns out
/// to mean something. `None` if it does not fit the grammar, nests deeper than may be parsed, or takes too long.
#[must_use]
pub fn rules_in(text: &str) -> Option<BTreeSet<String>> {
    crate::scan::nesting(text, crate::Limits::default().depth).ok()?;
    super::entangled::untangled(text).ok()?;
    let pairs = compiled::DiceParser::parse(Rule::roll, text).ok()?;
    let mut rules = BTreeSet::new();
    let mut open: Vec<Pair<'_, Rule>> = pairs.collect();
    while let Some(pair) = open.pop() {
        rules.insert(format!("{:?}", pair.as_rule()));
        open.extend(pair.into_inner());
    }
    // The end of the text is a node of pest's own.
    rules.remove("EOI");
    Some(rules)
}

/// The last text between backticks.
fn example(note: &str) -> Option<String> {
    let pieces = note.split('`').skip(1).step_by(2);
    pieces.last().map(str::to_owned)
}
