//! The grammar says of every rule what it is for, with an example that truly uses it.

use dice::{Expr, grammar_rules, grammar_source, rules_in};

use crate::cases::{REFUSED, documented};

#[test]
fn every_rule_has_a_note_with_an_example_that_uses_it() {
    for rule in grammar_rules().into_iter().filter(|rule| documented().contains(&rule.name)) {
        assert!(rule.note.iter().any(|line| !line.is_empty()), "{} has no /// line in dice.pest", rule.name);
        let example = rule.example.unwrap_or_else(|| panic!("the note of {} has no example", rule.name));
        let rules = rules_in(&example).unwrap_or_else(|| panic!("{example} of {} does not parse", rule.name));
        assert!(rules.contains(&rule.name), "{example} does not use {}, but {rules:?}", rule.name);
        let refused = REFUSED.contains(&rule.name.as_str());
        // The examples of steps that use names show only the last line of a text.
        assert_eq!(example.parse::<Expr>().is_err(), refused, "{example}: {:?}", example.parse::<Expr>());
    }
}

#[test]
fn a_silent_rule_in_the_table_is_silent_in_the_grammar() {
    for rule in grammar_rules() {
        let line = grammar_source()
            .lines()
            .find(|line| line.split_once('=').is_some_and(|(name, _)| name.trim() == rule.name))
            .unwrap_or_else(|| panic!("{} is not in the grammar", rule.name));
        let (_, body) = line.split_once('=').unwrap();
        assert_eq!(body.trim_start().starts_with('_'), rule.silent, "{line}");
    }
}

#[test]
fn the_list_of_rules_is_whole() {
    let rules = grammar_rules();
    assert!(rules.len() > 100, "{}", rules.len());
    for name in ["roll", "keep_highest", "ws", "house"] {
        assert!(rules.iter().any(|rule| rule.name == name), "{name}");
    }
    assert_eq!(
        rules_in("4d6kh3").unwrap().into_iter().collect::<Vec<_>>(),
        ["dice", "keep_highest", "number", "roll"]
    );
    assert_eq!(rules_in("4d6kh3)"), None);
}
