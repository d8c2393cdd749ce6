//! The commonest texts at once: written-out plain dice with at most one written-out selection, in machine words.
//!
//! What is left out of the long way are its generalities only: lists of faces, laws of worth, groups. The numbers are the same.

use super::dist::{Dist, Support};
use super::kernel::{Denom, Width, ordinary};
use super::walk::{Trouble, Walker};
use crate::ast::{Dice, End, Sides, Span, StepKind};
use crate::die::Die;
use crate::number::Number;
use crate::plain::stays;

/// More sides than this take the long way.
const SIDES: u64 = 1 << 12;

/// So many dice of two sides or more may fit a machine word.
const DICE: u64 = 127;

/// How many dice are kept of the highest or of the lowest.
fn selection(dice: &Dice, n: u64) -> Option<(u64, End)> {
    match &dice.steps[..] {
        [] => Some((n, End::Highest)),
        [step] => match &step.kind {
            StepKind::Select(take, end, node) => {
                let (end, kept) = stays(*take, *end, node.written()?.as_u64()?, n);
                Some((kept, end))
            }
            StepKind::Explode(_)
            | StepKind::Reroll(_)
            | StepKind::AtLeast(_)
            | StepKind::AtMost(_)
            | StepKind::Count(_)
            | StepKind::Fail(_)
            | StepKind::Sort(_) => None,
        },
        [_, _, ..] => None,
    }
}

impl Walker<'_> {
    /// The distribution of plain dice with written-out numbers, or `None` where the long way must be taken.
    pub(crate) fn plain(&mut self, dice: &Dice, span: Span) -> Result<Option<Dist>, Trouble> {
        let (Sides::Known(Die::Plain(sides)), Some(n)) =
            (&dice.sides, dice.count.written().and_then(Number::as_u64))
        else {
            return Ok(None);
        };
        if n == 0 || n > DICE.min(self.options.limits.dice) || *sides > SIDES || !self.is_exact() {
            return Ok(None);
        }
        let Some((kept, end)) = selection(dice, n).filter(|kept| kept.0 > 0) else { return Ok(None) };
        let (Ok(count), Ok(few), Ok(faces)) =
            (u32::try_from(n), u32::try_from(kept), usize::try_from(*sides))
        else {
            return Ok(None);
        };
        let denom = Denom::power(*sides, count);
        let width = self.width_of(&denom);
        let wide = match width {
            Width::U64 => 1.0,
            Width::U128 => 2.0,
            Width::Limbs(_) | Width::F64 => return Ok(None),
        };
        // The bounds of `cost::sum` and `cost::keep` for such dice.
        let (f, k) = (super::float(faces), f64::from(few));
        let cells = if few == count { f * k * k } else { f * f * k * k + f * k * f64::from(count) / 2.0 };
        self.charge(f + cells * wide, span)?;
        let Some(mut mass) = ordinary(faces, count, Some(few), width) else { return Ok(None) };
        match end {
            End::Highest => {}
            End::Lowest => mass.reverse(), // faces counted from the other side
        }
        let support = Support::Grid { low: i128::from(kept), step: 1, scale: 1 };
        Ok(Some(Dist { support, mass, denom, roundings: 0.0, tail: 0.0, closed: None }))
    }
}
