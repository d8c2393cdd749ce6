//! Rolls that can fail: refused with the chance of it, or left out where only success is asked for.
//!
//! Apart from the computation, which only notes that a roll can fail.

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::Zero;

use crate::error::{Code, Error};
use crate::odds::dist::{Dist, ratio_float};
use crate::odds::kernel::Width;
use crate::odds::options::Odds;

use super::Distribution;

/// The distribution of what does not fail, or the refusal of what can.
pub(super) fn finish(dist: Dist, fault: Option<Error>, options: &Odds) -> Result<Distribution, Error> {
    let Some(fault) = fault else {
        return Ok(Distribution { dist, given: None });
    };
    let float = dist.width() == Width::F64;
    if !float && dist.tail == 0.0 && dist.mass.total() == dist.denom.big() {
        // What could fail turned out to be impossible, such as a step on dice that are never left.
        return Ok(Distribution { dist, given: None });
    }
    let some = if float { dist.present() > 0.0 } else { !dist.mass.total().is_zero() };
    if options.given_success && some {
        if float {
            let mut dist = dist;
            let whole = dist.present();
            dist.mass.mul_float(1.0 / whole);
            dist.roundings += crate::odds::float(dist.len());
            return Ok(Distribution { dist, given: None });
        }
        let given = dist.mass.total();
        return Ok(Distribution { dist, given: Some(given) });
    }
    let chance = if float || dist.tail > 0.0 {
        let lost = 1.0 - dist.present() - dist.tail;
        format!("with a probability of about {:.4}%", lost.max(0.0) * 100.0)
    } else {
        let all = dist.denom.big();
        let lost = Ratio::new(BigInt::from(&all - dist.mass.total()), BigInt::from(all));
        if lost.denom().bits() <= 40 {
            format!("in {} of {} outcomes", lost.numer(), lost.denom())
        } else {
            format!("with a probability of about {:.4}%", ratio_float(lost.numer(), lost.denom()) * 100.0)
        }
    };
    let what = if fault.code() == Code::DivisionByZero { "is 0" } else { "fails" };
    let error = Error::new(fault.code(), fault.span(), format!("{}: the roll fails {chance}", fault.title()))
        .label(format!("{what} {chance}"));
    Err(if some {
        error.hint("for the odds of the rolls that do not fail: --given-success, or Odds::given_success in the library")
    } else {
        error
    })
}
