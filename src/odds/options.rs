//! What a distribution may cost and how exact it must be.

use crate::limits::Limits;

/// How to compute odds; see [`crate::Expr::odds`].
///
/// ```
/// use dice::{Expr, Odds};
/// let odds = "10/(1d6-1)".parse::<Expr>()?.odds(&Odds { given_success: true, ..Odds::default() })?;
/// assert_eq!(odds.mean_exact().unwrap().to_string(), "137/30");
/// # Ok::<(), dice::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Odds {
    /// Exact counts or floating probabilities.
    pub precision: Precision,
    /// How much probability may be cut off where explosions have no end. Default 1e-12; what was cut off is
    /// [`crate::Distribution::tail_mass`].
    pub tail: f64,
    /// Where the roll can fail: give the odds of those rolls that do not, instead of refusing the text.
    pub given_success: bool,
    /// The limits of the roll, and with [`Limits::steps`] of the work.
    pub limits: Limits,
}

/// How numbers are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// Exact where the work allows, else floating.
    #[default]
    Auto,
    /// Exact, or refused.
    Exact,
    /// Floating, with a bound on the error.
    Float,
}

impl Default for Odds {
    fn default() -> Odds {
        Odds { precision: Precision::Auto, tail: 1e-12, given_success: false, limits: Limits::default() }
    }
}
