//! What is read: rules and their expressions, each with its place. The rest of the folder writes them, everybody else only reads
//! them.

use super::At;

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
