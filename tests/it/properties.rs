//! What holds for every text, over random ones.

use std::cell::Cell;

use dice::{Code, Die, Expr, FaceError, Faces, Limits, Number, State};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use crate::generate::{Generated, NUMBER, POOL, texts};
use crate::naive::{self, Thrown};

/// A generator that remembers how many faces it has given.
struct Counting(ChaCha8Rng, Vec<i64>);

impl Faces for Counting {
    fn face(&mut self, die: &Die) -> Result<i64, FaceError> {
        let face = self.0.face(die)?;
        self.1.push(face);
        Ok(face)
    }
}

fn limits() -> Limits {
    Limits { text: 1 << 20, dice: 2_000, ..Limits::default() }
}

/// The text of a generated tree, and the tree again.
fn parsed(generated: &Generated) -> (String, Result<Expr, dice::Error>) {
    let text = format!("{NUMBER} = {}; {POOL} = {}; {}", generated.number, generated.pool, generated.body);
    let expr = Expr::parse(&text, &limits());
    (text, expr)
}

/// What is wrong with a tree and not with its spelling.
fn is_meaning(code: Code) -> bool {
    !matches!(
        code,
        Code::Nothing
            | Code::Unexpected
            | Code::UnknownStep
            | Code::MissingSides
            | Code::Unclosed
            | Code::MissingOperator
            | Code::MissingOperand
            | Code::Character
            | Code::NumberTooLarge
            | Code::UnknownName
            | Code::UnknownFunction
            | Code::NoDie
            | Code::MissingAmount
            | Code::ChainedComparison
            | Code::Name
            | Code::Internal
    )
}

/// So many cases, the same ones in every run. `SCALE=50 cargo test properties` tries so many times more, and others.
fn config(cases: u32) -> Config {
    let scale: Option<u32> = std::env::var("SCALE").ok().and_then(|scale| scale.parse().ok());
    let rng_seed = if scale.is_some() { RngSeed::Random } else { RngSeed::Fixed(4) };
    Config { cases: cases * scale.unwrap_or(1), rng_seed, failure_persistence: None, ..Config::default() }
}

/// Checks a property for so many random texts, of which at least a quarter must mean something.
fn for_texts(cases: u32, check: impl Fn(&str, &Generated, &Expr, u64) -> Result<(), TestCaseError>) {
    let (all, valid) = (Cell::new(0_u32), Cell::new(0_u32));
    let mut runner = TestRunner::new(config(cases));
    let result = runner.run(&(texts(), any::<u64>()), |(generated, seed)| {
        all.set(all.get() + 1);
        let (text, expr) = parsed(&generated);
        match expr {
            Ok(expr) => {
                valid.set(valid.get() + 1);
                check(&text, &generated, &expr, seed)
            }
            Err(error) if is_meaning(error.code()) => Ok(()),
            Err(error) => Err(TestCaseError::fail(format!("{text}: {error:?}"))),
        }
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    println!("{} of {} texts mean something", valid.get(), all.get());
    assert!(valid.get() * 4 >= all.get(), "{} of {} texts mean something", valid.get(), all.get());
}

#[test]
fn printing_and_parsing_change_nothing() {
    for_texts(2_000, |text, generated, expr, _| {
        prop_assert_eq!(expr.body(), &generated.body, "{}", text);
        prop_assert_eq!(&expr.definitions()[0].value, &generated.number, "{}", text);
        prop_assert_eq!(&expr.definitions()[1].value, &generated.pool, "{}", text);
        let printed = expr.to_string();
        prop_assert_eq!(&printed, text);
        prop_assert_eq!(&Expr::parse(&printed, &limits()).unwrap(), expr);
        Ok(())
    });
}

/// A roll and the faces that it took, unless it fails while rolling.
fn rolled(expr: &Expr, seed: u64) -> Option<(dice::Roll, Vec<i64>)> {
    let mut faces = Counting(ChaCha8Rng::seed_from_u64(seed), Vec::new());
    match expr.roll_within(&mut faces, &limits()) {
        Ok(roll) => Some((roll, faces.1)),
        Err(error) => {
            assert_ne!(error.code(), Code::Internal, "{error}");
            None
        }
    }
}

#[test]
fn the_total_and_the_fate_of_every_die_are_those_of_a_naive_roller() {
    let compared = Cell::new(0);
    for_texts(6_000, |text, _, expr, seed| {
        let Some((roll, faces)) = rolled(expr, seed) else { return Ok(()) };
        compared.set(compared.get() + 1);
        let listed: Vec<Thrown> = roll
            .dice()
            .map(|die| Thrown {
                die: die.die().clone(),
                face: die.face(),
                worth: die.worth(),
                state: die.state(),
            })
            .collect();
        prop_assert_eq!(&listed.iter().map(|die| die.face).collect::<Vec<_>>(), &faces, "{}", text);
        let (total, table) = naive::roll(expr, faces);
        prop_assert_eq!(roll.total(), total, "{}", text);
        prop_assert_eq!(listed, table, "{}", text);
        Ok(())
    });
    assert!(compared.get() > 1_000, "{}", compared.get());
}

#[test]
fn kept_and_discarded_dice_add_up_to_what_was_thrown() {
    for_texts(1_000, |text, _, expr, seed| {
        let Some((roll, faces)) = rolled(expr, seed) else { return Ok(()) };
        let count = |state| roll.dice().filter(|die| die.state() == state).count();
        let (kept, dropped, rerolled) = (count(State::Kept), count(State::Dropped), count(State::Rerolled));
        prop_assert_eq!(kept + dropped + rerolled, faces.len(), "{}", text);
        prop_assert_eq!(roll.outcomes()[0].len(), faces.len(), "{}", text);
        for die in roll.dice() {
            prop_assert!(die.from().is_none_or(|from| from < die.index()), "{}", text);
            prop_assert!(die.state() == State::Kept || die.by().is_some(), "{}: who decided?", text);
        }
        Ok(())
    });
}

#[test]
fn a_total_lies_within_the_bounds() {
    for_texts(1_000, |text, _, expr, seed| {
        let Some((roll, _)) = rolled(expr, seed) else { return Ok(()) };
        let (low, high) = expr.bounds();
        let total = roll.total();
        prop_assert!(low.is_none_or(|low| low <= total), "{} is {}, below {:?}", text, total, low);
        prop_assert!(high.is_none_or(|high| total <= high), "{} is {}, above {:?}", text, total, high);
        Ok(())
    });
}

#[test]
fn rolling_for_the_total_only_and_into_an_old_roll_are_the_same() {
    for_texts(500, |text, _, expr, seed| {
        let rng = || ChaCha8Rng::seed_from_u64(seed);
        let Ok(roll) = expr.roll(&mut rng()) else { return Ok(()) };
        prop_assert_eq!(expr.total(&mut rng()).unwrap(), roll.total(), "{}", text);
        let mut reused = "6d6!!kh2 + 3dF".parse::<Expr>().unwrap().roll(&mut rng()).unwrap();
        expr.roll_into(&mut reused, &mut rng(), &Limits::default()).unwrap();
        prop_assert_eq!(reused.to_string(), roll.to_string(), "{}", text);
        Ok(())
    });
}

/// Puts blanks where they may stand, and changes the case of letters. Texts between square brackets stay.
fn respaced(text: &str, seed: u64) -> String {
    let mut state = seed | 1;
    let mut next = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let kind = |c: char| match c {
        '0'..='9' | '.' => 0,
        'a'..='z' | 'A'..='Z' | '_' => 1,
        _ => 2,
    };
    let glued = ["!!", "!p", "!o", "//", ">=", "<=", "<>", ".."];
    let (mut result, mut label) = (String::new(), false);
    let chars: Vec<char> = text.chars().collect();
    for (at, c) in chars.iter().enumerate() {
        let shown = if !label && next(3) == 0 { c.to_ascii_uppercase() } else { *c };
        label = (label || *c == '[') && *c != ']';
        result.push(shown);
        let Some(after) = chars.get(at + 1) else { break };
        let pair: String = [*c, *after].iter().collect();
        let apart = kind(*c) != kind(*after) && !pair.contains('.') || kind(*c) == 2 && kind(*after) == 2;
        if !label && apart && !glued.contains(&pair.as_str()) && next(3) == 0 {
            result.push_str([" ", "\t", "\n", "\u{3000}", "  "][usize::try_from(next(5)).unwrap()]);
        }
    }
    result
}

#[test]
fn the_same_text_and_seed_give_the_same_dice_however_it_is_spaced() {
    let changed = Cell::new(0);
    for_texts(1_000, |text, _, expr, seed| {
        let other = respaced(text, seed);
        changed.set(changed.get() + u32::from(other != text));
        let again = match Expr::parse(&other, &limits()) {
            Ok(again) => again,
            Err(error) => return Err(TestCaseError::fail(format!("{text} as {other}: {error:?}"))),
        };
        prop_assert_eq!(&again, expr, "{}", other);
        let shown = |expr: &Expr| rolled(expr, seed).map(|(roll, faces)| (roll.to_string(), faces));
        prop_assert_eq!(shown(&again), shown(expr), "{}", other);
        Ok(())
    });
    assert!(changed.get() > 200, "{}", changed.get());
}

/// Parses and, where that succeeds, rolls, prints and parses what was printed.
fn survive(text: &str) -> Result<(), TestCaseError> {
    let limits = Limits { dice: 1_000, repeats: 100, ..Limits::default() };
    match Expr::parse(text, &limits) {
        Ok(expr) => {
            let printed = expr.to_string();
            let again = Expr::parse(&printed, &Limits { text: 1 << 20, ..limits });
            prop_assert_eq!(again.as_ref(), Ok(&expr), "{:?} printed {:?}", text, printed);
            let roll = expr.roll_within(&mut ChaCha8Rng::seed_from_u64(3), &limits);
            if let Err(error) = roll {
                prop_assert_ne!(error.code(), Code::Internal, "{}", text);
            }
        }
        Err(error) => {
            prop_assert_ne!(error.code(), Code::Internal, "{}", text);
            let _ = error.to_string();
            for fix in error.fixes() {
                let mut repaired = text.to_owned();
                repaired.replace_range(fix.span.range(), &fix.text);
                prop_assert!(repaired.parse::<Expr>().is_ok(), "{:?} repaired to {:?}", text, repaired);
            }
        }
    }
    Ok(())
}

/// Pieces of the notation, to be put together in any order.
const PIECES: [&str; 60] = [
    "4d6", "d20", "1", "0", "7", "d", "kh", "kl", "dh", "dl", "3", "!", "!!", "!p", "!o", "r", "ro", "rb",
    "lim", "mi", "ma", "c", "f", "s", "sd", ">=", "<=", "<>", "=", "==", "<", ">", "(", ")", "{", "}", ",",
    "+", "-", "*", "/", "//", "%", "^", "**", "[a]", "?", ":", ";", "x", "a", "p", "floor", "max", "even",
    "odd", "#", " ", "..", "$1",
];

proptest! {
    #![proptest_config(config(3_000))]

    #[test]
    fn random_characters_do_not_panic(text in any::<String>()) {
        survive(&text)?;
    }

    #[test]
    fn random_bytes_do_not_panic(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        survive(&String::from_utf8_lossy(&bytes))?;
    }

    #[test]
    fn pieces_of_the_notation_in_any_order_do_not_panic(
        pieces in proptest::collection::vec(proptest::sample::select(PIECES.to_vec()), 0..14),
    ) {
        survive(&pieces.concat())?;
    }

    #[test]
    fn mutated_texts_do_not_panic(
        generated in texts(),
        edits in proptest::collection::vec((any::<prop::sample::Index>(), 0..3_u8, proptest::sample::select(PIECES.to_vec())), 1..4),
    ) {
        let (mut text, _) = parsed(&generated);
        for (place, edit, piece) in edits {
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            let at = *place.get(&places);
            match edit {
                0 => { text.remove(at); }
                1 => text.insert_str(at, piece),
                _ => text.truncate(at),
            }
            if text.is_empty() {
                break;
            }
        }
        survive(&text)?;
    }

    /// Where nothing but plain dice is added up, the total is the sum of all faces listed.
    #[test]
    fn sums_of_plain_dice_are_the_sums_of_their_faces(counts in proptest::collection::vec((0..20_u32, 1..1000_u32), 1..6), seed: u64) {
        let text: Vec<String> = counts.iter().map(|(count, sides)| format!("{count}d{sides}")).collect();
        let roll = dice::roll(&text.join("+"), &mut ChaCha8Rng::seed_from_u64(seed)).unwrap();
        prop_assert_eq!(roll.total(), Number::from(roll.dice().map(|die| die.face()).sum::<i64>()));
        prop_assert_eq!(roll.dice().count(), counts.iter().map(|(count, _)| *count as usize).sum::<usize>());
    }
}
