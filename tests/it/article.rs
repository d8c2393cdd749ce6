//! The article "Agent im Loop, Teil 4", from which this engine took its first slice: every line of it that is
//! still true here, and beside each that is not what holds instead.

use dice::ast::{Chain, Dice, End, Kind, Link, Node, Operator, Sides, Span, Step, StepKind, Take};
use dice::{Code, Die, Error, Expr, FaceError, Number, Script};

/// The total with faces for dice of given sides; every face has to be used.
fn total(text: &str, faces: &[(u64, i64)]) -> Result<Number, Error> {
    let mut script = Script::with_sides(faces.iter().copied());
    let roll = text.parse::<Expr>()?.roll(&mut script)?;
    assert_eq!(script.exhausted(), Ok(()), "{text}");
    Ok(roll.total())
}

const FOUR: [(u64, i64); 4] = [(6, 2), (6, 5), (6, 3), (6, 6)];

#[test]
fn the_six_cases_of_keep_and_drop() {
    for (text, faces, expected) in [
        ("4d6kh3", &FOUR[..], 14),
        ("4d6kl1", &FOUR, 2),
        ("4d6dh1", &FOUR, 10),
        ("4d6dl1", &FOUR, 14),
        ("2d20kh1", &[(20, 7), (20, 19)], 19),
        ("4d6kh3+2", &FOUR, 16),
    ] {
        assert_eq!(total(text, faces), Ok(Number::from(expected)), "{text}");
    }
}

#[test]
fn the_grammar_accepts_what_the_article_lists() {
    for text in ["3", "d6", "2d6", "2d6+3", "2d6+1d4+3", "4d6kh3", "4d6kh3+2"] {
        assert!(text.parse::<Expr>().is_ok(), "{text}");
    }
}

#[test]
fn half_a_die_says_what_is_missing() {
    for text in ["2d", "d", "3d", "2d+1"] {
        assert_eq!(text.parse::<Expr>().unwrap_err().code(), Code::MissingSides, "{text}");
    }
}

#[test]
fn no_tail_is_skipped() {
    let error = "2d6x3".parse::<Expr>().unwrap_err();
    assert_eq!((error.code(), error.span().start), (Code::UnknownStep, 3));
    for text in ["2d6xyz", "2d6_3", "2d6+", "2d6++", "kh3", "2d6kh1kl1x", "2d6)", "", "   ", "4d6khx", "3kh1"]
    {
        assert!(text.parse::<Expr>().is_err(), "{text}");
    }
}

/// The article's engine removes every blank first, so it reads `1 2` as 12 and `k h` as `kh`. Here blanks stand
/// between tokens, and nowhere else.
#[test]
fn blanks_stand_between_tokens_only() {
    for text in ["2 d 6 + 1 d 4 + 3", "2d6+1d4+3", " 2d6\t+\n1d4 +\u{3000}3 "] {
        assert_eq!(total(text, &[(6, 1), (6, 2), (4, 3)]), Ok(Number::from(9)), "{text}");
    }
    assert_eq!("1 2".parse::<Expr>().unwrap_err().code(), Code::MissingOperator);
    assert!("4d6k h3".parse::<Expr>().is_err());
}

/// The order of `kh|kl|dh|dl|d` is on purpose: `dh` must not be read as `d` and a rest.
#[test]
fn a_longer_word_wins() {
    assert_eq!(total("4d6dh2", &FOUR), Ok(Number::from(5)));
    assert_eq!(total("4d6d2", &FOUR), Ok(Number::from(11)));
    assert_eq!("4d6d2".parse::<Expr>().unwrap().to_string(), "4d6dl2");
}

fn node(kind: Kind) -> Node {
    Node { kind, span: Span::default() }
}

fn number(value: i64) -> Node {
    node(Kind::Number(Number::from(value)))
}

fn dice(count: i64, sides: u64, steps: Vec<Step>) -> Node {
    let sides = Sides::Known(Die::Plain(sides));
    node(Kind::Dice(Box::new(Dice { id: 0, count: number(count), sides, steps, thrown: Span::default() })))
}

fn sum(first: Node, rest: Vec<Node>) -> Node {
    let link = |operand| Link { operator: Operator::Add, at: Span::default(), operand };
    node(Kind::Chain(Box::new(Chain { first, rest: rest.into_iter().map(link).collect() })))
}

#[test]
fn the_tree_of_keep_three_and_two() {
    let keep = StepKind::Select(Take::Keep, End::Highest, number(3));
    let step = Step { kind: keep, span: Span::default(), id: 0 };
    let expected = sum(dice(4, 6, vec![step]), vec![number(2)]);
    assert_eq!(*"4d6kh3+2".parse::<Expr>().unwrap().body(), expected);
}

/// A chain of one level is one node, read from the left: `((2d6)+(1d4))+3`.
#[test]
fn the_tree_of_a_sum() {
    let expected = sum(dice(2, 6, vec![]), vec![dice(1, 4, vec![]), number(3)]);
    assert_eq!(*"2d6+1d4+3".parse::<Expr>().unwrap().body(), expected);
}

#[test]
fn operands_are_rolled_and_joined_from_the_left() {
    assert_eq!(total("2d6+1d4+3", &[(6, 1), (6, 6), (4, 2)]), Ok(Number::from(12)));
    assert_eq!(total("10-2-3", &[]), Ok(Number::from(5)));
    assert_eq!(total("1d20-1d4-1d6", &[(20, 20), (4, 1), (6, 2)]), Ok(Number::from(17)));
    let error = total("1d20-1d4", &[(4, 1), (20, 20)]).unwrap_err();
    assert_eq!((error.code(), error.title()), (Code::Script, "a d4 was scripted, but a d20 is thrown"));
}

#[test]
fn a_tree_knows_nothing_of_chance() {
    let expr: Expr = "4d6kh3".parse().unwrap();
    assert_eq!(expr, "4d6kh3".parse().unwrap());
    let totals =
        [[1, 1, 1, 1], [6, 6, 6, 6]].map(|faces| expr.roll(&mut Script::new(faces)).unwrap().total());
    assert_eq!(totals, [Number::from(3), Number::from(18)]);
}

#[test]
fn a_script_is_used_up_exactly() {
    let expr: Expr = "2d6".parse().unwrap();
    let mut script = Script::with_sides([(6, 1), (6, 2), (6, 3)]);
    assert_eq!(expr.roll(&mut script).unwrap().total(), Number::from(3));
    assert_eq!(script.exhausted(), Err(FaceError::TooMany { left: 1 }));
    let error = expr.roll(&mut script).unwrap_err();
    assert_eq!(
        (error.code(), error.title()),
        (Code::Script, "more dice are thrown than the 3 scripted faces")
    );
    let error = expr.roll(&mut Script::with_sides([(6, 1), (6, 7)])).unwrap_err();
    assert_eq!((error.code(), error.title()), (Code::Script, "a d6 has no face 7"));
}

/// What the article leaves open. Its slices made `kh0` keep all and `dh0` drop all; here the words hold.
#[test]
fn numbers_that_a_selection_can_and_cannot_meet() {
    let sorted = [2, 3, 5, 6];
    for count in 0..=4 {
        let (low, high): (i64, i64) = (sorted[..count].iter().sum(), sorted[4 - count..].iter().sum());
        for (word, expected) in [("kh", high), ("kl", low), ("dh", 16 - high), ("dl", 16 - low)] {
            let text = format!("4d6{word}{count}");
            assert_eq!(total(&text, &FOUR), Ok(Number::from(expected)), "{text}");
        }
    }
    for word in ["kh", "kl", "dh", "dl"] {
        let error = format!("4d6{word}5").parse::<Expr>().unwrap_err();
        assert_eq!(error.code(), Code::TooFewDice, "{word}: {error}");
    }
}

#[test]
fn the_article_asks_for_the_highest_without_a_number_in_vain() {
    // There an amount is required; here it is 1 where it is left out.
    assert_eq!(total("4d6kh", &FOUR), Ok(Number::from(6)));
    assert_eq!(total("2D6", &[(6, 1), (6, 2)]), Ok(Number::from(3)));
    assert_eq!(total("-3", &[]), Ok(Number::from(-3)));
}
