//! Mixed pools, such as `{2d6+1d8}kh2`: the dice of several terms in one pool.
//!
//! Apart from groups of members, whose totals are what is kept: here it is the dice.

use std::rc::Rc;

use super::acts::{Act, Unit};
use super::dist::Dist;
use super::pool::{Pool, Throw};
use super::steps::Known;
use super::walk::{Trouble, Walker};
use crate::ast::{Chain, Dice, Kind as NodeKind, Node, Span, Step};
use crate::die::Die;

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
            walker.counted(number, dice.count.span, |walker, count| {
                walker.of_sides(&dice.sides, &mut |walker, die| {
                    walker.resolved(&dice.steps, &Known::of(count), &mut |walker, acts| {
                        let mut parts = so_far.clone();
                        parts.push(Part { die: die.clone(), count, acts: acts.to_vec() });
                        walker.parts(rest, parts, done)
                    })
                })
            })
        })
    }

    /// How many dice a mixed pool has, if that is known.
    pub(crate) fn known_of(parts: &[Part]) -> Known {
        parts.iter().fold(Known::of(0), |known, part| known.beside(&Known::of(part.count).after(&part.acts)))
    }

    /// One pool of several kinds of dice.
    pub(super) fn mixed_pool(
        &mut self,
        parts: &[Part],
        steps: (&'e [Step], &'e [Step]),
        span: Span,
    ) -> Result<Dist, Trouble> {
        let known = Self::known_of(parts);
        self.resolved(steps.0, &known, &mut |walker, acts| {
            let known = known.clone().after(acts);
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
