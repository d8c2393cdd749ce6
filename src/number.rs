//! Exact numbers: whole numbers and fractions, never floating point.

use std::cmp::Ordering;
use std::fmt;

/// An exact fraction in lowest terms with a positive denominator.
///
/// Numerator and denominator have 127 bits; an operation whose result does not fit returns `None`, never a
/// wrapped or rounded number.
///
/// ```
/// use dice::Number;
/// let half = Number::ratio(1, 2).unwrap();
/// assert_eq!(half.plus(Number::from(3)).unwrap().to_string(), "3.5");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Number {
    numerator: i128,
    denominator: i128,
}

impl Number {
    /// 0.
    pub const ZERO: Number = Number::whole(0);
    /// 1.
    pub const ONE: Number = Number::whole(1);

    /// A whole number.
    #[must_use]
    pub const fn whole(value: i128) -> Number {
        Number { numerator: value, denominator: 1 }
    }

    /// `numerator / denominator` in lowest terms; `None` if the denominator is 0 or the result does not fit.
    #[must_use]
    pub fn ratio(numerator: i128, denominator: i128) -> Option<Number> {
        if denominator == 0 {
            return None;
        }
        let shared = gcd(numerator.unsigned_abs(), denominator.unsigned_abs());
        let shared = i128::try_from(shared).ok()?;
        let (mut n, mut d) = (numerator.checked_div(shared)?, denominator.checked_div(shared)?);
        if d < 0 {
            (n, d) = (n.checked_neg()?, d.checked_neg()?);
        }
        Some(Number { numerator: n, denominator: d })
    }

    /// The numerator, in lowest terms; it carries the sign.
    #[must_use]
    pub const fn numerator(self) -> i128 {
        self.numerator
    }

    /// The denominator, in lowest terms, at least 1.
    #[must_use]
    pub const fn denominator(self) -> i128 {
        self.denominator
    }

    /// The value if it is a whole number.
    #[must_use]
    pub const fn as_whole(self) -> Option<i128> {
        if self.denominator == 1 { Some(self.numerator) } else { None }
    }

    /// The value if it is a whole number that fits 64 bits.
    #[must_use]
    pub fn as_i64(self) -> Option<i64> {
        self.as_whole().and_then(|whole| i64::try_from(whole).ok())
    }

    /// The value if it is a whole number from 0 to 2^64-1.
    #[must_use]
    pub fn as_u64(self) -> Option<u64> {
        self.as_whole().and_then(|whole| u64::try_from(whole).ok())
    }

    /// The nearest floating-point number, for plots and estimates.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "an approximation is what is asked for")]
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// Whether this is 0.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.numerator == 0
    }

    /// Whether this is below 0.
    #[must_use]
    pub const fn is_negative(self) -> bool {
        self.numerator < 0
    }

    /// The sum.
    #[must_use]
    pub fn plus(self, other: Number) -> Option<Number> {
        if self.denominator == 1 && other.denominator == 1 {
            return self.numerator.checked_add(other.numerator).map(Number::whole);
        }
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        Number::ratio(left.checked_add(right)?, self.denominator.checked_mul(other.denominator)?)
    }

    /// The difference.
    #[must_use]
    pub fn minus(self, other: Number) -> Option<Number> {
        self.plus(other.negated()?)
    }

    /// The product.
    #[must_use]
    pub fn times(self, other: Number) -> Option<Number> {
        if self.denominator == 1 && other.denominator == 1 {
            return self.numerator.checked_mul(other.numerator).map(Number::whole);
        }
        // Crosswise reduction first, so that what fits in the end also fits on the way.
        let left = Number::ratio(self.numerator, other.denominator)?;
        let right = Number::ratio(other.numerator, self.denominator)?;
        Number::ratio(
            left.numerator.checked_mul(right.numerator)?,
            left.denominator.checked_mul(right.denominator)?,
        )
    }

    /// The exact quotient; `None` also when `other` is 0.
    #[must_use]
    pub fn over(self, other: Number) -> Option<Number> {
        if other.is_zero() {
            return None;
        }
        self.times(Number::ratio(other.denominator, other.numerator)?)
    }

    /// The quotient rounded down; `None` also when `other` is 0.
    #[must_use]
    pub fn over_down(self, other: Number) -> Option<Number> {
        self.over(other).map(Number::floor)
    }

    /// What [`Number::over_down`] leaves: `a = b * (a // b) + a % b`.
    #[must_use]
    pub fn remainder(self, other: Number) -> Option<Number> {
        self.minus(other.times(self.over_down(other)?)?)
    }

    /// The power with a whole exponent of at least 0; `0^0` is 1.
    #[must_use]
    pub fn power(self, exponent: u64) -> Option<Number> {
        if exponent == 0 {
            return Some(Number::ONE);
        }
        if self == Number::ZERO || self == Number::ONE {
            return Some(self);
        }
        if self == Number::whole(-1) {
            return Some(if exponent.is_multiple_of(2) { Number::ONE } else { self });
        }
        let exponent = u32::try_from(exponent).ok()?;
        Some(Number {
            numerator: self.numerator.checked_pow(exponent)?,
            denominator: self.denominator.checked_pow(exponent)?,
        })
    }

    /// The number with the other sign.
    #[must_use]
    pub fn negated(self) -> Option<Number> {
        Some(Number { numerator: self.numerator.checked_neg()?, denominator: self.denominator })
    }

    /// The number without its sign.
    #[must_use]
    pub fn absolute(self) -> Option<Number> {
        if self.is_negative() { self.negated() } else { Some(self) }
    }

    /// Rounded down.
    #[must_use]
    pub const fn floor(self) -> Number {
        Number::whole(self.numerator.div_euclid(self.denominator))
    }

    /// Rounded up.
    #[must_use]
    pub const fn ceil(self) -> Number {
        let down = self.numerator.div_euclid(self.denominator);
        Number::whole(if self.denominator == 1 { down } else { down + 1 })
    }

    /// Rounded towards zero.
    #[must_use]
    pub const fn trunc(self) -> Number {
        Number::whole(self.numerator / self.denominator)
    }

    /// Rounded to the nearest whole number, halves away from zero.
    #[must_use]
    pub fn round(self) -> Number {
        let towards = self.numerator / self.denominator;
        let rest = (self.numerator % self.denominator).unsigned_abs();
        let half_or_more = rest >= self.denominator.unsigned_abs() - rest;
        let step = if !half_or_more || rest == 0 { 0 } else { self.numerator.signum() };
        Number::whole(towards + step)
    }

    /// -1, 0 or 1.
    #[must_use]
    pub const fn signum(self) -> Number {
        Number::whole(self.numerator.signum())
    }

    /// The exact spelling: `3`, `-7/2`.
    #[must_use]
    pub fn exact(self) -> String {
        match self.as_whole() {
            Some(whole) => whole.to_string(),
            None => format!("{}/{}", self.numerator, self.denominator),
        }
    }

    /// The decimal spelling if the number has one with at most `places` digits behind the point.
    #[must_use]
    pub fn decimal(self, places: u32) -> Option<String> {
        let mut scale: i128 = 1;
        let mut digits = 0;
        while scale % self.denominator != 0 {
            digits += 1;
            if digits > places {
                return None;
            }
            scale = scale.checked_mul(10)?;
        }
        if digits == 0 {
            return Some(self.numerator.to_string());
        }
        let scaled = self.numerator.checked_mul(scale / self.denominator)?.unsigned_abs();
        let scale = scale.unsigned_abs();
        let sign = if self.is_negative() { "-" } else { "" };
        let width = usize::try_from(digits).ok()?;
        Some(format!("{sign}{}.{:0width$}", scaled / scale, scaled % scale))
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Number {
        Number::whole(i128::from(value))
    }
}

impl Default for Number {
    fn default() -> Number {
        Number::ZERO
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Number) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Number) -> Ordering {
        if self.denominator == other.denominator {
            return self.numerator.cmp(&other.numerator);
        }
        match self.floor().numerator.cmp(&other.floor().numerator) {
            Ordering::Equal => fraction_order(*self, *other),
            unequal @ (Ordering::Less | Ordering::Greater) => unequal,
        }
    }
}

/// Compares two numbers with the same whole part by the continued fractions of what is left, which cannot
/// overflow however large the parts are.
fn fraction_order(left: Number, right: Number) -> Ordering {
    let (mut a, mut b) = (left.numerator.rem_euclid(left.denominator), left.denominator);
    let (mut c, mut d) = (right.numerator.rem_euclid(right.denominator), right.denominator);
    loop {
        // Both fractions lie in [0, 1): compare a/b with c/d by comparing d/c with b/a.
        if a == 0 || c == 0 {
            return a.cmp(&c);
        }
        match (d / c).cmp(&(b / a)) {
            Ordering::Equal => (a, b, c, d) = (d % c, c, b % a, a),
            unequal @ (Ordering::Less | Ordering::Greater) => return unequal,
        }
    }
}

/// A decimal where that is exact within six places, else the fraction with an approximation.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.decimal(6) {
            Some(decimal) => f.pad(&decimal),
            None => f.pad(&format!("{} (about {:.3})", self.exact(), self.to_f64())),
        }
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.exact())
    }
}

/// The greatest common divisor (Euclid); 0 counts as a multiple of everything.
fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::Number;

    fn ratio(n: i128, d: i128) -> Number {
        Number::ratio(n, d).unwrap()
    }

    #[test]
    fn rounds_every_way() {
        let table = [
            ((5, 2), [2, 3, 3, 2]),
            ((-5, 2), [-3, -2, -3, -2]),
            ((7, 3), [2, 3, 2, 2]),
            ((-7, 3), [-3, -2, -2, -2]),
            ((4, 1), [4, 4, 4, 4]),
            ((0, 1), [0, 0, 0, 0]),
        ];
        for ((n, d), [floor, ceil, round, trunc]) in table {
            let x = ratio(n, d);
            let all = [x.floor(), x.ceil(), x.round(), x.trunc()];
            assert_eq!(all, [floor, ceil, round, trunc].map(Number::whole), "{n}/{d}");
        }
    }

    #[test]
    fn orders_without_overflow() {
        let big = i128::MAX;
        assert!(ratio(big - 1, big) < Number::ONE);
        assert!(ratio(big - 2, big - 1) < ratio(big - 1, big));
        assert!(ratio(-1, 3) < ratio(-1, 4));
        assert!(ratio(1, 3) < ratio(1, 2));
        assert_eq!(ratio(2, 4).cmp(&ratio(1, 2)), std::cmp::Ordering::Equal);
    }

    #[test]
    fn order_agrees_with_cross_multiplication() {
        for a in -7..7 {
            for b in 1..7 {
                for c in -7..7 {
                    for d in 1..7 {
                        assert_eq!(ratio(a, b).cmp(&ratio(c, d)), (a * d).cmp(&(c * b)), "{a}/{b} {c}/{d}");
                    }
                }
            }
        }
    }

    #[test]
    fn refuses_what_does_not_fit() {
        let big = Number::whole(i128::MAX);
        assert_eq!(big.plus(Number::ONE), None);
        assert_eq!(big.times(Number::whole(2)), None);
        assert_eq!(Number::whole(10).power(39), None);
        assert_eq!(Number::whole(i128::MIN).negated(), None);
        assert_eq!(Number::ONE.over(Number::ZERO), None);
        assert_eq!(Number::ratio(1, 0), None);
    }

    #[test]
    fn spells_decimals_only_where_exact() {
        assert_eq!(ratio(7, 2).to_string(), "3.5");
        assert_eq!(ratio(-1, 8).to_string(), "-0.125");
        assert_eq!(ratio(10, 3).to_string(), "10/3 (about 3.333)");
        assert_eq!(ratio(1, 128).to_string(), "1/128 (about 0.008)");
        assert_eq!(ratio(1, 64).to_string(), "0.015625");
    }

    #[test]
    fn powers() {
        assert_eq!(Number::ZERO.power(0), Some(Number::ONE));
        assert_eq!(Number::whole(-1).power(u64::MAX), Some(Number::whole(-1)));
        assert_eq!(ratio(-2, 3).power(3), Some(ratio(-8, 27)));
    }
}
