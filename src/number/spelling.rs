//! Numbers as text: decimals where they are exact, else fractions.

use std::fmt;

use super::Number;

impl Number {
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
