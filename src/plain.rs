//! Pools as they are mostly written: a written number of plain dice with at most one step that looks at each face by
//! itself or keeps the best of them. They are recognised when a text is parsed, so that rolling them need not walk
//! their part of the tree.

use crate::ast::{Comparison, Condition, Dice, End, Repetition, Sides, StepKind, Take};
use crate::die::Die;

/// A plain pool.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain {
    /// How many dice are thrown.
    pub count: u32,
    /// The sides of each.
    pub sides: u8,
    /// What happens to them.
    pub act: Act,
}

/// The one step of a plain pool.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Act {
    /// None: the faces are added.
    Add,
    /// So many stay, the best by this end.
    Keep(End, u32),
    /// A face from the first to the second throws another die, and so on.
    Explode(u8, u8),
    /// Faces from the first to the second are counted.
    Count(u8, u8),
}

impl Plain {
    /// What dice are as a plain pool, if they are one.
    #[inline]
    pub(crate) fn of(dice: &Dice) -> Option<Plain> {
        let Sides::Known(Die::Plain(sides)) = &dice.sides else { return None };
        let count = u32::try_from(dice.count.written()?.as_u64()?).ok()?;
        let sides = u8::try_from(*sides).ok()?;
        let act = match &dice.steps[..] {
            [] => Act::Add,
            [step] => Plain::act(count, sides, &step.kind)?,
            [_, _, ..] => return None,
        };
        Some(Plain { count, sides, act })
    }

    fn act(count: u32, sides: u8, step: &StepKind) -> Option<Act> {
        match step {
            StepKind::Select(take, end, node) => {
                let (end, kept) = stays(*take, *end, node.written()?.as_u64()?, u64::from(count));
                Some(Act::Keep(end, u32::try_from(kept).ok()?))
            }
            StepKind::Explode(explode) => {
                let plain = !explode.compound && !explode.penetrate;
                if !plain || !matches!(explode.limit, Repetition::Unlimited) {
                    return None;
                }
                let (low, high) = match &explode.condition {
                    Some(condition) => range(sides, condition)?,
                    None => (sides, sides),
                };
                // What never ends is left to the general way, which says so.
                (low > 1 || high < sides).then_some(Act::Explode(low, high))
            }
            StepKind::Count(condition) => {
                let (low, high) = range(sides, condition)?;
                Some(Act::Count(low, high))
            }
            StepKind::Reroll(_)
            | StepKind::AtLeast(_)
            | StepKind::AtMost(_)
            | StepKind::Fail(_)
            | StepKind::Sort(_) => None,
        }
    }
}

/// From which end the dice are that stay after a selection of `amount` out of `count`, and how many they are.
pub(crate) fn stays(take: Take, end: End, amount: u64, count: u64) -> (End, u64) {
    match (take, end) {
        (Take::Keep, end) => (end, amount.min(count)),
        (Take::Drop, End::Lowest) => (End::Highest, count.saturating_sub(amount)),
        (Take::Drop, End::Highest) => (End::Lowest, count.saturating_sub(amount)),
    }
}

/// The faces of a plain die that meet a condition, if they are a range that is written; `(1, 0)` is none.
fn range(sides: u8, condition: &Condition) -> Option<(u8, u8)> {
    let (comparison, target) = match condition {
        Condition::Compare(comparison, node) => (comparison, node.written()?.as_i64()?),
        Condition::Set(_) | Condition::Even | Condition::Odd => return None,
    };
    let (low, high) = match comparison {
        Comparison::AtOrAbove => (target, i64::MAX),
        Comparison::Above => (target.checked_add(1)?, i64::MAX),
        Comparison::AtOrBelow => (i64::MIN, target),
        Comparison::Below => (i64::MIN, target.checked_sub(1)?),
        Comparison::Equal => (target, target),
        Comparison::Unequal => return None,
    };
    let (low, high) = (low.max(1), high.min(i64::from(sides)));
    if low > high {
        return Some((1, 0));
    }
    Some((u8::try_from(low).ok()?, u8::try_from(high).ok()?))
}
