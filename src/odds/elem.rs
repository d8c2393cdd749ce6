//! What one die (or one chain of dice) contributes in the end: a distribution with marks and its number of outcomes.

use super::kernel::{Caps, Denom, Marks, Poly, Width};
use super::walk::Trouble;

/// A marked distribution over its own number of outcomes.
#[derive(Clone, Debug)]
pub(crate) struct Elem {
    pub marks: Marks,
    pub denom: Denom,
}

/// Marks for pools without a selection: none.
pub(crate) const PLAIN: Caps = Caps { marked: 1, ties: 0 };

/// Whether counts or probabilities are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arithmetic {
    Exact,
    Float,
}

impl Arithmetic {
    /// The width for counts of so many outcomes.
    pub(crate) fn width(self, denom: &Denom) -> Width {
        match self {
            Arithmetic::Exact => Width::for_bits(denom.bits()),
            Arithmetic::Float => Width::F64,
        }
    }

    /// The number of outcomes of n dice of weight `total`: floating rows are probabilities of one outcome.
    pub(crate) fn denom(self, total: u64, n: u32) -> Denom {
        match self {
            Arithmetic::Exact => Denom::power(total, n),
            Arithmetic::Float => Denom::one(),
        }
    }
}

impl Elem {
    /// Adds a certain number, with the given marks.
    pub(crate) fn leaf(arithmetic: Arithmetic, at: i64, marked: usize, ties: usize, caps: Caps) -> Elem {
        let poly = Poly::point(arithmetic.width(&Denom::one()), at, 1);
        Elem { marks: Marks::of(poly, marked, ties, caps), denom: Denom::one() }
    }

    /// Nothing at all: what fails or is cut off.
    pub(crate) fn zero(arithmetic: Arithmetic, caps: Caps) -> Elem {
        Elem { marks: Marks::zero(caps, arithmetic.width(&Denom::one())), denom: Denom::one() }
    }

    /// The distribution of what is not marked.
    pub(crate) fn plain(&self) -> Poly {
        self.marks.cell(0, 0).cloned().unwrap_or_else(|| Poly::zero(self.marks.width()))
    }

    /// The product: both happen.
    pub(crate) fn times(&self, other: &Elem, overflow: Option<&Poly>, arithmetic: Arithmetic) -> Elem {
        let denom = self.denom.times(&other.denom);
        let width = arithmetic.width(&denom);
        Elem { marks: self.marks.times(&other.marks, overflow, width), denom }
    }

    /// The n-th power: n independent ones.
    pub(crate) fn pow(&self, n: u32, overflow: Option<&Poly>, arithmetic: Arithmetic) -> Elem {
        let denom = self.denom.pow(n);
        let width = arithmetic.width(&denom);
        Elem { marks: self.marks.pow(n, overflow, width), denom }
    }

    /// One or the other, as parts of one whole.
    pub(crate) fn plus(&self, other: &Elem, arithmetic: Arithmetic) -> Elem {
        let denom = self.denom.lcm(&other.denom);
        let width = arithmetic.width(&denom);
        let mut sum = self.over(&denom, width);
        sum.marks.add_small(&other.over(&denom, width).marks, 1);
        sum
    }

    /// The same over a multiple of its number of outcomes.
    pub(crate) fn over(&self, denom: &Denom, width: Width) -> Elem {
        let mut marks = self.marks.clone().widen(width);
        if width != Width::F64 {
            marks.scale(&self.denom.missing_to(denom).chunks());
        }
        Elem { marks, denom: denom.clone() }
    }

    /// The same, unless the number is no multiple: then only rolling every roll will do.
    pub(crate) fn checked_over(&self, denom: &Denom, width: Width) -> Result<Elem, Trouble> {
        if width == Width::F64 || self.denom.lcm(denom) == *denom {
            Ok(self.over(denom, width))
        } else {
            Err(Trouble::Enumerate)
        }
    }

    /// One of several, each in so many of `total` outcomes; what the weights leave of the total is missing.
    pub(crate) fn mix(parts: &[(u64, Elem)], total: u64, caps: Caps, arithmetic: Arithmetic) -> Elem {
        let inner = parts.iter().fold(Denom::one(), |all, (_, part)| all.lcm(&part.denom));
        let denom = arithmetic.denom(total, 1).times(&inner);
        let width = arithmetic.width(&denom);
        let mut marks = Marks::zero(caps, width);
        for (weight, part) in parts {
            marks.add_small(&part.over(&inner, width).marks, *weight);
        }
        if arithmetic == Arithmetic::Float {
            marks.scale_float(1.0 / super::float_u64(total));
        }
        Elem { marks, denom }
    }
}
