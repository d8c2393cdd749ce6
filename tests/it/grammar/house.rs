//! House rules: words that stand for notation.

use super::SHIPPED;
use dice::ast::Kind;
use dice::{Error, Expr, Grammar, Limits, Script};

/// The built-in grammar with these house rules.
fn with(rules: &str, names: &str) -> Result<Grammar, Error> {
    let text = SHIPPED.replace("house = _{ !ANY ~ ANY }", &format!("{rules}\nhouse = _{{ {names} }}"));
    Grammar::load(&text)
}

/// House rules in every place in which they may stand, with every kind of part.
#[test]
fn parts_and_holes() {
    let rules = "\
/// => ($1)d($2)kh($3)
three = { ^\"three\" ~ number ~ number ~ number }
/// => $argument * 2
double = { ^\"double\" ~ \"(\" ~ argument ~ \")\" }
/// => 1d20 + $1 - ${2:-1d4}
mods = { ^\"mods\" ~ whole ~ (\",\" ~ number)? }
/// => p = 4d6; t = p kh1; t + (p kl1) + $1
ends = { ^\"ends\" ~ bracket }
/// => double(ends ($1)) + 1
nested = { ^\"nested\" ~ bracket }
/// => $1 + $1
twice = { ^\"twice\" ~ dice }
/// => 3d6c>=$name
with_name = { ^\"hits\" ~ name }";
    let grammar = with(rules, "three | double | mods | ends | nested | twice | with_name").unwrap();
    assert_eq!(total(&grammar, "three 3 6 2", [1, 5, 6]), 11);
    assert_eq!(total(&grammar, "three3 6 2", [1, 5, 6]), 11);
    assert_eq!(total(&grammar, "double(1d6 + 2) - 1", [3]), 9);
    assert_eq!(total(&grammar, "mods -3, 2", [10]), 5);
    assert_eq!(total(&grammar, "mods 3", [10, 4]), 9);
    assert_eq!(total(&grammar, "ends (1)", [1, 5, 6, 2]), 8);
    assert_eq!(total(&grammar, "p = 9; t = 1; ends (p + t)", [1, 5, 6, 2]), 17);
    assert_eq!(total(&grammar, "nested (1d4)", [1, 5, 6, 2, 4]), 23);
    assert_eq!(total(&grammar, "twice d6", [3, 4]), 7);
    assert_eq!(total(&grammar, "five = 5; hits five", [4, 5, 6]), 2);
    assert_eq!(total(&grammar, "2d6kh(three 2 2 1)", [6, 5, 1, 2]), 11);
    assert_eq!(total(&grammar, "{three 2 6 1, 2d6}kh1", [1, 2, 6, 5]), 11);
    assert_eq!(total(&grammar, "max(mods 3, three 1 6 1)", [1, 4, 2]), 2);
    assert_eq!(total(&grammar, "ends (1) >= 8 ? three 1 6 1 : 0", [1, 5, 6, 2, 3]), 3);
    // The notation of a house rule, and of one inside another, is notation too.
    for (text, notation) in [
        ("mods -3, 2", "1d20 + (-3) - 2"),
        ("mods 3", "1d20 + 3 - (1d4)"),
        ("nested (1d4)", "double(ends (1d4)) + 1"),
        ("twice d6", "(1d6) + (1d6)"),
        ("ends (1)", "p = 4d6; t = p kh1; t + (p kl1) + (1)"),
    ] {
        let expr = parse(&grammar, text).unwrap();
        let Kind::House(house) = &expr.body().kind else { panic!("{text}") };
        assert_eq!(house.notation(), notation);
        let again = parse(&grammar, notation).unwrap();
        assert_eq!(again.definitions(), house.definitions);
        assert_eq!(again.body(), &house.body, "{notation}");
    }
}

/// Blanks may stand between the words and parts, and the list may leave a node of its own.
#[test]
fn spellings_of_the_list() {
    for list in ["_{ pool }", "{ pool }", "!{ pool }"] {
        let rule = "/// => ($1)d10c>=$2\npool = { ^\"pool\" ~ number ~ \",\" ~ number }";
        let text = SHIPPED.replace("house = _{ !ANY ~ ANY }", &format!("{rule}\nhouse = {list}"));
        let grammar = Grammar::load(&text).unwrap();
        assert_eq!(total(&grammar, "pool 2 ,8", [7, 8]), 1, "{list}");
        assert_eq!(total(&grammar, "POOL2,8+1", [7, 8]), 2, "{list}");
    }
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
