//! Plain pools, the quick way: the same faces, dice and totals as by the steps one after the other.

use super::bytes::{CHUNK, add, find_hits, keep, kept_total, met};
use super::{Eval, face_error, overflow};
use crate::ast::{Dice, Kind, Link, Node, Operator};
use crate::die::Die;
use crate::error::Error;
use crate::faces::{FaceError, Faces};
use crate::limits::exceeded;
use crate::plain::{Act, Plain};
use crate::roll::{Marks, Run, Tally};

/// So many faces are not written down where only the total is asked for.
const SCRATCH: usize = 128;

impl<'e, F: Faces + ?Sized> Eval<'e, F> {
    /// What a node is worth if it is a plain pool, a small number or a sum of those; `None`, with nothing thrown, if it is
    /// something else.
    #[inline]
    pub(super) fn small(&mut self, node: &Node) -> Result<Option<i64>, Error> {
        // Dice that do not fit a byte are on the table.
        if self.out.faces.small().is_none() {
            return Ok(None);
        }
        if let Kind::Chain(chain) = &node.kind {
            let plain = |link: &Link| link.operator.is_sum() && self.is_small(&link.operand);
            if !self.is_small(&chain.first) || !chain.rest.iter().all(plain) {
                return Ok(None);
            }
            let mut total = self.term(&chain.first)?.unwrap_or(0);
            for link in &chain.rest {
                let term = self.term(&link.operand)?.unwrap_or(0);
                // Never overflows: no term is beyond 32 bits for each of its dice.
                total = if link.operator == Operator::Subtract {
                    total.checked_sub(term)
                } else {
                    total.checked_add(term)
                }
                .ok_or_else(|| overflow(link.at))?;
            }
            return Ok(Some(total));
        }
        self.term(node)
    }

    #[inline]
    fn term(&mut self, node: &Node) -> Result<Option<i64>, Error> {
        let Kind::Dice(dice) = &node.kind else { return Ok(small_number(node)) };
        let Some(plain) = self.known(dice) else { return Ok(None) };
        self.spend(u64::from(plain.count), dice.thrown)?;
        match plain.act {
            Act::Add if plain.count == 1 => self.one(dice, plain.sides).map(Some),
            Act::Add | Act::Keep(..) | Act::Count(..) | Act::Explode(..) if self.record => {
                self.plain_recorded(dice, plain).map(Some)
            }
            Act::Add | Act::Keep(..) | Act::Count(..) | Act::Explode(..) => {
                self.plain_total(dice, plain).map(Some)
            }
        }
    }

    /// What is known of dice as a plain pool.
    #[inline]
    fn known(&self, dice: &Dice) -> Option<&'e Plain> {
        let expr = self.expr;
        expr.plains.get(dice.id as usize)?.as_ref()
    }

    #[inline]
    fn is_small(&self, node: &Node) -> bool {
        matches!(&node.kind, Kind::Dice(dice) if self.known(dice).is_some()) || small_number(node).is_some()
    }

    /// A die on its own.
    #[inline]
    fn one(&mut self, dice: &Dice, sides: u8) -> Result<i64, Error> {
        let die = Die::Plain(u64::from(sides));
        let face = self.faces.small_face(&die).map_err(|error| face_error(&error, dice.thrown))?;
        if self.record {
            let start = self.plain_start(dice, 1)?;
            self.out.faces.push(i64::from(face));
            self.out.runs.push(Run { start, len: 1, owner: dice.id, die: Die::Plain(u64::from(sides)) });
        }
        Ok(i64::from(face))
    }

    /// The index of the first of so many further dice.
    #[inline]
    fn plain_start(&self, dice: &Dice, count: u32) -> Result<u32, Error> {
        let start =
            u32::try_from(self.out.faces.len()).ok().filter(|start| start.checked_add(count).is_some());
        start.ok_or_else(|| exceeded("dice", self.left, dice.thrown, "too many dice"))
    }

    #[inline(never)]
    fn plain_recorded(&mut self, dice: &Dice, plain: &Plain) -> Result<i64, Error> {
        let start = self.plain_start(dice, plain.count)?;
        let Some(column) = self.out.faces.small() else { return Ok(0) };
        let first = start as usize;
        let die = Die::Plain(u64::from(plain.sides));
        column.resize(first + plain.count as usize, 0);
        let faces = &mut column[first..];
        self.faces.fill_small(&die, faces).map_err(|error| face_error(&error, dice.thrown))?;
        if plain.count > 0 {
            let die = Die::Plain(u64::from(plain.sides));
            self.out.runs.push(Run { start, len: plain.count, owner: dice.id, die });
        }
        let marks = &mut self.out.marks;
        match plain.act {
            Act::Add => Ok(add(faces)),
            Act::Keep(end, kept) => {
                marks.resize(first, Marks::default());
                Ok(keep(faces, plain.sides, end, kept, marks))
            }
            Act::Count(low, high) => {
                marks.resize(first, Marks::default());
                marks.extend(faces.iter().map(|face| Marks::met(low <= *face && *face <= high)));
                let met = met(faces, low, high);
                self.tally(Some(0), Tally { successes: met.unsigned_abs(), failures: 0 });
                Ok(met)
            }
            Act::Explode(low, high) => self.plain_extras(dice, &die, start, (low, high)),
        }
    }

    /// The extras of dice that explode, all behind the last die that was thrown; the sum of the dice and of these.
    fn plain_extras(
        &mut self,
        dice: &Dice,
        die: &Die,
        start: u32,
        (low, high): (u8, u8),
    ) -> Result<i64, Error> {
        let span = dice.steps.first().map_or(dice.thrown, |step| step.span);
        let end = self.out.faces.len();
        let mut total = 0;
        let mut chunk = start as usize;
        let mut hits = [0; CHUNK];
        while chunk < end {
            let Some(column) = self.out.faces.small() else { break };
            let (count, sum) = find_hits(&column[chunk..end.min(chunk + CHUNK)], low, high, &mut hits);
            total += sum;
            if count > 0 {
                self.out.begin_extras();
            }
            // One extra after the other, each of the last one if that goes on, else of the next hit.
            let mut next = 0;
            let mut parent = chunk + usize::from(hits[0]);
            while next < count {
                self.spend(1, span)?;
                let face = self.faces.small_face(die).map_err(|error| face_error(&error, span))?;
                total += i64::from(face);
                let extra = self.out.extra(parent, face);
                let goes_on = low <= face && face <= high;
                next += usize::from(!goes_on);
                parent = if goes_on { extra } else { chunk + usize::from(hits[next % CHUNK]) };
            }
            chunk += CHUNK;
        }
        self.out.stretch();
        Ok(total)
    }

    #[inline(never)]
    fn plain_total(&mut self, dice: &Dice, plain: &Plain) -> Result<i64, Error> {
        let die = Die::Plain(u64::from(plain.sides));
        let count = plain.count as usize;
        let failed = |error: FaceError| face_error(&error, dice.thrown);
        if let Act::Add = plain.act {
            let sum = self.faces.sum(&die, u64::from(plain.count)).map_err(failed)?;
            return i64::try_from(sum).map_err(|_| overflow(dice.thrown));
        }
        let mut scratch = [0; SCRATCH];
        let mut large = Vec::new();
        let faces = match scratch.get_mut(..count) {
            Some(faces) => faces,
            None => {
                large.resize(count, 0);
                &mut large[..]
            }
        };
        self.faces.fill_small(&die, faces).map_err(failed)?;
        match plain.act {
            Act::Add => Ok(add(faces)),
            Act::Keep(end, kept) => Ok(kept_total(faces, plain.sides, end, kept)),
            Act::Count(low, high) => {
                let met = met(faces, low, high);
                self.tally(Some(0), Tally { successes: met.unsigned_abs(), failures: 0 });
                Ok(met)
            }
            Act::Explode(low, high) => {
                let span = dice.steps.first().map_or(dice.thrown, |step| step.span);
                let mut total = add(faces);
                for _ in 0..met(faces, low, high) {
                    loop {
                        self.spend(1, span)?;
                        let face = self.faces.small_face(&die).map_err(|error| face_error(&error, span))?;
                        total += i64::from(face);
                        if face < low || face > high {
                            break;
                        }
                    }
                }
                Ok(total)
            }
        }
    }
}

/// A number of at most 32 bits.
#[inline]
fn small_number(node: &Node) -> Option<i64> {
    node.written()?.as_i64().filter(|number| i32::try_from(*number).is_ok())
}
