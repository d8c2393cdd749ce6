//! Dice: what is thrown, and the pool that it makes up.

use std::rc::Rc;

use super::acts::{Act, Kind, Unit};
use super::dist::Dist;
use super::pool::{Pool, Throw};
use super::steps::Known;
use super::walk::{Trouble, Walker};
use crate::ast::{Dice, Sides, Span, Step};
use crate::die::Die;
use crate::eval::dice_count;
use crate::lower::dice::plain;
use crate::number::Number;

/// Dice with more faces than this are not listed.
const FACES: u64 = 1 << 22;

impl<'e> Walker<'e> {
    /// Dice with their steps.
    pub(crate) fn dice(&mut self, dice: &'e Dice, span: Span) -> Result<Dist, Trouble> {
        self.dice_and(dice, &[], span)
    }

    /// Dice with their steps and further ones, those behind a name.
    pub(crate) fn dice_and(&mut self, dice: &'e Dice, more: &'e [Step], span: Span) -> Result<Dist, Trouble> {
        if more.is_empty()
            && let Some(dist) = self.plain(dice, span)?
        {
            return Ok(dist);
        }
        let counts = self.node(&dice.count)?;
        if counts.certain().is_none() && dice.steps.is_empty() && more.is_empty() {
            return self.of_sides(&dice.sides, &mut |walker, die| match walker.computed_count(
                &counts,
                die,
                dice.count.span,
                span,
            )? {
                Some(dist) => Ok(dist),
                None => walker.of_counts(&counts, die, dice, span),
            });
        }
        self.over_values(&counts, 1.0, dice.count.span, &mut |walker, number| {
            walker.counted(number, dice.count.span, |walker, count| {
                walker.of_sides(&dice.sides, &mut |walker, die| {
                    walker.resolved(&dice.steps, &Known::of(count), &mut |walker, acts| {
                        if more.is_empty() {
                            return walker.dice_of(die, count, acts, span);
                        }
                        let known = Known::of(count).after(acts);
                        walker.resolved(more, &known, &mut |walker, acts| {
                            walker.dice_of(die, count, acts, span)
                        })
                    })
                })
            })
        })
    }

    /// What `f` makes of a number as one of dice, unless it is none.
    pub(super) fn counted(
        &mut self,
        number: Number,
        at: Span,
        f: impl FnOnce(&mut Self, u64) -> Result<Dist, Trouble>,
    ) -> Result<Dist, Trouble> {
        match dice_count(number, at) {
            Ok(count) => f(self, count),
            Err(error) => Ok(self.fail(error)),
        }
    }

    /// The die, for each way in which its sides come up.
    pub(crate) fn of_sides(
        &mut self,
        sides: &'e Sides,
        f: &mut dyn FnMut(&mut Self, &Die) -> Result<Dist, Trouble>,
    ) -> Result<Dist, Trouble> {
        match sides {
            Sides::Known(die) => f(self, die),
            Sides::Computed(node) => self.over(node, &mut |walker, number| match plain(number, node.span) {
                Ok(die) => f(walker, &die),
                Err(error) => Ok(walker.fail(error)),
            }),
        }
    }

    /// Equal dice, all numbers known.
    pub(super) fn dice_of(
        &mut self,
        die: &Die,
        count: u64,
        acts: &[Act],
        span: Span,
    ) -> Result<Dist, Trouble> {
        let unit = self.unit_of(acts, 1, span)?;
        let kind = self.kind_of(die, unit, span)?;
        let throw = self.throw_of(kind, count, Vec::new(), span)?;
        let throws = [throw];
        let reach = self.fits(&throws, span);
        reach?;
        self.pool(&Pool { throws: &throws, acts, unit, span })
    }

    /// Dice of a kind, if a roll may throw so many.
    pub(crate) fn throw_of(
        &mut self,
        kind: Rc<Kind>,
        count: u64,
        first: Vec<Act>,
        span: Span,
    ) -> Result<Throw, Trouble> {
        let most = self.options.limits.dice;
        match u32::try_from(count) {
            Ok(count) if u64::from(count) <= most => Ok(Throw { kind, count, first }),
            Ok(_) | Err(_) => {
                Err(Trouble::Refused(crate::limits::exceeded("dice", most, span, "too many dice are thrown")))
            }
        }
    }

    /// Whether all sums of worths stay far within 64 bits.
    pub(super) fn fits(&mut self, throws: &[Throw], span: Span) -> Result<(), Trouble> {
        let mut reach: u128 = 0;
        for throw in throws {
            let ends = [throw.kind.faces.first(), throw.kind.faces.last()];
            let most = ends.into_iter().flatten().map(|f| f.0.unsigned_abs()).max().unwrap_or(0);
            reach += u128::from(most + 1) * (u128::from(throw.count) + 1);
        }
        if reach < 1 << 50 { Ok(()) } else { Err(self.too_much(f64::INFINITY, span)) }
    }

    /// The unit in which worths and bounds are whole numbers.
    pub(crate) fn unit_of(&mut self, acts: &[Act], scale: i128, span: Span) -> Result<Unit, Trouble> {
        let mut scale = Some(scale);
        let mut small = true;
        for act in acts {
            if let Act::AtLeast(bound) | Act::AtMost(bound) = act {
                scale = scale.and_then(|scale| super::dist::lcm(scale, bound.denominator()));
                small &= bound.to_f64().abs() < 1e12;
            }
        }
        match scale.and_then(|scale| i64::try_from(scale).ok()) {
            Some(scale) if small && scale < 1 << 20 => Ok(Unit { scale }),
            Some(_) | None => Err(self.too_much(f64::INFINITY, span)),
        }
    }

    pub(crate) fn kind_of(&mut self, die: &Die, unit: Unit, span: Span) -> Result<Rc<Kind>, Trouble> {
        if die.faces() > FACES {
            return Err(self.too_much(super::float_u64(die.faces()), span));
        }
        self.charge(super::float_u64(die.faces()), span)?;
        Ok(Rc::new(Kind::of(die, unit)))
    }
}
