//! What can be wrong with a card. The texts are in the language of the card format.

use std::fmt;

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

impl fmt::Display for CardErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CardErrorKind::LineNotAllowed(line) => write!(f, "Zeile nicht erlaubt: {line}"),
            CardErrorKind::CharNotAllowed(c) => {
                write!(f, "Zeichen nicht erlaubt: U+{:04X}", u32::from(*c))
            }
            CardErrorKind::NoTitle => write!(f, "Titel fehlt"),
            CardErrorKind::SeveralLines(text) => {
                write!(f, "Nur eine Zeile erlaubt: {}", text.replace('\n', "⏎"))
            }
            CardErrorKind::DuplicateFunction(title) => write!(f, "Funktion doppelt: {title}"),
            CardErrorKind::UnknownSection(name) => write!(f, "Abschnitt unbekannt: {name}"),
            CardErrorKind::DuplicateSection(name) => write!(f, "Abschnitt doppelt: {name}"),
            CardErrorKind::MisplacedSection(name) => {
                write!(f, "Abschnitt an falscher Stelle: {name}")
            }
            CardErrorKind::TextWithoutSection(text) => write!(f, "Text ohne Abschnitt: {text}"),
            CardErrorKind::UnknownKind(name) => write!(f, "Art unbekannt: {name}"),
            CardErrorKind::UnknownStatus(name) => write!(f, "Stand unbekannt: {name}"),
        }
    }
}

impl std::error::Error for CardError {}
