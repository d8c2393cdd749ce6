//! What can go wrong, where in the text, and what to write instead.

use std::fmt;
use std::sync::Arc;

use crate::ast::Span;

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

/// The kinds of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Code {
    /// The text is empty.
    Nothing,
    /// Something does not belong where it stands: `2d6)`.
    Unexpected,
    /// A word after a roll is no step and no comment: `2d6x3`.
    UnknownStep,
    /// The sides of a die are missing: `2d`.
    MissingSides,
    /// A bracket is not closed: `(2d6`.
    Unclosed,
    /// Two terms stand side by side: `2d6 3`.
    MissingOperator,
    /// An operand is missing: `2d6+`.
    MissingOperand,
    /// A character that the notation does not have: `2d6–3`.
    Character,
    /// A number above 2^63-1.
    NumberTooLarge,
    /// A name that is not set: `a + 1`.
    UnknownName,
    /// No such function: `florr(3)`.
    UnknownFunction,
    /// Another letter for `d`: `2w6`.
    NoDie,
    /// A step lacks its condition or amount: `4d6r`.
    MissingAmount,
    /// Comparisons in a row: `1<2<3`.
    ChainedComparison,
    /// A text that can be read in two ways: `2d6!=4`.
    Ambiguous,
    /// A name that cannot be set: `floor = 1; 2`.
    Name,
    /// More dice are to be kept or dropped than there are: `4d6kh5`.
    TooFewDice,
    /// An explosion or a reroll never ends: `1d1!`.
    Endless,
    /// A die has no side: `d0`.
    Sides,
    /// The number of dice is negative or fractional: `1.5d6`.
    Count,
    /// An amount is negative or fractional where it must not be: `4d6kh1.5`.
    Amount,
    /// A step stands on something that is no pool: `3kh1`.
    NoPool,
    /// A step that the pool does not take: `5d10c>=7kh1`.
    StepOrder,
    /// Listed faces, sets, ranges or weights that make no sense: `d{3..1}`.
    Faces,
    /// One member of a group is no sum of pools: `{5d6+3}`.
    Member,
    /// The wrong number of arguments: `floor(1,2)`.
    Arguments,
    /// A bare comparison that says nothing about single dice: `2d6>=10`.
    Pointless,
    /// The number of repetitions is 0 or no whole number: `0x 2d6`.
    Repeat,
    /// Division by zero: `1/0`.
    DivisionByZero,
    /// A number does not fit: `9^9^9^9`.
    Overflow,
    /// An exponent is negative or fractional: `2^-1`.
    Exponent,
    /// A limit was met: `1000001d6`.
    Limit,
    /// Scripted faces do not fit the dice.
    Script,
    /// A distribution cannot be computed within the budget.
    Budget,
    /// A grammar file is wrong.
    Grammar,
    /// Something that should not happen; please report it.
    Internal,
}

impl Code {
    /// The code as shown: `E101`.
    #[must_use]
    pub const fn number(self) -> &'static str {
        match self {
            Code::Nothing => "E001",
            Code::Unexpected => "E002",
            Code::UnknownStep => "E003",
            Code::MissingSides => "E004",
            Code::Unclosed => "E005",
            Code::MissingOperator => "E006",
            Code::MissingOperand => "E007",
            Code::Character => "E008",
            Code::NumberTooLarge => "E009",
            Code::UnknownName => "E010",
            Code::UnknownFunction => "E011",
            Code::NoDie => "E012",
            Code::MissingAmount => "E013",
            Code::ChainedComparison => "E014",
            Code::Ambiguous => "E015",
            Code::Name => "E016",
            Code::TooFewDice => "E101",
            Code::Endless => "E102",
            Code::Sides => "E103",
            Code::Count => "E104",
            Code::Amount => "E105",
            Code::NoPool => "E106",
            Code::StepOrder => "E107",
            Code::Faces => "E108",
            Code::Member => "E109",
            Code::Arguments => "E110",
            Code::Pointless => "E111",
            Code::Repeat => "E112",
            Code::DivisionByZero => "E201",
            Code::Overflow => "E202",
            Code::Exponent => "E203",
            Code::Limit => "E301",
            Code::Script => "E302",
            Code::Budget => "E303",
            Code::Grammar => "E401",
            Code::Internal => "E999",
        }
    }

    /// Whether the text itself is wrong; else it was understood and evaluating it failed.
    #[must_use]
    pub fn is_notation(self) -> bool {
        self < Code::DivisionByZero || self == Code::Grammar
    }
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

    /// The place in characters of its line, counted from 1: line, first column, columns covered (at least 1).
    #[must_use]
    pub fn position(&self) -> (usize, usize, usize) {
        let text = self.text();
        let start = floor_boundary(text, self.parts.span.start as usize);
        let end = floor_boundary(text, (self.parts.span.end as usize).max(start));
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line = text[..start].matches('\n').count() + 1;
        let covered = text[start..end].split('\n').next().unwrap_or("");
        (line, text[line_start..start].chars().count() + 1, covered.chars().count().max(1))
    }
}

/// The nearest boundary of a character at or before a byte.
fn floor_boundary(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The longest word that an error repeats in full, in characters.
const WORD: usize = 60;

/// A sentence in which no word is longer than [`WORD`], so that an error stays short whatever was typed.
fn shortened(sentence: String) -> String {
    if sentence.len() <= WORD {
        return sentence;
    }
    let mut short = String::with_capacity(sentence.len().min(400));
    let mut length = 0;
    for c in sentence.chars() {
        length = if c.is_whitespace() { 0 } else { length + 1 };
        if length <= WORD {
            short.push(c);
        } else if length == WORD + 1 {
            short.push('…');
        }
    }
    short
}

/// How much of a long line is shown on each side of the caret.
const CONTEXT: usize = 60;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.title())?;
        if !self.text().is_empty() {
            let (line, column, width) = self.position();
            let shown: Vec<char> = self.text().split('\n').nth(line - 1).unwrap_or("").chars().collect();
            let first = (column - 1).saturating_sub(CONTEXT);
            let last = shown.len().min(column - 1 + width.min(CONTEXT) + CONTEXT);
            let excerpt: String = shown[first..last]
                .iter()
                .map(|c| if c.is_control() || c.is_whitespace() { ' ' } else { *c })
                .collect();
            let (before, after) =
                (if first > 0 { "… " } else { "" }, if last < shown.len() { " …" } else { "" });
            let indent = column - 1 - first + before.chars().count();
            let carets = "^".repeat(width.min(CONTEXT));
            let caption =
                if self.caption().is_empty() { String::new() } else { format!(" {}", self.caption()) };
            write!(f, "\n  {before}{excerpt}{after}\n  {:indent$}{carets}{caption}", "")?;
        }
        for note in self.notes() {
            write!(f, "\n{note}")?;
        }
        for fix in self.fixes() {
            let mut repaired = self.text().to_owned();
            repaired.replace_range(fix.span.range(), &fix.text);
            write!(f, "\n{}: {}", fix.why, shortened(repaired))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {self}", self.parts.code.number())
    }
}

impl std::error::Error for Error {}
