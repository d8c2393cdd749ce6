//! Odds estimated by rolling: what cannot be computed can still be tried, with its uncertainty.

use std::collections::BTreeMap;

use crate::ast::Expr;
use crate::error::{Code, Error};
use crate::faces::Faces;
use crate::number::Number;

/// An estimate of a distribution from many rolls: never to be taken for a [`crate::Distribution`].
#[derive(Clone, Debug)]
pub struct Sampled {
    samples: u64,
    failed: u64,
    counts: BTreeMap<Number, u64>,
}

impl Expr {
    /// Rolls so many times with a source of faces and counts the totals. The same source and the same number of samples
    /// give the same estimate.
    ///
    /// ```
    /// use dice::Expr;
    /// use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};
    /// let expr: Expr = "3d6".parse()?;
    /// let odds = expr.sample_odds(10_000, &mut Xoshiro256PlusPlus::seed_from_u64(7))?;
    /// assert!((odds.mean() - 10.5).abs() < odds.mean_error(0.999));
    /// # Ok::<(), dice::Error>(())
    /// ```
    ///
    /// # Errors
    /// What no roll can survive: a limit that was met. Rolls that fail otherwise are counted by [`Sampled::failed`].
    pub fn sample_odds<F: Faces + ?Sized>(&self, samples: u64, faces: &mut F) -> Result<Sampled, Error> {
        let mut sampled = Sampled { samples, failed: 0, counts: BTreeMap::new() };
        for _ in 0..samples {
            match self.total(faces) {
                Ok(total) => *sampled.counts.entry(total).or_insert(0) += 1,
                Err(error) if matches!(error.code(), Code::Limit | Code::Script | Code::Internal) => {
                    return Err(error);
                }
                Err(_) => sampled.failed += 1,
            }
        }
        Ok(sampled)
    }
}

impl Sampled {
    /// Adds the rolls of another estimate of the same text: what is sampled in parts is the same as what is sampled at once.
    pub fn add(&mut self, other: Sampled) {
        self.samples += other.samples;
        self.failed += other.failed;
        for (total, count) in other.counts {
            *self.counts.entry(total).or_insert(0) += count;
        }
    }

    /// How many rolls were made.
    #[must_use]
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// How many of them failed and have no total.
    #[must_use]
    pub fn failed(&self) -> u64 {
        self.failed
    }

    fn succeeded(&self) -> f64 {
        super::float_u64(self.samples - self.failed)
    }

    /// Every total that came up with its share of the rolls that did not fail, in ascending order.
    pub fn outcomes(&self) -> impl Iterator<Item = (Number, f64)> + '_ {
        let all = self.succeeded();
        self.counts.iter().map(move |(value, count)| (*value, super::float_u64(*count) / all))
    }

    /// The share of totals of at least this.
    #[must_use]
    pub fn at_least(&self, value: Number) -> f64 {
        self.counts.range(value..).map(|(_, count)| super::float_u64(*count)).sum::<f64>() / self.succeeded()
    }

    /// The share of totals of at most this.
    #[must_use]
    pub fn at_most(&self, value: Number) -> f64 {
        self.counts.range(..=value).map(|(_, count)| super::float_u64(*count)).sum::<f64>() / self.succeeded()
    }

    /// The mean of the rolls.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.outcomes().map(|(value, share)| value.to_f64() * share).sum()
    }

    /// The standard deviation of the rolls.
    #[must_use]
    pub fn sd(&self) -> f64 {
        let mean = self.mean();
        let spread = |(value, share): (Number, f64)| (value.to_f64() - mean).powi(2) * share;
        self.outcomes().map(spread).sum::<f64>().sqrt()
    }

    /// With this confidence (from 0 to 1) every probability of at least and at most is within this of the true one, all at once
    /// (the Dvoretzky–Kiefer–Wolfowitz inequality with Massart's constant).
    #[must_use]
    pub fn band(&self, confidence: f64) -> f64 {
        let miss = (1.0 - confidence).clamp(1e-300, 1.0);
        ((2.0 / miss).ln() / (2.0 * self.succeeded())).sqrt()
    }

    /// With about this confidence (from 0 to 1) the true mean is within this of [`Sampled::mean`] (by the normal approximation,
    /// bounded by Chernoff's inequality for its tails); of little worth where explosions have no end.
    #[must_use]
    pub fn mean_error(&self, confidence: f64) -> f64 {
        let miss = (1.0 - confidence).clamp(1e-300, 1.0);
        (2.0 * (2.0 / miss).ln()).sqrt() * self.sd() / self.succeeded().sqrt()
    }
}
