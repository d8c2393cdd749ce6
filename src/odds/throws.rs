//! Dice and groups: what is thrown, and the pool that it makes up.

use std::rc::Rc;

use super::acts::{Act, Kind, Unit};
use super::combine;
use super::dist::{Dist, Support};
use super::kernel::{Denom, Mass, Poly, mixture_of_chances, mixture_of_counts};
use super::pool::{Pool, Throw};
use super::steps::Known;
use super::walk::{Trouble, Walker};
use crate::ast::{Chain, Dice, Group, Kind as NodeKind, Node, Sides, Span, Step};
use crate::die::Die;
use crate::eval::dice_count;
use crate::lower::dice::plain;
use crate::number::Number;

/// Dice with more faces than this are not listed.
const FACES: u64 = 1 << 22;

/// Rows of sums up to this length may consist of gaps.
const FAR: f64 = 1e5;

/// What is done with the dice of a mixed pool.
type Gathered<'d, 'e> = dyn FnMut(&mut Walker<'e>, Vec<Part>) -> Result<Dist, Trouble> + 'd;

/// Dice of a mixed pool with their own steps.
#[derive(Clone)]
pub(crate) struct Part {
    die: Die,
    count: u64,
    acts: Vec<Act>,
}

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
            let count = match dice_count(number, dice.count.span) {
                Ok(count) => count,
                Err(error) => return Ok(walker.fail(error)),
            };
            walker.of_sides(&dice.sides, &mut |walker, die| {
                walker.resolved(&dice.steps, &Known::of(count), &mut |walker, acts| {
                    if more.is_empty() {
                        return walker.dice_of(die, count, acts, span);
                    }
                    let known = acts.iter().fold(Known::of(count), super::steps::Known::then);
                    walker.resolved(more, &known, &mut |walker, acts| walker.dice_of(die, count, acts, span))
                })
            })
        })
    }

    /// Dice without steps, each number of them by itself.
    fn of_counts(&mut self, counts: &Dist, die: &Die, dice: &Dice, span: Span) -> Result<Dist, Trouble> {
        self.over_values(counts, 1.0, dice.count.span, &mut |walker, number| match dice_count(
            number,
            dice.count.span,
        ) {
            Ok(count) => walker.dice_of(die, count, &[], span),
            Err(error) => Ok(walker.fail(error)),
        })
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
    fn dice_of(&mut self, die: &Die, count: u64, acts: &[Act], span: Span) -> Result<Dist, Trouble> {
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
    fn fits(&mut self, throws: &[Throw], span: Span) -> Result<(), Trouble> {
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

    /// A computed number of plain dice in one pass, or `None` where the counts do not fit that form.
    fn computed_count(
        &mut self,
        counts: &Dist,
        die: &Die,
        at: Span,
        span: Span,
    ) -> Result<Option<Dist>, Trouble> {
        let Support::Grid { low, step, scale: 1 } = counts.support else { return Ok(None) };
        let high = counts.value(counts.len().saturating_sub(1));
        let most = self.options.limits.dice.min(1 << 20);
        let (Ok(low), Ok(step), Some(high)) = (usize::try_from(low), usize::try_from(step), high.as_u64())
        else {
            return Ok(None);
        };
        if high > most || counts.len() == 0 {
            return Ok(None);
        }
        let unit = Unit { scale: 1 };
        let kind = self.kind_of(die, unit, span)?;
        let most = self.throw_of(Rc::clone(&kind), high, Vec::new(), at)?;
        self.fits(std::slice::from_ref(&most), span)?;
        if let (Some((low, _)), Some((high, _))) = (kind.faces.first(), kind.faces.last()) {
            self.near(*low, *high, kind.faces.len())?;
        }
        let Some(factor) = super::kernel::Factor::new(&kind.faces) else { return Ok(None) };
        let denom = counts.denom.times(&self.arithmetic.denom(kind.total, most.count));
        let width = self.width_of(&denom);
        // The row of sums begins at 0, which is the sum of no dice.
        let reach = {
            let (low, high) = (factor.low.min(0), factor.high().max(0));
            (super::float_u64(high.abs_diff(low)) + 1.0) * f64::from(most.count)
        };
        if reach > FAR && reach > super::float(factor.weights().len()) * f64::from(most.count) * 16.0 {
            return Ok(None); // each count by itself leaves no gaps
        }
        let cells = reach * f64::from(most.count) / 2.0;
        let work = cells * super::float(factor.cost(width)) * super::float(width.limbs());
        let poly = match (&counts.mass, counts.small_weights(), counts.denom.small()) {
            (Mass::F64(chances), ..) => {
                self.charge_for(work, 2.0 * reach, width, span)?;
                let chances = by_count(chances, low, step);
                mixture_of_chances(&factor, &chances, counts.roundings, kind.total)
            }
            (_, Some(weights), Some(total)) if self.is_exact() => {
                self.charge_for(work, 2.0 * reach, width, span)?;
                mixture_of_counts(&factor, &by_count(&weights, low, step), total, kind.total, width)
            }
            (..) => return Ok(None),
        };
        let mut dist = Dist::of_poly(poly, denom, 1);
        dist.tail = counts.tail;
        Ok(Some(dist))
    }

    /// A group: one pool of several kinds of dice, or members side by side.
    pub(crate) fn group(&mut self, group: &'e Group, span: Span) -> Result<Dist, Trouble> {
        self.group_and(group, &[], span)
    }

    /// A group with its steps and further ones, those behind a name.
    pub(crate) fn group_and(
        &mut self,
        group: &'e Group,
        more: &'e [Step],
        span: Span,
    ) -> Result<Dist, Trouble> {
        if let [member] = &group.members[..] {
            let mut nodes = Vec::new();
            pools(member, &mut nodes);
            return self.parts(&nodes, Vec::new(), &mut |walker, parts| {
                walker.mixed_pool(&parts, (&group.steps, more), span)
            });
        }
        let members = self.members(group)?;
        let size = members.iter().map(|member| u64::from(member.1)).sum();
        self.resolved(&group.steps, &Known::of(size), &mut |walker, acts| {
            if more.is_empty() {
                return walker.group_of(&members, acts, span);
            }
            let known = acts.iter().fold(Known::of(size), super::steps::Known::then);
            walker.resolved(more, &known, &mut |walker, acts| walker.group_of(&members, acts, span))
        })
    }

    /// The members of a group with their distributions; equal ones together.
    pub(crate) fn members(&mut self, group: &'e Group) -> Result<Vec<(Dist, u32)>, Trouble> {
        let mut members: Vec<(&Node, Dist, u32)> = Vec::new();
        for node in &group.members {
            match members.iter_mut().find(|known| known.0 == node) {
                Some(known) => known.2 += 1,
                None => members.push((node, self.node(node)?, 1)),
            }
        }
        Ok(members.into_iter().map(|(_, dist, count)| (dist, count)).collect())
    }

    /// Members as dice of a pool, with the unit of their worths; `None` where they are no small whole weights.
    pub(crate) fn members_as_throws(
        &mut self,
        members: &[(Dist, u32)],
        acts: &[Act],
        span: Span,
    ) -> Result<Option<(Vec<Throw>, Unit)>, Trouble> {
        let Some(scale) = scale_of(members) else { return Ok(None) };
        let unit = self.unit_of(acts, scale, span)?;
        let mut throws = Vec::new();
        for (member, count) in members {
            let (Some(weights), Some(total)) = (member.small_weights(), member.denom.small()) else {
                return Ok(None);
            };
            let mut faces = Vec::with_capacity(weights.len());
            for (cell, &weight) in weights.iter().enumerate().filter(|w| *w.1 > 0) {
                let Some(worth) = unit.worth(member.value(cell)) else { return Ok(None) };
                faces.push((worth, weight));
            }
            let top = faces.last().map_or(0, |f| f.0);
            if faces.is_empty() {
                return Ok(None);
            }
            let kind = Rc::new(Kind { faces, total, top, die: None });
            throws.push(Throw { kind, count: *count, first: Vec::new() });
        }
        Ok(Some((throws, unit)))
    }

    /// A group of members, all numbers known.
    pub(crate) fn group_of(
        &mut self,
        members: &[(Dist, u32)],
        acts: &[Act],
        span: Span,
    ) -> Result<Dist, Trouble> {
        let tail: f64 = members.iter().map(|(member, count)| member.tail * f64::from(*count)).sum();
        if members.iter().any(|(member, _)| member.len() == 0) {
            return Ok(Dist::nothing(self.width_of(&Denom::one())));
        }
        if acts.iter().any(Act::is_selection)
            && self.is_exact()
            && let Some((throws, unit)) = self.members_as_throws(members, acts, span)?
            && self.fits(&throws, span).is_ok()
        {
            let mut dist = self.pool(&Pool { throws: &throws, acts, unit, span })?;
            dist.tail += tail;
            return Ok(dist);
        }
        if acts.iter().any(Act::is_selection) {
            let mut dist = self.wide_group(members, acts, span)?;
            dist.tail = tail;
            return Ok(dist);
        }
        let mut sum = self.point(Number::ZERO);
        for (member, count) in members {
            let one =
                if acts.is_empty() { member.clone() } else { combine::map(member, |x| Some(ended(acts, x))) };
            for _ in 0..*count {
                sum = self.add(&sum, &one, span)?;
            }
        }
        Ok(sum)
    }

    /// A selection of members with wide weights or floating probabilities.
    fn wide_group(&mut self, members: &[(Dist, u32)], acts: &[Act], span: Span) -> Result<Dist, Trouble> {
        let scale = scale_of(members);
        let Some(scale) = scale else { return Err(Trouble::Enumerate) };
        let unit = self.unit_of(acts, scale, span)?;
        let mut laws = Vec::new();
        let mut denom = Denom::one();
        for (member, count) in members {
            let mut poly = Poly::zero(member.width());
            poly.roundings = member.roundings;
            let mut worths = Vec::with_capacity(member.len());
            for (value, _) in member.cells() {
                let worth = unit.worth(value).filter(|worth| worth.unsigned_abs() < 1 << 40);
                worths.push(worth.ok_or(Trouble::Enumerate)?);
            }
            if let (Some(low), Some(high)) = (worths.iter().min(), worths.iter().max()) {
                self.near(*low, *high, worths.len())?;
            }
            for ((_, cell), worth) in member.cells().zip(worths) {
                let one =
                    Poly { low: worth, mass: member.mass.slice(cell, cell + 1), roundings: member.roundings };
                poly.add(&one, 0);
            }
            denom = denom.times(&member.denom.pow(*count));
            laws.push((poly, member.denom.clone(), *count));
        }
        self.wide_pool(&laws, acts, unit, &denom, span)
    }

    /// The dice of the pools of a mixed pool, for each way in which their numbers come up.
    pub(crate) fn parts(
        &mut self,
        nodes: &[(&'e Dice, Span)],
        so_far: Vec<Part>,
        done: &mut Gathered<'_, 'e>,
    ) -> Result<Dist, Trouble> {
        let Some((&(dice, _), rest)) = nodes.split_first() else {
            return done(self, so_far);
        };
        self.over(&dice.count, &mut |walker, number| {
            let count = match dice_count(number, dice.count.span) {
                Ok(count) => count,
                Err(error) => return Ok(walker.fail(error)),
            };
            walker.of_sides(&dice.sides, &mut |walker, die| {
                walker.resolved(&dice.steps, &Known::of(count), &mut |walker, acts| {
                    let mut parts = so_far.clone();
                    parts.push(Part { die: die.clone(), count, acts: acts.to_vec() });
                    walker.parts(rest, parts, done)
                })
            })
        })
    }

    /// How many dice a mixed pool has, if that is known.
    pub(crate) fn known_of(parts: &[Part]) -> Known {
        parts.iter().fold(Known::of(0), |known, part| {
            known.beside(&part.acts.iter().fold(Known::of(part.count), super::steps::Known::then))
        })
    }

    /// One pool of several kinds of dice.
    fn mixed_pool(
        &mut self,
        parts: &[Part],
        steps: (&'e [Step], &'e [Step]),
        span: Span,
    ) -> Result<Dist, Trouble> {
        let known = Self::known_of(parts);
        self.resolved(steps.0, &known, &mut |walker, acts| {
            let known = acts.iter().fold(known.clone(), super::steps::Known::then);
            walker.resolved(steps.1, &known, &mut |walker, acts| {
                let (throws, unit) = walker.parts_as_throws(parts, acts, span)?;
                walker.pool(&Pool { throws: &throws, acts, unit, span })
            })
        })
    }

    /// The dice of a mixed pool, equal ones together.
    pub(crate) fn parts_as_throws(
        &mut self,
        parts: &[Part],
        acts: &[Act],
        span: Span,
    ) -> Result<(Vec<Throw>, Unit), Trouble> {
        let all: Vec<Act> = parts.iter().flat_map(|part| part.acts.iter()).chain(acts).cloned().collect();
        let unit = self.unit_of(&all, 1, span)?;
        let mut throws: Vec<(Die, Throw)> = Vec::new();
        for part in parts {
            let same =
                throws.iter_mut().find(|t| t.0 == part.die && t.1.first.is_empty() && part.acts.is_empty());
            if let Some((_, throw)) = same {
                let count = u64::from(throw.count) + part.count;
                throw.count = self.throw_of(Rc::clone(&throw.kind), count, Vec::new(), span)?.count;
                continue;
            }
            let kind = self.kind_of(&part.die, unit, span)?;
            throws.push((part.die.clone(), self.throw_of(kind, part.count, part.acts.clone(), span)?));
        }
        let throws: Vec<Throw> = throws.into_iter().map(|t| t.1).collect();
        self.fits(&throws, span)?;
        Ok((throws, unit))
    }
}

/// A row that begins at `low` and goes in steps, with all numbers from 0 on.
fn by_count<T: Copy + Default>(row: &[T], low: usize, step: usize) -> Vec<T> {
    let mut all = vec![T::default(); low + step * (row.len() - 1) + 1];
    row.iter().enumerate().for_each(|(i, &weight)| all[low + step * i] = weight);
    all
}

/// The common unit of members' worths.
fn scale_of(members: &[(Dist, u32)]) -> Option<i128> {
    let mut scale: i128 = 1;
    for (member, _) in members {
        match &member.support {
            Support::Grid { scale: own, .. } => scale = super::dist::lcm(scale, *own)?,
            Support::List(values) => {
                for value in values {
                    scale = super::dist::lcm(scale, value.denominator())?;
                }
            }
        }
        if scale >= 1 << 20 {
            return None;
        }
    }
    Some(scale)
}

/// What steps without a selection make of one worth in the end.
fn ended(acts: &[Act], worth: Number) -> Number {
    let mut worth = worth;
    let mut net: Option<i64> = None;
    for act in acts {
        match act {
            Act::AtLeast(bound) => worth = worth.max(*bound),
            Act::AtMost(bound) => worth = worth.min(*bound),
            Act::Count(test) => *net.get_or_insert(0) += i64::from(test.meets(worth)),
            Act::Fail(test) => *net.get_or_insert(0) -= i64::from(test.meets(worth)),
            Act::Select(..) | Act::Explode(_) | Act::Reroll(_) => {}
        }
    }
    net.map_or(worth, Number::from)
}

/// The dice of a sum of pools.
pub(crate) fn pools<'e>(node: &'e Node, into: &mut Vec<(&'e Dice, Span)>) {
    match &node.kind {
        NodeKind::Dice(dice) => into.push((dice, node.span)),
        NodeKind::Chain(chain) => {
            let chain: &Chain = chain;
            pools(&chain.first, into);
            chain.rest.iter().for_each(|link| pools(&link.operand, into));
        }
        NodeKind::Label(label) => pools(&label.inner, into),
        NodeKind::Number(_)
        | NodeKind::Group(_)
        | NodeKind::Named(_)
        | NodeKind::Call(_)
        | NodeKind::Bracket(_)
        | NodeKind::Signed(..)
        | NodeKind::Power(_)
        | NodeKind::Compare(_)
        | NodeKind::Choice(_)
        | NodeKind::House(_) => {}
    }
}
