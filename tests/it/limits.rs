//! Every limit at 0, at its edge and at its greatest, by name and as a field.

use dice::{Code, Error, Expr, Limits, Script};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

fn roll(text: &str, limits: &Limits) -> Result<usize, Error> {
    let roll = Expr::parse(text, limits)?.roll_within(&mut ChaCha8Rng::seed_from_u64(7), limits)?;
    Ok(roll.outcomes().iter().map(dice::Outcome::len).sum())
}

fn with(name: &str, value: u64) -> Limits {
    let mut limits = Limits::default();
    limits.set(name, value).unwrap();
    limits
}

#[test]
fn each_limit_holds_exactly() {
    for (name, value, fits, too_much) in [
        ("text", 0, "", "1"),
        ("text", 3, "2d6", "12d6"),
        ("depth", 0, "1+2*3d6kh1", "(1)"),
        ("depth", 2, "((1))", "(((1)))"),
        ("depth", 2, "--1", "---1"),
        ("dice", 0, "0d6+1", "1d6"),
        ("dice", 3, "1d6+2d6", "2d6+2d6"),
        ("dice", 3, "3x 1d6", "2x 2d6"),
        ("dice", 3, "{1d6,2d6}", "{2d6,2d6}"),
        ("dice", 3, "3d6", "3d6!lim1{1..6}"),
        ("repeats", 0, "1d6", "1x 1d6"),
        ("repeats", 3, "3x 1d6", "4x 1d6"),
        ("faces", 0, "1d6", "d{1}"),
        ("faces", 3, "d{1..3}", "d{1..4}"),
        ("faces", 3, "d{1,2,3:9}", "d{1..2,3..4}"),
    ] {
        let limits = with(name, value);
        match roll(fits, &limits) {
            Ok(_) => {}
            Err(error) => assert_eq!(error.code(), Code::Nothing, "{name}={value} {fits}: {error}"),
        }
        if let Ok(thrown) = roll(too_much, &limits) {
            panic!("{name}={value}: {too_much} throws {thrown} dice");
        }
    }
}

#[test]
fn an_error_names_the_limit_its_value_and_how_to_raise_it() {
    for (name, value, text) in [
        ("text", 2, "2d6"),
        ("depth", 1, "((1))"),
        ("dice", 4, "5d6"),
        ("repeats", 5, "6x 1d6"),
        ("faces", 6, "d{1..7}"),
    ] {
        let error = roll(text, &with(name, value)).unwrap_err();
        assert_eq!(error.code(), Code::Limit, "{error}");
        let shown = error.to_string();
        assert!(error.title().ends_with(&format!("the limit {name} is {value}")), "{shown}");
        let hint = format!("to raise it: --limit {name}=N, or Limits::{name} in the library");
        assert_eq!(error.notes(), [hint], "{shown}");
        assert!(roll(text, &with(name, value + 1)).is_ok(), "{text}");
    }
}

#[test]
fn limits_have_a_greatest_value() {
    for (name, most) in [("text", 1 << 30), ("depth", 192), ("dice", 1 << 31), ("repeats", 100_000)] {
        let mut limits = Limits::default();
        assert_eq!(limits.set(name, most), Ok(()));
        assert_eq!(limits.set(name, most + 1), Err(format!("the limit {name} can be {most} at most")));
    }
    for name in ["faces", "steps"] {
        assert_eq!(Limits::default().set(name, u64::MAX), Ok(()));
    }
    let mut limits = Limits::default();
    let unknown = "there is no limit size; there are text, depth, dice, repeats, faces, steps";
    assert_eq!(limits.set("size", 1), Err(unknown.to_owned()));
    assert_eq!(limits, Limits::default());
}

/// Fields beyond what can be allowed count as the most that can.
#[test]
fn a_field_out_of_bounds_is_no_way_around_a_limit() {
    let limits = Limits {
        text: usize::MAX,
        depth: usize::MAX,
        dice: u64::MAX,
        repeats: u64::MAX,
        faces: u64::MAX,
        steps: u64::MAX,
    };
    let deep = "(".repeat(193) + "1" + &")".repeat(193);
    assert_eq!(roll(&deep, &limits).unwrap_err().code(), Code::Limit);
    assert_eq!(roll("2147483649d6", &limits).unwrap_err().code(), Code::Limit);
    assert_eq!(roll("100001x 1", &limits).unwrap_err().code(), Code::Limit);
    assert_eq!(roll("6d6+1", &limits), Ok(6));
}

/// The budget is that of the whole evaluation: extras, rerolls, groups, names and repeats are in it.
#[test]
fn the_dice_limit_counts_everything_that_is_thrown() {
    for (text, faces) in [
        ("2d6!", vec![6, 1, 1]),
        ("2d6!!", vec![6, 1, 1]),
        ("2d6r1", vec![1, 2, 2]),
        ("2d6rb1", vec![1, 2, 2]),
        ("{1d6,2d6}", vec![1, 1, 1]),
        ("{1d6+2d6}kh1", vec![1, 1, 1]),
        ("p = 2d6; p kh1 + 1d6", vec![1, 1, 1]),
        ("(1d6)d6", vec![2, 1, 1]),
        ("3x 1d6", vec![1, 1, 1]),
        ("2d6kh(1d6)", vec![2, 2, 1]),
    ] {
        let expr: Expr = text.parse().unwrap();
        let rolled = |dice: u64| {
            expr.roll_within(&mut Script::new(faces.clone()), &Limits { dice, ..Limits::default() })
        };
        let thrown: usize = rolled(3).unwrap().outcomes().iter().map(dice::Outcome::len).sum();
        assert_eq!(thrown, 3, "{text}");
        assert_eq!(rolled(2).unwrap_err().code(), Code::Limit, "{text}");
    }
}

#[test]
fn nothing_large_is_allocated_before_a_limit_is_checked() {
    // With the widest limits a count of 2^31 dice more than fit together is refused before the first is thrown.
    let limits = Limits { dice: 1 << 31, ..Limits::default() };
    let expr = Expr::parse("1d6 + 2147483648d6", &limits)
        .and_then(|expr| expr.roll_within(&mut Script::new([1]), &limits));
    assert_eq!(expr.unwrap_err().code(), Code::Limit);
}
