//! What is known of a pool: its size, its kinds of dice and the worths they can have.

use super::Checker;
use super::worths::Worths;
use crate::ast::{Dice, Group, Kind, Node, Sides, Span, Step};
use crate::bounds::bounds_of;
use crate::die::Die;
use crate::error::Error;
use crate::eval::dice_count;
use crate::lower::dice::plain;
use crate::plain::{Act, Plain};
use crate::test::Test;

/// What is known of a pool at one step.
#[derive(Clone, Default)]
pub(super) struct PoolFacts {
    /// How many live dice there are.
    pub size: Option<u64>,
    /// What the size is known from: dice, members, or a step.
    pub known: Known,
    /// The pool was written out as empty, so every selection fits.
    pub empty: bool,
    /// Its kinds of dice, if a step asks for them.
    pub kinds: Vec<KindFacts>,
    /// The conditions of its unlimited explosions and of its unlimited rerolls, as far as they are known.
    pub explosions: Vec<Option<Test>>,
    pub rerolls: Vec<Option<Test>>,
    /// How the pool is written up to the step at hand, for advice.
    pub written: String,
}

/// Where a text says how many dice there are.
#[derive(Clone, Copy, Default)]
pub(super) enum Known {
    /// At no single place.
    #[default]
    Nowhere,
    /// Where they are thrown.
    Thrown(Span),
    /// In the list of a group's members.
    Members,
    /// At the step that kept or dropped some.
    Left(Span),
}

#[derive(Clone)]
pub(super) struct KindFacts {
    /// The die; `None` for members and for computed sides.
    pub die: Option<Die>,
    pub worths: Worths,
}

impl Checker<'_> {
    /// Checks dice. `wanted`: a step outside asks for the worths.
    pub(super) fn dice(&mut self, dice: &Dice, wanted: bool) -> Result<PoolFacts, Error> {
        let count = self.node(&dice.count)?;
        let count = match count {
            Some(count) => self.tried(dice_count(count, dice.count.span))?,
            None => None,
        };
        let die = match &dice.sides {
            Sides::Known(die) => Some(die.clone()),
            Sides::Computed(node) => match self.node(node)? {
                Some(sides) => self.tried(plain(sides, node.span))?,
                None => None,
            },
        };
        self.throws(count.unwrap_or(0), dice.thrown)?;
        let known = Known::Thrown(dice.thrown);
        let mut pool = PoolFacts { size: count, known, empty: count == Some(0), ..PoolFacts::default() };
        let plain = Plain::of(dice);
        if let Some(place) = self.plains.get_mut(dice.id as usize) {
            *place = plain;
        }
        if let Some(Plain { act: Act::Explode(..), .. }) = plain
            && !wanted
        {
            // Plain explosions end.
            dice.steps.iter().for_each(|step| self.note_end(step, true));
            pool.size = None;
            return Ok(pool);
        }
        if wanted || self.asks(&dice.steps) {
            let worths = die.as_ref().map_or(Worths::Unknown, Worths::of);
            pool.kinds.push(KindFacts { die, worths });
        }
        for (i, step) in dice.steps.iter().enumerate() {
            if self.bare.contains(&step.id) {
                let before = Dice { steps: dice.steps[..i].to_vec(), ..dice.clone() };
                pool.written = written(Kind::Dice(Box::new(before)));
            }
            self.step(&mut pool, step)?;
        }
        Ok(pool)
    }

    /// Whether one of the steps needs to know the worths of dice.
    fn asks(&self, steps: &[Step]) -> bool {
        steps.iter().any(|step| step.kind.throws() || self.bare.contains(&step.id))
    }

    pub(super) fn group(&mut self, group: &Group) -> Result<PoolFacts, Error> {
        let asks = self.asks(&group.steps);
        let mut pool = PoolFacts { size: Some(0), empty: true, ..PoolFacts::default() };
        if let [member] = &group.members[..] {
            self.gather(member, &mut pool, asks)?;
        } else {
            (pool.size, pool.known) = (Some(group.members.len() as u64), Known::Members);
            pool.empty = false;
            for member in &group.members {
                self.node(member)?;
                if asks {
                    let (low, high) = bounds_of(member);
                    let worths = Worths::Range(low, high);
                    pool.kinds.push(KindFacts { die: None, worths });
                }
            }
        }
        for (i, step) in group.steps.iter().enumerate() {
            if self.bare.contains(&step.id) {
                let before = Group { steps: group.steps[..i].to_vec(), ..group.clone() };
                pool.written = written(Kind::Group(Box::new(before)));
            }
            self.step(&mut pool, step)?;
        }
        Ok(pool)
    }

    /// Adds the dice of a sum of pools.
    fn gather(&mut self, node: &Node, pool: &mut PoolFacts, asks: bool) -> Result<(), Error> {
        match &node.kind {
            Kind::Dice(dice) => {
                let part = self.dice(dice, asks)?;
                pool.size = pool.size.zip(part.size).map(|(a, b)| a.saturating_add(b));
                pool.empty &= part.empty;
                pool.kinds.extend(part.kinds);
                Ok(())
            }
            Kind::Chain(chain) => {
                self.gather(&chain.first, pool, asks)?;
                chain.rest.iter().try_for_each(|link| self.gather(&link.operand, pool, asks))
            }
            Kind::Label(label) => self.gather(&label.inner, pool, asks),
            Kind::Number(_)
            | Kind::Group(_)
            | Kind::Named(_)
            | Kind::Call(_)
            | Kind::Bracket(_)
            | Kind::Signed(..)
            | Kind::Power(_)
            | Kind::Compare(_)
            | Kind::Choice(_)
            | Kind::House(_) => Err(crate::lower::internal(node.span)),
        }
    }
}

/// How a pool is written, with the steps that it has.
fn written(kind: Kind) -> String {
    Node { kind, span: Span::default() }.to_string()
}
