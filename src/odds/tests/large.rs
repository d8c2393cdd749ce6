//! Large texts: answered in time, or refused by name and at once.

use super::exact;
use crate::{Expr, Limits, Number, Odds, Precision};

#[test]
fn large_pools_are_answered_or_refused_by_name() {
    let odds =
        |text: &str, precision| text.parse::<Expr>().unwrap().odds(&Odds { precision, ..Odds::default() });
    // 200 takes twenty tens before a hundred other faces.
    let kept = odds("100d10!kh20", Precision::Exact).unwrap();
    assert_eq!(format!("{:.6}", kept.at_least(Number::from(200))), "0.014463");
    // Marks on units of several dice, against the same dice in a group of members.
    assert_eq!(exact("{12d4!lim2}kh5"), exact("12d4!lim2kh5"));
    assert_eq!(exact("12d4!lim2dl3"), exact("{6d4!lim2 + 6d4!lim2}dl3"));
    // More memory than a quarter of the steps in bytes.
    let error = odds("1000d1000", Precision::Exact).unwrap_err();
    assert_eq!(
        error.title(),
        "the odds of 1000d1000 take about 1.9e9 bytes of memory: the limit steps is 4000000000 (a quarter of it in bytes)"
    );
    assert!(odds("1000d6!!p>=2kl500", Precision::Auto).is_err());
}

#[test]
fn many_values_are_priced_before_they_are_conditioned_on() {
    let odds = |text: &str, steps| {
        let limits = Limits { steps, ..Limits::default() };
        text.parse::<Expr>().unwrap().odds(&Odds { limits, precision: Precision::Exact, ..Odds::default() })
    };
    // What was tried is tried again in its order: the first way to fail is that of the first value.
    let error = odds("1d(19-1d20)", 4_000_000_000).unwrap_err();
    assert_eq!(error.title(), "a die needs at least one side, not -1: the roll fails in 1 of 10 outcomes");
    let mean: f64 = (1..=30).map(|n| f64::from(n) * 2.5).sum::<f64>() / 30.0;
    let mixed = odds("(1d30)d4", 4_000_000_000).unwrap();
    assert!((mixed.mean() - mean).abs() < 1e-12);
}

/// What takes too much in many small parts is refused before the first of them is computed: without optimisation, computing
/// the parts up to the limit takes minutes.
#[test]
fn refusals_come_at_once() {
    let texts = ["(1d1000)d20!", "5000d(1d20)", "x = 1d1000; (x)d20!", "(2d500)d4dh20"];
    for text in texts {
        let start = std::time::Instant::now();
        let error = text.parse::<Expr>().and_then(|expr| expr.odds(&Odds::default())).expect_err(text);
        assert_eq!(error.code(), crate::Code::Budget, "{text}: {error}");
        assert!(start.elapsed().as_secs() < 15, "{text} took {:?}", start.elapsed());
    }
}

#[test]
fn keeping_few_of_very_many_dice_in_floating_point() {
    let odds = |text: &str, precision| {
        text.parse::<Expr>().and_then(|expr| expr.odds(&Odds { precision, ..Odds::default() })).unwrap()
    };
    // C(3000, 1500) is beyond every floating-point number, and so is 1/20^3000.
    for text in ["3000d20kh3", "3000d20kl2", "1200d6kh9", "1100d4!lim1kh2", "40d6kh20"] {
        let (float, exact) = (odds(text, Precision::Float), odds(text, Precision::Exact));
        assert_ne!(float.method(), exact.method(), "{text}");
        for (value, chance) in exact.outcomes() {
            let error = (float.exactly(value) - chance).abs();
            assert!(error <= float.relative_error() * chance + 1e-300, "{text}: {value} {error} of {chance}");
        }
    }
    let start = std::time::Instant::now();
    assert!((odds("9758d310kh6", Precision::Float).mean() - 1860.0).abs() < 1e-3);
    assert!(start.elapsed().as_secs() < 15, "{:?}", start.elapsed());
}
