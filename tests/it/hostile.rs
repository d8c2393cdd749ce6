//! Hostile texts end in an error or a result: no panic, no overflow of the stack, no endless work.

use std::time::{Duration, Instant};

use dice::{Code, Expr, Limits};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use crate::transcript::execute;

/// What a text comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// It rolls.
    Rolls,
    /// It is refused or fails with this code.
    Fails(Code),
}

/// The greatest that every limit can be.
fn widest() -> Limits {
    Limits {
        text: 1 << 30,
        depth: Limits::MAX_DEPTH,
        dice: 1 << 31,
        repeats: u64::MAX,
        faces: u64::MAX,
        ..Limits::default()
    }
}

/// With a long text and a wide limit on the text only.
fn long() -> Limits {
    Limits { text: 1 << 30, ..Limits::default() }
}

fn around(open: &str, inside: &str, close: &str, times: usize) -> String {
    [&open.repeat(times), inside, &close.repeat(times)].concat()
}

/// Texts, limits and how each ends.
fn table() -> Vec<(&'static str, String, Limits, End)> {
    use End::{Fails, Rolls};
    let mut table = Vec::new();
    for times in [10_000, 100_000] {
        for (what, text) in [
            ("brackets", around("(", "1", ")", times)),
            ("open brackets", "(".repeat(times)),
            ("groups", around("{", "1d6", "}", times)),
            ("groups of two", around("{1,", "1", "}", times)),
            ("minus signs", "-".repeat(times) + "1"),
            ("typographic minus signs", "−".repeat(times) + "1"),
            ("plus signs", "+".repeat(times) + "1"),
            ("powers", "2^".repeat(times) + "1"),
            ("the other powers", "2**".repeat(times) + "1"),
            ("choices", "1?2:".repeat(times) + "3"),
            ("functions", around("abs(", "1", ")", times)),
            ("computed counts", around("(", "1", ")d6", times)),
            ("computed sides", around("1d(", "6", ")", times)),
            ("computed amounts", around("1d6kh(", "1", ")", times)),
            ("computed targets", around("1d6c>=(", "1", ")", times)),
        ] {
            table.push((what, text.clone(), Limits::default(), Fails(Code::Limit)));
            table.push((what, text.clone(), long(), Fails(Code::Limit)));
            table.push((what, text, widest(), Fails(Code::Limit)));
        }
    }
    let sums = [("a long sum", "+1".repeat(10_000)), ("a long difference", "-1".repeat(10_000))];
    for (what, tail) in sums {
        table.push((what, format!("1{tail}"), Limits::default(), Fails(Code::Limit)));
        table.push((what, format!("1{tail}"), long(), Rolls));
    }
    for (what, text, end) in [
        ("a long sum of dice", format!("d6{}", "+d6".repeat(10_000)), Rolls),
        ("a long product", format!("1{}", "*1".repeat(10_000)), Rolls),
        ("long quotients", format!("1{}", "/7".repeat(10_000)), Fails(Code::Overflow)),
        ("many steps", format!("4d6{}", "kh1".repeat(10_000)), Rolls),
        ("many counts", format!("4d6{}", "c1".repeat(10_000)), Rolls),
        ("many members", format!("{{1{}}}", ",1".repeat(10_000)), Rolls),
        ("many arguments", format!("max(1{})", ",1".repeat(10_000)), Rolls),
        ("many labels", format!("1[a]{}", "+1[b]".repeat(10_000)), Rolls),
        ("a long comment", format!("1 #{}", "x".repeat(100_000)), Rolls),
        ("a long label", format!("1[{}]", "x".repeat(100_000)), Rolls),
        ("a long name", format!("{0}=1;{0}", "x".repeat(50_000)), Rolls),
        ("blanks", " ".repeat(100_000), Fails(Code::Nothing)),
        ("digits", "9".repeat(100_000), Fails(Code::NumberTooLarge)),
        ("decimals", format!("0.{}", "9".repeat(100_000)), Fails(Code::NumberTooLarge)),
    ] {
        table.push((what, text, long(), end));
    }
    let digits = "12345678901234567890";
    for (what, text, end) in [
        ("a large pool", "999999999d6".to_owned(), Fails(Code::Limit)),
        ("a larger pool", "9223372036854775807d6".to_owned(), Fails(Code::Limit)),
        ("large pools together", "600000d6+600000d6".to_owned(), Fails(Code::Limit)),
        ("a large computed pool", "(10^15)d6".to_owned(), Fails(Code::Limit)),
        ("a long number", digits.to_owned(), Fails(Code::NumberTooLarge)),
        ("a long count", format!("{digits}d6"), Fails(Code::NumberTooLarge)),
        ("long sides", format!("2d{digits}"), Fails(Code::NumberTooLarge)),
        ("a long amount", format!("2d6kh{digits}"), Fails(Code::NumberTooLarge)),
        ("the most sides", "1d9223372036854775807".to_owned(), Rolls),
        ("a tower", "9^9^9^9".to_owned(), Fails(Code::Overflow)),
        ("a tower of two", "2^2^2^2^2^2^2".to_owned(), Fails(Code::Overflow)),
        ("a power of one", "1^9223372036854775807".to_owned(), Rolls),
        (
            "a growing product",
            format!("9223372036854775807{}", "*9223372036854775807".repeat(3)),
            Fails(Code::Overflow),
        ),
        ("a long reroll", "1000000d6ro<=5".to_owned(), Fails(Code::Limit)),
        ("an endless explosion", "1d1!".to_owned(), Fails(Code::Endless)),
        ("an endless reroll", "2d6r<=6".to_owned(), Fails(Code::Endless)),
        ("explosions that are endless together", "1d6!<=3!>=4".to_owned(), Fails(Code::Endless)),
        ("rerolls that are endless together", "1d2r1r2".to_owned(), Fails(Code::Endless)),
        ("many repeats", "9999999999x 1".to_owned(), Fails(Code::Limit)),
        ("repeats of many dice", "10000x 9000d6".to_owned(), Fails(Code::Limit)),
        ("many faces", "d{1..9223372036854775807}".to_owned(), Fails(Code::Limit)),
        ("many faces below zero", "d{-9223372036854775807..-1}".to_owned(), Fails(Code::Limit)),
        ("heavy faces", "d{1:9223372036854775807,2}".to_owned(), Fails(Code::Faces)),
        ("a large set", "1d6c{-9223372036854775807..9223372036854775807}".to_owned(), Rolls),
    ] {
        table.push((what, text, Limits::default(), end));
    }
    let few = Limits { dice: 100, ..Limits::default() };
    table.push(("a long chain", "1d10000!>=2".to_owned(), few, Fails(Code::Limit)));
    table.push(("long rerolls", "90d10000ro>=2".to_owned(), few, Fails(Code::Limit)));
    table
}

fn end(text: &str, limits: &Limits) -> End {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let roll = |expr: Expr| {
        // Printing and dropping recurse as well.
        let printed = expr.to_string();
        expr.roll_within(&mut rng, limits).map(|roll| (roll.outcomes().len(), printed))
    };
    match Expr::parse(text, limits).and_then(roll) {
        Ok(_) => End::Rolls,
        Err(error) => {
            assert!(error.to_string().len() < 2_000, "an error stays short: {}", error.to_string().len());
            End::Fails(error.code())
        }
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(24).collect()
}

#[test]
fn each_hostile_text_ends_on_a_stack_of_two_mebibytes() {
    let check = || {
        let mut slowest = (Duration::ZERO, "", String::new());
        for (what, text, limits, expected) in table() {
            let start = Instant::now();
            assert_eq!(end(&text, &limits), expected, "{what}: {}", shortened(&text));
            let took = start.elapsed();
            // In a debug build on a busy machine; a release build takes a few milliseconds.
            assert!(took < Duration::from_secs(5), "{what}: {} took {took:?}", shortened(&text));
            if took > slowest.0 {
                slowest = (took, what, shortened(&text));
            }
        }
        println!("slowest: {slowest:?}");
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(check).unwrap().join().unwrap();
}

/// The deepest nesting that a limit can allow is rolled and printed on such a stack, and one more is refused.
#[test]
fn the_deepest_nesting_fits_the_stack() {
    let check = || {
        let limits = widest();
        let deepest = Limits::MAX_DEPTH;
        for (open, inside, close) in [
            // As much as one bracket can hold.
            ("1<1+1*1d6r<(", "1", ")"),
            ("1>1+1*1d1c<(", "1", ")"),
            ("(", "1", ")"),
            ("{1,", "1", "}"),
            ("-", "1", ""),
            ("2^", "1", ""),
            ("1?2:", "3", ""),
            ("abs(", "1", ")"),
            ("1d(", "6", ")"),
            ("(", "1", ")d1"),
            ("1d6kh(", "1", ")"),
            ("1d6c>=(", "1", ")"),
        ] {
            // 1^1^… and 2^2^… differ in size, not in depth.
            let text = around(open, inside, close, deepest).replace("2^", "1^");
            assert_eq!(end(&text, &limits), End::Rolls, "{}", shortened(&text));
            let text = around(open, inside, close, deepest + 1).replace("2^", "1^");
            assert_eq!(end(&text, &limits), End::Fails(Code::Limit), "{}", shortened(&text));
        }
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(check).unwrap().join().unwrap();
}

#[test]
fn the_program_refuses_hostile_texts_with_one_line() {
    for text in [
        around("(", "1", ")", 10_000),
        around("(", "1", ")", 50_000),
        "-".repeat(100_000) + "1",
        "999999999d6".to_owned(),
        "12345678901234567890".to_owned(),
        "12345678901234567890d6".to_owned(),
        "1d12345678901234567890".to_owned(),
    ] {
        let start = Instant::now();
        let output = execute(&["roll".to_owned(), "--".to_owned(), text.clone()], "");
        println!("{}: {:?}", shortened(&text), start.elapsed());
        assert!(matches!(output.status.code(), Some(2 | 3)), "{}: {output:?}", shortened(&text));
        assert_eq!(output.stdout, b"", "{}", shortened(&text));
        assert!(!output.stderr.is_empty() && output.stderr.len() < 2_000, "{}", shortened(&text));
    }
}
