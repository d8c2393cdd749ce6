//! What a distribution tells of itself agrees with the outcomes that it lists: moments, sums, extremes, comparisons; and what an
//! estimate tells agrees with the totals that it has counted.

use std::collections::BTreeMap;

use dice::{
    Code, Die, Distribution, Expr, FaceError, Faces, Limits, Method, Number, Odds, Precision, Rational,
    Sampled,
};

fn odds_with(text: &str, options: &Odds) -> Distribution {
    let expr: Expr = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    expr.odds(options).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The odds of the rolls that do not fail.
fn odds(text: &str, precision: Precision) -> Distribution {
    odds_with(text, &Odds { precision, given_success: true, ..Odds::default() })
}

fn rational(number: Number) -> Rational {
    Rational::new(number.numerator().into(), number.denominator().into())
}

/// Mean and variance of outcomes with these chances.
fn moments(law: impl Iterator<Item = (f64, f64)> + Clone) -> (f64, f64) {
    let whole: f64 = law.clone().map(|(_, chance)| chance).sum();
    let mean = law.clone().map(|(value, chance)| value * chance).sum::<f64>() / whole;
    (mean, law.map(|(value, chance)| (value - mean).powi(2) * chance).sum::<f64>() / whole)
}

fn near(a: f64, b: f64, scale: f64) -> bool {
    (a - b).abs() <= 1e-9 * scale.abs().max(1.0)
}

/// Texts whose odds are exact: whole numbers and fractions, on grids and far apart, some of which can fail.
const EXACT: [&str; 33] = [
    "3d6",
    "1d1",
    "2*1d6-20",
    "1d6/2",
    "5+2d6/3",
    "2d6/3+1d4/2",
    "1d6/4-2",
    "1/1d6",
    "7-1/1d6",
    "(1d4-2)/(1d3)",
    "max(1d6,2.5)",
    "1d{-3,5,1000000}",
    "1d{1,900000000000}-1",
    "1d{1:3,2,7:2}*1d4",
    "a=1d6; a*a-a/2",
    "1d2=1?1d6/2:1/1d4",
    "1d6!lim2",
    "1d6r<=2lim2",
    "4d6!lim1kh3/2",
    "10/(1d6-1)",
    "1d6/(1d4-1)",
    "5+1/(2d3-4)",
    "1d6/2+0/(1d3-1)",
    "a=10/(1d6-1); 3+1d6",
    "a=10/(1d6-1); a+a/3",
    // Counts of outcomes that need many machine words.
    "100d6",
    "1-60d6/2",
    "3*40d6+2*30d4",
    "40d4-40d6*5",
    "(50d4)/(1d3)",
    "max(30d6,25d8)",
    "1d2=1?60d4:-(30d6)/2",
    "1000/(30d6-30)",
];

#[test]
fn exact_moments_are_those_of_the_outcomes() {
    for text in EXACT {
        let odds = odds(text, Precision::Exact);
        let law: Vec<(Rational, Rational)> =
            odds.outcomes().map(|(value, _)| (rational(value), odds.fraction(value).unwrap())).collect();
        let zero = || Rational::new(0.into(), 1.into());
        let one: Rational = law.iter().fold(zero(), |sum, (_, chance)| sum + chance);
        assert_eq!(one.to_string(), "1", "{text}");
        let mean = law.iter().fold(zero(), |sum, (value, chance)| sum + value * chance);
        let square = law.iter().fold(zero(), |sum, (value, chance)| sum + value * value * chance);
        let variance = square - &mean * &mean;
        assert_eq!((odds.mean_exact(), odds.variance_exact()), (Some(mean), Some(variance)), "{text}");
    }
}

#[test]
fn floating_moments_are_those_of_the_outcomes() {
    for text in EXACT {
        let float = odds(text, Precision::Float);
        let (mean, variance) = moments(float.outcomes().map(|(value, chance)| (value.to_f64(), chance)));
        assert!(near(float.mean(), mean, mean), "{text}: {} {mean}", float.mean());
        assert!(near(float.variance(), variance, variance), "{text}: {} {variance}", float.variance());
        assert!(near(float.sd(), variance.sqrt(), variance), "{text}");
        assert_eq!((float.mean_exact(), float.variance_exact()), (None, None), "{text}");
        let exact = odds(text, Precision::Exact);
        assert!(near(float.mean(), exact.mean(), mean) && near(float.sd(), exact.sd(), mean), "{text}");
    }
}

/// Pools whose counts need many machine words, in every way to keep, to mix, to explode and to compute how many there are: whole
/// counts and floating probabilities are computed apart.
#[test]
fn both_arithmetics_agree() {
    for text in [
        "60d6kh20",
        "60d6kh3",
        "60d6kh1",
        "60d10kl30",
        "60d6dh20dl20",
        "60d6kh30kl10",
        "40d6!lim1kh10",
        "40d6!lim2",
        "30d6!!lim2kh5",
        "30d6!p lim2kl5",
        "30d6rb<=3kh10",
        "25d6r1lim2kl5",
        "25d6r<=2kl5",
        "60d6mi3kh10",
        "60d6kh10ma4",
        "60d6kh20c>=5",
        "60d6c>=5f1",
        "60d{1:3,2,5}kh20",
        "60d{1:3,2,5:2,90}",
        "60d{-10,0,10:5}kl7",
        "{30d6+20d8}kh10",
        "{30d6+20d8+10d4}kl25",
        "{10d6+10d8!lim1+5d{1:3,9}}kh9",
        "{20d6,15d8,60}kh1",
        "{20d6,15d8,60}kl2",
        "{20d6,15d8,60}dl1",
        "{20d6,20d6,15d8,9d20}kh2",
        "{20d6,15d8,9d20}kh3",
        "{20d6,15d8}kh0",
        "{10d{1,5,9}+8d6}kh5",
        "{10d{1,2,9}+8d6}kh5",
        "{10d{2,3}+8d6}kl5",
        "{12d4+9d12}kh7mi3",
        "{20d6kh10,15d8kl10}kh1",
        "2*60d6-3*40d4",
        "-(60d6)/7",
        "(1d40)d6",
        "(1d4*3)d6",
        "(2d4-1)d{1,4}+1d6",
        "(3d6)d6kh3",
        "(1d20)d{1:3,9}kl2",
        "2d(1d60)kh1",
        "max(60d6,50d8)",
        "(60d6)>=(20d10)",
        "(60d6)>200?30d6:2*20d4",
        "a=30d6; a*a-a",
        "a=20d6; a kh5 - a kl5",
        "a=8d6; a c>=5 - a c1",
        "1000d2",
        "300d6kh299",
        "300d3dl2",
    ] {
        let [exact, float] = [Precision::Exact, Precision::Float].map(|precision| odds(text, precision));
        assert_eq!((exact.method(), float.method()), (Method::Exact, Method::Float), "{text}");
        let error = exact.relative_error() + float.relative_error();
        assert!(error < 1e-9, "{text}: {error}");
        for (value, chance) in exact.outcomes() {
            let found = float.exactly(value);
            assert!((found - chance).abs() <= chance * error + 1e-300, "{text}: {value} {found} {chance}");
        }
        let whole: f64 = exact.outcomes().map(|(_, chance)| chance).sum();
        let (mean, variance) = moments(exact.outcomes().map(|(value, chance)| (value.to_f64(), chance)));
        assert!(near(whole, 1.0, 1.0) && near(exact.mean(), mean, mean), "{text}");
        assert!(near(exact.variance(), variance, variance), "{text}");
        assert!(near(float.mean(), mean, mean) && near(float.variance(), variance, variance), "{text}");
        assert_eq!((float.min(), float.max()), (exact.min(), exact.max()), "{text}");
    }
}

/// Explosions without end: the listed outcomes are almost everything, so their moments are almost those in closed form.
#[test]
fn moments_in_closed_form_are_those_of_the_outcomes() {
    for text in [
        "1d6!",
        "3d6!+2",
        "1d6!>=5",
        "1d{1,2:2,6:3}!",
        "1d6!!",
        "1d6!p",
        "1d6!!p",
        "1d6!2!5",
        "2*1d6!",
        "1-1d6!/4",
        "0*1d6!",
        "1d6!+1d4!",
        "1d6!-1d4/3",
        "1d6!+1d6!lim2",
        "1d6!3lim3!5",
        "1d6!3lim1!5",
        "1d6mi2!",
        "1d6!mi2",
        "1d6!p mi2",
        "1d6!ma4",
        "1d6!c>=5",
        "2d10!c>=8f1",
        "1d6!r1",
        "1d6!r<=3lim2",
        "1d6!r6lim1",
        "1d6!rb<=4",
        "1d6r1!",
        "1d6r<=2lim2!",
        "1d6ro2!",
        "1d6rb<=3!",
        "1d6!r<=2lim0",
        "1d2=1?1d6!:1d4",
        "1d3=1?1d6!+2:1d8!/2",
        "1d3=1?1d6!:10/(1d5-1)",
        "a=1d6!; a",
        "a=1d6!; 3-a",
        "(1d3)d6!",
        "1d6!>=(1d2+1)",
        "1d6r<=(1d3)lim2!",
        "a=10/(1d6-1); 1d4!",
    ] {
        // A smaller part is cut off than by default, so that hardly anything is missing in the sums.
        let odds = odds_with(text, &Odds { given_success: true, tail: 1e-15, ..Odds::default() });
        assert_eq!(odds.method(), if text == "0*1d6!" { odds.method() } else { Method::CutOff }, "{text}");
        let (Some(mean), Some(variance)) = (odds.mean_exact(), odds.variance_exact()) else {
            panic!("the moments of {text} are not known")
        };
        let value = |fraction: &Rational| {
            fraction.numer().to_string().parse::<f64>().unwrap()
                / fraction.denom().to_string().parse::<f64>().unwrap()
        };
        let listed = moments(odds.outcomes().map(|(value, chance)| (value.to_f64(), chance)));
        assert!(near(value(&mean), listed.0, listed.0), "{text}: mean {mean} and {}", listed.0);
        assert!(near(value(&variance), listed.1, listed.1), "{text}: variance {variance} and {}", listed.1);
        assert!(near(odds.mean(), listed.0, listed.0) && near(odds.variance(), listed.1, listed.1), "{text}");
    }
}

/// Everything else that is told of one distribution, from its outcomes.
fn told(text: &str, odds: &Distribution) {
    let law: Vec<(Number, f64)> = odds.outcomes().collect();
    let whole: f64 = law.iter().map(|(_, chance)| chance).sum();
    assert!(law.windows(2).all(|pair| pair[0].0 < pair[1].0), "{text}");
    assert!(law.iter().all(|(_, chance)| *chance > 0.0), "{text}");
    assert!((whole + odds.tail_mass() - 1.0).abs() <= odds.tail_mass() + 1e-9, "{text}: {whole}");
    assert_eq!((odds.len(), odds.is_empty()), (law.len(), law.is_empty()), "{text}");
    assert_eq!(odds.min(), law.first().map(|(value, _)| *value), "{text}");
    assert_eq!(odds.max(), law.last().map(|(value, _)| *value), "{text}");
    let most = law.iter().map(|(_, chance)| *chance).fold(0.0, f64::max);
    let mode = odds.mode().unwrap();
    assert!(near(odds.exactly(mode), most, 1.0), "{text}: {mode}");
    let earlier = law.iter().find(|(_, chance)| *chance > most * (1.0 + 1e-9));
    assert_eq!(earlier, None, "{text}");
    for (value, chance) in &law {
        let sum = |pass: &dyn Fn(&Number) -> bool| -> f64 {
            law.iter().filter(|(value, _)| pass(value)).map(|(_, chance)| chance).sum()
        };
        assert!(near(odds.exactly(*value), *chance, 1.0), "{text}: {value}");
        assert!(near(odds.at_least(*value), sum(&|other| other >= value), 1.0), "{text}: {value}");
        assert!(near(odds.at_most(*value), sum(&|other| other <= value), 1.0), "{text}: {value}");
        // Between two listed totals, below the first and above the last nothing comes up.
        let between = value.plus(Number::ratio(1, 1_000_007).unwrap()).unwrap();
        assert!(odds.exactly(between).abs() < 1e-300, "{text}: {between}");
        // What was cut off is taken out evenly: the middle of the chance of a total is a quantile of its own.
        let middle = (sum(&|other| other < value) + chance / 2.0) / whole;
        // Sums are told apart to a part in 10^12.
        if *chance > 1e-9 {
            assert_eq!(odds.quantile(middle), Some(*value), "{text}: {middle}");
        }
    }
    for next in [Number::ONE, Number::ratio(1, 2).unwrap(), Number::ratio(1, 4).unwrap()] {
        let (low, high) = (odds.min().unwrap(), odds.max().unwrap());
        assert!(odds.exactly(low.minus(next).unwrap()).abs() < 1e-300, "{text}");
        assert!(odds.exactly(high.plus(next).unwrap()).abs() < 1e-300, "{text}");
    }
    let beyond = Number::whole(1 << 60);
    assert!(odds.exactly(beyond).abs() < 1e-300 && odds.at_least(beyond).abs() < 1e-300, "{text}");
    assert!(odds.at_most(beyond.negated().unwrap()).abs() < 1e-300, "{text}");
    assert_eq!(odds.quantile(0.0), odds.min(), "{text}");
    if law.last().is_some_and(|(_, chance)| *chance > 1e-9) {
        assert_eq!(odds.quantile(1.0), odds.max(), "{text}");
    }
    if let Some(all) = odds.total() {
        let all: Rational = Rational::new(all.into(), 1.into());
        for (value, _) in law {
            let fraction = odds.fraction(value).unwrap();
            assert_eq!(odds.fraction_of(|other| other == value), Some(fraction.clone()), "{text}: {value}");
            assert_eq!((fraction * &all).denom().to_string(), "1", "{text}: {value}");
        }
    }
}

#[test]
fn what_is_told_agrees_with_the_outcomes() {
    for text in EXACT {
        for (precision, method) in [(Precision::Exact, Method::Exact), (Precision::Float, Method::Float)] {
            let odds = odds(text, precision);
            told(text, &odds);
            assert_eq!(odds.method(), method, "{text}");
            assert!(odds.tail_mass().abs() < 1e-300, "{text}");
            assert!(odds.relative_error() > 0.0 && odds.relative_error() < 1e-9, "{text}");
        }
    }
    for (text, tail) in
        [("1d6!", 0.2), ("1d6!", 1e-3), ("2d4!kh1", 1e-6), ("1d6!/4", 0.01), ("1d4!!-3", 1e-9)]
    {
        let odds = odds_with(text, &Odds { tail, ..Odds::default() });
        told(text, &odds);
        assert_eq!(odds.method(), Method::CutOff, "{text}");
        assert!(odds.tail_mass() > 0.0 && odds.tail_mass() <= tail, "{text}: {}", odds.tail_mass());
    }
}

/// However the dice that explode are put together, what is listed and what was cut off are at least the whole.
#[test]
fn what_is_cut_off_is_bounded() {
    for text in [
        "1d6!",
        "3d6!",
        "3d6!!",
        "3d6!kh2",
        "3d6!!kh1",
        "3d6!mi2kl2",
        "3d6!kh2kl1",
        "3d6!kh2dl1c>=5",
        "2d6!c>=5",
        "2d6!r1",
        "3d6!r1kh1",
        "2d6!+1d4!!",
        "2*1d6!-1d4!",
        "1d6!/(1d3)",
        "10/(1d6!)",
        "{2d6!+1d8!}kh1",
        "{2d6!+1d8!}kl2",
        "{2d6+1d8}!",
        "{2d6+1d8}!kh2",
        "{2d6!,1d8!}kh1",
        "{3d6!,2d8!!}c>=9",
        "{2d6!,2d6!,1d8!!}kl2",
        "1d2=1?1d6!:1d4!",
        "1d3=1?1d6!:1d20",
        "(1d3)d6!",
        "(1d3)d6!kh1",
        "(1d6!)d4",
        "2d6!>=(1d3+3)",
        "a=2d6!; a+a",
        "a=1d6!; b=1d4!; a*b+a",
        "p=3d6!; p kh1 - p kl1",
        "max(1d6!,1d8!)",
        "(1d6!)>=(1d4!)",
        "3d6kh(1d4!)",
    ] {
        for tail in [0.1, 0.01, 1e-4] {
            for precision in [Precision::Auto, Precision::Float] {
                let odds = odds_with(text, &Odds { tail, precision, ..Odds::default() });
                let whole: f64 = odds.outcomes().map(|(_, chance)| chance).sum();
                assert!(whole < 1.0 && whole + odds.tail_mass() > 1.0 - 1e-9, "{text}: {whole} {odds:?}");
                assert!(odds.tail_mass() <= tail, "{text}: {} of {tail}", odds.tail_mass());
            }
        }
    }
}

/// However small the chance of the highest total is, nothing less answers for all rolls.
#[test]
fn the_highest_total_is_the_last_quantile() {
    for (text, highest) in [("100d6", 600), ("2d6", 12), ("1000d6kh500", 3000)] {
        assert_eq!(odds(text, Precision::Auto).quantile(1.0), Some(Number::from(highest)), "{text}");
    }
}

/// Two rolls against each other and the better or worse of both, by looking at every pair of outcomes.
#[test]
fn two_distributions_are_compared_pair_by_pair() {
    let texts = ["2d6", "3d4+1", "1d6/2", "1/1d6", "10/(1d6-1)", "2*1d3", "1d{1,900000000000}", "3"];
    for (one, other) in texts.iter().flat_map(|one| texts.iter().map(move |other| (one, other))) {
        for (left, right) in [
            (Precision::Exact, Precision::Exact),
            (Precision::Exact, Precision::Float),
            (Precision::Float, Precision::Exact),
            (Precision::Float, Precision::Float),
        ] {
            let what = format!("{one} {left:?} and {other} {right:?}");
            let (a, b) = (odds(one, left), odds(other, right));
            let (mut wins, mut ties, mut loses) = (0.0, 0.0, 0.0);
            let (mut higher, mut lower) = (BTreeMap::new(), BTreeMap::new());
            for (x, p) in a.outcomes() {
                for (y, q) in b.outcomes() {
                    match x.cmp(&y) {
                        std::cmp::Ordering::Greater => wins += p * q,
                        std::cmp::Ordering::Equal => ties += p * q,
                        std::cmp::Ordering::Less => loses += p * q,
                    }
                    *higher.entry(x.max(y)).or_insert(0.0) += p * q;
                    *lower.entry(x.min(y)).or_insert(0.0) += p * q;
                }
            }
            let versus = a.versus(&b);
            assert!(near(versus.wins, wins, 1.0), "{what}: {} {wins}", versus.wins);
            assert!(near(versus.ties, ties, 1.0), "{what}: {} {ties}", versus.ties);
            assert!(near(versus.loses, loses, 1.0), "{what}: {} {loses}", versus.loses);
            for (found, wanted) in [(a.higher_of(&b), higher), (a.lower_of(&b), lower)] {
                told(&what, &found);
                let found: BTreeMap<Number, f64> = found.outcomes().collect();
                assert!(found.keys().eq(wanted.keys()), "{what}");
                assert!(found.iter().all(|(value, chance)| near(*chance, wanted[value], 1.0)), "{what}");
            }
        }
    }
}

/// How likely a roll is to fail is told in outcomes as long as these are few.
#[test]
fn the_chance_to_fail_is_told() {
    let title = |text: &str, precision| {
        let error = text.parse::<Expr>().unwrap().odds(&Odds { precision, ..Odds::default() }).unwrap_err();
        error.title().to_owned()
    };
    for (text, precision, chance) in [
        ("10/(1d6-1)", Precision::Auto, "in 1 of 6 outcomes"),
        ("10/(1d6-1)", Precision::Float, "with a probability of about 16.6667%"),
        ("10/(2d6-2)+1d8", Precision::Auto, "in 1 of 36 outcomes"),
        // Wherever it stands, used or not.
        ("a=10/(1d6-1); 3+1d6", Precision::Auto, "in 1 of 6 outcomes"),
        ("a=10/(1d6-1); a+a", Precision::Auto, "in 1 of 6 outcomes"),
        ("a=10/(1d6-1); b=1d4; a+b+a*b", Precision::Auto, "in 1 of 6 outcomes"),
        ("a=10/(1d6-1); b=10/(1d6-1); a*a+b*b", Precision::Auto, "in 11 of 36 outcomes"),
        ("a=10/(1d6-1); b=10/(1d6-1); 1d4", Precision::Auto, "in 11 of 36 outcomes"),
        ("10/(1d6-1)+10/(1d6-1)", Precision::Auto, "in 11 of 36 outcomes"),
        ("1d2=1?10/(1d6-1):1", Precision::Auto, "in 1 of 12 outcomes"),
        ("(10/(1d6-1))>=2?1:2", Precision::Auto, "in 1 of 6 outcomes"),
        ("max(10/(1d6-1),1d4)", Precision::Auto, "in 1 of 6 outcomes"),
        ("{2d6,10/(1d6-1)}kh1", Precision::Auto, "in 1 of 6 outcomes"),
        // 0.9^20, over 10^20 outcomes.
        ("1/(20d10c=10)", Precision::Auto, "with a probability of about 12.1577%"),
        ("1/(20d10c=10)", Precision::Float, "with a probability of about 12.1577%"),
        ("10/(1d6!-1)", Precision::Auto, "with a probability of about 16.6667%"),
    ] {
        assert_eq!(title(text, precision), format!("division by zero: the roll fails {chance}"), "{text}");
    }
    // Where nothing can fail nothing is refused.
    for text in ["10/(1d6+1)", "1d6kh(1d1)", "2d6dl(1d2)"] {
        told(text, &odds_with(text, &Odds::default()));
    }
}

/// What is an error of some rolls is an error of the odds, with the chance of it.
#[test]
fn odds_fail_where_rolls_fail() {
    let error = |text: &str, limits: Limits| {
        text.parse::<Expr>().unwrap().odds(&Odds { limits, ..Odds::default() }).unwrap_err()
    };
    for (text, code, chance) in [
        // A die of one side explodes without end.
        ("1d(1d4)!", Code::Endless, "with a probability of about 25.0000%"),
        ("1d6!>=(1d2)", Code::Endless, "with a probability of about 50.0000%"),
        ("2d(1d2)r1", Code::Endless, "in 1 of 2 outcomes"),
        ("{1d6!+1d(1d2)!}", Code::Endless, "with a probability of about 50.0000%"),
        // Both steps together meet every face.
        ("1d6!<=(1d3)!>=4", Code::Endless, "with a probability of about 33.3333%"),
        ("1d6r<=(1d3)r>=4", Code::Endless, "in 1 of 3 outcomes"),
        ("4d6kh(1d3-2)", Code::Amount, "in 1 of 3 outcomes"),
        ("p=4d6; p kh(1d3-2)", Code::Amount, "in 1 of 3 outcomes"),
        ("1d6!lim(1d2-2)", Code::Amount, "in 1 of 2 outcomes"),
        ("(1d6-3)d6", Code::Count, "in 1 of 3 outcomes"),
        ("1d(1d2-1)", Code::Sides, "in 1 of 2 outcomes"),
        ("2^(1d3-2)", Code::Exponent, "in 1 of 3 outcomes"),
    ] {
        let error = error(text, Limits::default());
        assert_eq!(error.code(), code, "{text}");
        assert!(error.title().ends_with(&format!(": the roll fails {chance}")), "{text}: {}", error.title());
    }
    for text in
        ["1d6!>=(1d2+1)", "1d6r<=(1d3)lim2r>=4", "1d6!<=(1d3)lim2!>=4", "3d6kh(1d3-1)!", "(1d6-1)d6kh1"]
    {
        told(text, &odds_with(text, &Odds::default()));
    }
    // A pool that may not be thrown has no odds either.
    for text in ["6d6", "(1d6)d6kh1"] {
        assert_eq!(error(text, Limits { dice: 5, ..Limits::default() }).code(), Code::Limit, "{text}");
        told(
            text,
            &odds_with(text, &Odds { limits: Limits { dice: 7, ..Limits::default() }, ..Odds::default() }),
        );
    }
}

/// Shows every face in turn.
struct InTurn(u64);

impl Faces for InTurn {
    fn face(&mut self, die: &Die) -> Result<i64, FaceError> {
        self.0 += 1;
        Ok(die.face_at((self.0 - 1) % die.weight()))
    }
}

#[test]
fn an_estimate_counts_what_was_rolled() {
    let close = |a: f64, b: f64| near(a, b, 1.0);
    let sample = |text: &str, samples| -> Sampled {
        text.parse::<Expr>().unwrap().sample_odds(samples, &mut InTurn(0)).unwrap()
    };
    let check = |sampled: &Sampled| {
        assert_eq!((sampled.samples(), sampled.failed()), (60, 0));
        assert!(sampled.outcomes().all(|(_, share)| close(share, 1.0 / 6.0)));
        assert!(close(sampled.mean(), 3.5) && close(sampled.sd(), (35.0_f64 / 12.0).sqrt()));
        assert!(close(sampled.at_least(5.into()), 1.0 / 3.0) && close(sampled.at_least(7.into()), 0.0));
        assert!(close(sampled.at_most(1.into()), 1.0 / 6.0) && close(sampled.at_most(6.into()), 1.0));
        // 2 exp(-2 n e^2) and 2 exp(-t^2 / 2) are the chances to be further off.
        let (off, far) = (sampled.band(0.95), sampled.mean_error(0.95) / sampled.sd() * 60_f64.sqrt());
        assert!(close(2.0 * (-2.0 * 60.0 * off * off).exp(), 0.05), "{off}");
        assert!(close(2.0 * (-far * far / 2.0).exp(), 0.05), "{far}");
    };
    check(&sample("1d6", 60));
    let mut parts = sample("1d6", 12);
    parts.add(sample("1d6", 6));
    parts.add(sample("1d6", 42));
    check(&parts);
    // Every sixth roll divides by zero.
    let mut parts = sample("60/(1d6-1)", 12);
    parts.add(sample("60/(1d6-1)", 18));
    for sampled in [parts, sample("60/(1d6-1)", 30)] {
        assert_eq!((sampled.samples(), sampled.failed()), (30, 5));
        assert!(close(sampled.mean(), (60.0 + 30.0 + 20.0 + 15.0 + 12.0) / 5.0));
        assert!(close(sampled.at_least(20.into()), 0.6) && close(sampled.at_most(15.into()), 0.4));
        assert!(close(2.0 * (-2.0 * 25.0 * sampled.band(0.5).powi(2)).exp(), 0.5));
        assert_eq!(sampled.outcomes().count(), 5);
    }
}
