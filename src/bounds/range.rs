//! The arithmetic of ranges: what the ends of the operands say about the ends of the result. It knows nothing of dice.

use super::Bounds;
use crate::ast::Function;
use crate::number::Number;

/// Any value.
pub(super) const UNBOUNDED: Bounds = (None, None);

/// The range of 0 alone.
pub(super) const ZERO: Bounds = (Some(Number::ZERO), Some(Number::ZERO));

pub(super) fn added(left: Bounds, right: Bounds) -> Bounds {
    let sum = |a: Option<Number>, b: Option<Number>| a?.plus(b?);
    (sum(left.0, right.0), sum(left.1, right.1))
}

pub(super) fn negated(bounds: Bounds) -> Bounds {
    (bounds.1.and_then(Number::negated), bounds.0.and_then(Number::negated))
}

/// The range that covers both.
pub(super) fn join(left: Bounds, right: Bounds) -> Bounds {
    (
        left.0.zip(right.0).map(|(left, right)| left.min(right)),
        left.1.zip(right.1).map(|(left, right)| left.max(right)),
    )
}

/// The bounds of the least, or of the greatest, of two values.
pub(super) fn pairwise(left: Bounds, right: Bounds, pick: fn(Number, Number) -> Number) -> Bounds {
    let greatest = pick(Number::ZERO, Number::ONE) == Number::ONE;
    // One side alone bounds the greatest from below, and the least from above.
    let end = |a: Option<Number>, b: Option<Number>, one_is_enough: bool| match (a, b) {
        (Some(a), Some(b)) => Some(pick(a, b)),
        (a, b) if one_is_enough => a.or(b),
        (_, _) => None,
    };
    (end(left.0, right.0, greatest), end(left.1, right.1, !greatest))
}

/// The least and the greatest of an operation that is monotone in both operands on a box.
pub(super) fn corners(
    left: Bounds,
    right: Bounds,
    operation: fn(Number, Number) -> Option<Number>,
) -> Bounds {
    let (Some(a), Some(b), Some(c), Some(d)) = (left.0, left.1, right.0, right.1) else { return UNBOUNDED };
    let results: Option<Vec<Number>> =
        [(a, c), (a, d), (b, c), (b, d)].into_iter().map(|(left, right)| operation(left, right)).collect();
    results.map_or(UNBOUNDED, |results| (results.iter().min().copied(), results.iter().max().copied()))
}

pub(super) fn excludes_zero(bounds: Bounds) -> bool {
    bounds.0.is_some_and(|low| low > Number::ZERO) || bounds.1.is_some_and(Number::is_negative)
}

/// What a division by a number leaves lies between 0 and that number.
pub(super) fn remainder(divisor: Bounds) -> Bounds {
    let zero = Number::ZERO;
    (divisor.0.map(|low| low.min(zero)), divisor.1.map(|high| high.max(zero)))
}

pub(super) fn raised(base: Bounds, exponent: Bounds) -> Bounds {
    let (Some(low), Some(high), Some(few), Some(many)) = (base.0, base.1, exponent.0, exponent.1) else {
        return UNBOUNDED;
    };
    let power = |base: Number, exponent: Number| base.power(exponent.as_u64()?);
    if low >= Number::ONE && !few.is_negative() {
        return (power(low, few.ceil()), power(high, many.floor()));
    }
    match (few == many, few.as_u64()) {
        (true, Some(exponent)) if exponent % 2 == 1 => (low.power(exponent), high.power(exponent)),
        (true, Some(exponent)) => {
            let (low, high) = (low.power(exponent), high.power(exponent));
            let crosses =
                base.0.is_some_and(Number::is_negative) && base.1.is_some_and(|high| !high.is_negative());
            let least = low.zip(high).map(|(low, high)| if crosses { Number::ZERO } else { low.min(high) });
            (least, low.zip(high).map(|(low, high)| low.max(high)))
        }
        (_, _) => UNBOUNDED,
    }
}

pub(super) fn function(function: Function, arguments: &mut Vec<Bounds>) -> Bounds {
    let map = |bounds: Bounds, round: fn(Number) -> Number| (bounds.0.map(round), bounds.1.map(round));
    let pick = |pick: fn(Number, Number) -> Number, arguments: &mut Vec<Bounds>| {
        arguments.drain(..).reduce(|left, right| pairwise(left, right, pick)).unwrap_or(UNBOUNDED)
    };
    let first = arguments.first().copied().unwrap_or(UNBOUNDED);
    match function {
        Function::Floor => map(first, Number::floor),
        Function::Ceil => map(first, Number::ceil),
        Function::Round => map(first, Number::round),
        Function::Trunc => map(first, Number::trunc),
        Function::Sign => map(first, Number::signum),
        Function::Min => pick(Number::min, arguments),
        Function::Max => pick(Number::max, arguments),
        Function::Abs if first.0.is_some_and(|low| !low.is_negative()) => first,
        Function::Abs if first.1.is_some_and(|high| high <= Number::ZERO) => negated(first),
        Function::Abs => {
            let other = negated(first);
            (Some(Number::ZERO), first.1.zip(other.1).map(|(high, low)| high.max(low)))
        }
    }
}
