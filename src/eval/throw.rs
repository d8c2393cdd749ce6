//! Throwing: how many dice of which kind, and the faces written down. Everything that puts a die on the table is here.

use super::pool::{Pool, Work};
use super::store::Place;
use super::{Eval, face_error};
use crate::ast::{Dice, Kind, Sides, Span};
use crate::die::Die;
use crate::error::{Code, Error};
use crate::faces::Faces;
use crate::limits::exceeded;
use crate::lower::dice::plain;
use crate::number::Number;
use crate::roll::{NONE, Outcome, Run};

impl<F: Faces + ?Sized> Eval<'_, F> {
    /// The total of dice.
    #[inline]
    pub(super) fn dice_total(&mut self, dice: &Dice, span: Span) -> Result<Number, Error> {
        if !dice.steps.is_empty() {
            return Ok(self.dice(dice, span)?.total);
        }
        let (count, die) = self.thrown(dice)?;
        // Only the faces of plain dice can be summed without being listed.
        if self.record || !matches!(die, Die::Plain(_)) {
            let start = self.throw(dice.id, &die, count, dice.thrown)?;
            return Ok(sum_from(self.out, start));
        }
        self.spend(count, dice.thrown)?;
        self.faces.sum(&die, count).map(Number::whole).map_err(|error| face_error(&error, dice.thrown))
    }

    /// Dice with their steps.
    pub(super) fn dice(&mut self, dice: &Dice, span: Span) -> Result<Pool, Error> {
        let (count, die) = self.thrown(dice)?;
        let start = self.throw(dice.id, &die, count, dice.thrown)?;
        let mut work = Work::new((start..self.next_index()).collect(), None);
        self.steps(&mut work, &dice.steps, &mut Place::Thrown)?;
        self.finish(work, &mut Place::Thrown, span)
    }

    /// How many dice of which kind.
    #[inline]
    fn thrown(&mut self, dice: &Dice) -> Result<(u64, Die), Error> {
        let count = match &dice.count.kind {
            Kind::Number(number) => *number,
            Kind::Bracket(inner) => self.number(inner)?,
            Kind::Dice(_)
            | Kind::Group(_)
            | Kind::Named(_)
            | Kind::Call(_)
            | Kind::Signed(..)
            | Kind::Chain(_)
            | Kind::Power(_)
            | Kind::Label(_)
            | Kind::Compare(_)
            | Kind::Choice(_)
            | Kind::House(_) => self.number(&dice.count)?,
        };
        let count = dice_count(count, dice.count.span)?;
        let die = match &dice.sides {
            Sides::Known(die) => die.clone(),
            Sides::Computed(node) => plain(self.number(node)?, node.span)?,
        };
        Ok((count, die))
    }

    pub(super) fn next_index(&self) -> u32 {
        u32::try_from(self.out.faces.len()).unwrap_or(NONE)
    }

    /// Throws dice of one kind; the index of the first.
    #[inline]
    fn throw(&mut self, owner: u32, die: &Die, count: u64, span: Span) -> Result<u32, Error> {
        self.spend(count, span)?;
        let start = self.next_index();
        let count = u32::try_from(count).map_err(|_| exceeded("dice", self.left, span, "too many dice"))?;
        if count == 0 {
            return Ok(start);
        }
        let (first, end) = (start as usize, start as usize + count as usize);
        let thrown = match self.out.faces.small() {
            Some(faces) if matches!(die, Die::Plain(1..=255)) => {
                faces.resize(end, 0);
                self.faces.fill_small(die, &mut faces[first..])
            }
            Some(_) | None => {
                let faces = self.out.faces.wide();
                faces.resize(end, 0);
                self.faces.fill(die, &mut faces[first..])
            }
        };
        thrown.map_err(|error| face_error(&error, span))?;
        self.out.runs.push(Run { start, len: count, owner, die: die.clone() });
        Ok(start)
    }

    /// Writes down one more die, which came from another one; its index.
    pub(super) fn push_die(&mut self, face: i64, from: u32, span: Span) -> Result<u32, Error> {
        let index = self.next_index();
        let Some(parent) = self.out.run(from) else { return Err(crate::lower::internal(span)) };
        let (owner, die) = (parent.owner, parent.die.clone());
        self.out.faces.push(face);
        match self.out.runs.last_mut() {
            Some(last) if last.owner == owner && last.die == die && last.start + last.len == index => {
                last.len += 1;
            }
            Some(_) | None => self.out.runs.push(Run { start: index, len: 1, owner, die }),
        }
        self.out.set_from(index, from);
        Ok(index)
    }
}

/// How many dice a computed count means.
///
/// # Errors
/// A negative count, or a fraction.
pub(crate) fn dice_count(count: Number, span: Span) -> Result<u64, Error> {
    let wrong = |what: &str| {
        Err(Error::new(
            Code::Count,
            span,
            format!("{count} dice cannot be thrown: the number of dice is {what}"),
        ))
    };
    match count.as_whole() {
        Some(whole) if whole < 0 => wrong("negative"),
        Some(whole) => Ok(u64::try_from(whole).unwrap_or(u64::MAX)),
        None => wrong("no whole number"),
    }
}

/// The sum of the faces from an index on, which are worth themselves.
fn sum_from(out: &mut Outcome, start: u32) -> Number {
    let start = start as usize;
    let sum = match out.faces.small() {
        Some(faces) => i128::from(faces[start..].iter().map(|face| u64::from(*face)).sum::<u64>()),
        None => out.faces.wide()[start..].iter().map(|face| i128::from(*face)).sum(),
    };
    Number::whole(sum)
}
