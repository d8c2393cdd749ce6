//! Binomial coefficients of the keep formulas, in the narrowest numbers that hold them.

use super::mass::{Mass, Width};
use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, Zero};

/// The whole numbers that the coefficients are computed in. Machine words wrap, as the rows do.
pub(crate) trait Whole: Clone + Sized {
    fn of(x: u64) -> Self;
    fn plus(&self, other: &Self) -> Self;
    fn minus(&self, other: &Self) -> Self;
    fn times(&self, other: &Self) -> Self;
    /// `self * a / b`, which is a whole number, without overflow on the way.
    fn ratio(&self, a: u64, b: u64) -> Self;
    fn power(&self, n: u32) -> Self {
        let (mut base, mut left, mut out) = (self.clone(), n, Self::of(1));
        while left > 0 {
            if left & 1 == 1 {
                out = out.times(&base);
            }
            left >>= 1;
            if left > 0 {
                base = base.times(&base);
            }
        }
        out
    }
}

impl Whole for u64 {
    fn of(x: u64) -> Self {
        x
    }
    fn plus(&self, other: &Self) -> Self {
        self.wrapping_add(*other)
    }
    fn minus(&self, other: &Self) -> Self {
        self.wrapping_sub(*other)
    }
    fn times(&self, other: &Self) -> Self {
        self.wrapping_mul(*other)
    }
    fn ratio(&self, a: u64, b: u64) -> Self {
        // With q = self / b and r = self % b, r a is a multiple of b because self a is.
        (self / b).wrapping_mul(a).wrapping_add((self % b).wrapping_mul(a) / b)
    }
}

impl Whole for u128 {
    fn of(x: u64) -> Self {
        Self::from(x)
    }
    fn plus(&self, other: &Self) -> Self {
        self.wrapping_add(*other)
    }
    fn minus(&self, other: &Self) -> Self {
        self.wrapping_sub(*other)
    }
    fn times(&self, other: &Self) -> Self {
        self.wrapping_mul(*other)
    }
    fn ratio(&self, a: u64, b: u64) -> Self {
        let (a, b) = (Self::from(a), Self::from(b));
        (self / b).wrapping_mul(a).wrapping_add((self % b).wrapping_mul(a) / b)
    }
}

impl Whole for BigUint {
    fn of(x: u64) -> Self {
        Self::from(x)
    }
    fn plus(&self, other: &Self) -> Self {
        self + other
    }
    fn minus(&self, other: &Self) -> Self {
        if self >= other { self - other } else { Self::zero() }
    }
    fn times(&self, other: &Self) -> Self {
        self * other
    }
    fn ratio(&self, a: u64, b: u64) -> Self {
        (self * a).div_floor(&Self::from(b))
    }
}

/// `c_b = C(n,b) T(n-b, k-b)` for b < k, with `T(m,j) = sum_(e>=j) C(m,e) w^e l^(m-e)`: in how many ways at least `k - b` of
/// the `n - b` dice that are not above show the value itself (weight w) and the others less (weight l).
pub(crate) fn tie_counts(n: u32, k: u32, w: u64, l: u64, width: Width) -> Mass {
    let len = usize::try_from(k).unwrap_or(0);
    let mut row = Mass::zeros(width, len);
    match &mut row {
        Mass::U64(v) => ties(v, n, k, w, l),
        Mass::U128(v) => ties(v, n, k, w, l),
        Mass::Limbs { .. } => {
            let mut big = vec![BigUint::zero(); len];
            ties(&mut big, n, k, w, l);
            for (cell, count) in big.iter().enumerate() {
                row.set_big(cell, count);
            }
        }
        Mass::F64(_) => {}
    }
    row
}

/// Fills `row[b]` from `b = k - 1` down: `T(m+1, j+1) = (w + l) T(m, j) - C(m, j) w^j l^(m-j+1)`, and `T(m, 1)` is closed.
pub(crate) fn ties<T: Whole>(row: &mut [T], n: u32, k: u32, w: u64, l: u64) {
    let m = n - k + 1;
    let (tie, both) = (T::of(w), T::of(w + l));
    let low_power = T::of(l).power(m);
    let mut ties = both.power(m).minus(&low_power); // T(m, 1)
    let mut choose = T::of(1); // C(n, k-1), built upwards
    for i in 0..u64::from(k - 1) {
        choose = choose.ratio(u64::from(n) - i, i + 1);
    }
    let mut binomial = T::of(u64::from(m)); // C(m + j - 1, j) at j = 1
    let mut tie_power = tie.clone();
    for (cell, j) in row.iter_mut().rev().zip(1..=u64::from(k)) {
        let b = u64::from(k) - j;
        *cell = choose.times(&ties);
        if b > 0 {
            choose = choose.ratio(b, u64::from(n) - b + 1);
            let edge = binomial.times(&tie_power).times(&low_power); // C(m, j) w^j l^(m-j+1)
            ties = both.times(&ties).minus(&edge);
            binomial = binomial.ratio(u64::from(m) + j, j + 1);
            tie_power = tie_power.times(&tie);
        }
    }
}

/// The same as probabilities for faces of probability w and l, all terms positive: `(values, roundings)`.
pub(crate) fn tie_chances(n: u32, k: u32, w: f64, l: f64) -> (Vec<f64>, f64) {
    let mut out = vec![0.0; usize::try_from(k).unwrap_or(0)];
    let mut choose = 1.0; // C(n, b)
    for (i, cell) in out.iter_mut().enumerate() {
        let b = u32::try_from(i).unwrap_or(0);
        let (m, j) = (n - b, k - b);
        let mut sum = 0.0;
        for e in j..=m {
            sum += binomial_float(m, e) * powi(w, e) * powi(l, m - e);
        }
        *cell = choose * sum;
        choose *= f64::from(n - b) / f64::from(b + 1);
    }
    (out, f64::from(n) * 4.0 + 8.0)
}

/// C(m, e) by at most `min(e, m-e)` products.
fn binomial_float(m: u32, e: u32) -> f64 {
    (0..e.min(m - e)).fold(1.0, |acc, i| acc * f64::from(m - i) / f64::from(i + 1))
}

/// A power by squaring; an exponent of 0 gives 1.
fn powi(x: f64, n: u32) -> f64 {
    let (mut base, mut left, mut out) = (x, n, 1.0);
    while left > 0 {
        if left & 1 == 1 {
            out *= base;
        }
        base *= base;
        left >>= 1;
    }
    out
}

/// C(n, k) as a whole number.
pub(crate) fn binomial(n: u32, k: u32) -> BigUint {
    (0..k.min(n - k)).fold(BigUint::one(), |acc, i| acc.ratio(u64::from(n - i), u64::from(i + 1)))
}
