//! A parse as a list of rules with their texts, for people who edit a grammar.

use super::loaded::Grammar;
use super::machine::{End, run};
use crate::diagnose;
use crate::error::{Code, Error};
use crate::grammar::{Stop, span_of};
use crate::limits::Limits;

/// A node of a parse: which rule took which text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParseNode {
    /// How many nodes it is inside of.
    pub depth: usize,
    /// The name of the rule.
    pub rule: String,
    /// The text that it took.
    pub text: String,
}

impl Grammar {
    /// How the rules of this grammar take a text apart, whether or not the text then means something.
    ///
    /// # Errors
    /// The text does not fit the grammar, or is too long or nests too deep.
    pub fn try_text(&self, text: &str, limits: &Limits) -> Result<Vec<ParseNode>, Error> {
        let shared = std::sync::Arc::from(text);
        let limits = limits.clamped();
        if text.len() > limits.text {
            return Err(crate::limits::exceeded("text", limits.text, span_of(0, 0), "the text is too long"));
        }
        crate::scan::nesting(text, limits.depth).map_err(|error| error.of(&shared))?;
        let tokens = match run(&self.inner.program, text).end {
            End::Fits(tokens) => tokens,
            End::Stops(at) => return Err(diagnose::syntax(text, &Stop { at }).of(&shared)),
            End::Busy => {
                let whole = span_of(0, text.len());
                return Err(
                    Error::new(Code::Limit, whole, "this grammar takes too long on this text").of(&shared)
                );
            }
        };
        let mut ends: Vec<u32> = Vec::new();
        let mut nodes = Vec::with_capacity(tokens.len());
        for (index, token) in tokens.iter().enumerate() {
            while ends.last().is_some_and(|end| *end as usize <= index) {
                ends.pop();
            }
            let text = text.get(token.span.range()).unwrap_or("").to_owned();
            nodes.push(ParseNode { depth: ends.len(), rule: self.inner.name(token.rule).to_owned(), text });
            ends.push(token.next);
        }
        Ok(nodes)
    }
}
