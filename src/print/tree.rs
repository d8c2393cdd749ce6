//! The canonical spelling of a tree: it parses back to the same tree.

use std::fmt::{self, Display, Formatter, Write};

use crate::ast::{
    Comparison, Condition, Definition, Dice, End, Explode, Expr, Kind, Node, Order, Repetition, Reroll,
    RerollMode, Sides, Sign, Step, StepKind, Take,
};
use crate::die::Die;

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
        write!(f, "{} = {};", self.name, self.value)
    }
}

impl Display for Node {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            // A literal always has a finite decimal form; the fraction is for numbers built in code.
            Kind::Number(number) => f.write_str(&number.decimal(40).unwrap_or_else(|| number.exact())),
            Kind::Dice(dice) => {
                thrown(f, dice)?;
                steps(f, &dice.steps)
            }
            Kind::Group(group) => {
                f.write_char('{')?;
                joined(f, &group.members)?;
                f.write_char('}')?;
                steps(f, &group.steps)
            }
            Kind::Named(named) => {
                f.write_str(&named.name)?;
                if !named.steps.is_empty() {
                    f.write_char(' ')?;
                }
                steps(f, &named.steps)
            }
            Kind::Call(call) => {
                write!(f, "{}(", call.function.name())?;
                joined(f, &call.arguments)?;
                f.write_char(')')
            }
            Kind::Bracket(inner) => write!(f, "({inner})"),
            Kind::Signed(Sign::Negative, inner) => write!(f, "-{inner}"),
            Kind::Signed(Sign::Positive, inner) => write!(f, "+{inner}"),
            Kind::Chain(chain) => {
                write!(f, "{}", chain.first)?;
                chain
                    .rest
                    .iter()
                    .try_for_each(|link| write!(f, " {} {}", link.operator.symbol(), link.operand))
            }
            Kind::Power(power) => write!(f, "{}^{}", power.base, power.exponent),
            Kind::Label(label) => write!(f, "{}[{}]", label.inner, label.text),
            Kind::Compare(compare) => {
                write!(f, "{} {} {}", compare.left, compare.comparison.symbol(), compare.right)
            }
            Kind::Choice(choice) => {
                write!(f, "{} ? {} : {}", choice.condition, choice.then, choice.otherwise)
            }
            Kind::House(house) => f.write_str(&house.typed),
        }
    }
}

/// Nodes with commas between them.
fn joined(f: &mut Formatter<'_>, nodes: &[Node]) -> fmt::Result {
    for (index, node) in nodes.iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        write!(f, "{comma}{node}")?;
    }
    Ok(())
}

/// Dice without their steps.
fn thrown(f: &mut Formatter<'_>, dice: &Dice) -> fmt::Result {
    write!(f, "{}", dice.count)?;
    match &dice.sides {
        Sides::Known(die) => write!(f, "{die}"),
        Sides::Computed(sides) => write!(f, "d{sides}"),
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
fn steps(f: &mut Formatter<'_>, steps: &[Step]) -> fmt::Result {
    let mut written = String::new();
    let mut open = false;
    for step in steps {
        let spelling = step.to_string();
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
        match &self.kind {
            StepKind::Select(take, end, amount) => {
                let word = match (take, end) {
                    (Take::Keep, End::Highest) => "kh",
                    (Take::Keep, End::Lowest) => "kl",
                    (Take::Drop, End::Highest) => "dh",
                    (Take::Drop, End::Lowest) => "dl",
                };
                write!(f, "{word}{amount}")
            }
            StepKind::Explode(step) => explode(f, step),
            StepKind::Reroll(step) => reroll(f, step),
            StepKind::AtLeast(amount) => write!(f, "mi{amount}"),
            StepKind::AtMost(amount) => write!(f, "ma{amount}"),
            StepKind::Count(condition) => write!(f, "c{condition}"),
            StepKind::Fail(condition) => write!(f, "f{condition}"),
            StepKind::Sort(Order::Ascending) => f.write_str("sa"),
            StepKind::Sort(Order::Descending) => f.write_str("sd"),
        }
    }
}

fn explode(f: &mut Formatter<'_>, step: &Explode) -> fmt::Result {
    let condition = step.condition.as_ref().map(ToString::to_string).unwrap_or_default();
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
    if once { Ok(()) } else { limit(f, &step.limit, ends_with_name(&StepKind::Explode(step.clone()))) }
}

fn reroll(f: &mut Formatter<'_>, step: &Reroll) -> fmt::Result {
    let after_name = ends_with_name(&StepKind::Reroll(step.clone()));
    match &step.mode {
        RerollMode::Better => write!(f, "rb{}", step.condition),
        RerollMode::Newest(Repetition::Once) => write!(f, "ro{}", step.condition),
        RerollMode::Newest(repetition) => {
            write!(f, "r{}", step.condition)?;
            limit(f, repetition, after_name)
        }
    }
}

fn limit(f: &mut Formatter<'_>, limit: &Repetition, after_name: bool) -> fmt::Result {
    match limit {
        Repetition::Unlimited | Repetition::Once => Ok(()),
        Repetition::Limit(amount) => write!(f, "{}lim{amount}", if after_name { " " } else { "" }),
    }
}

impl Display for Condition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Compare(Comparison::Equal, target) if is_plain(target) => write!(f, "{target}"),
            Condition::Compare(comparison, target) => write!(f, "{}{target}", comparison.symbol()),
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
