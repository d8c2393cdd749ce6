//! Edges of the evaluator that other tests do not come near.

use dice::{Code, Expr};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

/// The total, or the code of the error.
fn total(text: &str) -> Result<String, Code> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let roll = text.parse::<Expr>().and_then(|expr| expr.roll(&mut rng));
    roll.map(|roll| roll.total().to_string()).map_err(|error| error.code())
}

#[test]
fn exponents_beyond_64_bits_are_even_or_odd() {
    assert_eq!(total("(-1)^(2^100)").as_deref(), Ok("1"));
    assert_eq!(total("(-1)^(2^100+1)").as_deref(), Ok("-1"));
    assert_eq!(total("0^(2^100)").as_deref(), Ok("0"));
    assert_eq!(total("1^(2^100+1)").as_deref(), Ok("1"));
    assert_eq!(total("2^(2^100)"), Err(Code::Overflow));
    assert_eq!(total("2^(1d1-2)"), Err(Code::Exponent));
    assert_eq!(total("1^(1d1-2)"), Err(Code::Exponent));
}

#[test]
fn amounts_below_zero_are_refused_when_they_are_rolled() {
    for text in ["4d6kh(1d1-2)", "4d6dl(1d1-2)", "4d6!lim(1d1-2)", "4d6r1lim(1d1-2)"] {
        assert_eq!(total(text), Err(Code::Amount), "{text}");
    }
}

#[test]
fn a_label_that_stands_twice_has_one_subtotal() {
    let roll = "1[a]+2[b]+3[a]".parse::<Expr>().unwrap().roll(&mut ChaCha8Rng::seed_from_u64(1)).unwrap();
    let labels: Vec<String> =
        roll.outcomes()[0].labels().iter().map(|(label, value)| format!("{label} {value}")).collect();
    assert_eq!(labels, ["a 4", "b 2"]);
}
