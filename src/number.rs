//! Exact numbers: whole numbers and fractions, never floating point.

mod order;
mod rounding;
mod spelling;
#[cfg(test)]
mod tests;

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

/// The greatest common divisor (Euclid); 0 counts as a multiple of everything.
fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
