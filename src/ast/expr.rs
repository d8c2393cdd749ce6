//! A whole text: what is rolled, and what stands before and behind it. It is the handle that programs hold, and
//! carries what was found out about the tree before anything is rolled.

use std::sync::Arc;

use super::{Node, Span};
use crate::plain::Plain;

/// A whole text, understood: parse one with `"4d6kh3+2".parse::<Expr>()`.
///
/// Cheap to clone.
#[derive(Clone, Debug)]
pub struct Expr {
    pub(crate) inner: Arc<Inner>,
}

#[derive(Debug)]
pub(crate) struct Inner {
    /// The text as typed, for carets.
    pub text: Arc<str>,
    pub repeat: Option<Repeat>,
    pub definitions: Vec<Definition>,
    pub body: Node,
    pub comment: Option<Box<str>>,
    /// How many names there are, those inside house rules included: the size of the environment.
    pub names: u32,
    /// What the checks found out about each step, by its number.
    pub facts: Vec<StepFacts>,
    /// Which dice are plain pools, by their number.
    pub plains: Vec<Option<Plain>>,
}

/// What is known of a step before anything is rolled.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StepFacts {
    /// The step is known to end, so it need not be checked while rolling.
    pub ends: bool,
}

impl PartialEq for Expr {
    fn eq(&self, other: &Expr) -> bool {
        self.repeat().map(|r| r.times) == other.repeat().map(|r| r.times)
            && self.definitions() == other.definitions()
            && self.body() == other.body()
            && self.comment() == other.comment()
    }
}

impl Expr {
    /// The text it was parsed from.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.inner.text
    }

    /// How often the whole is rolled, if the text says so: `6x 4d6kh3`.
    #[must_use]
    pub fn repeat(&self) -> Option<&Repeat> {
        self.inner.repeat.as_ref()
    }

    /// The names that are set, in order.
    #[must_use]
    pub fn definitions(&self) -> &[Definition] {
        &self.inner.definitions
    }

    /// The tree whose value is the total.
    #[must_use]
    pub fn body(&self) -> &Node {
        &self.inner.body
    }

    /// The comment behind `#`, without the blanks around it.
    #[must_use]
    pub fn comment(&self) -> Option<&str> {
        self.inner.comment.as_deref()
    }
}

/// The repetition at the start of a text: `6x`.
#[derive(Clone, Debug)]
pub struct Repeat {
    /// How often, at least 1.
    pub times: u64,
    /// Where it stands.
    pub span: Span,
}

/// A name and what it was set to: `a = 1d20;`.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The name in lower case.
    pub name: Box<str>,
    /// Its place in the environment, unique in a text.
    pub index: u32,
    /// What it stands for.
    pub value: Node,
    /// Whether it holds a pool, so that steps may follow the name.
    pub pool: bool,
    /// Where the name stands.
    pub span: Span,
}

impl PartialEq for Definition {
    fn eq(&self, other: &Definition) -> bool {
        self.name == other.name && self.value == other.value
    }
}
