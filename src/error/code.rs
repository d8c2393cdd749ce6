//! The kinds of errors, with the numbers by which they are known outside. A number stays what it is for good.

/// The kinds of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Code {
    /// The text is empty.
    Nothing,
    /// Something does not belong where it stands: `2d6)`.
    Unexpected,
    /// A word after a roll is no step and no comment: `2d6x3`.
    UnknownStep,
    /// The sides of a die are missing: `2d`.
    MissingSides,
    /// A bracket is not closed: `(2d6`.
    Unclosed,
    /// Two terms stand side by side: `2d6 3`.
    MissingOperator,
    /// An operand is missing: `2d6+`.
    MissingOperand,
    /// A character that the notation does not have: `2d6–3`.
    Character,
    /// A number above 2^63-1.
    NumberTooLarge,
    /// A name that is not set: `a + 1`.
    UnknownName,
    /// No such function: `florr(3)`.
    UnknownFunction,
    /// Another letter for `d`: `2w6`.
    NoDie,
    /// A step lacks its condition or amount: `4d6r`.
    MissingAmount,
    /// Comparisons in a row: `1<2<3`.
    ChainedComparison,
    /// A text that can be read in two ways: `2d6!=4`.
    Ambiguous,
    /// A name that cannot be set: `floor = 1; 2`.
    Name,
    /// More dice are to be kept or dropped than there are: `4d6kh5`.
    TooFewDice,
    /// An explosion or a reroll never ends: `1d1!`.
    Endless,
    /// A die has no side: `d0`.
    Sides,
    /// The number of dice is negative or fractional: `1.5d6`.
    Count,
    /// An amount is negative or fractional where it must not be: `4d6kh1.5`.
    Amount,
    /// A step stands on something that is no pool: `3kh1`.
    NoPool,
    /// A step that the pool does not take: `5d10c>=7kh1`.
    StepOrder,
    /// Listed faces, sets, ranges or weights that make no sense: `d{3..1}`.
    Faces,
    /// One member of a group is no sum of pools: `{5d6+3}`.
    Member,
    /// The wrong number of arguments: `floor(1,2)`.
    Arguments,
    /// A bare comparison that says nothing about single dice: `2d6>=10`.
    Pointless,
    /// The number of repetitions is 0 or no whole number: `0x 2d6`.
    Repeat,
    /// Division by zero: `1/0`.
    DivisionByZero,
    /// A number does not fit: `9^9^9^9`.
    Overflow,
    /// An exponent is negative or fractional: `2^-1`.
    Exponent,
    /// A limit was met: `1000001d6`.
    Limit,
    /// Scripted faces do not fit the dice.
    Script,
    /// A distribution cannot be computed within the budget.
    Budget,
    /// A grammar file is wrong.
    Grammar,
    /// Something that should not happen; please report it.
    Internal,
}

impl Code {
    /// The code as shown: `E101`.
    #[must_use]
    pub const fn number(self) -> &'static str {
        match self {
            Code::Nothing => "E001",
            Code::Unexpected => "E002",
            Code::UnknownStep => "E003",
            Code::MissingSides => "E004",
            Code::Unclosed => "E005",
            Code::MissingOperator => "E006",
            Code::MissingOperand => "E007",
            Code::Character => "E008",
            Code::NumberTooLarge => "E009",
            Code::UnknownName => "E010",
            Code::UnknownFunction => "E011",
            Code::NoDie => "E012",
            Code::MissingAmount => "E013",
            Code::ChainedComparison => "E014",
            Code::Ambiguous => "E015",
            Code::Name => "E016",
            Code::TooFewDice => "E101",
            Code::Endless => "E102",
            Code::Sides => "E103",
            Code::Count => "E104",
            Code::Amount => "E105",
            Code::NoPool => "E106",
            Code::StepOrder => "E107",
            Code::Faces => "E108",
            Code::Member => "E109",
            Code::Arguments => "E110",
            Code::Pointless => "E111",
            Code::Repeat => "E112",
            Code::DivisionByZero => "E201",
            Code::Overflow => "E202",
            Code::Exponent => "E203",
            Code::Limit => "E301",
            Code::Script => "E302",
            Code::Budget => "E303",
            Code::Grammar => "E401",
            Code::Internal => "E999",
        }
    }

    /// Whether the text itself is wrong; else it was understood and evaluating it failed.
    #[must_use]
    pub fn is_notation(self) -> bool {
        self < Code::DivisionByZero || self == Code::Grammar
    }
}
