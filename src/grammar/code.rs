//! The instructions of the machine that parses with a grammar.

use super::class::Class;

/// An instruction. Numbers are places in the code, or in the list of texts, sets or rules.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    /// Takes a text.
    Text(u32),
    /// Takes a text in any case.
    AnyCase(u32),
    /// Takes one character of a set.
    One(u32),
    /// Takes characters of a set for as long as there are any.
    Many(u32),
    /// Takes any character.
    Any,
    /// Only before a character of a set.
    Before(u32),
    /// Not before a character of a set.
    NotBefore(u32),
    /// Skips what cannot begin with the next character.
    Head(u32),
    /// Goes to the first alternative that can begin with the next character.
    Switch(u32),
    /// Goes there.
    Go(u32),
    /// Only at the start.
    Start,
    /// Only at the end.
    End,
    /// Goes on; where that fails, goes on there instead, from here.
    Try(u32),
    /// Gives up the alternative and goes there.
    Commit(u32),
    /// Takes what was matched so far as matched and goes there: the end of one turn of a loop.
    Again(u32),
    /// Goes there, from where the look ahead began.
    Back(u32),
    /// Ends a look ahead that must not succeed.
    Refuse,
    /// Runs a rule: its code begins there.
    Call(u32),
    /// Runs a rule that leaves a node or whose failure counts.
    Enter(u32),
    /// Ends a rule.
    Return,
    /// Ends the whole.
    Done,
}

/// How a rule is entered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub code: u32,
    pub rule: u32,
    /// It leaves a node.
    pub node: bool,
    /// Whether its failure, or its success where it must not succeed, shows how far a text fits.
    pub on_failure: bool,
    pub on_success: bool,
}

/// With what a part can begin.
#[derive(Debug)]
pub(crate) struct Head {
    pub class: Class,
    /// Whether a rule whose failure counts is tried where the part cannot begin.
    pub marks: bool,
    /// Where to go on if it cannot.
    pub to: u32,
}

/// Which alternative of a choice is the first that can begin with a character.
#[derive(Debug)]
pub(crate) struct Switch {
    /// For each ASCII character a place in the list.
    pub ascii: [u8; 128],
    /// The place for the end of the text.
    pub end: u8,
    /// Where to go on, and whether an alternative that is left out marks how far the text fits.
    pub to: Vec<(u32, bool)>,
    /// Where to go on before any other character.
    pub other: u32,
}

/// A grammar as instructions.
#[derive(Debug, Default)]
pub(crate) struct Code {
    pub ops: Vec<Op>,
    pub texts: Vec<Box<str>>,
    pub classes: Vec<Class>,
    pub heads: Vec<Head>,
    pub switches: Vec<Switch>,
    pub entries: Vec<Entry>,
}
