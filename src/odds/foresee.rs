//! The price of many cases before any of them is computed.
//!
//! A number with dice in it (a count, a face, an amount) makes one case of every value it can have. A few of the cases are
//! walked through up to their first large piece of work, which is priced and left undone. Between two of them every case is
//! taken to cost as much as the two on average, so what is beyond the budget is refused at once.

use super::dist::Dist;
use super::float;
use super::walk::{Trouble, Walker};
use crate::ast::Span;
use crate::number::Number;

/// Work below this many steps is done and not priced.
const SMALL: f64 = 1e5;

/// A chain of steps is followed so far where it is only priced.
const CHAIN: f64 = 1e6;

/// What one case takes at least: steps, the counts of its result and the limbs of each.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Price {
    steps: f64,
    counts: f64,
    limbs: f64,
}

impl Price {
    fn average(self, other: Price) -> Price {
        Price {
            steps: f64::midpoint(self.steps, other.steps),
            counts: f64::midpoint(self.counts, other.counts),
            limbs: f64::midpoint(self.limbs, other.limbs),
        }
    }
}

/// What a case that is small enough to be computed leaves: counts, and the limbs of each.
pub(crate) struct Held {
    counts: f64,
    limbs: f64,
}

impl Held {
    /// Nothing that is kept until the other cases are done.
    pub(crate) const NOTHING: Held = Held { counts: 0.0, limbs: 1.0 };
}

/// A case that is being priced: the work that was left before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pricing {
    before: f64,
}

impl Walker<'_> {
    /// While a case is priced, ends it at work that is not small.
    pub(crate) fn priced(&mut self, steps: f64, counts: f64, limbs: f64) -> Result<(), Trouble> {
        match self.pricing {
            Some(pricing) if steps > SMALL => {
                let steps = pricing.before - self.work_left() + steps;
                // What is asked for includes room on the way, three times the result at most.
                self.price = Price { steps, counts: counts / 3.0, limbs };
                Err(Trouble::Priced)
            }
            Some(_) | None => Ok(()),
        }
    }

    /// How far a chain of steps may go.
    pub(crate) fn chain_work(&self) -> f64 {
        if self.pricing.is_some() { self.work_left().min(CHAIN) } else { self.work_left() }
    }

    /// What is needed however a case comes out, computed for good while the case is priced.
    pub(crate) fn for_good<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let (pricing, before) = (self.pricing.take(), self.work_left());
        let result = f(self);
        let spent = before - self.work_left();
        self.pricing = pricing.map(|pricing| Pricing { before: pricing.before - spent });
        result
    }

    /// The price of one case, and whether it was small enough to be computed.
    fn price_of(
        &mut self,
        case: usize,
        f: &mut dyn FnMut(&mut Self, usize) -> Result<Held, Trouble>,
    ) -> Result<(Price, bool), Trouble> {
        let (outer, fault, faults) = (self.pricing, self.fault.clone(), self.faults);
        let start = self.work_left();
        self.pricing = Some(Pricing { before: start });
        let result = f(self, case);
        let before = self.pricing.map_or(start, |pricing| pricing.before);
        let used = before - self.work_left();
        self.restore(before);
        // What was computed for good meanwhile is no part of the outer price either.
        self.pricing = outer.map(|outer| Pricing { before: outer.before - (start - before) });
        (self.fault, self.faults) = (fault, faults);
        match result {
            Ok(held) => Ok((Price { steps: used, counts: held.counts, limbs: held.limbs }, true)),
            Err(Trouble::Priced) => Ok((self.price, false)),
            Err(trouble @ (Trouble::Budget(_) | Trouble::Enumerate | Trouble::Refused(_))) => Err(trouble),
        }
    }

    /// Refuses values of a number whose cases together are beyond the budget by the factor `spare`.
    pub(crate) fn foresee(
        &mut self,
        dist: &Dist,
        spare: f64,
        span: Span,
        f: &mut dyn FnMut(&mut Self, Number) -> Result<Dist, Trouble>,
    ) -> Result<(), Trouble> {
        let values: Vec<Number> = dist.cells().map(|cell| cell.0).collect();
        self.foresee_cases(values.len(), spare, span, &mut |walker, case| {
            let part = f(walker, values[case])?;
            Ok(Held { counts: float(part.len()), limbs: float(part.width().limbs()) })
        })
    }

    /// Refuses so many cases that together are beyond the budget by the factor `spare`.
    pub(crate) fn foresee_cases(
        &mut self,
        cases: usize,
        spare: f64,
        span: Span,
        f: &mut dyn FnMut(&mut Self, usize) -> Result<Held, Trouble>,
    ) -> Result<(), Trouble> {
        let Some(last) = cases.checked_sub(1).filter(|last| *last > 1) else { return Ok(()) };
        // Places in ascending order, with what is known of them.
        let mut known: Vec<(usize, Price)> = Vec::new();
        let mut small = true;
        for at in [last, 0] {
            let (price, done) = self.price_of(at, f)?;
            small &= done && price.steps * float(last) < self.work_left() / 100.0;
            known.insert(0, (at, price));
        }
        if small {
            return Ok(());
        }
        let rounds = if self.pricing.is_some() { 2 } else { 4 };
        for _ in 0..rounds {
            self.affordable(&known, spare, span)?;
            let mut finer = Vec::with_capacity(known.len() * 2);
            for pair in known.windows(2) {
                finer.push(pair[0]);
                let middle = pair[0].0.midpoint(pair[1].0);
                if middle > pair[0].0 {
                    finer.push((middle, self.price_of(middle, f)?.0));
                }
            }
            finer.extend(known.last());
            known = finer;
        }
        let total = self.affordable(&known, spare, span)?;
        let counts: f64 = known.iter().map(|(_, price)| price.counts).fold(0.0, f64::max);
        let limbs: f64 = known.iter().map(|(_, price)| price.limbs).fold(1.0, f64::max);
        self.priced(total / spare, counts * 3.0, limbs)
    }

    /// The estimated steps of all cases, if they are within the budget.
    fn affordable(&self, known: &[(usize, Price)], spare: f64, span: Span) -> Result<f64, Trouble> {
        let (total, bytes) = estimate(known);
        if total > self.work_left() * spare {
            return Err(self.too_much(total, span));
        }
        self.room(bytes / spare, span)?;
        Ok(total)
    }
}

/// An estimate of the steps of all cases and of mixing them, and on the bytes that hold them.
fn estimate(known: &[(usize, Price)]) -> (f64, f64) {
    let limbs = known.iter().map(|(_, price)| price.limbs).fold(1.0, f64::max);
    let (mut steps, mut bytes) = (0.0, 0.0);
    let mut add = |cases: usize, price: Price| {
        let factors = (limbs - price.limbs) * 64.0 / 60.0 + 2.0;
        steps += float(cases) * (price.steps + price.counts * factors * limbs);
        bytes += float(cases) * price.counts * price.limbs * 8.0;
    };
    for pair in known.windows(2) {
        add(pair[1].0 - pair[0].0, pair[0].1.average(pair[1].1));
    }
    if let Some(last) = known.last() {
        add(1, last.1);
    }
    (steps, bytes)
}
