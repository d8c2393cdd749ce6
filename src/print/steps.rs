//! The canonical spelling of steps. It stands apart because steps are written without blanks, so that each has to know what it
//! would run into.

use std::fmt::{self, Display, Formatter, Write};

use super::tree::{Bare, Behind, With};
use crate::ast::{
    Comparison, Condition, End, Explode, Kind, Node, Order, Repetition, Reroll, RerollMode, Step, StepKind,
    Take,
};

/// Steps one after the other, with a blank where two would otherwise run together.
pub(super) fn steps(f: &mut Formatter<'_>, steps: &[Step], behind: &dyn Behind) -> fmt::Result {
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
