//! What the program asks of distributions.

use std::io::Write;

use dice::{Distribution, Error, Expr, Limits, Number, Odds};

use super::interrupt;
use super::report::{Fault, Stopped};

/// The work for what is only said in passing: some milliseconds.
const QUICK: u64 = 2_000_000;

/// The distribution of a text.
///
/// # Errors
/// As [`Expr::odds`].
pub fn distribution(expr: &Expr, limits: &Limits) -> Result<Distribution, Error> {
    expr.odds(&Odds { limits: *limits, ..Odds::default() })
}

/// The distribution of a text that may take long: a terminal shows that something happens, and Ctrl-C stops it.
///
/// # Errors
/// As [`Expr::odds`], or it was stopped.
pub fn patiently(expr: &Expr, options: &Odds, err: &mut dyn Write) -> anyhow::Result<Distribution> {
    let (text, odds) = (expr.clone(), options.clone());
    let stopped = || Stopped("stopped before the odds were known; --samples N estimates them".to_owned());
    let odds = interrupt::watched(err, move || text.odds(&odds))?.ok_or_else(stopped)?;
    Ok(odds.map_err(Fault::from)?)
}

/// The mean, if it is known within a moment.
pub fn quick_mean(expr: &Expr) -> Option<f64> {
    let limits = Limits { steps: QUICK, ..Limits::default() };
    let mean = distribution(expr, &limits).ok()?.mean();
    mean.is_finite().then_some(mean)
}

/// A total that is worth asking for: the lowest that comes up, or is exceeded, in at most a quarter of all rolls.
pub fn high(odds: &Distribution) -> Option<Number> {
    let mut above = 1.0;
    for (value, chance) in odds.outcomes() {
        if above <= 0.25 {
            return Some(value);
        }
        above -= chance;
    }
    odds.max()
}

/// Two decimals, halves away from zero: the nearest float of 13.825 lies below it.
pub fn two(number: f64) -> String {
    // Adding 0 makes -0 a plain 0.
    format!("{:.2}", number + number * 1e-13 + 0.0)
}

/// `23.15%`.
pub fn percent(chance: f64) -> String {
    format!("{}%", two(chance * 100.0))
}
