//! The whole numbers next to a number. Nothing here can overflow, so nothing returns an option.

use super::Number;

impl Number {
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
}
