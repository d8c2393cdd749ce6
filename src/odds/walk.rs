//! The walk over a tree with distributions: what it knows, what it may spend, and what failed on the way.

use std::collections::HashMap;

use super::acts::{Act, Kind};
use super::dist::Dist;
use super::elem::{Arithmetic, Elem};
use super::foresee::{Price, Pricing};
use super::kernel::{Denom, Width};
use super::names::Binding;
use super::options::Odds;
use crate::ast::{Expr, Inner, Node, Span};
use crate::check::endless;
use crate::error::{Code, Error};
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

/// One computation.
pub(crate) struct Walker<'e> {
    pub expr: &'e Inner,
    pub options: &'e Odds,
    pub arithmetic: Arithmetic,
    /// How much of one endless chain may be cut off.
    pub chain_tail: f64,
    /// Steps of work to begin with, and what is left of them.
    budget: f64,
    work: f64,
    /// The first way in which the roll can fail.
    pub fault: Option<Error>,
    /// How many ways have been met.
    pub faults: usize,
    pub env: Vec<Option<Binding<'e>>>,
    /// Distributions of dice without names, while something is conditioned on.
    pub memo: HashMap<usize, Dist>,
    pub conditions: usize,
    /// The dice or the group at hand, which a refusal names rather than a part of it.
    pub subject: Option<Span>,
    /// Set while a case is only priced, and what the last one costs.
    pub pricing: Option<Pricing>,
    pub price: Price,
}

impl<'e> Walker<'e> {
    pub(crate) fn new(expr: &'e Expr, options: &'e Odds, arithmetic: Arithmetic) -> Walker<'e> {
        let budget = super::float_u64(options.limits.steps);
        let mut endless = 0u32;
        expr.walk(&mut |node| endless += super::steps::unlimited(node.own_steps()));
        Walker {
            expr: &expr.inner,
            options,
            arithmetic,
            chain_tail: options.tail.clamp(1e-300, 0.5) / f64::from(endless.max(1)) / 2.0,
            budget,
            work: budget,
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

    pub(crate) fn work_left(&self) -> f64 {
        self.work
    }

    /// Takes work from the budget before it is done.
    pub(crate) fn charge(&mut self, steps: f64, span: Span) -> Result<(), Trouble> {
        if steps > self.work {
            return Err(self.too_much(steps, span));
        }
        self.priced(steps, 0.0, 1.0)?;
        self.work -= steps;
        Ok(())
    }

    /// Gives back what a case that was only priced has taken.
    pub(crate) fn restore(&mut self, work: f64) {
        self.work = work;
    }

    /// Leaves no more than so much work.
    pub(crate) fn with_work(mut self, most: f64) -> Self {
        self.work = self.work.min(most);
        self
    }

    /// Takes work from the budget for a result of so many counts, if they may be held in memory with what is needed on the way.
    pub(crate) fn charge_for(
        &mut self,
        steps: f64,
        counts: f64,
        width: Width,
        span: Span,
    ) -> Result<(), Trouble> {
        let limbs = super::float(width.limbs());
        self.room(counts * limbs * 8.0, span)?;
        if steps <= self.work {
            self.priced(steps, counts, limbs)?;
        }
        self.charge(steps, span)
    }

    /// Refuses what must not be held in memory.
    pub(crate) fn room(&self, bytes: f64, span: Span) -> Result<(), Trouble> {
        let most = super::float_u64(self.options.limits.steps) / 4.0;
        if bytes > most {
            return Err(self.refused_for(
                &format!("about {bytes:.1e} bytes of memory"),
                " (a quarter of it in bytes)",
                span,
            ));
        }
        Ok(())
    }

    /// Counts stand side by side from the least to the greatest number, so numbers that are few and far apart are left to the
    /// enumeration of rolls.
    pub(crate) fn near(&self, low: i64, high: i64, numbers: usize) -> Result<(), Trouble> {
        let cells = super::float_u64(high.abs_diff(low)) + 1.0;
        let sparse = cells > super::float(numbers) * 16.0;
        // A few such rows are needed at a time.
        if sparse && self.room(cells * 32.0, Span::default()).is_err() {
            Err(Trouble::Enumerate)
        } else {
            Ok(())
        }
    }

    /// The same for a power of a marked unit times another, with counts of the given width.
    pub(crate) fn charge_marks(
        &mut self,
        one: &Elem,
        whole: &Elem,
        n: u32,
        overflow: bool,
        width: Width,
        span: Span,
    ) -> Result<(), Trouble> {
        let (steps, counts) = super::cost::marks(one, whole, n, width);
        // Each product with ties beyond the cap is multiplied by what those add.
        let steps = if overflow { steps * 4.0 } else { steps };
        // Two levels and a product at a time.
        self.charge_for(steps, counts * 3.0, width, span)
    }

    /// The refusal of what would take so many steps more.
    pub(crate) fn too_much(&self, steps: f64, span: Span) -> Trouble {
        let all = self.budget - self.work + steps;
        let needs =
            if all.is_finite() { format!("about {all:.1e} steps") } else { "too many steps".to_owned() };
        self.refused_for(&needs, "", span)
    }

    fn refused_for(&self, needs: &str, of: &str, span: Span) -> Trouble {
        let limit = self.options.limits.steps;
        let span =
            self.subject.filter(|whole| whole.start <= span.start && span.end <= whole.end).unwrap_or(span);
        let text = self.text_of(span);
        let error = Error::new(
            Code::Budget,
            span,
            format!("the odds of {text} take {needs}: the limit steps is {limit}{of}"),
        )
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
        let mut mixed = super::combine::mixture(parts, &dist.mass, &dist.denom, dist.roundings);
        mixed.tail += dist.tail;
        Ok(mixed)
    }
}
