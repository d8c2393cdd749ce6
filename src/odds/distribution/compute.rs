//! [`Expr::odds`]: exact where it can be, by rolling every roll where nothing else fits, floating where the budget allows no more.
//!
//! Apart from the distribution, which knows nothing of texts, budgets or ways to compute.

use crate::ast::Expr;
use crate::error::{Code, Error};
use crate::odds::dist::Dist;
use crate::odds::elem::Arithmetic;
use crate::odds::enumerate::enumerate;
use crate::odds::float_u64;
use crate::odds::kernel::Width;
use crate::odds::options::{Odds, Precision};
use crate::odds::walk::{Trouble, Walker};

use super::Distribution;
use super::success::finish;

/// Floating probabilities of rolls that cannot fail sum to 1 within this.
const NEAR: f64 = 1e-6;

/// Whether probabilities have been lost because they are too small for floating numbers, or, where something is cut off, because
/// differences of what is cut off in different places do not cancel.
fn lost(walker: &Walker, dist: &Dist) -> bool {
    let at_risk = dist.width() == Width::F64 || dist.tail > 0.0;
    at_risk && walker.fault.is_none() && {
        let present = dist.present();
        present > 1.0 + NEAR || present + dist.tail < 1.0 - NEAR
    }
}

impl Expr {
    /// The exact distribution of the total; of one repetition, where the text repeats.
    ///
    /// # Errors
    /// A roll that can fail (with the chance of it, unless [`Odds::given_success`] is set), and what would take more than
    /// [`crate::Limits::steps`].
    pub fn odds(&self, options: &Odds) -> Result<Distribution, Error> {
        self.odds_of(options).map_err(|error| error.of(&self.inner.text))
    }

    fn odds_of(&self, options: &Odds) -> Result<Distribution, Error> {
        let first = match options.precision {
            Precision::Auto | Precision::Exact => Arithmetic::Exact,
            Precision::Float => Arithmetic::Float,
        };
        let mut walker = Walker::new(self, options, first);
        let trouble = match walker.whole() {
            Ok(dist) if lost(&walker, &dist) => walker.too_small(self.inner.body.span),
            Ok(dist) => return finish(dist, walker.fault, options),
            Err(trouble) => trouble,
        };
        let refusal = match trouble {
            Trouble::Refused(error) => return Err(error),
            Trouble::Budget(error) => error,
            Trouble::Enumerate | Trouble::Priced => {
                let rolls = usize::try_from(options.limits.steps / 1000).unwrap_or(usize::MAX);
                if let Some((dist, fault, _)) = enumerate(self, options, rolls) {
                    let float = options.precision == Precision::Float;
                    let dist = if float { dist.as_float() } else { dist };
                    return finish(dist, fault, options);
                }
                match walker.too_much(f64::INFINITY, self.inner.body.span) {
                    Trouble::Budget(error) | Trouble::Refused(error) => error,
                    Trouble::Enumerate | Trouble::Priced => {
                        Error::new(Code::Budget, self.inner.body.span, "too many rolls")
                    }
                }
            }
        };
        if options.precision == Precision::Auto {
            // What the exact way has taken is not spent twice, but half of the budget is left for this one.
            let left = walker.work_left().max(float_u64(options.limits.steps) / 2.0);
            let mut walker = Walker::new(self, options, Arithmetic::Float).with_work(left);
            if let Ok(dist) = walker.whole()
                && !lost(&walker, &dist)
            {
                return finish(dist, walker.fault, options);
            }
        }
        Err(refusal)
    }
}
