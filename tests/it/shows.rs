//! What the program and the library have to show at least, one line each.

use dice::{Expr, Faces, Number, Script};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use crate::transcript::execute;

/// Exit status, standard output and standard error.
fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
    let output = execute(&arguments, "");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_roll_ends_with_its_total() {
    for (text, expected) in [
        ("4d6kh3+2", "4d6kh3 [(2) 5 3 6] + 2 = 16\n"),
        ("4d6kh0", "4d6kh0 [(2) (5) (3) (6)] = 0\n"),
        ("4d6dh0", "4d6dh0 [2 5 3 6] = 16\n"),
    ] {
        assert_eq!(run(&["--faces", "2,5,3,6", text]), (Some(0), expected.to_owned(), String::new()));
    }
}

#[test]
fn json_has_the_total() {
    let (status, output, errors) = run(&["--json", "--faces", "7,19", "2d20kh1"]);
    let roll: serde_json::Value = serde_json::from_str(&output).unwrap();
    assert_eq!((status, roll["total"].as_i64(), errors.as_str()), (Some(0), Some(19), ""));
}

#[test]
fn what_cannot_be_met_prints_nothing_on_standard_output() {
    let (status, output, errors) = run(&["4d6kh5"]);
    assert_eq!((status, output.as_str()), (Some(2), ""));
    assert_eq!(errors.lines().next(), Some("error[E101]: cannot keep 5 dice: only 4 are rolled"));
}

#[test]
fn a_leading_minus_is_notation() {
    assert_eq!(run(&["--faces", "2", "-1d6+4"]), (Some(0), "-1d6 [2] + 4 = 2\n".to_owned(), String::new()));
}

#[test]
fn endless_and_too_many_dice_end_at_once() {
    for text in ["1d1!", "1d6!>=1", "2d6r<=6", "1d2r1r2", "1d6!<=3!>=4"] {
        let (status, output, errors) = run(&[text]);
        assert_eq!((status, output.as_str()), (Some(2), ""), "{text}");
        assert!(errors.starts_with("error[E102]: this never stops: every face"), "{text}: {errors}");
    }
    for text in
        ["{9000d6, 9000d6}", "{9000d6+9000d6}kh1", "2x 9000d6", "9000d6+9000d6", "p = 9000d6; p kh1 + 9000d6"]
    {
        let (status, output, errors) = run(&["--limit", "dice=10000", text]);
        assert_eq!((status, output.as_str()), (Some(3), ""), "{text}");
        let expected = "error[E301]: too many dice are thrown: the limit dice is 10000";
        assert_eq!(errors.lines().next(), Some(expected), "{text}");
    }
}

/// The pool, then extras die by die in the order of the throw, each chain to its end before the next die's.
#[test]
fn chains_take_their_faces_in_order() {
    let roll =
        "3d10!!kh2".parse::<Expr>().unwrap().roll(&mut Script::new([10, 4, 10, 9, 10, 10, 2])).unwrap();
    assert_eq!(roll.to_string(), "3d10!!kh2 [10+9 (4) 10+10+10+2] = 51");
    let roll = dice::roll("3d6r1!", &mut Script::new([1, 6, 1, 6, 1, 2, 6, 3, 4])).unwrap();
    assert_eq!(roll.to_string(), "3d6r1! [1>6! 6! 1>1>2 6! 3 4] = 27");
    assert_eq!(run(&["--faces", "6,4,7,9", "4d10!!kh2"]).1, "4d10!!kh2 [(6) (4) 7 9] = 16\n");
}

/// A die that replaces another stands in its place, also in one pool of several kinds.
#[test]
fn a_new_throw_takes_the_place_of_the_old_one() {
    let faces = [1, 4, 4, 5];
    for (text, expected) in [
        ("2d6r1kh1", "2d6r1kh1 [1>4 (4)] = 4"),
        ("{2d6r1}kh1", "{2d6r1 [1>4 (4)]}kh1 = 4"),
        ("{2d6r1+1d8}kh1", "{2d6r1 [(1>4) (4)] + 1d8 [5]}kh1 = 5"),
    ] {
        let thrown = if text.contains("d8") { 4 } else { 3 };
        let roll = dice::roll(text, &mut Script::new(faces.into_iter().take(thrown))).unwrap();
        assert_eq!(roll.to_string(), expected);
    }
    let roll = dice::roll("{2d6r1+1d8}r2lim1", &mut Script::new([1, 2, 2, 2, 3, 4, 5])).unwrap();
    assert_eq!(roll.to_string(), "{2d6r1 [1>2>3 2>4] + 1d8 [2>5]}r2lim1 = 12");
}

#[test]
fn a_parsed_text_can_be_shared_between_threads() {
    fn shared<T: Send + Sync + 'static>(value: T) -> T {
        value
    }
    let expr: Expr = shared("4d6kh3+2".parse().unwrap());
    let total = |seed| {
        let expr = expr.clone();
        std::thread::spawn(move || expr.roll(&mut ChaCha8Rng::seed_from_u64(seed)).unwrap().total())
            .join()
            .unwrap()
    };
    let here = |seed| expr.roll(&mut ChaCha8Rng::seed_from_u64(seed)).unwrap().total();
    assert_eq!([total(1), total(2)], [here(1), here(2)]);
}

#[test]
fn a_source_of_faces_can_be_handed_on_behind_a_pointer() {
    let mut source: Box<dyn Faces> = Box::new(Script::new([3, 4]));
    let roll = dice::roll("2d6", source.as_mut()).unwrap();
    assert_eq!(roll.total(), Number::from(7));
}

#[test]
fn the_least_and_the_greatest_total_are_known_before_the_roll() {
    for (text, low, high) in [
        ("4d6kh3+2", Some(5), Some(20)),
        ("4d6!kh3+2", Some(5), Some(20)),
        ("4d6!", Some(4), None),
        ("(1d4)d6kh3", Some(1), Some(18)),
        ("4d6dl(1d2)", Some(2), Some(18)),
        ("{2d6+1d8}kh2", Some(2), Some(14)),
        ("{2, 0}dh0ceven + 0", Some(0), Some(2)),
        ("5d10>=8f1", Some(-5), Some(5)),
        ("-2d6", Some(-12), Some(-2)),
        ("1d20 >= 15 ? 2d6 : 0", Some(0), Some(12)),
    ] {
        let bounds = text.parse::<Expr>().unwrap().bounds();
        assert_eq!(bounds, (low.map(Number::from), high.map(Number::from)), "{text}");
    }
}
