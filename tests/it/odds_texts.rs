//! Odds of many odd texts: exact, floating, and of those rolls that succeed, as `tests/odds_texts.tsv` has them.
//!
//! The file was written by the program itself. Where all rolls can be gone through, an independent reading of the language came to the
//! same odds; the others are there so that a change is seen.

use std::fmt::Write as _;
use std::fs;

use dice::{Distribution, Error, Expr, Limits, Number, Odds, Precision};

use crate::{bless, path, read};

const FILE: &str = "tests/odds_texts.tsv";
const LIMITS: Limits = Limits { text: 4096, depth: 60, dice: 300, repeats: 20, faces: 2000, steps: 150_000 };

fn exact() -> Odds {
    Odds { limits: LIMITS, ..Odds::default() }
}

/// Of those rolls that succeed, and more cut off.
fn given() -> Odds {
    Odds { precision: Precision::Exact, given_success: true, tail: 1e-6, limits: LIMITS }
}

fn odds(text: &str, options: &Odds) -> Result<Distribution, Error> {
    let expr: Expr = text.replace("\\n", "\n").parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    expr.odds(options)
}

/// All totals with their shares as one number (G. Fowler, L. C. Noll, K.-P. Vo: FNV-1a); nothing for floating ones.
fn digest(odds: &Distribution) -> String {
    let shares =
        odds.outcomes().map(|(value, _)| odds.fraction(value).map(|share| format!("{value}: {share};")));
    let Some(text) = shares.collect::<Option<String>>() else { return "floating".to_owned() };
    let hash = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, hash))
}

/// A distribution in one line.
fn told(odds: &Result<Distribution, Error>) -> String {
    match odds {
        Ok(odds) => {
            let ends =
                [odds.min(), odds.max()].map(|end| end.map_or_else(String::new, |end| end.to_string()));
            let cut = if odds.tail_mass() > 0.0 {
                format!(", cut off {:.2e}", odds.tail_mass())
            } else {
                String::new()
            };
            format!(
                "{} from {} to {}, mean {:.6}, sd {:.6}{cut}: {}",
                odds.len(),
                ends[0],
                ends[1],
                odds.mean(),
                odds.sd(),
                digest(odds)
            )
        }
        Err(error) => format!("{:?}", error.code()),
    }
}

#[test]
fn odds_are_what_the_list_says() {
    let list = read(FILE);
    let mut now = String::new();
    for line in list.lines() {
        let mut columns = line.split('\t');
        let text = columns.next().unwrap();
        if line.starts_with('#') {
            writeln!(now, "{line}").unwrap();
            continue;
        }
        writeln!(now, "{text}\t{}\t{}", told(&odds(text, &exact())), told(&odds(text, &given()))).unwrap();
    }
    if bless() {
        fs::write(path(FILE), &now).unwrap();
    }
    let wrong: Vec<String> = list
        .lines()
        .zip(now.lines())
        .filter(|(before, now)| before != now)
        .map(|(before, now)| format!("- {before}\n+ {now}"))
        .collect();
    assert!(bless() || wrong.is_empty(), "BLESS=1 cargo test rewrites them\n{}", wrong.join("\n"));
}

/// The texts of the list.
fn texts() -> Vec<String> {
    let list = read(FILE);
    list.lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split('\t').next())
        .map(str::to_owned)
        .collect()
}

/// Floating odds are the exact ones up to what they say they may be off by.
#[test]
fn floating_odds_are_as_near_as_they_say() {
    let mut compared = 0;
    for text in texts() {
        let (Ok(exact), Ok(float)) =
            (odds(&text, &exact()), odds(&text, &Odds { precision: Precision::Float, ..exact() }))
        else {
            continue;
        };
        if exact.total().is_none() {
            continue;
        }
        compared += 1;
        let off = float.relative_error();
        let cut = exact.tail_mass() + float.tail_mass();
        for (value, chance) in exact.outcomes() {
            let near = float.exactly(value);
            let slack = chance * off * 1.001 + cut + f64::MIN_POSITIVE;
            assert!(
                (near - chance).abs() <= slack,
                "{text}: {value} has {chance}, as a float {near} +- {off}"
            );
        }
    }
    assert!(compared > 50, "{compared} texts");
}

/// What a distribution says of itself, from its outcomes alone.
#[test]
fn figures_follow_from_the_outcomes() {
    let (one, two): (Vec<Distribution>, Vec<Distribution>) = ["2d6", "1d4*1d4", "1d20-10"]
        .into_iter()
        .map(|text| {
            (
                odds(text, &exact()).unwrap(),
                odds(text, &Odds { precision: Precision::Float, ..exact() }).unwrap(),
            )
        })
        .unzip();
    let others = [one, two].concat();
    let (mut alone, mut together) = (0, 0);
    for (place, text) in texts().iter().enumerate() {
        for options in [exact(), Odds { precision: Precision::Float, ..exact() }, given()] {
            let Ok(odds) = odds(text, &options) else { continue };
            if odds.tail_mass() > 1e-9 || odds.len() > 3000 {
                continue;
            }
            figures(&odds, text);
            alone += 1;
            if odds.len() <= 300 {
                together += 1;
                beside(&odds, &others[place % others.len()], text);
            }
        }
    }
    assert!(alone > 200 && together > 150, "{alone} distributions, {together} of them beside others");
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-7 * (1.0 + a.abs().max(b.abs()))
}

fn float(value: Number) -> f64 {
    value.to_f64()
}

fn figures(odds: &Distribution, text: &str) {
    let cells: Vec<(Number, f64)> = odds.outcomes().collect();
    assert_eq!(cells.len(), odds.len(), "{text}");
    assert_eq!(odds.is_empty(), cells.is_empty());
    assert!(cells.is_sorted_by(|a, b| a.0 < b.0), "{text}");
    assert_eq!((odds.min(), odds.max()), (cells.first().map(|cell| cell.0), cells.last().map(|cell| cell.0)));
    let mean: f64 = cells.iter().map(|(value, chance)| float(*value) * chance).sum();
    let variance: f64 = cells.iter().map(|(value, chance)| (float(*value) - mean).powi(2) * chance).sum();
    assert!(odds.variance() >= 0.0, "{text}: {}", odds.variance());
    assert!(odds.total().is_none() || odds.relative_error() < 1e-14, "{text}: {}", odds.relative_error());
    assert!(near(odds.mean(), mean), "{text}: {} {mean}", odds.mean());
    assert!(near(odds.variance().sqrt(), variance.sqrt()), "{text}: {} {variance}", odds.variance());
    assert!(near(odds.sd(), variance.sqrt()), "{text}: {} {variance}", odds.sd());
    let highest = cells.iter().map(|cell| cell.1).fold(0.0, f64::max);
    let mode = odds.mode().map_or(0.0, |mode| odds.exactly(mode));
    assert!(mode >= highest * (1.0 - 1e-12), "{text}: {:?}", odds.mode());
    let mut below = 0.0;
    for (value, chance) in cells.iter().take(200) {
        let (least, most) = (odds.at_least(*value), odds.at_most(*value));
        assert!(near(odds.exactly(*value), *chance) && near(most, below + chance), "{text}: {value}");
        assert!(near(least, 1.0 - below), "{text}: {value}");
        below += chance;
    }
    for part in [0.0, 1e-4, 0.2, 0.5, 0.83, 1.0] {
        let value = odds.quantile(part).unwrap_or_else(|| panic!("{text}: no {part} quantile"));
        let before = cells.iter().rev().find(|cell| cell.0 < value).map_or(0.0, |cell| odds.at_most(cell.0));
        assert!(odds.at_most(value) >= part - 1e-9 && before <= part + 1e-9, "{text}: {part} {value}");
        assert!(cells.iter().any(|cell| cell.0 == value), "{text}: {part} {value}");
    }
    assert_eq!(odds.median(), odds.quantile(0.5), "{text}");
}

/// Two rolls side by side, from all pairs of their outcomes.
fn beside(odds: &Distribution, other: &Distribution, text: &str) {
    let (mut wins, mut ties) = (0.0, 0.0);
    let (mut higher, mut lower) = (0.0, 0.0);
    for (a, p) in odds.outcomes() {
        for (b, q) in other.outcomes() {
            wins += if a > b { p * q } else { 0.0 };
            ties += if a == b { p * q } else { 0.0 };
            higher += float(a.max(b)) * p * q;
            lower += float(a.min(b)) * p * q;
        }
    }
    let versus = odds.versus(other);
    assert!(near(versus.wins, wins) && near(versus.ties, ties), "{text}: {versus:?} {wins} {ties}");
    assert!(near(versus.loses, 1.0 - wins - ties), "{text}: {versus:?}");
    let (top, low) = (odds.higher_of(other), other.lower_of(odds));
    assert!(top.variance() >= 0.0 && low.variance() >= 0.0, "{text}");
    assert!(near(top.mean(), higher), "{text}: {} {higher}", top.mean());
    assert!(near(low.mean(), lower), "{text}: {} {lower}", low.mean());
    for end in [top.min(), top.max(), low.min(), low.max()].into_iter().flatten() {
        assert!([odds, other].iter().any(|of| of.outcomes().any(|cell| cell.0 == end)), "{text}: {end}");
    }
}
