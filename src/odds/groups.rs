//! Groups of members, such as `{2d6, 1d8+2}kh1`: each member is one number, which can be kept, dropped or counted.

use std::rc::Rc;

use super::acts::{Act, Kind, Unit};
use super::combine;
use super::dist::{Dist, Support};
use super::kernel::{Denom, Poly};
use super::mixed::pools;
use super::pool::{Pool, Throw};
use super::steps::Known;
use super::walk::{Trouble, Walker};
use crate::ast::{Group, Node, Span, Step};
use crate::number::Number;

impl<'e> Walker<'e> {
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
            let known = Known::of(size).after(acts);
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
        let tail = tail_of(members);
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
}

/// What is cut off from members together.
pub(super) fn tail_of(members: &[(Dist, u32)]) -> f64 {
    members.iter().map(|(member, count)| member.tail * f64::from(*count)).sum()
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
