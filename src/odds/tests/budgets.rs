//! Budgets: what they are enough for, what is refused before it is done, and what a refusal says.

use super::prices::{both, within};
use crate::odds::elem::Arithmetic::{Exact, Float};
use crate::odds::options::{Odds, Precision};
use crate::odds::{float, float_u64};
use crate::{Code, Error, Expr, Limits};

/// So many steps as a limit.
fn whole(steps: f64) -> u64 {
    num_traits::ToPrimitive::to_u64(&steps).unwrap()
}

fn price(text: &str) -> f64 {
    both(text, Exact).0
}

/// The most steps named by a refusal, with the two digits that it has.
fn named(error: &Error) -> f64 {
    assert_eq!(error.code(), Code::Budget, "{error}");
    let title = error.title();
    let figure = title.split(" take about ").nth(1).and_then(|rest| rest.split(' ').next());
    figure.and_then(|figure| figure.parse().ok()).unwrap_or_else(|| panic!("{title}"))
}

/// A budget of a bit more than the price is enough; with one of less the text is refused before the step that would not fit.
#[test]
fn the_price_is_what_the_budget_must_hold() {
    let texts = ["100d6!", "30d6!!", "30d10kh8r1", "30d20dl3dh3", "100d6+100d8", "40d20kh20"];
    for text in texts {
        for arithmetic in [Exact, Float] {
            let (price, steps) = both(text, arithmetic);
            let (spent, _, enough) = within(text, arithmetic, whole(price + 2.0));
            enough.unwrap_or_else(|error| panic!("{text}: {error}"));
            assert!((spent - price).abs() < 1.0, "{text}: {spent} {price}");
            let (spent, done, refused) = within(text, arithmetic, whole(price * 0.99));
            let figure = named(&refused.unwrap_err());
            // All that is foreseen is the whole, where nothing comes after it.
            assert!((0.95..=1.05).contains(&(figure / price)), "{text}: {figure} {price}");
            assert!(spent < price && done < steps, "{text}: {done} of {steps}");
            assert!(within(text, arithmetic, whole(price / 50.0)).1 <= steps / 10.0, "{text}");
        }
    }
}

/// Many cases are foreseen: neither those that can be paid are refused, nor is anything large done for those that cannot.
#[test]
fn many_cases_are_foreseen_at_about_their_price() {
    for text in ["(1d30)d6!", "20d(1d60)", "(2d10)d20!!", "x=1d20;(x)d20!+x", "30d6!dl2", "40d20kh(1d20)"] {
        for arithmetic in [Exact, Float] {
            let (price, steps) = both(text, arithmetic);
            if let Err(error) = within(text, arithmetic, whole(price * 3.0)).2 {
                panic!("{text} {arithmetic:?}: {error} {price}");
            }
            let (_, done, refused) = within(text, arithmetic, whole(price / 3.0));
            let figure = named(&refused.unwrap_err());
            assert!((0.4..=3.0).contains(&(figure / price)), "{text} {arithmetic:?}: {figure} {price}");
            assert!(done < steps / 3.0, "{text} {arithmetic:?}: {done} of {steps}");
        }
    }
}

/// A sum costs its parts and their product, however they are put together.
#[test]
fn a_sum_costs_its_parts_and_their_product() {
    for (a, b) in [("100d6", "100d8"), ("40d20kh20", "100d6"), ("30d6!!", "50d10c>=7"), ("1d1000", "300d6")] {
        let (one, other) = (both(a, Exact), both(b, Exact));
        let whole = both(&format!("{a} + {b}"), Exact);
        let (product, done) = (whole.0 - one.0 - other.0, whole.1 - one.1 - other.1);
        assert!(product > 0.0 && (0.5..=4.0).contains(&(product / done)), "{a} + {b}: {product} for {done}");
        for text in [format!("{a} - {b}"), format!("({b}) + ({a})")] {
            assert!((price(&text) / whole.0 - 1.0).abs() < 0.1, "{text}");
        }
    }
}

/// What does not depend on the case is computed and paid once, however many cases there are.
#[test]
fn shared_parts_are_paid_once() {
    let shared = "30d20dl3dh3";
    let part = price(shared);
    for text in [
        format!("x=1d20; x > 10 ? {shared} : x"),
        format!("x=1d20; y=1d4; x*0 + y*0 + (({shared}) > 300)"),
        format!("{{1d20, ({shared})*0, ({shared})*0}}kh1"),
    ] {
        let whole = price(&text);
        assert!((1.0..=1.5).contains(&(whole / part)), "{text}: {whole}, {part}");
    }
    // Two throws of the same dice are paid twice.
    let twice = price(&format!("max({shared}, {shared})"));
    assert!((2.0..=3.0).contains(&(twice / part)), "{twice}, {part}");
}

/// However little is done in a case, it has its price, so that many small ones do not go by unnoticed.
#[test]
fn each_case_has_a_price() {
    for cases in [50.0, 500.0] {
        let steps = price(&format!("x=1d{cases};y=x;x+y")) / cases;
        assert!((500.0..=2500.0).contains(&steps), "{cases}: {steps}");
    }
}

/// Dice of which each adds the same number whatever it shows cost no more than being looked at.
#[test]
fn dice_that_add_one_number_are_cheap() {
    for arithmetic in [Exact, Float] {
        let (price, _) = both("3000d6mi6", arithmetic);
        assert!(price < 3000.0 * 150.0, "{price}");
    }
}

/// What would not fit into memory is refused with about the bytes of the result and of what is needed on the way.
#[test]
fn memory_is_foreseen() {
    for text in ["200d1000", "2000d10", "100d{1,2,4,7,11,160}", "60d100kh30", "300d6+300d8"] {
        let expr: Expr = text.parse().unwrap();
        let options = Odds { precision: Precision::Exact, ..Odds::default() };
        let odds = expr.odds(&options).unwrap();
        let bits = odds.total().unwrap().bits();
        let bytes = float(odds.outcomes().count()) * float_u64(bits / 64 + 1) * 8.0;
        let limits = Limits { steps: whole(bytes * 2.0), ..Limits::default() };
        let error = expr.odds(&Odds { limits, ..options }).unwrap_err();
        let figure = named(&error);
        assert!(error.title().contains("bytes of memory"), "{text}: {error}");
        assert!((1.0..=6.0).contains(&(figure / bytes)), "{text}: {figure} {bytes}");
    }
}
