//! The reader, the checks and the machine against pest's own (`pest_meta` and `pest_vm`): the same grammars are accepted, and the
//! same texts give the same nodes or stop at the same byte.

use std::collections::HashMap;
use std::fmt::Write as _;

use pest::error::InputLocation;
use pest::iterators::Pairs;
use proptest::prelude::*;

use super::book::Book;
use super::compile::compile;
use super::machine::{End, run};
use super::{SOURCE, progress, syntax};
use crate::lower::Role;

/// A grammar whose rules need mean nothing.
fn book(text: &str) -> Option<Book> {
    let rules = syntax::read(text).ok()?;
    let mut index = HashMap::new();
    for (number, rule) in rules.iter().enumerate() {
        if index.insert(rule.name.clone(), number).is_some() {
            return None;
        }
    }
    let roles = vec![Role::Silent; rules.len()];
    let book = Book { rules, roles, index, start: 0 };
    progress::faults(&book).is_empty().then_some(book)
}

fn flat<'i>(pairs: Pairs<'i, &'i str>, into: &mut Vec<(String, usize, usize)>) {
    for pair in pairs {
        let span = pair.as_span();
        into.push((pair.as_rule().to_owned(), span.start(), span.end()));
        flat(pair.into_inner(), into);
    }
}

/// Parses with both.
fn compare(book: &Book, vm: &pest_vm::Vm, start: &str, text: &str) {
    let code = compile(book).unwrap();
    let ours = run(&code, text);
    match (vm.parse(start, text), ours.end) {
        (Ok(pairs), End::Fits(tokens)) => {
            let mut theirs = Vec::new();
            flat(pairs, &mut theirs);
            let name = |rule: u32| book.rules[rule as usize].name.clone();
            let ours: Vec<_> =
                tokens.iter().map(|t| (name(t.rule), t.span.start as usize, t.span.end as usize)).collect();
            assert_eq!(ours, theirs, "{text:?}");
        }
        (Ok(pairs), End::Stops(at)) => {
            assert!(at < text.len(), "{text:?}");
            let mut theirs = Vec::new();
            flat(pairs, &mut theirs);
            assert!(
                theirs.first().is_none_or(|(name, _, end)| name != start || *end == at),
                "{text:?} {theirs:?} {at}"
            );
        }
        (Err(error), End::Stops(at)) => {
            let (InputLocation::Pos(theirs) | InputLocation::Span((theirs, _))) = error.location;
            assert_eq!(at, theirs, "{text:?}");
        }
        // A grammar that takes exponential time; pest has no limit and tells in the end.
        (_, End::Busy) => {}
        (theirs, ours) => panic!("{text:?}: {theirs:?} {ours:?}"),
    }
}

/// Expressions over a small alphabet, three levels deep; these rules may be named.
fn expr(rules: &[&'static str]) -> impl Strategy<Value = String> + use<> {
    let letters = [
        "\"a\"",
        "\"b\"",
        "\"ab\"",
        "^\"c\"",
        "^\"AB\"",
        "'a'..'b'",
        "ANY",
        "SOI",
        "\"\"",
        "ASCII_DIGIT",
        "NEWLINE",
        "\"é\"",
    ];
    let leaf = prop::sample::select([&letters, rules].concat()).prop_map(str::to_owned);
    leaf.prop_recursive(3, 24, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..4).prop_map(|parts| format!("({})", parts.join(" ~ "))),
            prop::collection::vec(inner.clone(), 1..6).prop_map(|parts| format!("({})", parts.join(" | "))),
            (inner.clone(), prop::sample::select(vec!["?", "*", "+", "{2}", "{1,}", "{,2}", "{1,3}"]))
                .prop_map(|(inner, times)| format!("{inner}{times}")),
            (inner, prop::sample::select(vec!["!", "&"])).prop_map(|(inner, sign)| format!("{sign}{inner}")),
        ]
    })
}

const KINDS: [&str; 5] = ["", "_", "@", "$", "!"];

const BLANKS: [&str; 5] = [
    "",
    "WHITESPACE = _{ \" \" }",
    "WHITESPACE = { \" \" }\nCOMMENT = _{ \"#\" }",
    "COMMENT = ${ \"#\" ~ r4? }",
    "WHITESPACE = !{ \" \" | \"\\t\" }",
];

/// Rules that each name later ones only, so that none is inside itself, and a start that takes the whole text or nothing: where it
/// stops shows which rules were tried.
fn layers() -> impl Strategy<Value = String> {
    let rule = |later: &[&'static str]| (prop::sample::select(&KINDS[..]), expr(later));
    let rules = (
        rule(&["r2", "r3", "r4", "r5"]),
        rule(&["r3", "r4", "r5"]),
        rule(&["r4", "r5"]),
        rule(&["r5"]),
        rule(&[]),
    );
    let blanks = prop::sample::select(&BLANKS[..]);
    (prop::sample::select(&KINDS[..]), rules, blanks).prop_map(
        |(start, (one, two, three, four, five), blanks)| {
            let mut text = format!("r0 = {start}{{ r1 ~ !ANY }}\n");
            for (number, (kind, body)) in [one, two, three, four, five].into_iter().enumerate() {
                writeln!(text, "r{} = {kind}{{ {body} }}", number + 1).unwrap();
            }
            text + blanks
        },
    )
}

fn grammar() -> impl Strategy<Value = String> {
    let rule = (prop::sample::select(&KINDS[..]), expr(&["r0", "r1", "r2", "r3", "r4"]));
    (prop::collection::vec(rule, 5), prop::sample::select(&BLANKS[..])).prop_map(|(rules, blanks)| {
        let rules = rules.into_iter().enumerate();
        let text: Vec<String> =
            rules.map(|(number, (kind, body))| format!("r{number} = {kind}{{ {body} }}\n")).collect();
        text.concat() + blanks
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, max_shrink_iters: 2000, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(4), ..ProptestConfig::default() })]

    #[test]
    fn random_grammars_and_texts(grammar in grammar(), texts in texts()) {
        same(&grammar, &texts);
    }

    #[test]
    fn random_grammars_in_layers(grammar in layers(), texts in texts()) {
        same(&grammar, &texts);
    }
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec("[abcé# \n1AB]{0,12}|[ab]{0,4}", 8)
}

/// The grammar is accepted by both or by none, and the texts are parsed in the same way.
fn same(grammar: &str, texts: &[String]) {
    let theirs = pest_meta::parse_and_optimize(grammar);
    let ours = book(grammar);
    assert_eq!(theirs.is_ok(), ours.is_some(), "{grammar} {theirs:?}");
    if let (Ok((_, rules)), Some(book)) = (theirs, ours) {
        let vm = pest_vm::Vm::new(rules);
        for text in texts {
            compare(&book, &vm, "r0", text);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, max_shrink_iters: 2000, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(4), ..ProptestConfig::default() })]

    #[test]
    fn damaged_copies_of_the_grammar(
        damage in prop::collection::vec((0..SOURCE.len(), 0..12_usize, prop::sample::select(vec![
            "", "{", "}", "\"", "'", "~", "|", "(", ")", "*", "+", "?", "!", "&", "=", "_", "//", "/*", "*/", "^", "{2}", "{,}", " ", "\n", "x",
            "digit", "ws", "\\", "..", "@", "$", "///", "=>",
        ])), 1..4)
    ) {
        let mut text = SOURCE.to_owned();
        for (at, length, put) in damage {
            let at = (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
            let end = (at..=(at + length).min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(at);
            text.replace_range(at..end, put);
        }
        // A line of code that ends in a comment that is not closed costs pest exponential time.
        prop_assume!(!text.contains("/*"));
        let _ = super::Grammar::load(&text);
        let theirs = pest_meta::parse_and_optimize(&text);
        let defined = |book: &Book| {
            let mut faults = Vec::new();
            book.rules.iter().for_each(|rule| super::book::undefined(&rule.body, &book.index, &mut faults));
            faults.is_empty() && !["ANY", "SOI", "EOI", "_"].iter().any(|name| book.index.contains_key(*name))
        };
        let ours = book(&text).is_some_and(|book| defined(&book));
        prop_assert_eq!(theirs.is_ok(), ours, "{:?}", theirs.err());
    }
}

/// The alternatives that a character rules out are not tried, but a text stops where they would have been.
#[test]
fn alternatives_that_are_left_out() {
    let rules =
        "r1 = _{ \"x\" ~ \"y\" }\nr2 = { \"b\" }\nr3 = { \"c\" }\nr4 = { \"x\" ~ \"z\" }\nr5 = { \"y\"? }\n";
    let texts = ["", "k", "kx", "kxa", "kb", "kba", "kd", "ké", "kxz"].map(str::to_owned);
    for choice in
        ["r1 | r2 | r3", "r2 | r1 | r3", "r2 | r3 | r1", "r4 | r2 | r3", "r1 | r2 | r4", "r1 | r2", "r5 ~ r2"]
    {
        for sign in ["", "!", "&", "!!"] {
            same(&format!("r0 = ${{ \"k\" ~ {sign}({choice}) ~ \"!\" }}\n{rules}"), &texts);
        }
    }
}

#[test]
fn the_built_in_grammar() {
    let book = book(SOURCE).unwrap();
    let (_, rules) = pest_meta::parse_and_optimize(SOURCE).unwrap();
    let vm = pest_vm::Vm::new(rules);
    for text in include_str!("cases.txt").lines() {
        for end in (0..=text.len()).filter(|end| text.is_char_boundary(*end)) {
            compare_from(&book, &vm, &text[..end]);
        }
    }
}

fn compare_from(book: &Book, vm: &pest_vm::Vm, text: &str) {
    let start = book.rule("roll").unwrap();
    let code = compile(&Book {
        start,
        rules: book.rules.clone(),
        roles: book.roles.clone(),
        index: book.index.clone(),
    })
    .unwrap();
    let ours = run(&code, text);
    match (vm.parse("roll", text), ours.end) {
        (Ok(_), End::Fits(_)) => {}
        (Err(error), End::Stops(at)) => {
            let (InputLocation::Pos(theirs) | InputLocation::Span((theirs, _))) = error.location;
            assert_eq!(at, theirs, "{text:?}");
        }
        (theirs, ours) => panic!("{text:?}: {theirs:?} {ours:?}"),
    }
}
