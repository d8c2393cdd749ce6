//! Random small texts of every kind: the odds must equal the enumeration of the roller, fraction by fraction.

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use super::law;
use super::writer::Writer;
use crate::odds::distribution::Distribution;
use crate::odds::enumerate::enumerate;
use crate::{Expr, Odds, Precision};

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
