//! Prices of odds: what is taken from the budget is about what is truly done, for every operation and every step of pools.
//!
//! The steps that are done are counted in the algebra itself (module `tally`), apart from all prices.

use crate::odds::elem::Arithmetic::{self, Exact, Float};
use crate::odds::kernel::tally;
use crate::odds::options::{Odds, Precision};
use crate::odds::walk::Walker;
use crate::{Error, Expr, Limits};

/// What is taken from a budget of so many steps, the steps that are done, and the outcome.
pub(super) fn within(text: &str, arithmetic: Arithmetic, steps: u64) -> (f64, f64, Result<(), Error>) {
    let expr: Expr = text.parse().unwrap_or_else(|error| panic!("{error}"));
    let limits = Limits { steps, ..Limits::default() };
    let options = Odds { precision: Precision::Exact, limits, ..Odds::default() };
    let mut walker = Walker::new(&expr, &options, arithmetic);
    let before = walker.work_left();
    tally::taken();
    let result = match walker.whole() {
        Ok(_) => Ok(()),
        Err(crate::odds::walk::Trouble::Budget(error)) => Err(error),
        Err(other) => panic!("{text}: {other:?}"),
    };
    (before - walker.work_left(), tally::taken(), result)
}

/// The price of a text and the steps that are done for it.
pub(super) fn both(text: &str, arithmetic: Arithmetic) -> (f64, f64) {
    let (price, steps, result) = within(text, arithmetic, 4_000_000_000);
    result.unwrap_or_else(|error| panic!("{text}: {error}"));
    (price, steps)
}

/// Checks that the prices of texts are within these factors of the steps that are done.
fn assert_near(texts: &[&str], arithmetic: Arithmetic, least: f64, most: f64) {
    let ratio = |text: &&&str| {
        let (price, steps) = both(text, arithmetic);
        price / steps
    };
    let far: Vec<String> = texts
        .iter()
        .filter(|text| !(least..=most).contains(&ratio(text)))
        .map(|text| format!("{text}: {:?}, {:.2}", both(text, arithmetic), ratio(&text)))
        .collect();
    assert!(far.is_empty(), "{arithmetic:?} {far:#?}");
}

/// Sums, and what makes other faces of faces, one die at a time.
const SUMS: &[&str] = &[
    "100d6",
    "200d100",
    "1000d6",
    "60d{1,2,4,7,11,16}",
    "100d{1:3,2,5:2}",
    "300d6mi3",
    "300d6ma4",
    "400d10c>=7",
    "400d10c>=7f1",
    "300d20c20",
    "{100d6+100d8+100d10}c>=5",
    "200d6r1",
    "200d6r<=2lim3",
    "200d6rb<=2",
];

/// Explosions.
const EXPLOSIONS: &[&str] = &[
    "20d6!",
    "20d20!",
    "30d6!!",
    "20d20!p",
    "30d6!!p",
    "60d6!lim3",
    "100d6!lim1",
    "10d6!p!p",
    "60d10!lim9c>=8",
];

/// Selections.
const SELECTIONS: &[&str] = &[
    "40d20kh20",
    "60d20kh30",
    "100d20kl5",
    "200d6dl5",
    "100d6kh50",
    "300d6kh150",
    "1000d100kh3",
    "300d1000kh1",
    "100d{1,2,4,7,11,16}kh20",
    "100d{1,2,4,7,11,16}kh60",
    "40d{1,2,4,8,16,32,64,128}kh10",
    "30d10dl10dh10",
    "30d20dl3dh3",
    "{10d6+10d8+10d10}dl3dh3",
    "{20d6+20d8+20d10}kh10",
    "{30d6+30d8}dl10",
    "{5d{1,3,5}+5d{2,4,7}}kh4",
    "{30d{1,3,4}+30d{2,5,9}}kh30",
    "{3d6,3d8,3d6,3d8,3d6,3d8,3d6,3d8}kh5",
    "{10d6,10d6,10d6,10d6,10d6,10d6,10d6,10d6}kh4",
    "60d10kl20r1",
    "60d10kh20rb1",
    "10d6kh3!",
    "20d10kh14!lim2",
    "10d20!!kh3",
];

/// Selections of a random number of dice, and pools that go multiset by multiset.
const UNITS: &[&str] = &[
    "30d6!kh5",
    "20d20!kh3",
    "60d6!kh10",
    "20d6!lim2kh5",
    "30d6!lim1dl3",
    "{40d6!+4d8}kh3",
    "{10d6!+10d8!+10d10!}kh5",
    "6d6kh3!kh2",
    "10d6kh5r1dl1",
    "4d6kh2!dl1",
    "8d6dl2!lim1kh3",
];

/// Operators, functions, comparisons and choices.
const OPERATORS: &[&str] = &[
    "100d6+100d8",
    "300d6+1d1000",
    "10d6+10d8+10d10+10d12+10d20",
    "100d6-100d8",
    "20d6*20d6",
    "1d100*1d100",
    "3d6*3d6*3d6",
    "50d20//3d6",
    "100d6%3d6",
    "(2d6)^(1d4)",
    "min(100d6,100d8,100d10)",
    "max(300d6,300d6)",
    "(100d6)>=(100d8)",
    "1d20>=11?50d6:50d8",
    "1d20>=11?300d6:300d8",
];

/// Computed numbers, and names.
const CASES: &[&str] = &[
    "(1d100)d6",
    "(1d100)d100",
    "(5d10)d6",
    "5d(1d100)",
    "20d(1d20)",
    "(1d20)d6!",
    "100d6kh(1d50)",
    "100d20>=(1d20)",
    "x=1d20;y=1d20;(x)d6+(y)d6",
    "x=1d60;(x)d20+(x)d8",
    "x=3d6;y=3d6;z=3d6;x*y+z",
];

#[test]
fn exact_odds_cost_about_what_is_done() {
    for texts in [SUMS, EXPLOSIONS, SELECTIONS, UNITS, OPERATORS, CASES] {
        assert_near(texts, Exact, 0.5, 8.0);
    }
}

#[test]
fn floating_odds_cost_about_what_is_done() {
    for texts in [SUMS, EXPLOSIONS, SELECTIONS, UNITS, OPERATORS, CASES] {
        assert_near(texts, Float, 0.2, 10.0);
    }
}

/// Texts with `N` for a number, at two sizes of it.
const FAMILIES: &[(&str, u32, u32)] = &[
    ("Nd6", 100, 1600),
    ("100dN", 10, 160),
    ("Nd{1,2,4,7,11,16}", 100, 800),
    ("Nd10c>=7", 200, 1600),
    ("20dN!lim2", 4, 16),
    ("Nd6!", 10, 40),
    ("10d6!limN", 4, 16),
    ("Nd6kh3", 200, 3000),
    ("60d20khN", 5, 30),
    ("40dNkh10", 10, 80),
    ("200d6khN", 50, 150),
    ("100d{1,2,4,7,11,16}khN", 5, 35),
    ("Nd6dl5dh5", 30, 60),
    ("30d10dlNdhN", 2, 10),
    ("20d6kh10!limN", 1, 3),
    ("{20d6+20d8+20d10}khN", 4, 16),
    ("{Nd6+Nd8}kh10", 20, 80),
    ("{5d{1,3,5}+5d{2,4,7}}khN", 3, 8),
    ("Nd6!kh5", 20, 80),
    ("30d6!khN", 3, 12),
    ("Nd6!lim1dl2", 8, 24),
    ("Nd6kh3!kh2", 5, 7),
    ("Nd6+Nd8", 25, 100),
    ("Nd6*Nd6", 10, 40),
    ("max(Nd6,Nd8)", 50, 200),
    ("(Nd6)>=(Nd8)", 50, 200),
    ("1d20>=11?Nd6:Nd8", 50, 400),
    ("(1dN)d6", 50, 200),
    ("5d(1dN)", 20, 80),
    ("(1dN)d6!", 5, 20),
    ("x=1dN;(x)d20+(x)d8", 15, 50),
];

#[test]
fn prices_grow_as_the_work_does() {
    let mut far = Vec::new();
    for &(family, few, many) in FAMILIES {
        for arithmetic in [Exact, Float] {
            let of = |n: u32| both(&family.replace('N', &n.to_string()), arithmetic);
            let ((price, steps), (more, further)) = (of(few), of(many));
            let growth = (more / price) / (further / steps);
            if !(0.4..=2.6).contains(&growth) {
                far.push(format!(
                    "{family} {arithmetic:?}: {growth:.2} {price:e} {more:e} {steps:e} {further:e}"
                ));
            }
            assert_eq!(more > price, further > steps, "{family}");
        }
    }
    assert!(far.is_empty(), "{far:#?}");
}
