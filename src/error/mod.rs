//! What can go wrong, where in the text, and what to write instead.

mod code;
mod display;

pub use code::Code;

use std::sync::Arc;

use crate::ast::Span;
use display::shortened;

/// What is wrong with a text or its roll, in a player's words, with the place.
///
/// Its `Display` is a line that says what is wrong, the text, a caret under the place, and a hint where there
/// is one. [`Error::title`], [`Error::span`] and [`Error::fixes`] hold the same for programs that draw
/// errors themselves.
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    parts: Box<Parts>,
}

#[derive(Clone, PartialEq, Eq)]
struct Parts {
    code: Code,
    title: String,
    text: Arc<str>,
    span: Span,
    label: String,
    secondary: Vec<(Span, String)>,
    notes: Vec<String>,
    fixes: Vec<Fix>,
    /// A place around which brackets would help; becomes a fix when the text is known.
    brackets: Option<(Span, String)>,
}

/// A repair of a text: replace `span` by `text`. The repaired text parses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// Which bytes to replace.
    pub span: Span,
    /// What to put there.
    pub text: String,
    /// What the repaired text does.
    pub why: String,
}

impl Error {
    /// An error at a place of a text.
    pub(crate) fn new(code: Code, span: Span, title: impl Into<String>) -> Error {
        Error {
            parts: Box::new(Parts {
                code,
                title: shortened(title.into()),
                text: Arc::from(""),
                span,
                label: String::new(),
                secondary: Vec::new(),
                notes: Vec::new(),
                fixes: Vec::new(),
                brackets: None,
            }),
        }
    }

    /// Says in a few words what stands at the caret.
    pub(crate) fn label(mut self, label: impl Into<String>) -> Error {
        self.parts.label = shortened(label.into());
        self
    }

    /// Points at a second place.
    pub(crate) fn also(mut self, span: Span, label: impl Into<String>) -> Error {
        self.parts.secondary.push((span, shortened(label.into())));
        self
    }

    /// Adds a line that says what to write instead.
    pub(crate) fn hint(mut self, note: impl Into<String>) -> Error {
        self.parts.notes.push(shortened(note.into()));
        self
    }

    /// Offers a repair; kept only if the repaired text parses (see [`Error::of`]).
    pub(crate) fn fix(mut self, span: Span, text: impl Into<String>, why: impl Into<String>) -> Error {
        self.parts.fixes.push(Fix { span, text: text.into(), why: why.into() });
        self
    }

    /// Offers to put brackets around a place.
    pub(crate) fn bracketed(self, span: Span, why: &str) -> Error {
        let mut error = self;
        error.parts.brackets = Some((span, why.to_owned()));
        error
    }

    /// Ties the error to its text.
    pub(crate) fn of(mut self, text: &Arc<str>) -> Error {
        self.parts.text = Arc::clone(text);
        if let Some((span, why)) = self.parts.brackets.take()
            && let Some(inside) = text.get(span.range())
        {
            self = self.fix(span, format!("({inside})"), why);
        }
        self
    }

    /// Drops the fixes that do not fit, and those beyond the third.
    pub(crate) fn keep_fixes(mut self, fits: impl Fn(&Fix) -> bool) -> Error {
        self.parts.fixes.retain(|fix| fits(fix));
        self.parts.fixes.truncate(3);
        self
    }

    /// What kind of error it is.
    #[must_use]
    pub fn code(&self) -> Code {
        self.parts.code
    }

    /// One line that says what is wrong.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.parts.title
    }

    /// The text in which the error lies.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.parts.text
    }

    /// The place in bytes of the text.
    #[must_use]
    pub fn span(&self) -> Span {
        self.parts.span
    }

    /// A few words for the caret, possibly empty.
    #[must_use]
    pub fn caption(&self) -> &str {
        &self.parts.label
    }

    /// Other places that matter, each with a few words.
    #[must_use]
    pub fn secondary(&self) -> &[(Span, String)] {
        &self.parts.secondary
    }

    /// Lines that explain or advise.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.parts.notes
    }

    /// Repairs, most likely first, at most three. Each repaired text parses.
    #[must_use]
    pub fn fixes(&self) -> &[Fix] {
        &self.parts.fixes
    }
}

impl std::error::Error for Error {}
