//! The odds of whole texts: against the enumeration of the roller, against each other, and their refusals.

mod budgets;
mod enumeration;
mod forms;
mod large;
mod prices;
mod writer;

use std::collections::BTreeMap;

use super::distribution::{Distribution, Rational};
use super::options::{Odds, Precision};
use crate::{Expr, Number};

fn law(odds: &Distribution) -> BTreeMap<Number, Rational> {
    odds.outcomes().map(|(value, _)| (value, odds.fraction(value).unwrap())).collect()
}

/// The exact odds of a text.
fn exact(text: &str) -> BTreeMap<Number, Rational> {
    let odds = text.parse::<Expr>().unwrap().odds(&Odds { precision: Precision::Exact, ..Odds::default() });
    law(&odds.unwrap_or_else(|error| panic!("{text}: {error}")))
}
