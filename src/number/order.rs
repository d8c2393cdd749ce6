//! Which number is less, without an overflow however large the parts are.

use std::cmp::Ordering;

use super::Number;

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
