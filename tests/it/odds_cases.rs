//! The seeded roller against the exact odds, for every text of every case file: chi-square.
//!
//! Generators are seeded, so a test passes always or never. Nominally one of the hundreds of texts of a correct roller fails
//! with a chance below one in a thousand million; cells are large enough that the true chance is below one in a million.

#![expect(clippy::cast_precision_loss, reason = "chances need no more than a dozen digits")]

use std::collections::{BTreeMap, BTreeSet};

use dice::{Distribution, Expr, Limits, Number, Odds};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use crate::cases::{REFUSED, files};
use crate::statistics::tail;
use crate::transcript;

/// Totals of each text; half from whole rolls, half from rolls that only tell their total.
const ROLLS: u64 = 40_000;

/// The least chance that is believed of one text.
const DOUBT: f64 = 1e-12;

/// Cells in which fewer totals than this are expected are merged with their neighbours.
const EXPECTED: f64 = 100.0;

/// Odds within a small budget; of the rolls that do not fail, where some do.
fn odds_of(expr: &Expr) -> Option<(Distribution, bool)> {
    let limits = Limits { steps: 20_000_000, ..Limits::default() };
    let options = Odds { limits, ..Odds::default() };
    if let Ok(odds) = expr.odds(&options) {
        return Some((odds, false));
    }
    let odds = expr.odds(&Odds { given_success: true, ..options }).ok()?;
    Some((odds, true))
}

/// How often each total came up.
fn totals_of(expr: &Expr, may_fail: bool) -> BTreeMap<Number, u64> {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let mut totals = BTreeMap::new();
    let mut seen = 0;
    for _ in 0..ROLLS {
        if seen >= ROLLS / 2 {
            break;
        }
        match expr.roll(&mut rng) {
            Ok(roll) => roll.outcomes().iter().for_each(|outcome| {
                seen += 1;
                *totals.entry(outcome.total()).or_insert(0) += 1;
            }),
            Err(error) => assert!(may_fail, "a roll fails that the odds do not know of: {error}"),
        }
    }
    let sampled = expr.sample_odds(ROLLS / 2, &mut rng).unwrap();
    assert!(may_fail || sampled.failed() == 0, "a roll fails that the odds do not know of");
    let rolled = (ROLLS / 2 - sampled.failed()) as f64;
    for (total, share) in sampled.outcomes() {
        let count = rolls_of(share * rolled);
        *totals.entry(total).or_insert(0) += count;
    }
    totals
}

/// A share of whole rolls as their number.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small whole number, rounded")]
fn rolls_of(count: f64) -> u64 {
    count.round() as u64
}

/// How likely totals are to be at least so far off the odds; 0 where one came up that cannot.
fn chance(totals: &BTreeMap<Number, u64>, odds: &Distribution) -> f64 {
    let count: u64 = totals.values().sum();
    let chances: BTreeMap<Number, f64> = odds.outcomes().collect();
    // What was cut off lies outside of the listed totals.
    if odds.tail_mass() == 0.0 && totals.keys().any(|total| !chances.contains_key(total)) {
        return 0.0;
    }
    let mut cells: Vec<(f64, u64)> = Vec::new();
    let (mut chance, mut seen) = (0.0, 0);
    let values: BTreeSet<&Number> = totals.keys().chain(chances.keys()).collect();
    for value in values {
        chance += chances.get(value).unwrap_or(&0.0);
        seen += totals.get(value).unwrap_or(&0);
        if chance * count as f64 >= EXPECTED {
            cells.push((chance, seen));
            (chance, seen) = (0.0, 0);
        }
    }
    if let Some(last) = cells.last_mut() {
        last.0 += chance;
        last.1 += seen;
    }
    let Some(degrees) = u32::try_from(cells.len()).unwrap().checked_sub(1).filter(|&degrees| degrees > 0)
    else {
        return 1.0;
    };
    let part = |&(chance, seen): &(f64, u64)| {
        let expected = chance * count as f64;
        (seen as f64 - expected).powi(2) / expected
    };
    tail(cells.iter().map(part).sum(), degrees)
}

/// The texts of a case file that can be rolled.
fn texts(file: &str) -> BTreeSet<String> {
    let shown = transcript::commands(file);
    let all = shown.iter().flat_map(|shown| transcript::notation(&shown.command));
    all.filter(|text| text.parse::<Expr>().is_ok()).collect()
}

#[test]
fn rolls_of_the_case_files_agree_with_their_odds() {
    let mut known: BTreeMap<String, bool> = BTreeMap::new();
    let mut tested = 0;
    for (rule, file) in files() {
        let mut here = 0;
        for text in texts(&file) {
            let agrees = known.entry(text.clone()).or_insert_with(|| {
                let expr: Expr = text.parse().unwrap();
                let Some((odds, may_fail)) = odds_of(&expr) else { return false };
                let totals = totals_of(&expr, may_fail);
                let chance = chance(&totals, &odds);
                assert!(chance > DOUBT, "tests/cases/{rule}.txt: {text} is off: {chance}");
                tested += 1;
                true
            });
            here += u32::from(*agrees);
        }
        // Every rule that can be part of a roll is rolled.
        assert!(here > 0 || REFUSED.contains(&rule.as_str()), "no text of tests/cases/{rule}.txt");
    }
    println!("{tested} texts tested");
    assert!(tested >= 250, "only {tested} texts");
}

#[test]
fn odds_of_another_text_are_found_out() {
    let agree = |odds: &str, rolled: &str| {
        let (odds, _) = odds_of(&odds.parse().unwrap()).unwrap();
        chance(&totals_of(&rolled.parse().unwrap(), false), &odds) > DOUBT
    };
    for (odds, rolled) in [
        ("1d6", "1d6+1"),
        ("1d6", "1d6rb1"),
        ("1d6", "1d{1..6,6}"),
        ("3d6", "3d6+1"),
        ("4d6kh3", "3d6+1"),
        ("a=1d6; a+a", "1d6+1d6"),
        ("5d10c>=8", "5d10c>=7"),
        ("1d6!", "1d6!5"),
        ("4d6!kh3", "4d6kh3!"),
    ] {
        assert!(!agree(odds, rolled), "rolls of {rolled} pass for {odds}");
        assert!(agree(odds, odds) && agree(rolled, rolled), "{odds}, {rolled}");
    }
    for (odds, rolled) in [("4d6kh3", "4d6dl1"), ("2d6", "1d6+1d6"), ("10d6c>=5", "10d3c3")] {
        assert!(agree(odds, rolled), "rolls of {rolled} do not pass for {odds}");
    }
}
