//! The tree of a text: what was written, with nothing rolled yet.
//!
//! Trees are owned, `Send` and `Sync`, know neither the parser nor chance, and print as their canonical
//! spelling, which parses back to the same tree. Two trees are equal if they mean the same, wherever in
//! their texts they stand.

mod call;
mod compare;
mod expr;
mod house;
mod operators;
mod pool;
mod span;
mod steps;

pub use call::{Call, Function};
pub use compare::{Compare, Comparison};
pub use expr::{Definition, Expr, Repeat};
pub(crate) use expr::{Inner, StepFacts};
pub use house::House;
pub use operators::{Chain, Choice, Label, Link, Operator, Power, Sign};
pub use pool::{Dice, Group, Named, Sides};
pub use span::Span;
pub use steps::{Condition, End, Explode, Order, Repetition, Reroll, RerollMode, Step, StepKind, Take};

use crate::number::Number;

/// A node of the tree and where it stands.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// Where it stands.
    pub span: Span,
}

impl Node {
    /// The number, where that is all there is.
    pub(crate) fn written(&self) -> Option<Number> {
        if let Kind::Number(number) = &self.kind { Some(*number) } else { None }
    }
}

impl PartialEq for Node {
    fn eq(&self, other: &Node) -> bool {
        self.kind == other.kind
    }
}

/// What a node is.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A number: `3`, `1.5`.
    Number(Number),
    /// Dice with their steps: `4d6kh3`.
    Dice(Box<Dice>),
    /// Results side by side, or one pool of several kinds of dice: `{2d6, 1d8}kh1`.
    Group(Box<Group>),
    /// A name with the steps behind it: `p kh1`.
    Named(Box<Named>),
    /// A function: `max(1d6, 3)`.
    Call(Box<Call>),
    /// Brackets: `(1d6+2)`.
    Bracket(Box<Node>),
    /// A sign: `-3d6`.
    Signed(Sign, Box<Node>),
    /// Operators of one level from left to right: `1d6 + 2 - 3`.
    Chain(Box<Chain>),
    /// A power: `2^3`.
    Power(Box<Power>),
    /// A label: `2d6[fire]`.
    Label(Box<Label>),
    /// A comparison of totals, worth 1 or 0: `1d20+5 >= 15`.
    Compare(Box<Compare>),
    /// One of two: `1 ? 2 : 3`.
    Choice(Box<Choice>),
    /// A house rule and what it stands for.
    House(Box<House>),
}
