//! A grammar that is read means what the compiled one means.

use dice::{Expr, Grammar, Limits};
use proptest::prelude::*;

const BUILT_IN: &str = include_str!("../../../dice.pest");

/// Both trees, or both errors with their places.
fn same(grammar: &Grammar, text: &str) {
    let compiled = Expr::parse(text, &Limits::default());
    let loaded = grammar.parse(text, &Limits::default());
    match (&compiled, &loaded) {
        (Ok(a), Ok(b)) => assert_eq!(format!("{:?}", a.body()), format!("{:?}", b.body()), "{text}"),
        (a, b) => assert_eq!(format!("{a:?}"), format!("{b:?}"), "{text}"),
    }
}

#[test]
fn the_examples_of_every_rule() {
    let grammar = Grammar::load(BUILT_IN).unwrap();
    for rule in grammar.rules() {
        for example in rule.examples {
            same(&grammar, &example);
        }
    }
}

#[test]
fn built_in_is_the_file() {
    assert_eq!(Grammar::built_in().source(), BUILT_IN);
}

#[test]
fn nesting() {
    let grammar = Grammar::built_in();
    for depth in [1, 10, 128, 129, 1000] {
        same(&grammar, &format!("{}1{}", "(".repeat(depth), ")".repeat(depth)));
        same(&grammar, &format!("{}1", "-".repeat(depth)));
        same(&grammar, &"(".repeat(depth));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn texts_from_the_words_of_the_notation(words in prop::collection::vec(prop::sample::select(vec![
        "1", "2", "6", "20", "1.5", "d", "d6", "2d6", "d%", "dF", "d{1,2:3}", "kh", "kl2", "dh1", "dl", "k", "!", "!!", "!p",
        "!o", "!>=5", "r", "r1", "ro<=2", "rb1", "lim2", "mi2", "ma5", "c>=5", "ceven", "f1", "s", "sd", "(", ")", "{", "}", ",",
        "+", "-", "*", "/", "//", "%", "^", "**", ">=", "<=", "<", ">", "=", "==", "<>", "!=", "?", ":", ";", "a", "b", "a=1d6;",
        "a = ", "floor(", "max(", "keep highest", "explode", "reroll once", "[x]", "# x", " ", "\t", "3x", "even", "$1", "−", "×",
        "é", "..", ".", "_", "sign", "count", "in",
    ]), 0..14)) {
        same(&Grammar::built_in(), &words.concat());
    }
}
