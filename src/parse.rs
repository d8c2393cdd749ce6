//! From a text to its tree: limits, the look before the parse, the grammar, the lowering and the checks.

use std::str::FromStr;
use std::sync::Arc;

use crate::ast::{Expr, Inner};
use crate::error::{Code, Error};
use crate::grammar::{BuiltIn, Reader, span_of};
use crate::limits::{Limits, exceeded};
use crate::lower::Lower;
use crate::{check, scan};

impl Expr {
    /// Parses a text and checks everything that does not depend on the dice.
    ///
    /// # Errors
    /// What is wrong with the text, and where.
    pub fn parse(text: &str, limits: &Limits) -> Result<Expr, Error> {
        parse(&BuiltIn, text, limits)
    }
}

/// Parses a text with a grammar.
pub(crate) fn parse(grammar: &impl Reader, text: &str, limits: &Limits) -> Result<Expr, Error> {
    let limits = limits.clamped();
    if text.len() > limits.text {
        // The text is not kept: an error must not be as large as what it refuses.
        return Err(exceeded("text", limits.text, span_of(0, 0), "the text is too long")
            .label(format!("{} bytes", text.len())));
    }
    let text: Arc<str> = Arc::from(text);
    let result = read(grammar, &text, &limits);
    result.map_err(|error| finish(grammar, error, &text)).map(|inner| Expr { inner: Arc::new(inner) })
}

fn read(grammar: &impl Reader, text: &Arc<str>, limits: &Limits) -> Result<Inner, Error> {
    scan::nesting(text, limits.depth)?;
    let mut lower = Lower::new(limits, grammar.expansions()?, false);
    let mut inner = grammar.read(text, &mut lower)?;
    check::check(&mut inner, &lower.bare, limits)?;
    Ok(inner)
}

/// Ties an error to its text and keeps only the fixes that lead to a text that parses.
fn finish(grammar: &impl Reader, error: Error, text: &Arc<str>) -> Error {
    if error.code() == Code::Grammar {
        return error;
    }
    error.of(text).keep_fixes(|fix| {
        let mut repaired = String::from(&**text);
        if repaired.get(fix.span.range()).is_none() {
            return false;
        }
        repaired.replace_range(fix.span.range(), &fix.text);
        let repaired: Arc<str> = Arc::from(repaired);
        read(grammar, &repaired, &Limits::default()).is_ok()
    })
}

impl FromStr for Expr {
    type Err = Error;

    fn from_str(text: &str) -> Result<Expr, Error> {
        Expr::parse(text, &Limits::default())
    }
}
