//! What joins terms to a number or changes one: signs, operators, powers, labels and choices. None of it knows of
//! dice.

use super::{Node, Span};

/// A sign in front of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// `-`
    Negative,
    /// `+`
    Positive,
}

/// Operators of one level, from left to right. Long sums are one node, so that nothing recurses over them.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// The leftmost operand.
    pub first: Node,
    /// The others, each with the operator before it.
    pub rest: Vec<Link>,
}

impl Chain {
    /// One of its operators; all are of the same level.
    #[must_use]
    pub fn operator(&self) -> Operator {
        self.rest.first().map_or(Operator::Add, |link| link.operator)
    }
}

/// An operator and its right operand.
#[derive(Clone, Debug)]
pub struct Link {
    /// The operator.
    pub operator: Operator,
    /// Where the operator stands.
    pub at: Span,
    /// The right operand.
    pub operand: Node,
}

impl PartialEq for Link {
    fn eq(&self, other: &Link) -> bool {
        self.operator == other.operator && self.operand == other.operand
    }
}

/// The operators of sums and products.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`, exact
    Divide,
    /// `//`, rounded down
    DivideDown,
    /// `%`, what `//` leaves
    Remainder,
}

impl Operator {
    /// Whether it belongs to the level of sums; else to that of products.
    #[must_use]
    pub const fn is_sum(self) -> bool {
        match self {
            Operator::Add | Operator::Subtract => true,
            Operator::Multiply | Operator::Divide | Operator::DivideDown | Operator::Remainder => false,
        }
    }

    /// Its canonical spelling.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
            Operator::DivideDown => "//",
            Operator::Remainder => "%",
        }
    }
}

/// A power.
#[derive(Clone, Debug)]
pub struct Power {
    /// What is raised.
    pub base: Node,
    /// How often it is multiplied.
    pub exponent: Node,
    /// Where the operator stands.
    pub at: Span,
}

impl PartialEq for Power {
    fn eq(&self, other: &Power) -> bool {
        self.base == other.base && self.exponent == other.exponent
    }
}

/// A labelled term.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// The term.
    pub inner: Node,
    /// The text between the square brackets, as typed.
    pub text: Box<str>,
}

/// One of two branches, chosen by a condition: any value but 0 is true.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// What decides.
    pub condition: Node,
    /// The value where the condition is not 0.
    pub then: Node,
    /// The value where the condition is 0.
    pub otherwise: Node,
}
