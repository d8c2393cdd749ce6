//! The canonical spelling of a tree: it parses back to the same tree.

use std::fmt::{self, Display, Formatter, Write};

use crate::ast::{
    Comparison, Condition, Definition, Dice, End, Explode, Expr, Group, House, Kind, Named, Node, Order,
    Repetition, Reroll, RerollMode, Sides, Sign, Step, StepKind, Take,
};
use crate::die::Die;

/// What is written behind the parts of a tree: nothing in a spelling, the dice in a roll.
pub(super) trait Behind {
    /// Behind dice with their steps.
    fn dice(&self, f: &mut Formatter<'_>, dice: &Dice) -> fmt::Result;
    /// Behind a group with its steps.
    fn group(&self, f: &mut Formatter<'_>, group: &Group) -> fmt::Result;
    /// Behind a name with its steps.
    fn named(&self, f: &mut Formatter<'_>, named: &Named) -> fmt::Result;
    /// Behind a house rule.
    fn house(&self, f: &mut Formatter<'_>, house: &House) -> fmt::Result;
}

/// Nothing: the canonical spelling.
struct Bare;

impl Behind for Bare {
    fn dice(&self, _: &mut Formatter<'_>, _: &Dice) -> fmt::Result {
        Ok(())
    }

    fn group(&self, _: &mut Formatter<'_>, _: &Group) -> fmt::Result {
        Ok(())
    }

    fn named(&self, _: &mut Formatter<'_>, _: &Named) -> fmt::Result {
        Ok(())
    }

    fn house(&self, _: &mut Formatter<'_>, _: &House) -> fmt::Result {
        Ok(())
    }
}

/// A part of a tree with what stands behind its parts.
pub(super) struct With<'a, T>(pub &'a T, pub &'a dyn Behind);

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(repeat) = self.repeat() {
            write!(f, "{}x ", repeat.times)?;
        }
        for definition in self.definitions() {
            write!(f, "{definition} ")?;
        }
        write!(f, "{}", self.body())?;
        match self.comment() {
            Some(comment) => write!(f, " # {comment}"),
            None => Ok(()),
        }
    }
}

impl Display for Definition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        With(self, &Bare).fmt(f)
    }
}

impl Display for With<'_, Definition> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let With(definition, behind) = *self;
        write!(f, "{} = {};", definition.name, With(&definition.value, behind))
    }
}

impl Display for Node {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        With(self, &Bare).fmt(f)
    }
}

impl Display for With<'_, Node> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let With(node, behind) = *self;
        spelled(f, node, behind)?;
        noted(f, node, behind)
    }
}

/// What stands behind a node, a label of the node included.
fn noted(f: &mut Formatter<'_>, node: &Node, behind: &dyn Behind) -> fmt::Result {
    match &node.kind {
        Kind::Dice(dice) => behind.dice(f, dice),
        Kind::Group(group) => behind.group(f, group),
        Kind::Named(named) => behind.named(f, named),
        Kind::House(house) => behind.house(f, house),
        Kind::Label(label) => noted(f, &label.inner, behind),
        Kind::Number(_)
        | Kind::Call(_)
        | Kind::Bracket(_)
        | Kind::Signed(..)
        | Kind::Chain(_)
        | Kind::Power(_)
        | Kind::Compare(_)
        | Kind::Choice(_) => Ok(()),
    }
}

/// A node without what stands behind it.
fn spelled(f: &mut Formatter<'_>, node: &Node, behind: &dyn Behind) -> fmt::Result {
    let with = |node| with_all(node, behind);
    match &node.kind {
        // A literal always has a finite decimal form; the fraction is for numbers built in code.
        Kind::Number(number) => f.write_str(&number.decimal(40).unwrap_or_else(|| number.exact())),
        Kind::Dice(dice) => {
            thrown(f, dice, behind)?;
            steps(f, &dice.steps, behind)
        }
        Kind::Group(group) => {
            f.write_char('{')?;
            joined(f, &group.members, behind)?;
            f.write_char('}')?;
            steps(f, &group.steps, behind)
        }
        Kind::Named(named) => {
            f.write_str(&named.name)?;
            if !named.steps.is_empty() {
                f.write_char(' ')?;
            }
            steps(f, &named.steps, behind)
        }
        Kind::Call(call) => {
            write!(f, "{}(", call.function.name())?;
            joined(f, &call.arguments, behind)?;
            f.write_char(')')
        }
        Kind::Bracket(inner) => write!(f, "({})", with(inner)),
        Kind::Signed(Sign::Negative, inner) => write!(f, "-{}", with(inner)),
        Kind::Signed(Sign::Positive, inner) => write!(f, "+{}", with(inner)),
        Kind::Chain(chain) => {
            with(&chain.first).fmt(f)?;
            let mut links = chain.rest.iter();
            links.try_for_each(|link| write!(f, " {} {}", link.operator.symbol(), with(&link.operand)))
        }
        Kind::Power(power) => write!(f, "{}^{}", with(&power.base), with(&power.exponent)),
        Kind::Label(label) => {
            spelled(f, &label.inner, behind)?;
            write!(f, "[{}]", label.text)
        }
        Kind::Compare(compare) => {
            write!(f, "{} {} {}", with(&compare.left), compare.comparison.symbol(), with(&compare.right))
        }
        Kind::Choice(choice) => {
            let (then, otherwise) = (with(&choice.then), with(&choice.otherwise));
            write!(f, "{} ? {then} : {otherwise}", with(&choice.condition))
        }
        Kind::House(house) => f.write_str(&house.typed),
    }
}

/// A node, boxed or not, with what stands behind its parts.
fn with_all<'a>(node: &'a Node, behind: &'a dyn Behind) -> With<'a, Node> {
    With(node, behind)
}

/// Nodes with commas between them.
fn joined(f: &mut Formatter<'_>, list: &[Node], behind: &dyn Behind) -> fmt::Result {
    for (index, node) in list.iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        write!(f, "{comma}{}", With(node, behind))?;
    }
    Ok(())
}

/// Dice without their steps.
fn thrown(f: &mut Formatter<'_>, dice: &Dice, behind: &dyn Behind) -> fmt::Result {
    With(&dice.count, behind).fmt(f)?;
    match &dice.sides {
        Sides::Known(known) => known.fmt(f),
        Sides::Computed(sides) => write!(f, "d{}", With(sides, behind)),
    }
}

impl Display for Die {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Die::Plain(sides) => write!(f, "d{sides}"),
            Die::Fudge => f.write_str("dF"),
            Die::Listed(_) => {
                f.write_str("d{")?;
                for (index, entry) in self.entries().iter().enumerate() {
                    let comma = if index == 0 { "" } else { ", " };
                    write!(f, "{comma}{}", entry.low)?;
                    if entry.high > entry.low {
                        write!(f, "..{}", entry.high)?;
                    } else if entry.weight > 1 {
                        write!(f, ":{}", entry.weight)?;
                    }
                }
                f.write_char('}')
            }
        }
    }
}

/// Steps one after the other, with a blank where two would otherwise run together.
fn steps(f: &mut Formatter<'_>, steps: &[Step], behind: &dyn Behind) -> fmt::Result {
    let mut written = String::new();
    let mut open = false;
    for step in steps {
        let spelling = With(step, behind).to_string();
        // A name would go on into the next step, and `!` and `!` would become `!!`.
        if open || written.ends_with('!') && spelling.starts_with('!') {
            written.push(' ');
        }
        written.push_str(&spelling);
        open = ends_with_name(&step.kind);
    }
    f.write_str(&written)
}

fn ends_with_name(kind: &StepKind) -> bool {
    let named = |condition: &Condition| match condition {
        Condition::Compare(_, target) => matches!(target.kind, Kind::Named(_)),
        Condition::Set(_) | Condition::Even | Condition::Odd => false,
    };
    match kind {
        StepKind::Explode(explode) => explode.condition.as_ref().is_some_and(named),
        StepKind::Reroll(reroll) => named(&reroll.condition),
        StepKind::Count(condition) | StepKind::Fail(condition) => named(condition),
        StepKind::Select(..) | StepKind::AtLeast(_) | StepKind::AtMost(_) | StepKind::Sort(_) => false,
    }
}

impl Display for Step {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        With(self, &Bare).fmt(f)
    }
}

impl Display for With<'_, Step> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let With(step, behind) = *self;
        match &step.kind {
            StepKind::Select(take, end, amount) => {
                let word = match (take, end) {
                    (Take::Keep, End::Highest) => "kh",
                    (Take::Keep, End::Lowest) => "kl",
                    (Take::Drop, End::Highest) => "dh",
                    (Take::Drop, End::Lowest) => "dl",
                };
                write!(f, "{word}{}", With(amount, behind))
            }
            StepKind::Explode(step) => explode(f, step, behind),
            StepKind::Reroll(step) => reroll(f, step, behind),
            StepKind::AtLeast(amount) => write!(f, "mi{}", With(amount, behind)),
            StepKind::AtMost(amount) => write!(f, "ma{}", With(amount, behind)),
            StepKind::Count(condition) => write!(f, "c{}", With(condition, behind)),
            StepKind::Fail(condition) => write!(f, "f{}", With(condition, behind)),
            StepKind::Sort(Order::Ascending) => f.write_str("sa"),
            StepKind::Sort(Order::Descending) => f.write_str("sd"),
        }
    }
}

fn explode(f: &mut Formatter<'_>, step: &Explode, behind: &dyn Behind) -> fmt::Result {
    let condition =
        step.condition.as_ref().map(|condition| With(condition, behind).to_string()).unwrap_or_default();
    let once = step.limit == Repetition::Once;
    let word = match (step.compound, step.penetrate) {
        (_, false) if once => "!o",
        // `!=` and `!!=` are refused as ambiguous, the long words are not.
        (false, false) if condition.starts_with('=') => " explode ",
        (true, false) if condition.starts_with('=') => " compound ",
        (false, false) => "!",
        (true, false) => "!!",
        (false, true) => "!p",
        (true, true) => "!!p",
    };
    write!(f, "{word}{condition}")?;
    if once {
        Ok(())
    } else {
        limit(f, &step.limit, ends_with_name(&StepKind::Explode(step.clone())), behind)
    }
}

fn reroll(f: &mut Formatter<'_>, step: &Reroll, behind: &dyn Behind) -> fmt::Result {
    let after_name = ends_with_name(&StepKind::Reroll(step.clone()));
    let condition = With(&step.condition, behind);
    match &step.mode {
        RerollMode::Better => write!(f, "rb{condition}"),
        RerollMode::Newest(Repetition::Once) => write!(f, "ro{condition}"),
        RerollMode::Newest(repetition) => {
            write!(f, "r{condition}")?;
            limit(f, repetition, after_name, behind)
        }
    }
}

fn limit(f: &mut Formatter<'_>, limit: &Repetition, after_name: bool, behind: &dyn Behind) -> fmt::Result {
    match limit {
        Repetition::Unlimited | Repetition::Once => Ok(()),
        Repetition::Limit(amount) => {
            write!(f, "{}lim{}", if after_name { " " } else { "" }, With(amount, behind))
        }
    }
}

impl Display for Condition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        With(self, &Bare).fmt(f)
    }
}

impl Display for With<'_, Condition> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let With(condition, behind) = *self;
        match condition {
            Condition::Compare(Comparison::Equal, target) if is_plain(target) => write!(f, "{target}"),
            Condition::Compare(comparison, target) => {
                write!(f, "{}{}", comparison.symbol(), With(target, behind))
            }
            Condition::Set(ranges) => {
                f.write_char('{')?;
                for (index, (low, high)) in ranges.iter().enumerate() {
                    let comma = if index == 0 { "" } else { "," };
                    write!(f, "{comma}{low}")?;
                    if high > low {
                        write!(f, "..{high}")?;
                    }
                }
                f.write_char('}')
            }
            Condition::Even => f.write_str("even"),
            Condition::Odd => f.write_str("odd"),
        }
    }
}

/// Whether a condition may leave out `=` before this.
fn is_plain(target: &Node) -> bool {
    matches!(&target.kind, Kind::Number(number) if !number.is_negative())
}
