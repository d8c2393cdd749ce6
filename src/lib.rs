//! Dice notation: roll it, or get its exact odds, from one grammar file.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable, clippy::todo)
)]

extern crate alloc; // what pest_derive writes names it

pub mod ast;
mod bounds;
mod check;
mod diagnose;
mod die;
mod error;
mod eval;
mod faces;
mod grammar;
mod limits;
mod lower;
mod number;
mod odds;
mod parse;
mod print;
mod roll;
mod scan;
mod test;
mod visit;

pub use ast::Expr;
pub use die::{Die, Entry};
pub use error::{Code, Error, Fix};
pub use faces::{FaceError, Faces, Script};
pub use grammar::{Grammar, ParseNode, RuleInfo, Warning};
#[doc(hidden)]
pub use grammar::{GrammarRule, grammar_rules, grammar_source, rules_in};
pub use limits::Limits;
pub use number::Number;
pub use odds::{Distribution, Method, Odds, Outcomes, Precision, Rational, Sampled, Versus};
pub use roll::{DieView, Outcome, Roll, State, Tally};
