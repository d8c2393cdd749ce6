//! The tree of a text: what was written, with nothing rolled yet.
//!
//! Trees are owned, `Send` and `Sync`, know neither the parser nor chance, and print as their canonical
//! spelling, which parses back to the same tree. Two trees are equal if they mean the same, wherever in
//! their texts they stand.

use std::sync::Arc;

use crate::die::Die;
use crate::number::Number;
use crate::plain::Plain;

/// A range of bytes in the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte behind the last.
    pub end: u32,
}

impl Span {
    /// The span from the start of `self` to the end of `other`.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start, end: other.end }
    }

    /// As a range of bytes for slicing.
    #[must_use]
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A whole text, understood: parse one with `"4d6kh3+2".parse::<Expr>()`.
///
/// Cheap to clone.
#[derive(Clone, Debug)]
pub struct Expr {
    pub(crate) inner: Arc<Inner>,
}

#[derive(Debug)]
pub(crate) struct Inner {
    /// The text as typed, for carets.
    pub text: Arc<str>,
    pub repeat: Option<Repeat>,
    pub definitions: Vec<Definition>,
    pub body: Node,
    pub comment: Option<Box<str>>,
    /// How many names there are, those inside house rules included: the size of the environment.
    pub names: u32,
    /// What the checks found out about each step, by its number.
    pub facts: Vec<StepFacts>,
    /// Which dice are plain pools, by their number.
    pub plains: Vec<Option<Plain>>,
}

/// What is known of a step before anything is rolled.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StepFacts {
    /// The step is known to end, so it need not be checked while rolling.
    pub ends: bool,
}

impl PartialEq for Expr {
    fn eq(&self, other: &Expr) -> bool {
        self.repeat().map(|r| r.times) == other.repeat().map(|r| r.times)
            && self.definitions() == other.definitions()
            && self.body() == other.body()
            && self.comment() == other.comment()
    }
}

impl Expr {
    /// The text it was parsed from.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.inner.text
    }

    /// How often the whole is rolled, if the text says so: `6x 4d6kh3`.
    #[must_use]
    pub fn repeat(&self) -> Option<&Repeat> {
        self.inner.repeat.as_ref()
    }

    /// The names that are set, in order.
    #[must_use]
    pub fn definitions(&self) -> &[Definition] {
        &self.inner.definitions
    }

    /// The tree whose value is the total.
    #[must_use]
    pub fn body(&self) -> &Node {
        &self.inner.body
    }

    /// The comment behind `#`, without the blanks around it.
    #[must_use]
    pub fn comment(&self) -> Option<&str> {
        self.inner.comment.as_deref()
    }
}

/// The repetition at the start of a text: `6x`.
#[derive(Clone, Debug)]
pub struct Repeat {
    /// How often, at least 1.
    pub times: u64,
    /// Where it stands.
    pub span: Span,
}

/// A name and what it was set to: `a = 1d20;`.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The name in lower case.
    pub name: Box<str>,
    /// Its place in the environment, unique in a text.
    pub index: u32,
    /// What it stands for.
    pub value: Node,
    /// Whether it holds a pool, so that steps may follow the name.
    pub pool: bool,
    /// Where the name stands.
    pub span: Span,
}

impl PartialEq for Definition {
    fn eq(&self, other: &Definition) -> bool {
        self.name == other.name && self.value == other.value
    }
}

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

/// A house rule: a word that stands for notation.
#[derive(Clone, Debug)]
pub struct House {
    /// The name of the rule in the grammar.
    pub rule: Box<str>,
    /// As typed.
    pub typed: Box<str>,
    /// The names that its notation sets.
    pub definitions: Vec<Definition>,
    /// The notation that it stands for.
    pub body: Node,
}

impl House {
    /// The notation that it stands for, with its names if it sets any.
    #[must_use]
    pub fn notation(&self) -> String {
        let definitions: Vec<String> =
            self.definitions.iter().map(|definition| format!("{definition} ")).collect();
        definitions.concat() + &self.body.to_string()
    }
}

impl PartialEq for House {
    fn eq(&self, other: &House) -> bool {
        self.definitions == other.definitions && self.body == other.body
    }
}

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
