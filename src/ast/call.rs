//! Functions: a closed list, with their spelling and how many arguments they take.

use super::Node;

/// A function with its arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Which one.
    pub function: Function,
    /// Its arguments, at least one.
    pub arguments: Vec<Node>,
}

/// The functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// Rounds down.
    Floor,
    /// Rounds up.
    Ceil,
    /// Rounds to the nearest, halves away from zero.
    Round,
    /// Rounds towards zero.
    Trunc,
    /// Without its sign.
    Abs,
    /// The least of the arguments.
    Min,
    /// The greatest of the arguments.
    Max,
    /// -1, 0 or 1.
    Sign,
}

impl Function {
    /// Every function.
    pub const ALL: [Function; 8] = [
        Function::Floor,
        Function::Ceil,
        Function::Round,
        Function::Trunc,
        Function::Abs,
        Function::Min,
        Function::Max,
        Function::Sign,
    ];

    /// Its canonical spelling.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Function::Floor => "floor",
            Function::Ceil => "ceil",
            Function::Round => "round",
            Function::Trunc => "trunc",
            Function::Abs => "abs",
            Function::Min => "min",
            Function::Max => "max",
            Function::Sign => "sign",
        }
    }

    /// Whether it takes any number of arguments; the others take one.
    #[must_use]
    pub const fn is_variadic(self) -> bool {
        match self {
            Function::Min | Function::Max => true,
            Function::Floor
            | Function::Ceil
            | Function::Round
            | Function::Trunc
            | Function::Abs
            | Function::Sign => false,
        }
    }
}
