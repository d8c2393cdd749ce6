//! The walk over a tree with distributions: what it knows, what it may spend, and what failed on the way.

use std::collections::HashMap;

use super::acts::{Act, Kind};
use super::dist::Dist;
use super::elem::{Arithmetic, Elem};
use super::kernel::{Denom, Width};
use super::names::Binding;
use super::options::Odds;
use crate::ast::{Expr, Inner, Node, Span};
use crate::check::endless;
use crate::error::{Code, Error};
use crate::number::Number;

/// So many values and more are not conditioned on before a look at what that costs.
const MANY: usize = 16;

/// Why there is no distribution.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// It would cost too much this way.
    Budget(Error),
    /// No algorithm fits: only rolling every roll will do.
    Enumerate,
    /// It is refused for good.
    Refused(Error),
}

/// One computation.
pub(crate) struct Walker<'e> {
    pub expr: &'e Inner,
    pub options: &'e Odds,
    pub arithmetic: Arithmetic,
    /// How much of one endless chain may be cut off.
    pub chain_tail: f64,
    work: f64,
    /// The first way in which the roll can fail.
    pub fault: Option<Error>,
    /// How many ways have been met.
    pub faults: usize,
    pub env: Vec<Option<Binding<'e>>>,
    /// Distributions of dice without names, while something is conditioned on.
    pub memo: HashMap<usize, Dist>,
    pub conditions: usize,
}

/// So many steps in words.
fn steps_needed(steps: f64) -> String {
    if steps.is_finite() { format!("about {steps:.0e} steps") } else { "too many steps".to_owned() }
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
            work: super::float_u64(options.limits.steps),
            fault: None,
            faults: 0,
            env: vec![None; expr.inner.names as usize],
            memo: HashMap::new(),
            conditions: 0,
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

    pub(crate) fn work_left(&self) -> f64 {
        self.work
    }

    /// Takes work from the budget before it is done.
    pub(crate) fn charge(&mut self, steps: f64, span: Span) -> Result<(), Trouble> {
        if steps > self.work {
            return Err(self.too_much(steps, span));
        }
        self.work -= steps;
        Ok(())
    }

    /// Takes work from the budget for a result of so many counts, if they may be held in memory with what is needed on the way.
    pub(crate) fn charge_for(
        &mut self,
        steps: f64,
        counts: f64,
        width: Width,
        span: Span,
    ) -> Result<(), Trouble> {
        let bytes = counts * super::float(width.limbs()) * 8.0;
        if bytes > self.most_bytes() {
            let needs = format!("about {bytes:.0e} bytes of memory");
            return Err(self.refused_for(&needs, &self.text_of(span), span));
        }
        self.charge(steps, span)
    }

    /// How much memory the counts of one result may take.
    fn most_bytes(&self) -> f64 {
        super::float_u64(self.options.limits.steps) / 4.0
    }

    /// The same for a power of a marked unit times another, with counts of the given width.
    pub(crate) fn charge_marks(
        &mut self,
        one: &Elem,
        whole: &Elem,
        n: u32,
        width: Width,
        span: Span,
    ) -> Result<(), Trouble> {
        let (steps, counts) = super::cost::marks(one, whole, n, width);
        // Two levels and a product at a time.
        self.charge_for(steps, counts * 3.0, width, span)
    }

    /// The refusal of what would take so many steps.
    pub(crate) fn too_much(&self, steps: f64, span: Span) -> Trouble {
        self.refused_for(&steps_needed(steps), &self.text_of(span), span)
    }

    fn refused_for(&self, needs: &str, what: &str, span: Span) -> Trouble {
        let limit = self.options.limits.steps;
        let title = format!("the odds of {what} take {needs}: the limit steps is {limit}");
        let error = Error::new(Code::Budget, span, title)
            .hint("to raise it: --limit steps=N, or Limits::steps in the library")
            .hint("to estimate the odds instead: --samples N");
        Trouble::Budget(error)
    }

    fn text_of(&self, span: Span) -> String {
        let text = self.expr.text.get(span.range()).unwrap_or("this");
        if text.chars().count() > 60 { "this part".to_owned() } else { text.to_owned() }
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
        self.over_values(&dist, node.span, f)
    }

    /// The same for a distribution at hand.
    pub(crate) fn over_values(
        &mut self,
        dist: &Dist,
        span: Span,
        f: &mut dyn FnMut(&mut Self, Number) -> Result<Dist, Trouble>,
    ) -> Result<Dist, Trouble> {
        if let Some(value) = dist.certain() {
            return f(self, value);
        }
        self.conditions += 1;
        let mut parts = Vec::new();
        let mut failed = self.probe(dist, span, f).err();
        let mut held = 0.0;
        for (value, cell) in dist.cells() {
            if failed.is_some() {
                break;
            }
            match f(self, value) {
                Ok(part) => {
                    held += super::float(part.len()) * super::float(part.width().limbs());
                    parts.push((cell, part));
                    failed = self.charge_for(0.0, held, Width::U64, span).err();
                }
                Err(trouble) => failed = Some(trouble),
            }
        }
        self.conditions -= 1;
        if let Some(trouble) = failed {
            return Err(trouble);
        }
        self.mix(&parts, dist, span)
    }

    /// Refuses what the values of a distribution cost together, where there are many: the first, the middle and the last are
    /// tried, and the others are between them (Simpson's rule).
    fn probe(
        &mut self,
        dist: &Dist,
        span: Span,
        f: &mut dyn FnMut(&mut Self, Number) -> Result<Dist, Trouble>,
    ) -> Result<(), Trouble> {
        let values: Vec<Number> = dist.cells().map(|(value, _)| value).collect();
        if values.len() < MANY {
            return Ok(());
        }
        let count = super::float(values.len());
        let before = (self.work, self.fault.clone(), self.faults);
        let mut price = |walker: &mut Self, value: Number| {
            let part = f(walker, value);
            let used = before.0 - walker.work;
            (walker.work, walker.faults) = (before.0, before.2);
            walker.fault.clone_from(&before.1);
            match part {
                Ok(part) => Ok((used, super::float(part.len()) * super::float(part.width().limbs()))),
                Err(trouble @ Trouble::Budget(_)) => Err(trouble),
                // The values are tried again in their order, and then it matters.
                Err(Trouble::Enumerate | Trouble::Refused(_)) => Ok((used, 0.0)),
            }
        };
        let last = price(self, values[values.len() - 1])?;
        if last.0 * count < self.work / 8.0 && last.1 * count * 8.0 < self.work / 8.0 {
            return Ok(());
        }
        let (first, middle) = (price(self, values[0])?, price(self, values[values.len() / 2])?);
        let whole = |first: f64, middle: f64, last: f64| (first + 4.0 * middle + last) / 6.0 * count;
        let (work, held) = (whole(first.0, middle.0, last.0), whole(first.1, middle.1, last.1));
        let all = || format!("all values of {}", self.text_of(span));
        if work > self.work {
            return Err(self.refused_for(&steps_needed(work), &all(), span));
        }
        if held * 8.0 > self.most_bytes() {
            return Err(self.refused_for(&format!("about {:.0e} bytes of memory", held * 8.0), &all(), span));
        }
        Ok(())
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
        let mut mixed = super::combine::mixture(parts, &dist.mass, &dist.denom, dist.roundings);
        mixed.tail += dist.tail;
        Ok(mixed)
    }
}
