//! Places in a grammar, and what is wrong there. They stand apart from the errors of texts because the build script has
//! them too.

/// A range of bytes of the grammar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct At {
    /// The first byte.
    pub start: usize,
    /// The byte behind the last.
    pub end: usize,
}

/// What is wrong with a grammar, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The place.
    pub at: At,
    /// One line that says what is wrong.
    pub what: String,
    /// What to do about it, or nothing.
    pub hint: String,
}

impl Fault {
    /// A fault without advice.
    pub fn new(at: At, what: impl Into<String>) -> Fault {
        Fault { at, what: what.into(), hint: String::new() }
    }

    /// Adds advice.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Fault {
        self.hint = hint.into();
        self
    }
}
