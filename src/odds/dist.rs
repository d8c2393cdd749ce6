//! The distribution of a number while a text is walked: values, counts, and the number of outcomes they are counts of.

use std::collections::HashMap;

use num_bigint::BigInt;

pub(crate) use super::distribution::Rational;
use super::kernel::tally::{MAKING, took};
use super::kernel::{Denom, Mass, Poly, Width};
use crate::number::Number;

/// Mean and variance, known in closed form where the table is cut off.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Moments {
    pub mean: Rational,
    pub variance: Rational,
}

/// The values that the cells stand for, in ascending order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Support {
    /// Cell i is `(low + step * i) / scale`; step and scale are at least 1.
    Grid { low: i128, step: i128, scale: i128 },
    /// Written out.
    List(Vec<Number>),
}

/// A distribution over exact numbers. Counts may sum to less than `denom`: the rest failed or was cut off.
#[derive(Clone, Debug)]
pub(crate) struct Dist {
    pub support: Support,
    pub mass: Mass,
    /// The number of equally likely outcomes; 1 for floating rows.
    pub denom: Denom,
    /// See [`Poly::roundings`].
    pub roundings: f64,
    /// An upper bound on the probability that was cut off.
    pub tail: f64,
    pub closed: Option<Box<Moments>>,
}

impl Dist {
    /// A certain number.
    pub(crate) fn point(value: Number, width: Width) -> Dist {
        let support = Support::Grid { low: value.numerator(), step: 1, scale: value.denominator() };
        Dist {
            support,
            mass: Mass::one(width, 1),
            denom: Denom::one(),
            roundings: 0.0,
            tail: 0.0,
            closed: None,
        }
    }

    /// What certainly fails.
    pub(crate) fn nothing(width: Width) -> Dist {
        Dist { mass: Mass::zeros(width, 0), ..Dist::point(Number::ZERO, width) }
    }

    /// A polynomial whose exponents are whole numbers over `scale`.
    pub(crate) fn of_poly(poly: Poly, denom: Denom, scale: i128) -> Dist {
        let poly = poly.trim();
        Dist {
            support: Support::Grid { low: i128::from(poly.low), step: 1, scale },
            mass: poly.mass,
            denom,
            roundings: poly.roundings,
            tail: 0.0,
            closed: None,
        }
    }

    /// Exact counts as probabilities.
    pub(crate) fn as_float(&self) -> Dist {
        let mass = chances(&self.mass, &self.denom);
        Dist { mass, denom: Denom::one(), roundings: 3.0, ..self.clone() }
    }

    pub(crate) fn len(&self) -> usize {
        self.mass.len()
    }

    pub(crate) fn width(&self) -> Width {
        self.mass.width()
    }

    /// The value of a cell.
    pub(crate) fn value(&self, cell: usize) -> Number {
        match &self.support {
            Support::Grid { low, step, scale } => {
                let steps = i128::try_from(cell).unwrap_or(i128::MAX);
                let numerator = step.saturating_mul(steps).saturating_add(*low);
                if *scale == 1 {
                    Number::whole(numerator)
                } else {
                    Number::ratio(numerator, *scale).unwrap_or(Number::ZERO)
                }
            }
            Support::List(values) => values.get(cell).copied().unwrap_or(Number::ZERO),
        }
    }

    /// The cells that are not zero, with their values.
    pub(crate) fn cells(&self) -> impl Iterator<Item = (Number, usize)> + '_ {
        (0..self.len()).filter(|&i| !self.mass.is_zero(i)).map(|i| (self.value(i), i))
    }

    /// The only value there is, where nothing else can happen and nothing is lost.
    pub(crate) fn certain(&self) -> Option<Number> {
        let single = self.len() == 1 && self.denom.is_one() && !self.mass.is_zero(0);
        (single && self.tail == 0.0).then(|| self.value(0))
    }

    /// The width for counts of this many outcomes: floating rows stay floating.
    pub(crate) fn width_for(&self, denom: &Denom) -> Width {
        if self.width() == Width::F64 { Width::F64 } else { Width::for_bits(denom.bits()) }
    }

    /// The probability that is there, between 0 and 1.
    pub(crate) fn present(&self) -> f64 {
        match self.width() {
            Width::F64 => (0..self.len()).map(|i| self.mass.scaled(i).0).sum(),
            Width::U64 | Width::U128 | Width::Limbs(_) => {
                ratio_float(&self.mass.total().into(), &self.denom.big().into())
            }
        }
    }

    /// Mean and variance of what is there: the closed form if there is one, else from the counts.
    pub(crate) fn moments(&self) -> Option<Moments> {
        if let Some(closed) = &self.closed {
            return Some((**closed).clone());
        }
        super::moments::of(self)
    }

    /// The weights of all cells as small numbers, if they are.
    pub(crate) fn small_weights(&self) -> Option<Vec<u64>> {
        match &self.mass {
            Mass::U64(v) => Some(v.clone()),
            Mass::U128(_) | Mass::Limbs { .. } => {
                (0..self.len()).map(|i| u64::try_from(self.mass.big(i)).ok()).collect()
            }
            Mass::F64(_) => None,
        }
    }
}

/// Gathers counts by value, for operations whose results lie anywhere.
pub(crate) struct Gather {
    places: HashMap<Number, usize>,
    values: Vec<Number>,
    pub mass: Mass,
}

impl Gather {
    pub(crate) fn new(width: Width) -> Gather {
        Gather { places: HashMap::new(), values: Vec::new(), mass: Mass::zeros(width, 16) }
    }

    /// The cell of a value.
    pub(crate) fn cell(&mut self, value: Number) -> usize {
        took(MAKING);
        if let Some(&place) = self.places.get(&value) {
            return place;
        }
        let place = self.values.len();
        self.values.push(value);
        self.places.insert(value, place);
        if place == self.mass.len() {
            self.mass.resize(place * 2);
        }
        place
    }

    /// The distribution, as a grid where the values are dense enough.
    pub(crate) fn finish(self, denom: Denom, roundings: f64, tail: f64) -> Dist {
        let Gather { values, mass, .. } = self;
        let mut order: Vec<usize> = (0..values.len()).filter(|&i| !mass.is_zero(i)).collect();
        order.sort_unstable_by(|&a, &b| values[a].cmp(&values[b]));
        let sorted: Vec<Number> = order.iter().map(|&i| values[i]).collect();
        let width = mass.width();
        let done = |support, mass| Dist { support, mass, denom, roundings, tail, closed: None };
        if let Some((low, step, scale, cells)) = grid_of(&sorted) {
            let mut dense = Mass::zeros(width, cells);
            for (&value, &from) in sorted.iter().zip(&order) {
                let numerator = value.numerator() * (scale / value.denominator());
                let place = usize::try_from((numerator - low) / step).unwrap_or(0);
                dense.copy_cell(place, &mass, from);
            }
            return done(Support::Grid { low, step, scale }, dense);
        }
        let mut list = Mass::zeros(width, order.len());
        for (to, &from) in order.iter().enumerate() {
            list.copy_cell(to, &mass, from);
        }
        done(Support::List(sorted), list)
    }
}

/// Low, step, scale and number of cells of a grid that holds these ascending values without too many gaps.
fn grid_of(values: &[Number]) -> Option<(i128, i128, i128, usize)> {
    let (first, last) = (values.first()?, values.last()?);
    let mut scale: i128 = 1;
    for value in values {
        scale = lcm(scale, value.denominator())?;
        if scale > 1 << 40 {
            return None;
        }
    }
    let low = first.numerator().checked_mul(scale / first.denominator())?;
    let high = last.numerator().checked_mul(scale / last.denominator())?;
    let mut step: i128 = 0;
    for value in values {
        let at = value.numerator().checked_mul(scale / value.denominator())?;
        step = num_integer::gcd(step, at.checked_sub(low)?);
    }
    let step = step.max(1);
    let cells = usize::try_from(high.checked_sub(low)? / step + 1).ok()?;
    (cells <= values.len().saturating_mul(4).saturating_add(64)).then_some((low, step, scale, cells))
}

/// The least common multiple, if it fits.
pub(crate) fn lcm(a: i128, b: i128) -> Option<i128> {
    (a / num_integer::gcd(a, b).max(1)).checked_mul(b)
}

/// Exact counts of so many outcomes as probabilities.
pub(crate) fn chances(mass: &Mass, denom: &Denom) -> Mass {
    let all = denom.big().into();
    Mass::F64((0..mass.len()).map(|i| ratio_float(&mass.big(i).into(), &all)).collect())
}

/// A fraction of large numbers as a floating one, with a relative error of a few roundings, however large they are.
pub(crate) fn ratio_float(numerator: &BigInt, denominator: &BigInt) -> f64 {
    let (n, d) = (scaled(numerator), scaled(denominator));
    if d.0 == 0.0 {
        return 0.0;
    }
    power_of_two(n.0 / d.0, n.1 - d.1)
}

/// A large number as `mantissa * 2^exponent`.
fn scaled(x: &BigInt) -> (f64, i64) {
    let bits = i64::try_from(x.bits()).unwrap_or(i64::MAX);
    let shift = (bits - 64).max(0);
    let top: BigInt = x >> u64::try_from(shift).unwrap_or(0);
    (num_traits::ToPrimitive::to_f64(&top).unwrap_or(0.0), shift)
}

/// `x * 2^exponent` without overflow on the way; 0 where it is too small.
pub(crate) fn power_of_two(x: f64, exponent: i64) -> f64 {
    let step = |e: i64| 2f64.powi(i32::try_from(e).unwrap_or(0));
    let clamped = exponent.clamp(-2200, 2200);
    let half = clamped / 2;
    let quarter = half / 2;
    x * step(quarter)
        * step(half - quarter)
        * step((clamped - half) / 2)
        * step(clamped - half - (clamped - half) / 2)
}
