//! Dice notation: roll it, or get its exact odds, from one grammar file.
//!
//! ```
//! use dice::{Expr, Number, Script};
//!
//! // With any generator of the `rand` crate:
//! let roll = dice::roll("4d6kh3+2", &mut rand::rng())?;
//! assert!(roll.total() >= Number::from(5) && roll.total() <= Number::from(20));
//!
//! // Parsed once, and rolled with faces written out in advance:
//! let expr: Expr = "4d6kh3+2".parse()?;
//! let mut script = Script::new([5, 3, 6, 2]);
//! let roll = expr.roll(&mut script)?;
//! script.exhausted()?;
//! assert_eq!(roll.total(), Number::from(16));
//! assert_eq!(roll.to_string(), "4d6kh3 [5 3 6 (2)] + 2 = 16");
//!
//! // A text that is refused says what is wrong, and where:
//! let error = "4d6kh5".parse::<Expr>().unwrap_err();
//! assert_eq!((error.title(), error.span().range()), ("cannot keep 5 dice: only 4 are rolled", 3..6));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`Expr`] is a text that was understood, [`ast`] its tree, [`Roll`] what happened to it.
//! - [`Engine`] remembers the texts that it has read, for programs that roll the same ones again and again.
//! - [`Faces`] is where faces come from: every generator of the `rand` crate, or a [`Script`].
//! - [`Limits`] bounds what a text may cost; [`Error`] says what is wrong in a player's words.
//!
//! The notation itself is described in `docs/reference.md`.

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
mod engine;
mod error;
mod eval;
mod faces;
mod grammar;
mod limits;
mod lower;
mod number;
mod odds;
mod parse;
mod plain;
mod print;
mod roll;
mod scan;
mod test;
mod visit;

pub use ast::Expr;
pub use die::{Die, Entry};
pub use engine::Engine;
pub use error::{Code, Error, Fix};
pub use eval::roll;
pub use faces::{FaceError, Faces, Script};
pub use grammar::{Grammar, ParseNode, RuleInfo, Warning};
#[doc(hidden)]
pub use grammar::{GrammarRule, grammar_rules, grammar_source, rules_in};
pub use limits::Limits;
pub use number::Number;
pub use odds::{Distribution, Method, Odds, Outcomes, Precision, Rational, Sampled, Versus};
pub use roll::{DieView, Outcome, Roll, State, Tally};

/// The examples of the README, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
