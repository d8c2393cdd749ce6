//! The algebra of distributions: rows of counts and the algorithms over dice that need no notation.
//!
//! A distribution is a row of whole counts over one common number of outcomes. Counts may sum to less than that number:
//! the rest is what failed or was cut off. Nothing here divides by a total except where floating rows are asked for.

#![allow(clippy::many_single_char_names)] // the letters of the formulas: n dice, k kept, weights w and l

mod bulk;
mod convert;
mod denom;
mod factor;
mod keep;
mod kronecker;
mod levels;
mod limb;
mod marks;
mod mass;
mod mixed;
mod mixture;
mod ordinary;
mod poly;
mod powers;
mod ranks;
mod recurrence;
mod scalar;
mod sum;
pub(crate) mod tally;
#[cfg(test)]
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::items_after_statements
)] // small numbers
mod tests;
mod width;
mod window;
mod words;

pub(crate) use bulk::Convolution;
pub use denom::Denom;
pub use factor::Factor;
pub use keep::{Ranked, has_equation, keep_highest};
#[cfg(test)]
use levels::keep_from_levels;
pub use levels::{Kept, Level, drop_from_levels};
pub use marks::{Caps, Marks};
pub use mass::Mass;
pub use mixed::{Group, keep_mixed, ranks_of};
pub use mixture::{mixture_of_chances, mixture_of_counts};
pub use ordinary::ordinary_work;
pub use poly::Poly;
pub use powers::marked_work;
pub use ranks::keep_ranks;
pub use scalar::first_that_stays;
pub use sum::{cells, present, sum_of};
pub use width::Width;
pub use words::ordinary;
