//! The walk over a tree with distributions: what it knows, and what failed on the way.

use std::collections::HashMap;

use super::acts::{Act, Kind};
use super::budget::Budget;
use super::dist::Dist;
use super::elem::Arithmetic;
use super::foresee::{Price, Pricing};
use super::kernel::{Denom, Width};
use super::names::Binding;
use super::options::Odds;
use crate::ast::{Expr, Inner, Node, Span};
use crate::check::endless;
use crate::error::Error;
use crate::number::Number;

/// What a value of a number costs, however little is done with it.
const CASE: f64 = 1000.0;

/// Why there is no distribution.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// It would cost too much this way.
    Budget(Error),
    /// No algorithm fits: only rolling every roll will do.
    Enumerate,
    /// It was only priced; see [`super::foresee`].
    Priced,
    /// It is refused for good.
    Refused(Error),
}

/// The distribution of a node that is computed once, with the ways in which it can fail.
#[derive(Clone)]
pub(crate) struct Remembered {
    pub dist: Dist,
    pub fault: Option<Error>,
    pub faults: usize,
}

/// One computation.
pub(crate) struct Walker<'e> {
    pub expr: &'e Inner,
    pub options: &'e Odds,
    pub arithmetic: Arithmetic,
    /// How much of one endless chain may be cut off.
    pub chain_tail: f64,
    pub budget: Budget,
    /// The first way in which the roll can fail.
    pub fault: Option<Error>,
    /// How many ways have been met.
    pub faults: usize,
    pub env: Vec<Option<Binding<'e>>>,
    /// Distributions of dice without names, while something is conditioned on.
    pub memo: HashMap<usize, Remembered>,
    pub conditions: usize,
    /// The dice or the group at hand, which a refusal names rather than a part of it.
    pub subject: Option<Span>,
    /// Set while a case is only priced, and what the last one costs.
    pub pricing: Option<Pricing>,
    pub price: Price,
}

impl<'e> Walker<'e> {
    pub(crate) fn new(expr: &'e Expr, options: &'e Odds, arithmetic: Arithmetic) -> Walker<'e> {
        let mut endless = 0u32;
        expr.walk(&mut |node| endless += super::steps::unlimited(node.own_steps()));
        Walker {
            expr: &expr.inner,
            options,
            arithmetic,
            chain_tail: options.tail.clamp(1e-300, 0.5) / f64::from(endless.max(1)) / 2.0,
            budget: Budget::new(options.limits.steps),
            fault: None,
            faults: 0,
            env: vec![None; expr.inner.names as usize],
            memo: HashMap::new(),
            conditions: 0,
            subject: None,
            pricing: None,
            price: Price::default(),
        }
    }

    /// The distribution of the whole text, one repetition of it.
    pub(crate) fn whole(&mut self) -> Result<Dist, Trouble> {
        let expr = self.expr;
        self.scope(&expr.definitions, &expr.body)
    }

    pub(crate) fn is_exact(&self) -> bool {
        self.arithmetic == Arithmetic::Exact
    }

    /// The width for counts of so many outcomes.
    pub(crate) fn width_of(&self, denom: &Denom) -> Width {
        self.arithmetic.width(denom)
    }

    /// A certain number.
    pub(crate) fn point(&self, value: Number) -> Dist {
        Dist::point(value, self.width_of(&Denom::one()))
    }

    /// The roll fails here: nothing of it is left.
    pub(crate) fn fail(&mut self, error: Error) -> Dist {
        self.note(error);
        Dist::nothing(self.width_of(&Denom::one()))
    }

    /// Remembers a way in which the roll can fail.
    pub(crate) fn note(&mut self, error: Error) {
        self.faults += 1;
        self.fault.get_or_insert(error);
    }

    /// An explosion or a reroll that never ends.
    pub(crate) fn endless(&mut self, act: Option<&Act>, kind: &Kind, span: Span) {
        let Some(die) = &kind.die else { return };
        let error = match act {
            Some(Act::Explode(explosion)) => endless::explosion(die, explosion.span),
            Some(Act::Reroll(reroll)) => endless::reroll(die, reroll.span),
            Some(Act::Select(..) | Act::AtLeast(_) | Act::AtMost(_) | Act::Count(_) | Act::Fail(_))
            | None => endless::reroll(die, span),
        };
        self.note(error);
    }

    /// What `f` makes of each value that a node can have, mixed.
    pub(crate) fn over(
        &mut self,
        node: &'e Node,
        f: &mut dyn FnMut(&mut Self, Number) -> Result<Dist, Trouble>,
    ) -> Result<Dist, Trouble> {
        let dist = self.node(node)?;
        self.over_values(&dist, 1.0, node.span, f)
    }

    /// The same for a distribution at hand; `spare` as for [`Walker::foresee`].
    pub(crate) fn over_values(
        &mut self,
        dist: &Dist,
        spare: f64,
        span: Span,
        f: &mut dyn FnMut(&mut Self, Number) -> Result<Dist, Trouble>,
    ) -> Result<Dist, Trouble> {
        if let Some(value) = dist.certain() {
            return f(self, value);
        }
        self.charge(super::float(dist.len()) * CASE, span)?;
        self.conditions += 1;
        let mut parts = Vec::new();
        let mut failed = self.foresee(dist, spare, span, f).err();
        let mut held = 0.0;
        for (value, cell) in dist.cells() {
            if failed.is_some() {
                break;
            }
            match f(self, value) {
                Ok(part) => {
                    held += super::float(part.len()) * super::float(part.width().limbs());
                    parts.push((cell, part));
                    if let Err(trouble) = self.charge_for(0.0, held, Width::U64, span) {
                        failed = Some(trouble);
                        break;
                    }
                }
                Err(trouble) => {
                    failed = Some(trouble);
                    break;
                }
            }
        }
        self.conditions -= 1;
        if let Some(trouble) = failed {
            return Err(trouble);
        }
        self.mix(&parts, dist, span)
    }

    /// Parts in the proportions of a distribution's cells.
    pub(crate) fn mix(&mut self, parts: &[(usize, Dist)], dist: &Dist, span: Span) -> Result<Dist, Trouble> {
        let inner = parts.iter().fold(Denom::one(), |all, (_, part)| all.lcm(&part.denom));
        let limbs = super::float(self.width_of(&dist.denom.times(&inner)).limbs());
        // Each part is brought to the common number of outcomes, a small factor at a time, and then weighted.
        let factors = |part: &Dist| super::float_u64(inner.bits().saturating_sub(part.denom.bits()) / 60 + 2);
        let scaled: f64 = parts.iter().map(|part| super::float(part.1.len()) * factors(&part.1)).sum();
        let weight = super::float(dist.width().limbs());
        let cells: usize = parts.iter().map(|part| part.1.len()).sum();
        self.charge((scaled + super::float(cells) * weight) * limbs, span)?;
        let mut mixed = super::mixture::mixture(parts, &dist.mass, &dist.denom, dist.roundings);
        mixed.tail += dist.tail;
        Ok(mixed)
    }
}
