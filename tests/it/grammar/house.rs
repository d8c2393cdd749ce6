//! House rules: words that stand for notation.

use dice::{Error, Expr, Grammar, Limits, Script};

/// The built-in grammar with these house rules.
fn with(rules: &str, names: &str) -> Result<Grammar, Error> {
    let text = Grammar::built_in()
        .source()
        .replace("house = _{ !ANY ~ ANY }", &format!("{rules}\nhouse = _{{ {names} }}"));
    Grammar::load(&text)
}

fn parse(grammar: &Grammar, text: &str) -> Result<Expr, Error> {
    grammar.parse(text, &Limits::default())
}

fn total<const N: usize>(grammar: &Grammar, text: &str, faces: [i64; N]) -> i64 {
    let mut script = Script::new(faces);
    let total = parse(grammar, text).unwrap().roll(&mut script).unwrap().total();
    script.exhausted().unwrap();
    total.as_i64().unwrap()
}

#[test]
fn the_first_example() {
    let grammar = with(
        "/// => ($1)d6c>=5\nshadowrun = { ^\"sr\" ~ (number | bracket) }\n/// => 2d20kh1\nadvantage = { ^\"adv\" }",
        "shadowrun | advantage",
    )
    .unwrap();
    assert_eq!(total(&grammar, "sr 4", [1, 5, 6, 2]), 2);
    assert_eq!(total(&grammar, "SR4", [1, 5, 6, 2]), 2);
    assert_eq!(total(&grammar, "sr (1+2) + 10", [5, 5, 5]), 13);
    assert_eq!(total(&grammar, "adv + 5 >= 15", [7, 12]), 1);
    assert_eq!(total(&grammar, "adv = 3; adv + 1", []), 4);
    assert_eq!(total(&grammar, "advx = 3; advx + 1", []), 4);
    let expr = parse(&grammar, "sr (1 + 2) + 10").unwrap();
    assert_eq!(expr.to_string(), "sr (1 + 2) + 10");
    assert_eq!(
        parse(&grammar, "sr (0-3)").unwrap_err().to_string(),
        "-3 dice cannot be thrown: the number of dice is negative\n  sr (0-3)\n     ^^^^^"
    );
}
