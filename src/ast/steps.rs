//! Steps: what happens to the dice of a pool, and to which of them. The same steps stand behind dice, groups and names,
//! so they know none of these.

use super::{Comparison, Node, Span};

/// One step of a pool.
#[derive(Clone, Debug)]
pub struct Step {
    /// What it does.
    pub kind: StepKind,
    /// Where it stands.
    pub span: Span,
    /// Its number in the text, which is how a die remembers what decided it.
    pub id: u32,
}

impl PartialEq for Step {
    fn eq(&self, other: &Step) -> bool {
        self.kind == other.kind
    }
}

/// What a step does. Amounts and targets are numbers, or brackets that are rolled when the step begins.
#[derive(Clone, Debug, PartialEq)]
pub enum StepKind {
    /// Keeps some dice or drops them.
    Select(Take, End, Node),
    /// Throws more dice for those that meet a condition.
    Explode(Explode),
    /// Throws dice again.
    Reroll(Reroll),
    /// A lower worth becomes this.
    AtLeast(Node),
    /// A higher worth becomes this.
    AtMost(Node),
    /// Counts the dice that meet the condition.
    Count(Condition),
    /// Takes the dice that meet the condition from the count.
    Fail(Condition),
    /// Shows the dice in order.
    Sort(Order),
}

/// Whether a selection keeps or drops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Take {
    /// The selected dice stay, the others go.
    Keep,
    /// The selected dice go, the others stay.
    Drop,
}

/// Which end a selection takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The dice of highest worth.
    Highest,
    /// The dice of lowest worth.
    Lowest,
}

/// An explosion.
#[derive(Clone, Debug, PartialEq)]
pub struct Explode {
    /// The extra faces grow the die itself (`!!`) and are no dice of their own.
    pub compound: bool,
    /// Each extra is worth its face minus 1.
    pub penetrate: bool,
    /// Which dice explode; without it, those that show the top face of their kind.
    pub condition: Option<Condition>,
    /// How many extras there are at most for each original die.
    pub limit: Repetition,
}

/// A reroll.
#[derive(Clone, Debug, PartialEq)]
pub struct Reroll {
    /// Which dice are thrown again.
    pub condition: Condition,
    /// How often, and which face stands.
    pub mode: RerollMode,
}

/// How a reroll ends.
#[derive(Clone, Debug, PartialEq)]
pub enum RerollMode {
    /// The newest face stands; again while the condition is met, up to the limit.
    Newest(Repetition),
    /// Once, and the higher of the two faces stands.
    Better,
}

/// How often something may happen to one die.
#[derive(Clone, Debug, PartialEq)]
pub enum Repetition {
    /// As often as the condition is met.
    Unlimited,
    /// At most once: `!o`, `ro`.
    Once,
    /// At most so often: `lim2`.
    Limit(Node),
}

/// Which dice a step means.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// Worths that compare so with a number.
    Compare(Comparison, Node),
    /// Worths in one of these ranges, both ends included.
    Set(Vec<(i64, i64)>),
    /// Even worths.
    Even,
    /// Odd worths.
    Odd,
}

/// The order in which dice are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// From the lowest to the highest.
    Ascending,
    /// From the highest to the lowest.
    Descending,
}
