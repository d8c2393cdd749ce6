use std::cell::RefCell;
use std::rc::Rc;

use rustyline::Context;
use rustyline::completion::Completer;
use rustyline::highlight::Highlighter;
use rustyline::hint::{Hint, Hinter};
use rustyline::history::DefaultHistory;

use super::helper::Help;
use crate::cli::language::Language;
use crate::cli::names::Names;

fn help() -> Help {
    let language = Rc::new(Language::default());
    let names = Rc::new(RefCell::new(Names::default()));
    names.borrow_mut().set("strike", "1d20 + 4", &language).unwrap();
    Help { language, names, color: true }
}

fn hint(line: &str) -> Option<String> {
    let history = DefaultHistory::new();
    help().hint(line, line.len(), &Context::new(&history)).map(|meaning| meaning.display().to_owned())
}

/// What the line becomes with each candidate, and what is shown for it.
fn completed(line: &str) -> Vec<(String, String)> {
    let history = DefaultHistory::new();
    let (start, found) = help().complete(line, line.len(), &Context::new(&history)).unwrap();
    found.into_iter().map(|pair| (format!("{}{}", &line[..start], pair.replacement), pair.display)).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(line, shown)| ((*line).to_owned(), (*shown).to_owned())).collect()
}

#[test]
fn a_hint_says_what_players_call_it_and_the_mean() {
    let hint = |line| hint(line).unwrap_or_default();
    assert_eq!(hint("2d20kh1"), "   advantage, mean 13.83");
    assert_eq!(hint("2d20 keep lowest 1 + 3"), "   disadvantage, mean 10.18");
    assert_eq!(hint("str = 3d6"), "   mean 10.50");
    assert_eq!(hint("strike + 1"), "   mean 15.50");
    assert_eq!([hint("4d6kh5"), hint(""), hint(":odds"), hint("(2d6")], [""; 4]);
}

#[test]
fn a_completion_tells_its_meaning() {
    assert_eq!(
        completed("4d6k"),
        pairs(&[
            ("4d6kh", "kh            keep the highest: 4d6kh3"),
            ("4d6kl", "kl            keep the lowest: 2d20kl1"),
            ("4d6keep highest", "keep highest  4d6 keep highest 3"),
            ("4d6keep lowest", "keep lowest   2d20 keep lowest 1"),
        ])
    );
    assert_eq!(completed("1 + fl"), pairs(&[("1 + floor(", "floor(        round down")]));
    assert_eq!(completed("2d6 + str"), pairs(&[("2d6 + strike", "strike        1d20 + 4")]));
    assert_eq!(
        completed(":s"),
        pairs(&[
            (":seed", ":seed         the seed of this session, or begin again with another"),
            (":stats", ":stats        this session's dice against expectation"),
        ])
    );
    assert_eq!(completed("4d6zz"), []);
}

#[test]
fn a_line_is_coloured_as_the_parser_reads_it() {
    let painted = |line: &str| help().highlight(line, 0).replace('\x1b', "~");
    assert_eq!(painted("4d6kh3 + 2"), "~[36m4d6~[0m~[33mkh3~[0m + 2");
    assert_eq!(painted("fire = 2d6[hot] # now"), "fire = ~[36m2d6~[0m~[32m[hot]~[0m~[32m # now~[0m");
    assert_eq!(painted("4d6kh5"), "4d6~[31mkh5~[0m");
    assert_eq!(painted("strike + 1"), "strike + 1");
    assert_eq!(painted(":odds"), ":odds");
    let plain = Help { color: false, ..help() };
    assert_eq!(plain.highlight("4d6kh3", 0), "4d6kh3");
}

#[test]
fn an_open_bracket_goes_on_in_the_next_line() {
    let goes_on = |line: &str| help().goes_on(line);
    assert!(goes_on("(2d6") && goes_on("{2d6, 1d8") && goes_on("x = (2d6") && goes_on("(2d6\n+ (3)"));
    assert!(!goes_on("(2d6)") && !goes_on("2d6") && !goes_on("2d6)") && !goes_on("(2d6\n+ 3)"));
    assert!(!goes_on("(2d6\n"), "a second Enter gives up");
}
