//! Pools without a selection: every die by itself, so the pool is a power of what one die brings.
//!
//! Apart from the selections, which look at all dice of a pool together.

use std::collections::HashMap;

use crate::number::Number;
use crate::odds::acts::Act;
use crate::odds::closed::Closed;
use crate::odds::cost;
use crate::odds::dist::{Dist, Moments, Rational};
use crate::odds::elem::{Elem, PLAIN};
use crate::odds::float;
use crate::odds::kernel::{Denom, Factor, Mass, Width, sum_of};
use crate::odds::walk::{Trouble, Walker};

use super::{Pool, Throw};

impl Walker<'_> {
    /// Every die by itself: powers of what one die brings.
    pub(super) fn without_selection(&mut self, pool: &Pool) -> Result<Dist, Trouble> {
        let mut sum: Option<Dist> = None;
        let simple = |act: &Act| act.counts() || act.clamps();
        for throw in pool.throws {
            let one = if throw.first.iter().chain(pool.acts).all(simple) {
                self.mapped(pool, throw)?
            } else {
                self.chained(pool, throw)?
            };
            sum = Some(match sum {
                None => one,
                Some(sum) => self.add(&sum, &one, pool.span)?,
            });
        }
        Ok(sum.unwrap_or_else(|| Dist::point(Number::ZERO, self.width_of(&Denom::one()))))
    }

    /// Dice whose faces only become other numbers.
    fn mapped(&mut self, pool: &Pool, throw: &Throw) -> Result<Dist, Trouble> {
        let kind = &throw.kind;
        let die = if pool.acts.is_empty() && throw.first.is_empty() {
            Factor::new(&kind.faces)
        } else {
            let end = |&(f, w): &(i64, u64)| {
                let acts = throw.first.iter().chain(pool.acts);
                (pool.adds_after(acts, f), w)
            };
            Factor::new(&kind.faces.iter().map(end).collect::<Vec<_>>())
        };
        let Some(die) = die else { return Err(self.too_much(f64::INFINITY, pool.span)) };
        self.power(&die, kind.total, throw.count, pool)
    }

    /// The sum of n equal dice with small weights.
    fn power(&mut self, die: &Factor, total: u64, n: u32, pool: &Pool) -> Result<Dist, Trouble> {
        let denom = self.arithmetic.denom(total, n);
        let width = self.width_of(&denom);
        let cells = float(die.weights().len().saturating_sub(1)) * f64::from(n) + 1.0;
        // Symmetric dice are computed up to the middle and mirrored.
        self.charge_for(cost::sum(die, n, width), cells * 1.5, width, pool.span)?;
        Ok(Dist::of_poly(sum_of(die, n, total, width), denom, pool.scale()))
    }

    /// Dice that go through a chain of steps.
    fn chained(&mut self, pool: &Pool, throw: &Throw) -> Result<Dist, Trouble> {
        let arithmetic = self.arithmetic;
        let leaf = |worth: i64| Elem::leaf(arithmetic, pool.adds(worth), 0, 0, PLAIN);
        let acts = throw.then(pool.acts);
        let mut chain = self.chain(&acts, throw, pool.unit, &leaf);
        let one = chain.fresh(0);
        let one = self.settle(&chain, one, pool)?;
        let cut = chain.cut;
        let mut dist = self.elem_power(&one, throw.count, pool)?;
        if cut > 0.0 {
            dist.tail = cut * f64::from(throw.count);
            let mut closed = Closed { acts: &acts, kind: &throw.kind, unit: pool.unit, memo: HashMap::new() };
            if let Some(one) = closed.moments() {
                let n = Rational::from(num_bigint::BigInt::from(throw.count));
                let moments = Moments { mean: one.mean * &n, variance: one.variance * n };
                dist.closed = Some(Box::new(moments));
            }
        }
        Ok(dist)
    }

    /// n independent ones of what a chain made.
    fn elem_power(&mut self, one: &Elem, n: u32, pool: &Pool) -> Result<Dist, Trouble> {
        let poly = one.plain().trim();
        let denom = one.denom.pow(n);
        let width = self.width_of(&denom);
        if poly.is_zero() {
            let width = self.width_of(&Denom::one());
            return Ok(if n == 0 { Dist::point(Number::ZERO, width) } else { Dist::nothing(width) });
        }
        if let (Mass::U64(weights), Some(total)) = (&poly.mass, one.denom.small())
            && width != Width::F64
        {
            let die = Factor::from_weights(poly.low, weights.clone());
            return self.power(&die, total, n, pool);
        }
        let cells = float(poly.mass.len()) * f64::from(n);
        self.charge_for(cost::power(&poly, n, width), cells * 3.0, width, pool.span)?;
        Ok(Dist::of_poly(poly.pow(n, width), denom, pool.scale()))
    }
}
