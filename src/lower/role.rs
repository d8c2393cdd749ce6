//! What each rule of the grammar means to the lowering: the one place that names every rule.
//!
//! There is no catch-all arm: a rule that is added to `dice.pest` and missing here does not compile, and each
//! role leads the compiler on to the tree, the printer, the evaluator and the odds. House rules (rules with a
//! `=>` line) need no role of their own; the build script adds their arms.

use crate::ast::{Comparison, End, Function, Operator, Order, Sign, Take};
use crate::grammar::Rule;

/// What a node of the parse tree is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Something with a value, with which a term begins.
    Operand(Operand),
    /// Something that takes what stands before it as its left operand.
    Follower(Follower),
    /// A step of a pool.
    Step(StepRole),
    /// What a condition asks for.
    Ask(Ask),
    /// The sides of a die.
    Sides(SidesRole),
    /// A function's name.
    Function(Function),
    /// A part that only its parent's rule looks at.
    Part(Part),
    /// A house rule, by its place in the grammar's list.
    House(usize),
    /// Leaves no node in the tree.
    Silent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    Number,
    Bracket,
    Dice,
    Group,
    House,
    Call,
    Named,
    Hole,
    Signed(Sign),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Follower {
    Label,
    Binary(Operator),
    Raise,
    Compare,
    Branch,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StepRole {
    Select(Take, End),
    Explode {
        compound: bool,
        penetrate: bool,
        once: bool,
    },
    Reroll {
        once: bool,
        better: bool,
    },
    AtLeast,
    AtMost,
    Count,
    Fail,
    Sort(Order),
    /// Refused: it could mean two things.
    Unclear,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ask {
    Compare(Comparison),
    BelowZero,
    Set,
    Even,
    Odd,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SidesRole {
    Percent,
    Fudge,
    Faces,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Roll,
    Repeat,
    Definition,
    Comment,
    CommentText,
    Name,
    Then,
    Otherwise,
    Right,
    LabelText,
    Member,
    Argument,
    Face,
    Weight,
    Whole,
    Element,
    Limit,
    UnclearSign,
    HoleKey,
    HoleDefault,
}

include!(concat!(env!("OUT_DIR"), "/house.rs"));

/// The role of a rule.
#[expect(clippy::too_many_lines, reason = "one line a rule")]
pub(crate) fn role(rule: Rule) -> Role {
    const fn explode(compound: bool, penetrate: bool, once: bool) -> Role {
        Role::Step(StepRole::Explode { compound, penetrate, once })
    }
    const fn reroll(once: bool, better: bool) -> Role {
        Role::Step(StepRole::Reroll { once, better })
    }
    with_house_rules!(rule, {
        Rule::number => Role::Operand(Operand::Number),
        Rule::bracket => Role::Operand(Operand::Bracket),
        Rule::dice => Role::Operand(Operand::Dice),
        Rule::group => Role::Operand(Operand::Group),
        Rule::house_rule => Role::Operand(Operand::House),
        Rule::call => Role::Operand(Operand::Call),
        Rule::named => Role::Operand(Operand::Named),
        Rule::hole => Role::Operand(Operand::Hole),
        Rule::negative => Role::Operand(Operand::Signed(Sign::Negative)),
        Rule::positive => Role::Operand(Operand::Signed(Sign::Positive)),

        Rule::label => Role::Follower(Follower::Label),
        Rule::add => Role::Follower(Follower::Binary(Operator::Add)),
        Rule::subtract => Role::Follower(Follower::Binary(Operator::Subtract)),
        Rule::multiply => Role::Follower(Follower::Binary(Operator::Multiply)),
        Rule::divide => Role::Follower(Follower::Binary(Operator::Divide)),
        Rule::divide_down => Role::Follower(Follower::Binary(Operator::DivideDown)),
        Rule::remainder => Role::Follower(Follower::Binary(Operator::Remainder)),
        Rule::raise => Role::Follower(Follower::Raise),
        Rule::compare => Role::Follower(Follower::Compare),
        Rule::branch => Role::Follower(Follower::Branch),

        Rule::keep_highest => Role::Step(StepRole::Select(Take::Keep, End::Highest)),
        Rule::keep_lowest => Role::Step(StepRole::Select(Take::Keep, End::Lowest)),
        Rule::drop_highest => Role::Step(StepRole::Select(Take::Drop, End::Highest)),
        Rule::drop_lowest => Role::Step(StepRole::Select(Take::Drop, End::Lowest)),
        Rule::explode => explode(false, false, false),
        Rule::explode_once => explode(false, false, true),
        Rule::compound => explode(true, false, false),
        Rule::penetrate => explode(false, true, false),
        Rule::compound_penetrate => explode(true, true, false),
        Rule::reroll => reroll(false, false),
        Rule::reroll_once => reroll(true, false),
        Rule::reroll_better => reroll(false, true),
        Rule::at_least => Role::Step(StepRole::AtLeast),
        Rule::at_most => Role::Step(StepRole::AtMost),
        Rule::count => Role::Step(StepRole::Count),
        Rule::fail => Role::Step(StepRole::Fail),
        Rule::sort_ascending => Role::Step(StepRole::Sort(Order::Ascending)),
        Rule::sort_descending => Role::Step(StepRole::Sort(Order::Descending)),
        Rule::unclear_explosion => Role::Step(StepRole::Unclear),

        Rule::at_or_above => Role::Ask(Ask::Compare(Comparison::AtOrAbove)),
        Rule::at_or_below => Role::Ask(Ask::Compare(Comparison::AtOrBelow)),
        Rule::above => Role::Ask(Ask::Compare(Comparison::Above)),
        Rule::below => Role::Ask(Ask::Compare(Comparison::Below)),
        Rule::equal => Role::Ask(Ask::Compare(Comparison::Equal)),
        Rule::unequal => Role::Ask(Ask::Compare(Comparison::Unequal)),
        Rule::differs => Role::Ask(Ask::Compare(Comparison::Unequal)),
        Rule::below_zero => Role::Ask(Ask::BelowZero),
        Rule::set => Role::Ask(Ask::Set),
        Rule::even => Role::Ask(Ask::Even),
        Rule::odd => Role::Ask(Ask::Odd),

        Rule::percent => Role::Sides(SidesRole::Percent),
        Rule::fudge => Role::Sides(SidesRole::Fudge),
        Rule::faces => Role::Sides(SidesRole::Faces),

        Rule::floor => Role::Function(Function::Floor),
        Rule::ceil => Role::Function(Function::Ceil),
        Rule::round => Role::Function(Function::Round),
        Rule::trunc => Role::Function(Function::Trunc),
        Rule::abs => Role::Function(Function::Abs),
        Rule::minimum => Role::Function(Function::Min),
        Rule::maximum => Role::Function(Function::Max),
        Rule::sign => Role::Function(Function::Sign),

        Rule::roll => Role::Part(Part::Roll),
        Rule::repeat => Role::Part(Part::Repeat),
        Rule::definition => Role::Part(Part::Definition),
        Rule::comment => Role::Part(Part::Comment),
        Rule::comment_text => Role::Part(Part::CommentText),
        Rule::name => Role::Part(Part::Name),
        Rule::then => Role::Part(Part::Then),
        Rule::otherwise => Role::Part(Part::Otherwise),
        Rule::right => Role::Part(Part::Right),
        Rule::label_text => Role::Part(Part::LabelText),
        Rule::member => Role::Part(Part::Member),
        Rule::argument => Role::Part(Part::Argument),
        Rule::face => Role::Part(Part::Face),
        Rule::weight => Role::Part(Part::Weight),
        Rule::whole => Role::Part(Part::Whole),
        Rule::element => Role::Part(Part::Element),
        Rule::limit => Role::Part(Part::Limit),
        Rule::unclear_sign => Role::Part(Part::UnclearSign),
        Rule::hole_key => Role::Part(Part::HoleKey),
        Rule::hole_default => Role::Part(Part::HoleDefault),

        Rule::repeated => Role::Silent,
        Rule::house => Role::Silent,
        Rule::choice => Role::Silent,
        Rule::sum => Role::Silent,
        Rule::product => Role::Silent,
        Rule::factor => Role::Silent,
        Rule::comparison => Role::Silent,
        Rule::compares => Role::Silent,
        Rule::adds => Role::Silent,
        Rule::products => Role::Silent,
        Rule::sums => Role::Silent,
        Rule::suffixes => Role::Silent,
        Rule::follows => Role::Silent,
        Rule::explosion_condition => Role::Silent,
        Rule::multiplies => Role::Silent,
        Rule::primary => Role::Silent,
        Rule::d => Role::Silent,
        Rule::sides => Role::Silent,
        Rule::reserved => Role::Silent,
        Rule::function => Role::Silent,
        Rule::steps => Role::Silent,
        Rule::dice_steps => Role::Silent,
        Rule::step => Role::Silent,
        Rule::begins_step => Role::Silent,
        Rule::amount => Role::Silent,
        Rule::condition => Role::Silent,
        Rule::condition_sign => Role::Silent,
        Rule::target => Role::Silent,
        Rule::minus => Role::Silent,
        Rule::digit => Role::Silent,
        Rule::letter => Role::Silent,
        Rule::word => Role::Silent,
        Rule::line_end => Role::Silent,
        Rule::ws => Role::Silent,
        Rule::gap => Role::Silent,
        Rule::WHITESPACE => Role::Silent,
    })
}
