//! Edges of the evaluator that other tests do not come near.

use dice::{Code, Expr, Limits, Script};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

/// The total, or the code of the error.
fn total(text: &str) -> Result<String, Code> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let roll = text.parse::<Expr>().and_then(|expr| expr.roll(&mut rng));
    roll.map(|roll| roll.total().to_string()).map_err(|error| error.code())
}

#[test]
fn exponents_beyond_64_bits_are_even_or_odd() {
    assert_eq!(total("(-1)^(2^100)").as_deref(), Ok("1"));
    assert_eq!(total("(-1)^(2^100+1)").as_deref(), Ok("-1"));
    assert_eq!(total("0^(2^100)").as_deref(), Ok("0"));
    assert_eq!(total("1^(2^100+1)").as_deref(), Ok("1"));
    assert_eq!(total("2^(2^100)"), Err(Code::Overflow));
    assert_eq!(total("2^(1d1-2)"), Err(Code::Exponent));
    assert_eq!(total("1^(1d1-2)"), Err(Code::Exponent));
}

#[test]
fn amounts_below_zero_are_refused_when_they_are_rolled() {
    for text in ["4d6kh(1d1-2)", "4d6dl(1d1-2)", "4d6!lim(1d1-2)", "4d6r1lim(1d1-2)"] {
        assert_eq!(total(text), Err(Code::Amount), "{text}");
    }
}

#[test]
fn a_label_that_stands_twice_has_one_subtotal() {
    let roll = "1[a]+2[b]+3[a]".parse::<Expr>().unwrap().roll(&mut ChaCha8Rng::seed_from_u64(1)).unwrap();
    let labels: Vec<String> =
        roll.outcomes()[0].labels().iter().map(|(label, value)| format!("{label} {value}")).collect();
    assert_eq!(labels, ["a 4", "b 2"]);
}

/// The code with which a text is refused before anything is rolled.
fn refused(text: &str) -> Option<Code> {
    text.parse::<Expr>().err().map(|error| error.code())
}

#[test]
fn what_never_works_is_refused_before_a_die_is_thrown() {
    assert_eq!(refused("1d6/0"), Some(Code::DivisionByZero));
    assert_eq!(refused("1d6%(1-1)"), Some(Code::DivisionByZero));
    assert_eq!(refused("1d6-0"), None);
    assert_eq!(refused("{2d6+1d4}kh4"), Some(Code::TooFewDice));
    assert_eq!(refused("{2d6+0d4}kh3"), Some(Code::TooFewDice));
    assert_eq!(refused("{0d6+0d4}kh1"), None);
}

#[test]
fn bare_comparisons_know_what_explosions_can_reach() {
    for (text, pointless) in [
        ("2d6!!lim3>=24", false),
        ("2d6!!lim3>=25", true),
        ("2d6!!lim1>=12", false),
        ("2d6!!lim1>=13", true),
        ("2d6!lim9>=7", true),
        ("2d6!p lim3<=0", false),
        ("2d6!p lim3<=-1", true),
        ("2d6!!lim2>=1", true),
        ("2d6!!lim2>=2", false),
    ] {
        assert_eq!(refused(text), pointless.then_some(Code::Pointless), "{text}");
    }
}

#[test]
fn a_roll_without_dice_is_empty() {
    let empty = |text: &str| {
        let roll = text.parse::<Expr>().unwrap().roll(&mut ChaCha8Rng::seed_from_u64(1)).unwrap();
        (roll.outcomes()[0].is_empty(), roll.outcomes()[0].len())
    };
    assert_eq!(empty("1+2"), (true, 0));
    assert_eq!(empty("0d6"), (true, 0));
    assert_eq!(empty("1d6+2d4"), (false, 3));
}

#[test]
fn a_roll_that_is_used_again_forgets_fractions() {
    let expr: Expr = "2d6mi2.5".parse().unwrap();
    let mut roll = expr.roll(&mut Script::new([1, 1])).unwrap();
    assert_eq!(roll.total(), 5.into());
    expr.roll_into(&mut roll, &mut Script::new([5, 1]), &Limits::default()).unwrap();
    assert_eq!(roll.total().to_string(), "7.5");
    expr.roll_into(&mut roll, &mut Script::new([1, 6]), &Limits::default()).unwrap();
    assert_eq!(roll.total().to_string(), "8.5");
}

#[test]
fn what_never_ends_is_found_out_while_rolling_as_well() {
    assert_eq!(total("2d(1d1)!"), Err(Code::Endless));
    assert_eq!(total("2d(1d1)r1"), Err(Code::Endless));
    assert_eq!(total("2d(1d1)!lim3").as_deref(), Ok("8"));
}

/// The advice about a comparison that every die meets, or none, keeps the steps before it.
#[test]
fn advice_keeps_the_steps_before() {
    for (text, total, dice) in [
        ("4d6kh3>=10", "(4d6kh3)>=10", "4d6kh3c>=10"),
        ("{2d6+1d8}kh2>=20", "({2d6 + 1d8}kh2)>=20", "{2d6 + 1d8}kh2c>=20"),
        ("4d6mi2kl2<2", "(4d6mi2kl2)<2", "4d6mi2kl2c<2"),
    ] {
        let error = text.parse::<Expr>().unwrap_err();
        assert_eq!(error.code(), Code::Pointless, "{text}");
        let shown = error.to_string();
        assert!(shown.lines().any(|line| line.ends_with(total)), "{shown}");
        assert!(shown.lines().any(|line| line.ends_with(dice)), "{shown}");
        assert!(total.parse::<Expr>().is_ok(), "{total}");
    }
}
