//! Changes `dice.pest` in one small place after the other, reads each such grammar at run time and looks whether any text
//! of `fuzz/seeds` comes out differently. Lists the changes that none notices: `cargo run --release`.
//!
//! The changes: an alternative dropped, two neighbouring alternatives swapped, `?` `*` `+` changed or dropped, a look-ahead
//! dropped or turned round, a literal with another last character, case that matters where it did not, a part dropped.

use dice::{Expr, Grammar, Limits};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

fn main() {
    let root =
        std::env::args().nth(1).unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../..").to_owned());
    let source = std::fs::read_to_string(format!("{root}/dice.pest")).unwrap();
    let mut texts: Vec<String> = Vec::new();
    for file in std::fs::read_dir(format!("{root}/fuzz/seeds")).unwrap() {
        let lines = std::fs::read_to_string(file.unwrap().path()).unwrap();
        texts.extend(lines.lines().map(str::to_owned));
    }
    for rule in Grammar::built_in().rules() {
        texts.extend(rule.examples);
    }
    let expected = outcomes(&Grammar::load(&source).unwrap(), &texts);
    let (mut killed, mut refused, mut survivors) = (0, 0, Vec::new());
    for (what, mutant) in mutants(&source) {
        match Grammar::load(&mutant) {
            Err(_) => refused += 1,
            Ok(grammar) if differs(&grammar, &texts, &expected) => killed += 1,
            Ok(_) => survivors.push(what),
        }
    }
    println!(
        "{} mutants: {killed} change a text, {refused} are no grammars, {} go unnoticed",
        killed + refused + survivors.len(),
        survivors.len()
    );
    survivors.iter().for_each(|what| println!("{what}"));
}

/// What a text comes to: its tree as printed and its totals, or the code of the error.
fn outcome(grammar: &Grammar, text: &str) -> String {
    let limits = Limits { dice: 5_000, ..Limits::default() };
    match grammar.parse(text, &limits) {
        Ok(expr) => format!("{expr} {:?}", totals(&expr, &limits)),
        Err(error) => format!("{:?} {:?}", error.code(), error.span()),
    }
}

fn totals(expr: &Expr, limits: &Limits) -> Option<String> {
    Some(expr.roll_within(&mut ChaCha8Rng::seed_from_u64(9), limits).ok()?.to_string())
}

fn outcomes(grammar: &Grammar, texts: &[String]) -> Vec<String> {
    texts.iter().map(|text| outcome(grammar, text)).collect()
}

fn differs(grammar: &Grammar, texts: &[String], expected: &[String]) -> bool {
    texts.iter().zip(expected).any(|(text, expected)| outcome(grammar, text) != *expected)
}

/// A word of a grammar with its place.
#[derive(Clone, Copy)]
struct Token<'s> {
    start: usize,
    text: &'s str,
}

/// The words of a line, without its comment.
fn tokens(line: &str, offset: usize) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let bytes = line.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &line[at..];
        if rest.starts_with("//") {
            break;
        }
        let length = match bytes[at] {
            quote @ (b'"' | b'\'') => {
                let mut end = 1;
                while rest.as_bytes()[end] != quote {
                    end += if rest.as_bytes()[end] == b'\\' { 2 } else { 1 };
                }
                end + 1
            }
            byte if byte.is_ascii_alphanumeric() || byte == b'_' => {
                rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count()
            }
            b'.' => 2,
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            _ => rest.chars().next().map_or(1, char::len_utf8),
        };
        tokens.push(Token { start: offset + at, text: &line[at..at + length] });
        at += length;
    }
    tokens
}

/// The end of the term that begins at a token: a word, or a bracket to its end, with what stands before and behind it.
fn term_end(tokens: &[Token<'_>], mut at: usize) -> usize {
    while matches!(tokens[at].text, "!" | "&" | "^") {
        at += 1;
    }
    if tokens[at].text == "(" {
        let mut depth = 0;
        loop {
            depth += match tokens[at].text {
                "(" => 1,
                ")" => -1,
                _ => 0,
            };
            if depth == 0 {
                break;
            }
            at += 1;
        }
    }
    at += 1;
    if tokens.get(at).is_some_and(|token| token.text == "..") {
        at += 2;
    }
    while tokens.get(at).is_some_and(|token| matches!(token.text, "?" | "*" | "+")) {
        at += 1;
    }
    at
}

fn mutants(source: &str) -> Vec<(String, String)> {
    let mut all: Vec<Token<'_>> = Vec::new();
    let mut offset = 0;
    for line in source.split_inclusive('\n') {
        all.extend(tokens(line, offset));
        offset += line.len();
    }
    let mut mutants = Vec::new();
    let mut rule = "";
    let mut mutate = |rule: &str, from: usize, to: usize, new: &str, what: &str| {
        let old = source[from..to].split_whitespace().collect::<Vec<_>>().join(" ");
        mutants.push((
            format!("{rule}: {what}: {old} -> {new}"),
            format!("{}{new}{}", &source[..from], &source[to..]),
        ));
    };
    let end_of = |token: &Token<'_>| token.start + token.text.len();
    for (index, token) in all.iter().enumerate() {
        let next = all.get(index + 1).map_or("", |next| next.text);
        if next == "=" {
            rule = token.text;
            continue;
        }
        let before = index.checked_sub(1).map_or("", |index| all[index].text);
        let (start, end) = (token.start, end_of(token));
        match token.text {
            "?" => {
                mutate(rule, start, end, "", "not optional");
                mutate(rule, start, end, "*", "more often");
            }
            "*" => {
                mutate(rule, start, end, "+", "at least once");
                mutate(rule, start, end, "?", "at most once");
            }
            "+" => {
                mutate(rule, start, end, "*", "perhaps never");
                mutate(rule, start, end, "", "only once");
            }
            "!" if before != "=" => mutate(rule, start, end, "&", "turned round"),
            "&" => mutate(rule, start, end, "!", "turned round"),
            "^" => mutate(rule, start, end, "", "case matters"),
            text if text.starts_with('"') && text.len() > 2 => {
                let inner = &text[1..text.len() - 1];
                mutate(rule, start, end, &format!("\"{inner}q\""), "another literal");
                let mut shorter = inner.to_owned();
                shorter.pop();
                if !shorter.is_empty() && !inner.contains('\\') {
                    mutate(rule, start, end, &format!("\"{shorter}\""), "a shorter literal");
                }
            }
            _ => {}
        }
        // Terms begin behind a brace, a bracket, `~` or `|`.
        if !rule.is_empty() && matches!(before, "{" | "(" | "~" | "|") && !matches!(token.text, "}" | ")") {
            let last = term_end(&all, index);
            let term_stop = end_of(&all[last - 1]);
            let follower = all.get(last).map_or("", |token| token.text);
            if before == "~" {
                mutate(rule, all[index - 1].start, term_stop, "", "a part dropped");
            } else if follower == "~" {
                mutate(rule, start, end_of(&all[last]), "", "a part dropped");
            }
            // A whole alternative, up to the next bar or bracket.
            if before != "~" {
                let sequence = |mut last: usize| {
                    while all.get(last).is_some_and(|token| token.text == "~") {
                        last = term_end(&all, last + 1);
                    }
                    last
                };
                let stop = sequence(last);
                if all.get(stop).is_some_and(|token| token.text == "|") {
                    mutate(rule, start, end_of(&all[stop]), "", "an alternative dropped");
                    let other = sequence(term_end(&all, stop + 1));
                    let (first, second) =
                        (start..end_of(&all[stop - 1]), all[stop + 1].start..end_of(&all[other - 1]));
                    let swapped = format!("{} | {}", &source[second.clone()], &source[first]);
                    mutate(rule, start, second.end, &swapped, "swapped");
                } else if before == "|" {
                    mutate(rule, all[index - 1].start, end_of(&all[stop - 1]), "", "an alternative dropped");
                }
            }
        }
    }
    mutants
}
