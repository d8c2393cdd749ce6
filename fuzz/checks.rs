//! What has to hold for every text, however odd. The fuzz targets look for texts for which one of these panics, and
//! the tests run them on the seeds and on everything that was ever found.

use dice::{Code, Distribution, Error, Expr, Grammar, Limits, Odds, Precision, Roll, Script};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

/// Deep texts, but little work.
pub const LIMITS: Limits =
    Limits { text: 4096, depth: Limits::MAX_DEPTH, dice: 300, repeats: 20, faces: 2000, steps: 2_000_000 };

/// An error points into its text and says something; its fixes lead to texts that parse.
fn sound(error: &Error, text: &str) {
    assert!(!error.title().is_empty());
    let shown = error.to_string();
    assert!(shown.len() < 4000, "{} bytes of error for {text:?}", shown.len());
    if error.text().is_empty() {
        return; // too long to be kept
    }
    assert_eq!(error.text(), text);
    assert!(text.get(error.span().range()).is_some(), "{error:?} points beside {text:?}");
    for (span, _) in error.secondary() {
        assert!(text.get(span.range()).is_some(), "{error:?} points beside {text:?}");
    }
    for fix in error.fixes() {
        let mut fixed = text.to_owned();
        fixed.replace_range(fix.span.range(), &fix.text);
        if let Err(again) = fixed.parse::<Expr>() {
            panic!("{text:?} is no better as {fixed:?}: {again}");
        }
    }
}

/// A text is parsed or refused with an error that fits it.
pub fn parse(text: &str) {
    match Expr::parse(text, &LIMITS) {
        Ok(expr) => assert_eq!(expr.text(), text),
        Err(error) => sound(&error, text),
    }
}

/// What is printed parses back to the same tree and is printed in the same way again.
pub fn round_trip(text: &str) {
    let Ok(expr) = Expr::parse(text, &LIMITS) else { return };
    let printed = expr.to_string();
    match Expr::parse(&printed, &Limits { text: 1 << 20, ..LIMITS }) {
        Ok(again) => {
            assert!(again == expr, "{text:?} is another tree than {printed:?}");
            assert_eq!(again.to_string(), printed, "{text:?}");
        }
        Err(error) => panic!("{text:?} is printed as {printed:?}: {error}"),
    }
}

/// A seed that depends on the text.
fn seed(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// A roll ends, stays within its limits and its bounds, and comes out the same from the same seed, into a used roll,
/// for the total only, and from its own faces.
pub fn roll(text: &str) {
    let Ok(expr) = Expr::parse(text, &LIMITS) else { return };
    let rng = || ChaCha8Rng::seed_from_u64(seed(text));
    let roll = match expr.roll_within(&mut rng(), &LIMITS) {
        Ok(roll) => roll,
        Err(error) => {
            assert!(error.code() != Code::Script, "{text:?}: {error}");
            return sound(&error, text);
        }
    };
    let totals = |roll: &Roll| roll.outcomes().iter().map(dice::Outcome::total).collect::<Vec<_>>();
    let expected = totals(&roll);
    let mut faces = Vec::new();
    let (low, high) = expr.bounds();
    for outcome in roll.outcomes() {
        let total = outcome.total();
        assert!(low.is_none_or(|low| low <= total), "{text:?}: {total} is below {low:?}");
        assert!(high.is_none_or(|high| total <= high), "{text:?}: {total} is above {high:?}");
        for die in outcome.dice(&expr) {
            assert!(die.die().has(die.face()), "{text:?}: {} has no {}", die.die(), die.face());
            faces.push(die.face());
        }
    }
    assert!(faces.len() as u64 <= LIMITS.dice, "{text:?}: {} dice", faces.len());
    assert!(!roll.to_string().is_empty());

    let mut used = "3x {4d6kh3!, 2d10r1}c>5".parse::<Expr>().unwrap().roll(&mut rng()).unwrap();
    expr.roll_into(&mut used, &mut rng(), &LIMITS).unwrap();
    assert_eq!(totals(&used), expected, "{text:?} into a used roll");
    assert_eq!(used.to_string(), roll.to_string(), "{text:?} into a used roll");

    let total = expr.total(&mut rng()).unwrap_or_else(|error| panic!("{text:?} has no total: {error}"));
    assert_eq!(Some(&total), expected.first(), "{text:?} for the total only");

    let mut script = Script::new(faces);
    match expr.roll_within(&mut script, &LIMITS) {
        Ok(again) => {
            assert_eq!(totals(&again), expected, "{text:?} from its own faces");
            assert_eq!(again.to_string(), roll.to_string(), "{text:?} from its own faces");
        }
        Err(error) => panic!("{text:?} from its own faces: {error}"),
    }
    script.exhausted().unwrap_or_else(|error| panic!("{text:?} from its own faces: {error}"));
}

/// Odds end within their budget, sum to 1, keep the bounds of the text, hold what is rolled, and are the same in floating numbers.
pub fn odds(text: &str) {
    let Ok(expr) = Expr::parse(text, &LIMITS) else { return };
    let exact = Odds { limits: LIMITS, ..Odds::default() };
    let float = Odds { precision: Precision::Float, ..exact.clone() };
    let given = Odds { given_success: true, tail: 1e-6, ..exact.clone() };
    let odds = match expr.odds(&exact) {
        Ok(odds) => odds,
        Err(error) => {
            sound(&error, text);
            for options in [float, given] {
                match expr.odds(&options) {
                    Ok(odds) => add_up(&odds, text),
                    Err(error) => sound(&error, text),
                }
            }
            return;
        }
    };
    add_up(&odds, text);
    let (low, high) = expr.bounds();
    assert!(
        low.is_none_or(|low| odds.min().is_none_or(|min| low <= min)),
        "{text:?}: {:?} is below {low:?}",
        odds.min()
    );
    assert!(
        high.is_none_or(|high| odds.max().is_none_or(|max| max <= high)),
        "{text:?}: {:?} is above {high:?}",
        odds.max()
    );
    if odds.tail_mass() == 0.0 {
        let roll = expr.roll_within(&mut ChaCha8Rng::seed_from_u64(seed(text)), &LIMITS);
        let totals = roll.iter().flat_map(Roll::outcomes).map(dice::Outcome::total);
        for total in totals {
            assert!(odds.exactly(total) > 0.0, "{text:?}: {total} is rolled but has no chance");
        }
    }
    match expr.odds(&float) {
        Ok(float) => {
            add_up(&float, text);
            let slack = 1e-9 + 2.0 * (odds.tail_mass() + float.tail_mass());
            for (value, chance) in odds.outcomes() {
                let near = float.exactly(value);
                assert!((chance - near).abs() <= slack, "{text:?}: {value} has {chance}, as a float {near}");
            }
        }
        Err(error) => sound(&error, text),
    }
}

/// What a distribution says of itself fits together.
fn add_up(odds: &Distribution, text: &str) {
    let near = |a: f64, b: f64| (a - b).abs() < 1e-6;
    let sum: f64 = odds.outcomes().map(|(_, chance)| chance).sum();
    assert!(near(sum + odds.tail_mass(), 1.0), "{text:?} sums to {sum}, tail {}", odds.tail_mass());
    let (Some(min), Some(max)) = (odds.min(), odds.max()) else { panic!("{text:?} has odds but no outcome") };
    assert!(min <= max && near(odds.at_least(min), sum) && near(odds.at_most(max), sum), "{text:?}");
    let quantiles = [0.0, 0.1, 0.5, 0.9, 1.0].map(|part| odds.quantile(part));
    assert!(quantiles.is_sorted(), "{text:?}: {quantiles:?}");
    if let Some(share) = odds.fraction_of(|value| value <= max) {
        assert!(odds.tail_mass() > 0.0 || share == share.ceil(), "{text:?}: {share} of all outcomes");
        assert!(odds.fraction(min).is_some_and(|least| least <= share), "{text:?}");
    }
    if odds.len() <= 200 {
        let versus = odds.versus(odds);
        assert!(near(versus.wins, versus.loses), "{text:?}: {versus:?}");
    }
}

/// Texts for grammars that load.
const PROBES: [&str; 6] = ["", "4d6kh3+2", "sr 4", "((1d6!))", "a = 2; {a, 1d(a)}kl1 # x", "1d6 ? -1 : 2^3"];

/// A grammar is loaded or refused with errors that point into it, and reads texts without harm.
pub fn load_grammar(text: &str) {
    match Grammar::load(text) {
        Ok(grammar) => {
            assert_eq!(grammar.source(), text);
            assert!(Grammar::faults(text).is_empty());
            for probe in PROBES {
                if let Ok(expr) = grammar.parse(probe, &LIMITS) {
                    drop(expr.roll_within(&mut ChaCha8Rng::seed_from_u64(1), &LIMITS));
                }
            }
        }
        Err(_) => {
            for error in Grammar::faults(text) {
                assert!(error.text().is_empty() || error.text() == text);
                assert!(
                    error.text().get(error.span().range()).is_some(),
                    "{error:?} points beside its grammar"
                );
                assert!(!error.to_string().is_empty());
            }
        }
    }
}

/// The compiled grammar and the same grammar read at run time see the same in a text.
pub fn parity(text: &str) {
    thread_local! {
        static GRAMMAR: Grammar = Grammar::built_in();
    }
    let compiled = Expr::parse(text, &LIMITS);
    let loaded = GRAMMAR.with(|grammar| grammar.parse(text, &LIMITS));
    match (&compiled, &loaded) {
        (Ok(a), Ok(b)) => assert_eq!(format!("{:?}", a.body()), format!("{:?}", b.body()), "{text:?}"),
        (a, b) => assert_eq!(format!("{a:?}"), format!("{b:?}"), "{text:?}"),
    }
}
