//! The steps that were truly taken, in additions of one limb, so that tests can hold prices against them. Outside tests nothing is
//! counted, and nothing ever depends on it.

#[cfg(test)]
use std::cell::Cell;

#[cfg(test)]
thread_local! {
    static TAKEN: Cell<f64> = const { Cell::new(0.0) };
}

/// What looking up and making a value, a multiset of worths or a row takes at least.
pub(crate) const MAKING: usize = 100;

/// Counts steps.
#[inline(always)]
#[allow(clippy::inline_always)] // nothing must be left of it outside tests
pub(crate) fn took(steps: usize) {
    #[cfg(test)]
    TAKEN.set(TAKEN.get() + super::poly::to_float(steps));
    #[cfg(not(test))]
    let _ = steps;
}

/// Counts the steps of a product of two large numbers of so many limbs: long multiplication, above 32 limbs in three products of
/// halves (A. Karatsuba, 1962) and the additions that join them.
#[inline(always)]
#[allow(clippy::inline_always)]
pub(crate) fn took_product(a: usize, b: usize) {
    #[cfg(test)]
    TAKEN.set(TAKEN.get() + product(a.min(b), a.max(b)));
    #[cfg(not(test))]
    let _ = (a, b);
}

#[cfg(test)]
fn product(short: usize, long: usize) -> f64 {
    let (few, many) = (super::poly::to_float(short), super::poly::to_float(long));
    if short <= 32 {
        few * many
    } else if long >= 2 * short {
        many / few * product(short, short)
    } else {
        3.0 * product(short.div_ceil(2), long.div_ceil(2)) + 8.0 * few
    }
}

/// The steps since this was last asked for, in this thread.
#[cfg(test)]
pub(crate) fn taken() -> f64 {
    TAKEN.take()
}
