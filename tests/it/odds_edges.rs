//! Odds at their edges: rolls of which all fail or none, overflow, what is cut off, medians, and dice with odd faces.

use std::collections::BTreeMap;

use dice::{Code, Distribution, Error, Expr, Number, Odds};

fn odds(text: &str, options: &Odds) -> Result<Distribution, Error> {
    text.parse::<Expr>().and_then(|expr| expr.odds(options))
}

fn plain(text: &str) -> Distribution {
    odds(text, &Odds::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// Totals and their shares.
fn law(text: &str) -> Vec<(String, String)> {
    let odds = plain(text);
    odds.outcomes().map(|(value, _)| (value.to_string(), odds.fraction(value).unwrap().to_string())).collect()
}

/// Faces mean the same in any order and however often they are listed.
#[test]
fn listed_faces_may_stand_in_any_order() {
    for (text, same) in [
        ("3d{2,1}kh2", "3d{1..2}kh2"),
        ("4d{5,3,1}dl1", "4d{1,3,5}dl1"),
        ("3d{1,1,2,2}kh2", "3d{1..2}kh2"),
        ("3d{4,4}kh2", "3d{4}kh2"),
    ] {
        assert_eq!(law(text), law(same), "{text}");
    }
}

/// The highest of dice whose faces do not follow each other, against all rolls.
#[test]
fn mixed_pools_of_dice_with_gaps() {
    let mut ways: BTreeMap<i32, u32> = BTreeMap::new();
    for a in [1, 3] {
        for b in [1, 3] {
            for c in [2, 5] {
                *ways.entry(a + b + c - a.min(b).min(c)).or_default() += 1;
            }
        }
    }
    let odds = plain("{2d{1,3}+1d{2,5}}kh2");
    let found: BTreeMap<i32, u32> = odds
        .outcomes()
        .map(|(total, chance)| {
            (total.to_string().parse().unwrap(), format!("{:.0}", chance * 8.0).parse().unwrap())
        })
        .collect();
    assert_eq!(found, ways);
}

/// Sums of numbers far apart can be too large; then the roll fails, and where none is, nothing is lost.
#[test]
fn sums_of_numbers_far_apart() {
    let error = odds("10^(1d38)+10^(1d38)", &Odds::default()).unwrap_err();
    assert_eq!(error.code(), Code::Overflow, "{error}");
    assert!(error.title().ends_with("the roll fails in 1 of 1444 outcomes"), "{error}");
    let fits = odds("10^(1d38)+10^(1d38)", &Odds { given_success: true, ..Odds::default() }).unwrap();
    assert_eq!(fits.total().unwrap(), 1443u32.into());
    // An explosion without end keeps its mean in closed form: 21/5, and that of the powers is 11110/4.
    let mean = plain("10^(1d4)+1d6!").mean_exact().unwrap();
    assert_eq!(mean.to_string(), "27817/10");
    assert_eq!(plain("10^(1d30)+1d6!").mean_exact(), plain("1d6!+10^(1d30)").mean_exact());
}

/// A case in which something is cut off counts by its weight.
#[test]
fn what_is_cut_off_in_a_case_counts_by_its_weight() {
    let always = plain("1d6!").tail_mass();
    let seldom = plain("1d20=1?1d6!:0").tail_mass();
    assert!(always > 0.0 && (seldom * 20.0 / always - 1.0).abs() < 1e-9, "{seldom} of {always}");
}

/// What never happens is no way to fail.
#[test]
fn an_endless_step_on_dice_that_are_never_left_does_not_fail() {
    assert_eq!(law("2d(1d2)kh0!"), [("0".to_owned(), "1".to_owned())]);
}

/// Where every roll fails there are no odds, even of those that do not fail.
#[test]
fn odds_of_nothing_are_refused() {
    let success = Odds { given_success: true, ..Odds::default() };
    for text in ["1d6/(0*1d6)", "1d6/(1d1-1)"] {
        assert_eq!(odds(text, &success).unwrap_err().code(), Code::DivisionByZero, "{text}");
    }
}

/// How much fails is about as much where something else is cut off.
#[test]
fn the_chance_of_failure_beside_what_is_cut_off() {
    let error = odds("1d6!/(1d2-1)", &Odds { tail: 1e-3, ..Odds::default() }).unwrap_err();
    assert!(error.title().ends_with("the roll fails with a probability of about 49.9882%"), "{error}");
}

/// Totals beside the last one have no probability.
#[test]
fn nothing_is_beyond_the_last_total() {
    for (text, beyond) in [("2d6", 13), ("2d6", 1), ("2*3d6", 38), ("10^(1d3)", 10_000), ("100d6", 601)] {
        let odds = plain(text);
        assert_eq!(odds.exactly(Number::from(beyond)).to_bits(), 0, "{text}");
        assert_eq!(odds.fraction(Number::from(beyond)).unwrap().to_string(), "0", "{text}");
    }
}

/// Of an even number of equal totals the lower one in the middle is the median, whatever is rounded; the most likely total is
/// found in rows of any width.
#[test]
fn medians_and_modes() {
    for (text, median) in [("1d2", 1), ("1d6", 3), ("1d20", 10), ("1d1000", 500), ("3d6", 10)] {
        assert_eq!(plain(text).median(), Some(Number::from(median)), "{text}");
    }
    for (text, mode) in [("20d6", 70), ("40d6", 140), ("200d6", 700), ("200d6kh1", 6), ("199d{1:3,2}", 248)] {
        assert_eq!(plain(text).mode(), Some(Number::from(mode)), "{text}");
    }
}

/// Endless extras of dice of several kinds, which only rolling every roll can follow: what is cut off is told, and little.
#[test]
fn endless_extras_in_a_mixed_pool_are_cut_off_at_last() {
    let options = Odds { tail: 1e-3, ..Odds::default() };
    let found = odds("{1d2+1d4}kh1!", &options).unwrap();
    assert!(found.tail_mass() > 0.0 && found.tail_mass() <= options.tail, "{}", found.tail_mass());
    let present: f64 = found.outcomes().map(|outcome| outcome.1).sum();
    assert!((present + found.tail_mass() - 1.0).abs() < 1e-9, "{present}");
}

/// What never succeeds has no odds, however it is asked for, and no advice that would not help.
#[test]
fn rolls_that_always_fail() {
    let given = Odds { given_success: true, ..Odds::default() };
    let float = Odds { precision: dice::Precision::Float, ..given.clone() };
    for text in
        ["d(1/27)", "d6=d(1/27)", "-d61=d36d(d1/27)", "1/(1d1-1)>2", "1/(1d6-1d6*1)>d(1/2)", "2d(1/3)>=1"]
    {
        for options in [Odds::default(), given.clone(), float.clone()] {
            let error = odds(text, &options).unwrap_err();
            assert!(!error.to_string().contains("--given-success"), "{error}");
        }
    }
    // Some succeed: the advice helps.
    let error = odds("1/(1d6-1)", &Odds::default()).unwrap_err();
    assert!(error.to_string().contains("--given-success"), "{error}");
    assert_eq!(odds("1/(1d6-1)>9", &given).unwrap().max(), Some(Number::ZERO));
}

/// Growing dice with very many outcomes, of which the three highest are kept: once their odds summed to 10^19.
#[test]
fn the_three_highest_of_dice_that_grow() {
    for text in ["4d4!!>=2kh3", "4d6!!>=4kh3", "5d4!!>=2kl3"] {
        let exact = plain(text);
        let float = odds(text, &Odds { precision: dice::Precision::Float, ..Odds::default() }).unwrap();
        assert!(exact.total().is_some());
        for (value, chance) in exact.outcomes() {
            let near = float.exactly(value);
            assert!((chance - near).abs() < 1e-11, "{text}: {value} has {chance}, as a float {near}");
        }
    }
}

/// What is cut off is no more than was asked for, and no less than what is missing.
#[test]
fn what_is_missing_is_told_and_within_what_was_asked_for() {
    for text in [
        "1d6!",
        "4d6!!>=3dl1",
        "3d6!!>=3kh1",
        "2d4!>=2",
        "1d4!>=2!>=3",
        "1d3!>=2!>=2",
        "1d4!>=2!!>=2",
        "2d6!>=3!!>=3",
        "2d4!>=2!>=2kh2",
        "1d2!!2",
        "(1d6!)d6!",
        "1d6!5!5",
        "p = {1d6, 1d8!}; p kh1 - p kl1",
        "p = 2d8!; p kh1 - p kl1",
        "p = {2d4!, 1d4}; p c4 + p kh1",
        "a = 1d8!; a * a",
        "{1d6!, 1d8!}kh1",
        "(1d4!) = 3 ? 1d6! : 2",
        "max(1d6!, 1d8!)",
    ] {
        for tail in [1e-12, 1e-4] {
            let odds =
                odds(text, &Odds { tail, ..Odds::default() }).unwrap_or_else(|error| panic!("{error}"));
            let there: f64 = odds.outcomes().map(|(_, chance)| chance).sum();
            let told = odds.tail_mass();
            assert!(told <= tail, "{text}: {told} of {tail}");
            assert!(
                1.0 - there <= told * 1.000_001 + 1e-13,
                "{text}: {told}, but {} is missing",
                1.0 - there
            );
        }
    }
}

/// Spreads far from 0 and far from the middle of the totals, in floating numbers as in exact ones.
#[test]
fn floating_spreads_of_large_totals() {
    for text in ["3d6+1000000000", "1d6+10^12", "1d20>1 ? 2202 : 22", "2d6-10^9*1d2"] {
        let exact = plain(text);
        let float = odds(text, &Odds { precision: dice::Precision::Float, ..Odds::default() }).unwrap();
        assert!(
            (exact.sd() - float.sd()).abs() <= 1e-9 * exact.sd(),
            "{text}: {} {}",
            exact.sd(),
            float.sd()
        );
        let off = (exact.mean() - float.mean()).abs();
        assert!(off <= 1e-12 * exact.mean().abs(), "{text}: {} {}", exact.mean(), float.mean());
    }
}

/// Limits end a simulation; a roll that fails is counted.
#[test]
fn samples_that_fail_are_counted_and_limits_are_errors() {
    use rand::{SeedableRng, rngs::ChaCha8Rng};
    let sampled =
        |text: &str| text.parse::<Expr>().unwrap().sample_odds(600, &mut ChaCha8Rng::seed_from_u64(3));
    let half = sampled("1/(1d2-1)").unwrap();
    assert!((200..400).contains(&half.failed()), "{}", half.failed());
    assert_eq!(half.samples(), 600);
    assert_eq!(sampled("(1d2*10000000)d6").unwrap_err().code(), Code::Limit);
}

#[test]
fn methods_have_names() {
    let method = |text: &str, precision| {
        odds(text, &Odds { precision, ..Odds::default() }).unwrap().method().to_string()
    };
    assert_eq!(method("3d6", dice::Precision::Exact), "exact");
    assert_eq!(method("1d6!", dice::Precision::Exact), "cut off");
    assert_eq!(method("3d6", dice::Precision::Float), "floating point");
}

/// Two rolls side by side have more outcomes than floating numbers can say.
#[test]
fn very_many_outcomes_side_by_side() {
    let given = Odds { given_success: true, ..Odds::default() };
    let float = odds("2d6*100", &Odds { precision: dice::Precision::Float, ..Odds::default() }).unwrap();
    // Of the second and third hardly any roll succeeds.
    for text in ["242d10", "242d10^16+6", "500d10^14", "1/(1d6-1)"] {
        let odds = odds(text, &given).unwrap();
        let beside = odds.versus(&float);
        assert!((beside.wins + beside.ties + beside.loses - 1.0).abs() < 1e-9, "{text}: {beside:?}");
        let versus = odds.versus(&odds);
        assert!((versus.wins - versus.loses).abs() < 1e-9, "{text}: {versus:?}");
        assert!((versus.wins + versus.ties + versus.loses - 1.0).abs() < 1e-9, "{text}: {versus:?}");
        let higher = odds.higher_of(&odds);
        let all: f64 = higher.outcomes().map(|(_, chance)| chance).sum();
        assert!((all - 1.0).abs() < 1e-9 && higher.mean() > odds.mean(), "{text}: {all}");
    }
}
