//! Exact odds: the distribution of every text that can be rolled, computed from the same tree.
//!
//! A number is a row of counts over one number of equally likely outcomes ([`kernel`]). Nodes that share no name are independent, so
//! operators combine their distributions; names are conditioned on. A pool is computed by the algorithm that fits its
//! steps, and in the last resort by rolling every possible roll.

mod acts;
mod budget;
mod chain;
mod closed;
mod combine;
mod cost;
mod counts;
mod dist;
mod distribution;
mod elem;
mod enumerate;
mod foresee;
mod groups;
mod kernel;
mod machine;
mod mixed;
mod mixture;
mod moments;
mod names;
mod nodes;
mod options;
mod plain;
mod pool;
mod sampled;
mod shown;
mod steps;
mod throws;
mod walk;

#[cfg(test)]
mod tests;

pub use distribution::{Distribution, Method, Outcomes, Rational, Versus};
pub use options::{Odds, Precision};
pub use sampled::Sampled;

/// A length as a floating number, for estimates.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
pub(crate) fn float(n: usize) -> f64 {
    n as f64
}

/// The same for 64-bit numbers.
#[expect(clippy::cast_precision_loss, reason = "an estimate, or one rounding that is counted")]
pub(crate) fn float_u64(n: u64) -> f64 {
    n as f64
}
