//! What is said about grammars that are wrong, or right but odd.

use std::collections::BTreeSet;

use super::SHIPPED;
use dice::{Expr, Grammar, Limits, Warning};

fn warnings(old: &str, new: &str) -> Vec<String> {
    assert!(SHIPPED.contains(old), "{old}");
    let grammar = Grammar::load(&SHIPPED.replacen(old, new, 1)).unwrap();
    grammar.warnings().into_iter().map(|Warning { message, .. }| message).collect()
}

#[test]
fn nothing_is_odd_about_the_built_in_grammar() {
    assert_eq!(Grammar::load(&SHIPPED).unwrap().warnings(), []);
}

#[test]
fn the_cases_are_texts_of_the_notation_and_use_every_rule() {
    let cases = include_str!("../../../src/grammar/cases.txt");
    let grammar = Grammar::built_in();
    let mut used = BTreeSet::new();
    for text in cases.lines() {
        text.parse::<Expr>().unwrap_or_else(|error| panic!("{error}"));
        used.extend(grammar.try_text(text, &Limits::default()).unwrap().into_iter().map(|node| node.rule));
    }
    let never = ["hole", "hole_key", "hole_default", "unclear_explosion", "unclear_sign", "house_rule"];
    for rule in dice::grammar_rules().into_iter().filter(|rule| !rule.silent && !rule.house) {
        assert!(used.contains(&rule.name) || never.contains(&&*rule.name), "no case uses {}", rule.name);
    }
}

#[test]
fn longer_words_behind_shorter_ones() {
    let found = warnings("keep_lowest | keep_highest", "keep_highest | keep_lowest");
    let message = "in the rule step the alternative keep_lowest is never reached, because keep_highest before it takes \
                   its text: longer words stand first";
    assert_eq!(found[1], message);
    assert!(found.iter().any(|found| found.starts_with("4d6kl is no longer understood")), "{found:#?}");
    let found = warnings("^\"kh\" | ^\"k\"", "^\"k\" | ^\"kh\"");
    assert!(
        found.iter().any(|found| found.contains("the alternative ^\"kh\" is never reached")),
        "{found:#?}"
    );
    let words = "compound_penetrate | compound | penetrate | explode_once | explode\n";
    let found = warnings(words, "explode | compound_penetrate | compound | penetrate | explode_once\n");
    assert!(found.contains(&"the example 3d6!p of the rule penetrate does not fit this grammar".to_owned()));
}

#[test]
fn brackets_that_are_parsed_twice() {
    let found = warnings(
        "(number | bracket) ~ (ws ~ dice)? | dice",
        "(number | bracket) ~ ws ~ dice | number | bracket | dice",
    );
    assert_eq!(found.len(), 1, "{found:#?}");
    let nested = "as in ((1 ? 2 : 3) ? 2 : 3) ? 2 : 3";
    assert!(found[0].contains("cost a multiple with every level") && found[0].contains(nested), "{found:#?}");
}

#[test]
fn house_rules_that_take_the_texts_of_others() {
    let house = "house = _{ !ANY ~ ANY }";
    let rule = "/// => 3\n/// Three\nthree = { ^\"max(1d6, 3)\" }\n";
    let found = warnings(house, &format!("{rule}house = _{{ three }}"));
    let message = "the example max(1d6, 3) of the rule maximum is parsed without it, as house_rule, three: an \
                   alternative before it takes its text";
    assert!(found.contains(&message.to_owned()), "{found:#?}");
    let message = "max(1d6, 3) meant max(1d6, 3) and now means max(1d6, 3), where max(1d6, 3) is 3";
    assert!(found.contains(&message.to_owned()), "{found:#?}");
    let unused = "nothing uses the rule three: put its name into house = _{ … }";
    assert_eq!(warnings(house, &format!("{rule}{house}")), [unused]);
}

#[test]
fn rules_without_a_note() {
    let house = "house = _{ !ANY ~ ANY }";
    let found = warnings(house, "/// => 3\nthree = { ^\"three\" }\nhouse = _{ three }");
    assert_eq!(found, ["the rule three has no /// line that says what it is for"]);
}
