//! What can be wrong with a card. The texts are in the language of the card format.

use std::borrow::Cow;
use std::fmt;

use crate::text::clip;

/// A mistake in a card, with the line of the file where one is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardError {
    /// Line of the card file, counted from 1.
    pub line: Option<usize>,
    /// What is wrong.
    pub kind: CardErrorKind,
}

/// What can be wrong with a card.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CardErrorKind {
    /// The file is not a text file.
    NoCard(String),
    /// A value holds a line that the format uses itself, for example `<!-- stand -->`.
    LineNotAllowed(String),
    /// A value holds a control character or one that reorders text.
    CharNotAllowed(char),
    /// The card or one of its functions has no title.
    NoTitle,
    /// A title or an entry of a list spans several lines.
    SeveralLines(String),
    /// Two functions have the same title.
    DuplicateFunction(String),
    /// A marker of an unknown name, for example `<!-- notiz -->`.
    UnknownSection(String),
    /// A section occurs twice.
    DuplicateSection(String),
    /// A section at a place where it does not belong, for example `testen` outside a function.
    MisplacedSection(String),
    /// Text before the first marker of a part.
    TextWithoutSection(String),
    /// A kind of card that does not exist.
    UnknownKind(String),
    /// A status that does not exist.
    UnknownStatus(String),
}

impl CardError {
    /// A mistake in a value, away from any file.
    #[must_use]
    pub fn new(kind: CardErrorKind) -> CardError {
        CardError { line: None, kind }
    }

    /// A mistake at a line of the file.
    #[must_use]
    pub fn at(line: usize, kind: CardErrorKind) -> CardError {
        CardError { line: Some(line), kind }
    }
}

impl From<CardErrorKind> for CardError {
    fn from(kind: CardErrorKind) -> CardError {
        CardError::new(kind)
    }
}

impl fmt::Display for CardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{line}: {}", self.kind),
            None => write!(f, "{}", self.kind),
        }
    }
}

/// A value as a message quotes it.
fn short(text: &str) -> Cow<'_, str> {
    clip(text, 200)
}

impl fmt::Display for CardErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CardErrorKind::NoCard(why) => write!(f, "keine Karte: {why}"),
            CardErrorKind::LineNotAllowed(line) => {
                write!(f, "Zeile nicht erlaubt: {}", short(line))
            }
            CardErrorKind::CharNotAllowed(c) => {
                write!(f, "Zeichen nicht erlaubt: U+{:04X}", u32::from(*c))
            }
            CardErrorKind::NoTitle => write!(f, "Titel fehlt"),
            CardErrorKind::SeveralLines(text) => {
                write!(f, "Nur eine Zeile erlaubt: {}", short(text).replace('\n', "⏎"))
            }
            CardErrorKind::DuplicateFunction(title) => {
                write!(f, "Funktion doppelt: {}", short(title))
            }
            CardErrorKind::UnknownSection(name) => {
                write!(f, "Abschnitt unbekannt: {}", short(name))
            }
            CardErrorKind::DuplicateSection(name) => {
                write!(f, "Abschnitt doppelt: {}", short(name))
            }
            CardErrorKind::MisplacedSection(name) => {
                write!(f, "Abschnitt an falscher Stelle: {}", short(name))
            }
            CardErrorKind::TextWithoutSection(text) => {
                write!(f, "Text ohne Abschnitt: {}", short(text))
            }
            CardErrorKind::UnknownKind(name) => write!(f, "Art unbekannt: {}", short(name)),
            CardErrorKind::UnknownStatus(name) => write!(f, "Stand unbekannt: {}", short(name)),
        }
    }
}

impl std::error::Error for CardError {}
