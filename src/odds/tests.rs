//! Random small texts of every kind: the odds must equal the enumeration of the roller, fraction by fraction.

use std::collections::BTreeMap;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::distribution::{Distribution, Rational};
use super::enumerate::enumerate;
use super::options::{Odds, Precision};
use crate::{Expr, Limits, Number};

/// Writes random texts whose rolls can be enumerated.
struct Writer {
    rng: ChaCha8Rng,
}

impl Writer {
    fn pick<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.rng.random_range(0..of.len())]
    }

    fn number(&mut self, from: i64, to: i64) -> String {
        self.rng.random_range(from..=to).to_string()
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.rng.random_range(0..100) < percent
    }

    fn die(&mut self) -> String {
        match self.rng.random_range(0..8) {
            0 => "dF".into(),
            1 => self.pick(&["d{1,1,3}", "d{0..2,4:2}", "d{-1,2}", "d{3,1}"]).into(),
            2 => format!("d({})", self.pick(&["1d3", "1d2+1", "4//2", "1d2"])),
            _ => format!("d{}", self.rng.random_range(1..5)),
        }
    }

    fn amount(&mut self, most: i64) -> String {
        if self.chance(15) {
            return format!("({})", self.pick(&["1d2", "1d3-1", "1d2-1", "0"]));
        }
        self.number(0, most)
    }

    fn condition(&mut self) -> String {
        match self.rng.random_range(0..9) {
            0 => "even".into(),
            1 => "odd".into(),
            2 => "{1,3}".into(),
            3 => format!("<={}", self.number(0, 2)),
            4 => format!(">{}", self.number(1, 4)),
            5 => format!("<>{}", self.number(1, 3)),
            6 => format!(">={}", if self.chance(50) { "(1d3)".into() } else { self.number(1, 4) }),
            7 => format!("<{}", self.number(1, 3)),
            _ => self.number(1, 4),
        }
    }

    fn step(&mut self, size: i64, throws: bool) -> String {
        match self.rng.random_range(0..if throws { 12 } else { 7 }) {
            0 => format!("kh{}", self.amount(size)),
            1 => format!("kl{}", self.amount(size)),
            2 => format!("dh{}", self.amount(size)),
            3 => format!("dl{}", self.amount(size)),
            4 => format!("mi{}", self.pick(&["2", "3", "(5/2)", "(1d3)"])),
            5 => format!("ma{}", self.pick(&["2", "3", "(5/2)", "1"])),
            6 => self.pick(&["s", "sd"]).into(),
            7 => format!("!o{}", self.condition()),
            8 => format!(
                "{}{}lim{}",
                self.pick(&["!", "!!", "!p", "!!p"]),
                self.condition(),
                self.pick(&["0", "1", "2"])
            ),
            9 => format!("ro{}", self.condition()),
            10 => format!("rb{}", self.condition()),
            _ => match self.rng.random_range(0..3) {
                0 => format!("r{}lim{}", self.condition(), self.pick(&["0", "1", "2"])),
                1 => format!("!{}lim1", self.condition()),
                _ => format!("r{}", self.condition()),
            },
        }
    }

    fn pool(&mut self, throws: bool) -> String {
        let count = self.rng.random_range(1..4);
        let written = match self.rng.random_range(0..8) {
            0 => format!("(1d{count})"),
            1 => "(1d3-1)".into(),
            _ => count.to_string(),
        };
        let mut text = format!("{written}{}", self.die());
        for _ in 0..self.rng.random_range(0..4) {
            text += " ";
            text += &self.step(count, throws);
        }
        self.counted(text)
    }

    fn counted(&mut self, mut text: String) -> String {
        if self.chance(30) {
            for _ in 0..self.rng.random_range(1..3) {
                text += if self.chance(60) { " c" } else { " f" };
                text += &self.condition();
            }
        }
        text
    }

    fn group(&mut self) -> String {
        if self.chance(40) {
            let mut parts = Vec::new();
            for _ in 0..self.rng.random_range(1..3) {
                let mut part = format!("{}d{}", self.rng.random_range(1..3), self.rng.random_range(1..4));
                if self.chance(40) {
                    part += " ";
                    part += &self.step(1, true);
                }
                parts.push(part);
            }
            let mut text = format!("{{{}}}", parts.join("+"));
            for _ in 0..self.rng.random_range(0..3) {
                text += " ";
                text += &self.step(2, true);
            }
            return self.counted(text);
        }
        let members: Vec<String> = (0..self.rng.random_range(2..4)).map(|_| self.term(1)).collect();
        let mut text = format!("{{{}}}", members.join(", "));
        for _ in 0..self.rng.random_range(0..3) {
            text += " ";
            text += &self.step(2, false);
        }
        self.counted(text)
    }

    fn term(&mut self, depth: u32) -> String {
        match self.rng.random_range(0..if depth == 0 { 5 } else { 12 }) {
            0 => self.number(0, 3),
            1 | 2 => self.pool(true),
            3 => format!("1d{}", self.rng.random_range(1..5)),
            4 => self.pick(&["1.5", "1dF", "0d4", "2d2"]).into(),
            5 => format!("({})", self.sum(depth - 1)),
            6 => {
                let name = self.pick(&["floor", "ceil", "round", "trunc", "abs", "sign"]);
                format!("{name}({})", self.sum(depth - 1))
            }
            7 => format!("{}({}, {})", self.pick(&["min", "max"]), self.sum(depth - 1), self.sum(depth - 1)),
            8 => format!("-{}", self.term(depth - 1)),
            9 => format!("({})^({})", self.term(0), self.pick(&["1d3", "2", "1d3-1", "0"])),
            10 => self.group(),
            _ => format!(
                "(({}) {} ({}))",
                self.sum(depth - 1),
                self.pick(&[">=", "<", "=", "<>", ">", "<="]),
                self.sum(0)
            ),
        }
    }

    fn sum(&mut self, depth: u32) -> String {
        let mut text = self.term(depth);
        for _ in 0..self.rng.random_range(0..3) {
            let operator = self.pick(&["+", "-", "*", "/", "//", "%"]);
            let operand = self.term(depth.saturating_sub(1));
            text.extend([" ", operator, " ", &operand]);
        }
        text
    }

    fn text(&mut self) -> String {
        match self.rng.random_range(0..10) {
            0 => self.pool(true),
            1 => self.group(),
            2 => format!("({}) ? {} : {}", self.sum(0), self.sum(1), self.sum(1)),
            3 => format!("a = {}; a {} {}", self.sum(1), self.pick(&["+", "*", "-", ">="]), self.sum(0)),
            4 => format!("a = {}; a {} a", self.sum(1), self.pick(&["+", "*", "-", "/"])),
            5 => format!("a = 1d3; b = a+{}; (a)d2 + b * a", self.term(0)),
            6 | 7 => {
                let pool = if self.chance(70) { self.pool(true) } else { self.group() };
                let mut uses = Vec::new();
                for _ in 0..self.rng.random_range(1..4) {
                    let step = self.step(1, false);
                    let step = self.counted(format!("p {step}"));
                    uses.push(if self.chance(20) { "p".into() } else { step });
                }
                format!("p = {pool}; {}", uses.join(self.pick(&[" + ", " - ", " * "])))
            }
            _ => self.sum(2),
        }
    }
}

fn law(odds: &Distribution) -> BTreeMap<Number, Rational> {
    odds.outcomes().map(|(value, _)| (value, odds.fraction(value).unwrap())).collect()
}

#[test]
fn odds_equal_the_enumeration_of_the_roller() {
    let rounds = std::env::var("ODDS_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(6000);
    let seed = std::env::var("ODDS_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let mut writer = Writer { rng: ChaCha8Rng::seed_from_u64(seed) };
    let (mut compared, mut failing, mut refused) = (0, 0, Vec::new());
    for _ in 0..rounds {
        let text = writer.text();
        let Ok(expr) = text.parse::<Expr>() else { continue };
        let exact = Odds { precision: Precision::Exact, ..Odds::default() };
        let Some((listed, fault, false)) = enumerate(&expr, &exact, 4000) else { continue };
        let given = Odds { given_success: true, ..exact.clone() };
        let odds = match expr.odds(&given) {
            Ok(odds) => odds,
            Err(error) => {
                // Where every roll fails there is nothing to condition on.
                if fault.is_some() && listed.len() == 0 {
                    continue;
                }
                refused.push(format!("{text}: {error}"));
                continue;
            }
        };
        if odds.tail_mass() > 0.0 {
            continue;
        }
        let want = Distribution::given(listed);
        assert_eq!(law(&odds), law(&want), "{text}");
        if fault.is_some() {
            failing += 1;
            let error = expr.odds(&exact).expect_err(&text);
            assert!(error.title().contains("the roll fails"), "{text}: {error}");
        } else {
            let plain = expr.odds(&exact).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(law(&plain), law(&want), "{text}");
            let float = expr.odds(&Odds { precision: Precision::Float, ..Odds::default() });
            let float = float.unwrap_or_else(|error| panic!("{text}: {error}"));
            for (value, probability) in plain.outcomes() {
                let near = float.exactly(value);
                let most = probability * (float.relative_error() + 1e-15);
                assert!((near - probability).abs() <= most, "{text}: {value} {near} {probability}");
            }
        }
        compared += 1;
    }
    println!("{compared} compared, {failing} can fail, {} refused", refused.len());
    refused.iter().take(10).for_each(|refusal| println!("{refusal}"));
    assert!(compared > rounds / 3, "only {compared} compared");
    assert!(refused.is_empty(), "{} refused", refused.len());
}

/// The exact odds of a text.
fn exact(text: &str) -> BTreeMap<Number, Rational> {
    let odds = text.parse::<Expr>().unwrap().odds(&Odds { precision: Precision::Exact, ..Odds::default() });
    law(&odds.unwrap_or_else(|error| panic!("{text}: {error}")))
}

#[test]
fn every_way_to_write_a_pool_has_the_same_odds() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for _ in 0..300 {
        let (n, sides) = (rng.random_range(1..=60), rng.random_range(1..=12));
        let k = rng.random_range(0..=n);
        let rest = n - k;
        let part = rng.random_range(0..=n);
        for (short, end) in [("kh", "dl"), ("kl", "dh")] {
            let kept = exact(&format!("{n}d{sides}{short}{k}"));
            for other in [
                format!("{n}d{sides}{end}{rest}"),
                format!("({n})d{sides}{short}{k}"),
                format!("{n}d({sides}){short}({k})"),
                format!("{{{n}d{sides}}}{short}{k}"),
                format!("{{{part}d{sides}+{}d{sides}}}{short}{k}", n - part),
            ] {
                assert_eq!(kept, exact(&other), "{n}d{sides}{short}{k} and {other}");
            }
        }
        assert_eq!(exact(&format!("{n}d{sides}")), exact(&format!("({n})d{sides}")));
    }
}

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

/// What is the same however a case comes out is computed and counted once.
#[test]
fn a_shared_part_is_not_priced_for_every_case() {
    let odds = "x = 1d1000; (500d6 + x) - x".parse::<Expr>().and_then(|expr| expr.odds(&Odds::default()));
    assert_eq!(odds.unwrap().mean_exact().unwrap().to_string(), "1750");
}

#[test]
fn moments_of_many_fractions() {
    let odds = "17d55/3d100".parse::<Expr>().and_then(|expr| expr.odds(&Odds::default())).unwrap();
    // The mean of a quotient is that of the one times that of the inverse of the other.
    let inverse = "1/3d100".parse::<Expr>().and_then(|expr| expr.odds(&Odds::default())).unwrap();
    let sum = Rational::from(num_bigint::BigInt::from(17 * 28));
    assert_eq!(odds.mean_exact().unwrap(), sum * inverse.mean_exact().unwrap());
}

/// A clamp behind a selection of many dice makes neighbouring faces add the same; they count as one face.
#[test]
fn clamps_may_stand_on_either_side_of_a_selection() {
    let odds = |text: &str| text.parse::<Expr>().and_then(|expr| expr.odds(&Odds::default())).unwrap();
    for (after, before) in [("300d4dh20ma3", "300d4ma3dh20"), ("200d6kl150mi3", "200d6mi3kl150")] {
        assert_eq!(law(&odds(after)), law(&odds(before)), "{after}");
    }
    let start = std::time::Instant::now();
    assert_eq!(odds("3000d4dh20ma3").len(), 5961);
    assert!(start.elapsed().as_secs() < 15, "{:?}", start.elapsed());
}

#[test]
fn faces_that_are_far_apart_are_listed_and_not_counted_in_rows() {
    for (text, mean) in [
        ("2d{1,900000000000}", "900000000001"),
        ("2d{1,900000000000}kh1", "2700000000001/4"),
        ("{1d4,10**(1d18)}kh1", "61728395061728395"),
        ("{1d4,1d{1,90000000000}}dh1", "7/4"),
        ("1d{1,900000000000}*1d4", "4500000000005/4"),
        ("2d{1,900000000000}mi5", "900000000005"),
    ] {
        let odds = text.parse::<Expr>().and_then(|expr| expr.odds(&Odds::default())).unwrap();
        assert_eq!(odds.mean_exact().unwrap().to_string(), mean, "{text}");
        assert_eq!(odds.method(), super::Method::Exact, "{text}");
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

/// Units with more dice than the marks count are left out of some rows, but not out of the number of outcomes.
#[test]
fn capped_marks_keep_the_number_of_outcomes() {
    let odds = |text: &str| text.parse::<Expr>().and_then(|expr| expr.odds(&Odds::default())).unwrap();
    for text in ["2d2!!2!dl3", "2d2!!2!dl5", "2d2!!2!pdl5", "3d2!!2!dh4"] {
        let odds = odds(text);
        assert_eq!(odds.outcomes().count(), 1, "{text}");
        assert!((odds.exactly(Number::ZERO) - 1.0).abs() < 1e-9, "{text}");
    }
    for text in
        ["2d2!!2!kh1", "2d2!!2!kl5", "2d3!!3!p3kh2", "3d2!!2!dl1", "2d4!!4!kl1", "2d3!!3!dl2", "3d4!p!!4kh4"]
    {
        let sum: f64 = odds(text).outcomes().map(|(_, chance)| chance).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{text} sums to {sum}");
    }
    assert_eq!(exact("2d2!!lim3!lim2dl3"), exact("{2d2!!lim3!lim2}dl3"));
}
