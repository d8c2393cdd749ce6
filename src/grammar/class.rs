//! Sets of characters, among them those that pest has names for.

use std::collections::HashMap;

use pest::unicode;

use super::book::Book;
use super::syntax::{Expr, Kind, Shape};

/// A set of characters.
#[derive(Clone, Debug, Default)]
pub(crate) struct Class {
    ascii: u128,
    ranges: Vec<(char, char)>,
    properties: Vec<Property>,
}

/// What a name that is built in matches.
#[derive(Clone, Debug)]
pub(crate) enum Builtin {
    /// Any character.
    Any,
    /// The start of the text.
    Start,
    /// The end of the text.
    End,
    /// A line break of any kind.
    Newline,
    /// One of these characters.
    Class(Class),
}

/// Whether a character has a property.
type Property = fn(char) -> bool;

/// The properties of characters that are common enough to be looked up directly.
const PROPERTIES: [(&str, Property); 15] = [
    ("WHITE_SPACE", char::is_whitespace),
    ("ALPHABETIC", unicode::ALPHABETIC),
    ("LOWERCASE", unicode::LOWERCASE),
    ("UPPERCASE", unicode::UPPERCASE),
    ("LETTER", unicode::LETTER),
    ("LOWERCASE_LETTER", unicode::LOWERCASE_LETTER),
    ("UPPERCASE_LETTER", unicode::UPPERCASE_LETTER),
    ("NUMBER", unicode::NUMBER),
    ("DECIMAL_NUMBER", unicode::DECIMAL_NUMBER),
    ("PUNCTUATION", unicode::PUNCTUATION),
    ("SYMBOL", unicode::SYMBOL),
    ("CURRENCY_SYMBOL", unicode::CURRENCY_SYMBOL),
    ("DASH", unicode::DASH),
    ("XID_START", unicode::XID_START),
    ("XID_CONTINUE", unicode::XID_CONTINUE),
];

/// What a name stands for that no grammar needs to define.
pub(crate) fn builtin(name: &str) -> Option<Builtin> {
    let class = |ranges: &[(char, char)]| {
        let mut class = Class::default();
        for (low, high) in ranges {
            class.add(*low, *high);
        }
        Some(Builtin::Class(class))
    };
    match name {
        "ANY" => Some(Builtin::Any),
        "SOI" => Some(Builtin::Start),
        "EOI" => Some(Builtin::End),
        "NEWLINE" => Some(Builtin::Newline),
        "ASCII" => class(&[('\0', '\x7f')]),
        "ASCII_DIGIT" => class(&[('0', '9')]),
        "ASCII_NONZERO_DIGIT" => class(&[('1', '9')]),
        "ASCII_BIN_DIGIT" => class(&[('0', '1')]),
        "ASCII_OCT_DIGIT" => class(&[('0', '7')]),
        "ASCII_HEX_DIGIT" => class(&[('0', '9'), ('a', 'f'), ('A', 'F')]),
        "ASCII_ALPHA_LOWER" => class(&[('a', 'z')]),
        "ASCII_ALPHA_UPPER" => class(&[('A', 'Z')]),
        "ASCII_ALPHA" => class(&[('a', 'z'), ('A', 'Z')]),
        "ASCII_ALPHANUMERIC" => class(&[('a', 'z'), ('A', 'Z'), ('0', '9')]),
        _ => property(name).map(Builtin::Class),
    }
}

fn property(name: &str) -> Option<Class> {
    if let Some((_, has)) = PROPERTIES.iter().find(|(known, _)| *known == name) {
        let ascii = (0..128_u8).filter(|byte| has(char::from(*byte))).fold(0, |set, byte| set | 1 << byte);
        return Some(Class { ascii, ranges: Vec::new(), properties: vec![*has] });
    }
    if !name.starts_with(|first: char| first.is_ascii_uppercase()) {
        return None;
    }
    // The rarer ones are written out once as ranges.
    let has = unicode::by_name(name)?;
    let mut class = Class::default();
    let mut open: Option<(char, char)> = None;
    for character in '\0'..=char::MAX {
        match (&mut open, has(character)) {
            (Some(range), true) => range.1 = character,
            (None, true) => open = Some((character, character)),
            (Some((low, high)), false) => {
                class.add(*low, *high);
                open = None;
            }
            (None, false) => {}
        }
    }
    if let Some((low, high)) = open {
        class.add(low, high);
    }
    Some(class)
}

impl Class {
    /// The characters of a range.
    pub(crate) fn range(low: char, high: char) -> Class {
        let mut class = Class::default();
        class.add(low, high);
        class
    }

    /// A letter in both its cases, as far as ASCII has them; any other character alone.
    pub(crate) fn any_case(letter: char) -> Class {
        let mut class = Class::range(letter, letter);
        let (lower, upper) = (letter.to_ascii_lowercase(), letter.to_ascii_uppercase());
        class.add(lower, lower);
        class.add(upper, upper);
        class
    }

    /// Every character.
    pub(crate) fn all() -> Class {
        Class::range('\0', char::MAX)
    }

    fn add(&mut self, low: char, high: char) {
        for code in (low as u32)..=(high as u32).min(127) {
            self.ascii |= 1 << code;
        }
        if high as u32 > 127 {
            self.ranges.push((low, high));
        }
    }

    /// Takes in the characters of another set, unless there are too many ranges then.
    #[must_use]
    pub(crate) fn with(mut self, other: Class) -> Option<Class> {
        self.ascii |= other.ascii;
        self.ranges.extend(other.ranges);
        self.properties.extend(other.properties);
        (self.ranges.len() + self.properties.len() <= MAX_RANGES).then_some(self)
    }

    /// Whether an ASCII character is in the set.
    pub(crate) fn has_ascii(&self, byte: u8) -> bool {
        self.ascii >> byte & 1 != 0
    }

    /// How many bytes the first character of the text has, if it is in the set.
    #[inline]
    pub(crate) fn first(&self, text: &str) -> Option<usize> {
        let byte = *text.as_bytes().first()?;
        if byte < 128 {
            return (self.ascii >> byte & 1 != 0).then_some(1);
        }
        let character = text.chars().next()?;
        let inside = self.ranges.iter().any(|(low, high)| (*low..=*high).contains(&character))
            || self.properties.iter().any(|has| has(character));
        inside.then(|| character.len_utf8())
    }
}

/// The most ranges of a set; larger ones are parsed as the choices that they are.
const MAX_RANGES: usize = 64;

/// The silent rules that are sets of characters, as far as they were asked for.
#[derive(Debug, Default)]
pub(crate) struct Sets {
    rules: HashMap<usize, Option<Class>>,
    depth: usize,
}

impl Sets {
    /// An expression as a set of characters, if it takes exactly one and leaves no node.
    pub(crate) fn of(&mut self, book: &Book, expr: &Expr) -> Option<Class> {
        let (mut letters, any_case) = match &expr.shape {
            Shape::Text(text) => (text.chars(), false),
            Shape::AnyCase(text) => (text.chars(), true),
            Shape::Range(low, high) => return Some(Class::range(*low, *high)),
            Shape::Name(name) => {
                return match (book.rule(name), builtin_set(name)) {
                    (Some(rule), _) if book.rules[rule].kind == Kind::Silent => self.of_rule(book, rule),
                    (Some(_), _) => None,
                    (None, class) => class,
                };
            }
            Shape::Choice(parts) => {
                let mut class = Class::default();
                for part in parts {
                    class = class.with(self.of(book, part)?)?;
                }
                return Some(class);
            }
            Shape::And(_)
            | Shape::Not(_)
            | Shape::Sequence(_)
            | Shape::Optional(_)
            | Shape::Star(_)
            | Shape::Plus(_)
            | Shape::Times(..) => return None,
        };
        match (letters.next(), letters.next()) {
            (Some(letter), None) if any_case => Some(Class::any_case(letter)),
            (Some(letter), None) => Some(Class::range(letter, letter)),
            (Some(_), Some(_)) | (None, _) => None,
        }
    }

    /// Each rule is looked at once, and a rule inside itself is no set.
    fn of_rule(&mut self, book: &Book, rule: usize) -> Option<Class> {
        if let Some(known) = self.rules.get(&rule) {
            return known.clone();
        }
        self.rules.insert(rule, None);
        if self.depth > 8 {
            return None;
        }
        self.depth += 1;
        let class = self.of(book, &book.rules[rule].body);
        self.depth -= 1;
        self.rules.insert(rule, class.clone());
        class
    }
}

/// The built-in sets that cost nothing to look up.
fn builtin_set(name: &str) -> Option<Class> {
    if name != "WHITE_SPACE" && !name.starts_with("ASCII") {
        return None;
    }
    match builtin(name)? {
        Builtin::Class(class) => Some(class),
        Builtin::Any | Builtin::Start | Builtin::End | Builtin::Newline => None,
    }
}
