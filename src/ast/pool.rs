//! Whatever steps can stand behind: dice, groups, and names that hold a pool. Each has its number in the text, by which
//! a roll finds what became of it.

use super::{Node, Span, Step};
use crate::die::Die;

/// Dice of one kind.
#[derive(Clone, Debug)]
pub struct Dice {
    /// Its number in the text, by which a roll finds its dice.
    pub id: u32,
    /// How many: a number, or a bracket that is rolled first.
    pub count: Node,
    /// The die.
    pub sides: Sides,
    /// What happens to them, in order.
    pub steps: Vec<Step>,
    /// Where count and sides stand, without the steps.
    pub thrown: Span,
}

impl PartialEq for Dice {
    fn eq(&self, other: &Dice) -> bool {
        self.count == other.count && self.sides == other.sides && self.steps == other.steps
    }
}

/// The sides of a die.
#[derive(Clone, Debug, PartialEq)]
pub enum Sides {
    /// Known from the text.
    Known(Die),
    /// Computed in a bracket: `1d(7//2)`.
    Computed(Node),
}

/// Several results, or one pool of several kinds of dice.
#[derive(Clone, Debug)]
pub struct Group {
    /// Its number in the text, by which a roll finds its members.
    pub id: u32,
    /// The members. One member is a sum of pools, whose dice make up one pool.
    pub members: Vec<Node>,
    /// What happens to the members, or to the dice of the one pool.
    pub steps: Vec<Step>,
}

impl PartialEq for Group {
    fn eq(&self, other: &Group) -> bool {
        self.members == other.members && self.steps == other.steps
    }
}

impl Group {
    /// Whether this is one pool of all its dice: `{5d6+2d4}`.
    #[must_use]
    pub fn is_pool(&self) -> bool {
        self.members.len() == 1
    }
}

/// A name where it is used.
#[derive(Clone, Debug)]
pub struct Named {
    /// The number of this use in the text.
    pub id: u32,
    /// The name in lower case.
    pub name: Box<str>,
    /// Its place in the environment.
    pub index: u32,
    /// What happens to its dice, in this place only.
    pub steps: Vec<Step>,
}

impl PartialEq for Named {
    fn eq(&self, other: &Named) -> bool {
        self.name == other.name && self.steps == other.steps
    }
}
