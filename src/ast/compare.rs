//! Comparisons. They stand apart because the same six signs test totals and, in conditions, single dice.

use super::Node;

/// A comparison of two totals.
#[derive(Clone, Debug, PartialEq)]
pub struct Compare {
    /// The left side.
    pub left: Node,
    /// How they are compared.
    pub comparison: Comparison,
    /// The right side.
    pub right: Node,
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `>=`
    AtOrAbove,
    /// `<=`
    AtOrBelow,
    /// `>`
    Above,
    /// `<`
    Below,
    /// `=`
    Equal,
    /// `<>`
    Unequal,
}

impl Comparison {
    /// Its canonical spelling.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Comparison::AtOrAbove => ">=",
            Comparison::AtOrBelow => "<=",
            Comparison::Above => ">",
            Comparison::Below => "<",
            Comparison::Equal => "=",
            Comparison::Unequal => "<>",
        }
    }

    /// Whether `left` and `right` compare so.
    #[must_use]
    pub fn holds<T: Ord>(self, left: &T, right: &T) -> bool {
        match self {
            Comparison::AtOrAbove => left >= right,
            Comparison::AtOrBelow => left <= right,
            Comparison::Above => left > right,
            Comparison::Below => left < right,
            Comparison::Equal => left == right,
            Comparison::Unequal => left != right,
        }
    }
}
