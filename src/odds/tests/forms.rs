//! What can be written in several ways has the same odds in each, and what is known in closed form is met.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::{exact, law};
use crate::odds::Rational;
use crate::{Expr, Method, Number, Odds};

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
        assert_eq!(odds.method(), Method::Exact, "{text}");
    }
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
