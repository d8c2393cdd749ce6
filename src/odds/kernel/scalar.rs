//! Binomial coefficients of the keep formulas, in the narrowest numbers that hold them.

use super::mass::Mass;
use super::tally;
use super::width::Width;
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
        tally::took_product(self.iter_u64_digits().len(), other.iter_u64_digits().len());
        self * other
    }
    fn ratio(&self, a: u64, b: u64) -> Self {
        tally::took(2 * self.iter_u64_digits().len());
        (self * a).div_floor(&Self::from(b))
    }
}

/// `c_b = C(n,b) T(n-b, k-b)` for b < k, with `T(m,j) = sum_(e>=j) C(m,e) w^e l^(m-e)`: in how many ways at least `k - b` of
/// the `n - b` dice that are not above show the value itself (weight w) and the others less (weight l).
pub(crate) fn tie_counts(n: u32, k: u32, w: u64, l: u64, width: Width) -> Mass {
    let len = usize::try_from(k).unwrap_or(0);
    let mut row = Mass::zeros(width, len);
    match &mut row {
        Mass::U64(v) => Ties::new(n, k).fill(v, w, l),
        Mass::U128(v) => Ties::new(n, k).fill(v, w, l),
        Mass::Limbs { .. } => {
            let mut big = vec![BigUint::zero(); len];
            Ties::new(n, k).fill(&mut big, w, l);
            for (cell, count) in big.iter().enumerate() {
                row.set_big(cell, count);
            }
        }
        Mass::F64(_) => {}
    }
    row
}

/// The binomial coefficients of tie counts, which are the same for all values.
pub(crate) struct Ties<T> {
    n: u32,
    k: u32,
    /// `C(n, k - j)` and `C(n - k + j, j)` for j from 1 to k.
    factors: Vec<(T, T)>,
}

impl<T: Whole> Ties<T> {
    /// For the k < n highest of n dice, k at least 1.
    pub(crate) fn new(n: u32, k: u32) -> Self {
        let mut choose = T::of(1); // C(n, b) for b = k - j, built upwards
        let mut binomial = T::of(1);
        let mut factors = Vec::with_capacity(usize::try_from(k).unwrap_or(0));
        for b in 0..u64::from(k) {
            factors.push((choose.clone(), T::of(0)));
            choose = choose.ratio(u64::from(n) - b, b + 1);
        }
        factors.reverse();
        for (j, factor) in (1..).zip(&mut factors) {
            binomial = binomial.ratio(u64::from(n - k) + j, j);
            factor.1 = binomial.clone();
        }
        Self { n, k, factors }
    }

    /// Fills `row[b]` from `b = k - 1` down: `T(m+1, j+1) = (w + l) T(m, j) - C(m, j) w^j l^(m-j+1)`, and `T(m, 1)` is closed.
    pub(crate) fn fill(&self, row: &mut [T], w: u64, l: u64) {
        let m = self.n - self.k + 1;
        let (tie, both) = (T::of(w), T::of(w + l));
        let low_power = T::of(l).power(m);
        let mut ties = both.power(m).minus(&low_power); // T(m, 1)
        let mut edge_power = tie.times(&low_power); // w^j l^m at j = 1
        for (cell, (choose, binomial)) in row.iter_mut().rev().zip(&self.factors) {
            *cell = choose.times(&ties);
            ties = both.times(&ties).minus(&binomial.times(&edge_power));
            edge_power = edge_power.times(&tie);
        }
    }
}

/// The same as probabilities for faces of probability w and l, all terms positive: `(values, roundings)`.
pub(crate) fn tie_chances(n: u32, k: u32, w: f64, l: f64) -> (Vec<f64>, f64) {
    let mut choose = Scaled::ONE; // C(n, b)
    let mut chance = |b: u32| {
        let chance = choose.times(at_least(n - b, k - b, w, l)).float();
        choose = choose.by(f64::from(n - b) / f64::from(b + 1));
        chance
    };
    ((0..k).map(&mut chance).collect(), f64::from(n) * 6.0 + 16.0)
}

/// The sum of `C(m, e) w^e l^(m-e)` for `e` from `j` to `m`: each term from the one before.
fn at_least(m: u32, j: u32, w: f64, l: f64) -> Scaled {
    if l == 0.0 {
        return Scaled::power(w, m);
    }
    let first = Scaled::power(l, m - j);
    tally::took(usize::try_from(j).unwrap_or(0) * 5);
    let mut term = (0..j).fold(first, |term, i| term.by(f64::from(m - i) / f64::from(i + 1)).by(w));
    let (mut sum, ratio) = (term, w / l);
    for e in j..m {
        tally::took(5);
        let factor = f64::from(m - e) / f64::from(e + 1) * ratio;
        term = term.by(factor);
        sum = sum.plus(term);
        // From here on less than a hundred times the last term is to come, and that is below any rounding.
        if factor < 0.99 && term.is_below(sum) {
            break;
        }
    }
    sum
}

/// A number of at least 0 that neither overflows nor vanishes: a float and how often it is multiplied by 2^512.
#[derive(Clone, Copy)]
struct Scaled {
    float: f64,
    blocks: i32,
}

impl Scaled {
    const ONE: Scaled = Scaled { float: 1.0, blocks: 0 };
    /// 2^512 and its inverse: scaling by them rounds nothing.
    const BLOCK: f64 = f64::from_bits((1023 + 512) << 52);
    const PART: f64 = f64::from_bits((1023 - 512) << 52);

    fn normal(self) -> Scaled {
        if self.float >= Scaled::BLOCK {
            Scaled { float: self.float * Scaled::PART, blocks: self.blocks + 1 }
        } else if self.float > 0.0 && self.float < 1.0 {
            Scaled { float: self.float * Scaled::BLOCK, blocks: self.blocks - 1 }
        } else {
            self
        }
    }

    /// The product with an ordinary number from 2^-500 to 2^500.
    fn by(self, factor: f64) -> Scaled {
        Scaled { float: self.float * factor, blocks: self.blocks }.normal()
    }

    fn times(self, other: Scaled) -> Scaled {
        Scaled { float: self.float * other.float, blocks: self.blocks + other.blocks }.normal()
    }

    fn plus(self, other: Scaled) -> Scaled {
        let (more, less) = if self.blocks >= other.blocks { (self, other) } else { (other, self) };
        let less = match more.blocks - less.blocks {
            0 => less.float,
            1 => less.float * Scaled::PART,
            _ => 0.0,
        };
        Scaled { float: more.float + less, blocks: more.blocks }.normal()
    }

    /// A power by squaring; an exponent of 0 gives 1.
    fn power(base: f64, exponent: u32) -> Scaled {
        let (mut square, mut left) = (Scaled { float: base, blocks: 0 }.normal(), exponent);
        let mut power = Scaled::ONE;
        while left > 0 {
            if left & 1 == 1 {
                power = power.times(square);
            }
            square = square.times(square);
            left >>= 1;
        }
        power
    }

    /// Whether this is less than 2^-80 of another number.
    fn is_below(self, other: Scaled) -> bool {
        let tiny = f64::from_bits((1023 - 80) << 52);
        match other.blocks - self.blocks {
            0 => self.float < other.float * tiny,
            1 => self.float * Scaled::PART < other.float * tiny,
            blocks => blocks > 1,
        }
    }

    fn float(self) -> f64 {
        match self.blocks {
            0 => self.float,
            -1 => self.float * Scaled::PART,
            -2 => self.float * Scaled::PART * Scaled::PART,
            blocks => {
                if blocks < 0 {
                    0.0
                } else {
                    f64::INFINITY
                }
            }
        }
    }
}

/// C(n, k) as a whole number.
pub(crate) fn binomial(n: u32, k: u32) -> BigUint {
    (0..k.min(n - k)).fold(BigUint::one(), |acc, i| acc.ratio(u64::from(n - i), u64::from(i + 1)))
}

/// `sum_(i<n) again^i total^(n-1-i)`: in how many outcomes of n throws, each with `again` of its `total` outcomes going on to
/// the next, one of them is the first that does not, for each outcome in which it does not.
pub fn first_that_stays(again: u64, total: u64, n: u32) -> BigUint {
    let power = |base: u64| BigUint::from(base).pow(n);
    if again == total {
        return BigUint::from(total).pow(n.saturating_sub(1)) * n;
    }
    (power(total) - power(again)) / (total - again)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn throws_until_one_stays() {
        for (again, total) in [(0, 6), (1, 6), (5, 6), (6, 6)] {
            for n in [1, 2, 7] {
                let terms = (0..n).map(|i| BigUint::from(again).pow(i) * BigUint::from(total).pow(n - 1 - i));
                assert_eq!(first_that_stays(again, total, n), terms.sum(), "{again} {total} {n}");
            }
        }
    }
}
