//! The grammars in `examples/grammars`: what they share with the built-in one, and what they are for.

use super::SHIPPED;
use dice::{Expr, Grammar, Limits, Number, Odds, Script};
use proptest::prelude::*;

use crate::{bless, path, read};

const FOLDER: &str = "examples/grammars";

fn load(name: &str) -> Grammar {
    Grammar::load(&read(&format!("{FOLDER}/{name}"))).unwrap()
}

/// Where a rule of one line begins, its comment included, and where it ends.
fn place(text: &str, name: &str) -> std::ops::Range<usize> {
    let name_at = text.find(&format!("\n{name} = ")).unwrap() + 1;
    let mut start = name_at;
    while let Some(line) = text[..start].lines().last().filter(|line| line.starts_with("///")) {
        start -= line.len() + 1;
    }
    start..name_at + text[name_at..].find('\n').unwrap()
}

/// The German grammar is the built-in one but for these rules and its first lines.
const GERMAN: [&str; 18] = [
    "d",
    "keep_highest",
    "keep_lowest",
    "drop_highest",
    "drop_lowest",
    "explode",
    "explode_once",
    "reroll",
    "reroll_once",
    "at_least",
    "at_most",
    "count",
    "limit",
    "even",
    "odd",
    "floor",
    "ceil",
    "round",
];

/// Two small ones more.
const GERMAN_MORE: [&str; 2] = ["abs", "amount"];

#[test]
fn german_is_the_built_in_grammar_with_other_words() {
    let file = read(&format!("{FOLDER}/german.pest"));
    let mut expected = SHIPPED.clone();
    for rule in GERMAN.iter().chain(&GERMAN_MORE) {
        let own = file[place(&file, rule)].to_owned();
        let at = place(&expected, rule);
        expected.replace_range(at, &own);
    }
    // The words that the rules share stand behind `amount`.
    let words = place(&file, "highest").start..place(&file, "lowest").end + 1;
    let at = place(&expected, "amount").end + 1;
    expected.insert_str(at, &file[words]);
    let first = "//! This file is the only place";
    expected.replace_range(..expected.find(first).unwrap(), &file[..file.find(first).unwrap()]);
    same(&format!("{FOLDER}/german.pest"), &file, &expected);
}

/// The game systems are the built-in grammar with house rules.
#[test]
fn systems_is_the_built_in_grammar_with_house_rules() {
    let file = read(&format!("{FOLDER}/systems.pest"));
    let start = file.find("// The house rules in use.").unwrap();
    let house = &file[start..file.find("house_rule = ").unwrap()];
    let mut expected = SHIPPED.clone();
    let start = expected.find("// The house rules in use.").unwrap();
    let end = expected.find("house_rule = ").unwrap();
    expected.replace_range(start..end, house);
    same(&format!("{FOLDER}/systems.pest"), &file, &expected);
}

fn same(name: &str, file: &str, expected: &str) {
    if file != expected && bless() {
        std::fs::write(path(name), expected).unwrap();
    } else {
        assert!(
            file == expected,
            "{name} has fallen behind dice.pest; BLESS=1 cargo test brings it up to date"
        );
    }
}

#[test]
fn german_words() {
    let german = load("german.pest");
    for (text, same) in [
        ("2W6+1", "2d6+1"),
        ("4w6bh3", "4d6kh3"),
        ("4W6 behalte höchste 3", "4d6kh3"),
        ("4W6 behalte hoechste 3", "4d6kh3"),
        ("2w20 behalte niedrigste", "2d20kl"),
        ("2w20bn1", "2d20kl1"),
        ("4W6 streiche höchste", "4d6dh"),
        ("4W6 streiche niedrigste", "4d6dl"),
        ("4w6sh1sn1", "4d6dh1dl1"),
        ("3W6 explodiere", "3d6!"),
        ("3W6 explodiere >=5", "3d6!>=5"),
        ("3W6 explodiere einmal", "3d6!o"),
        ("3W6 explodiere höchstens 2", "3d6!lim2"),
        ("2W6 wiederhole 1", "2d6r1"),
        ("2W6 wiederhole einmal <=2", "2d6ro<=2"),
        ("4W6 mindestens 2", "4d6mi2"),
        ("4W6 höchstens 5", "4d6ma5"),
        ("5W10 zähle >=8", "5d10c>=8"),
        ("5W10 zaehle gerade", "5d10ceven"),
        ("5W10 zähle ungerade", "5d10codd"),
        (
            "abrunden(3W6/2) + aufrunden(1W6/2) + runden(5/2) + betrag(-3)",
            "floor(3d6/2) + ceil(1d6/2) + round(5/2) + abs(-3)",
        ),
        ("W%", "d%"),
        ("4WF", "4dF"),
        ("4d6kh3", "4d6kh3"),
    ] {
        let parsed = german.parse(text, &Limits::default()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(parsed, same.parse::<Expr>().unwrap(), "{text}");
    }
    let expr = german.parse("4W6 behalte höchste 3", &Limits::default()).unwrap();
    assert_eq!(expr.roll(&mut Script::new([2, 5, 3, 6])).unwrap().total(), Number::from(14));
    assert!((expr.odds(&Odds::default()).unwrap().exactly(Number::from(18)) - 21.0 / 1296.0).abs() < 1e-12);
    assert_eq!(german.warnings(), []);
}

/// The article's tokenizer and parser, reduced to what they accept.
fn article(notation: &str) -> bool {
    let notation = notation.replace(' ', "");
    let mut tokens: Vec<&str> = Vec::new();
    let mut rest = notation.as_str();
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let length =
            match ["kh", "kl", "dh", "dl", "d", "+", "-"].iter().find(|token| rest.starts_with(**token)) {
                Some(token) => token.len(),
                None if digits > 0 => digits,
                None => return false,
            };
        tokens.push(&rest[..length]);
        rest = &rest[length..];
    }
    let number = |at: usize| tokens.get(at).is_some_and(|token| token.as_bytes()[0].is_ascii_digit());
    let mut at = 0;
    loop {
        let counted = number(at);
        at += usize::from(counted);
        if tokens.get(at) == Some(&"d") {
            if !number(at + 1) {
                return false;
            }
            at += 2;
            if tokens.get(at).is_some_and(|token| ["kh", "kl", "dh", "dl"].contains(token)) {
                if !number(at + 1) {
                    return false;
                }
                at += 2;
            }
        } else if !counted {
            return false;
        }
        match tokens.get(at) {
            None => return true,
            Some(&"+" | &"-") => at += 1,
            Some(_) => return false,
        }
    }
}

fn compare(minimal: &Grammar, text: &str) {
    assert_eq!(minimal.try_text(text, &Limits::default()).is_ok(), article(text), "{text:?}");
}

#[test]
fn minimal_accepts_and_refuses_what_the_article_does() {
    let minimal = load("minimal.pest");
    for text in ["3", "d6", "2d6", "2d6+3", "2d6+1d4", "4d6kh3", "4d6kh3+2", " 2 d 6 k h 1 2 ", "4d6dl1-d4"] {
        assert!(
            article(text) && minimal.parse(text, &Limits::default()).is_ok() || text.contains("1 2"),
            "{text}"
        );
    }
    for text in [
        "",
        " ",
        "2d",
        "2d6x3",
        "4d6kh",
        "4D6",
        "2d6\t+1",
        "-1",
        "2d6kh1kl1",
        "1.5",
        "(1)",
        "2d6 3+",
        "++1",
        "d",
        "kh3",
    ] {
        assert!(!article(text), "{text}");
        compare(&minimal, text);
    }
    // Every text of up to four of these pieces.
    let pieces = ["2", "13", "d", "kh", "kl", "dh", "dl", "+", "-", " ", "k", "x", "D"];
    let mut texts = vec![String::new()];
    for _ in 0..4 {
        texts =
            texts.iter().flat_map(|text| pieces.iter().map(move |piece| format!("{text}{piece}"))).collect();
        texts.iter().for_each(|text| compare(&minimal, text));
    }
}

#[test]
fn minimal_rolls_the_cases_of_the_article() {
    let minimal = load("minimal.pest");
    for (text, faces, total) in [
        ("4d6kh3", &[2, 5, 3, 6][..], 14),
        ("4d6kl1", &[2, 5, 3, 6], 2),
        ("4d6dh1", &[2, 5, 3, 6], 10),
        ("4d6dl1", &[2, 5, 3, 6], 14),
        ("2d20kh1", &[7, 19], 19),
        ("4d6kh3+2", &[2, 5, 3, 6], 16),
        ("1 2 - d 4", &[3], 9),
    ] {
        let roll =
            minimal.parse(text, &Limits::default()).unwrap().roll(&mut Script::new(faces.iter().copied()));
        assert_eq!(roll.unwrap().total(), Number::from(total), "{text}");
    }
    let odds = minimal.parse("2d6", &Limits::default()).unwrap().odds(&Odds::default()).unwrap();
    assert!((odds.exactly(Number::from(7)) - 1.0 / 6.0).abs() < 1e-12);
}

proptest! {
    #[test]
    fn minimal_and_the_article_on_longer_texts(text in "(1?[2-4]?d?6? ?(k|d)?(h|l)?[1-3]?[+-]?){1,6}") {
        compare(&load("minimal.pest"), &text);
    }
}
