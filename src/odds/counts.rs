//! Computed numbers of plain dice, such as `(1d6)d8`: every number of them in one pass over the powers of a die.
//!
//! Apart from `throws`, where the number of dice is known before anything is computed.

use std::rc::Rc;

use super::acts::Unit;
use super::dist::{Dist, Support};
use super::kernel::{Mass, mixture_of_chances, mixture_of_counts};
use super::walk::{Trouble, Walker};
use crate::ast::{Dice, Span};
use crate::die::Die;

/// Rows of sums up to this length may consist of gaps.
const FAR: f64 = 1e5;

impl Walker<'_> {
    /// Dice without steps, each number of them by itself.
    pub(super) fn of_counts(
        &mut self,
        counts: &Dist,
        die: &Die,
        dice: &Dice,
        span: Span,
    ) -> Result<Dist, Trouble> {
        let at = dice.count.span;
        self.over_values(counts, 1.0, at, &mut |walker, number| {
            walker.counted(number, at, |walker, count| walker.dice_of(die, count, &[], span))
        })
    }

    /// A computed number of plain dice in one pass, or `None` where the counts do not fit that form.
    pub(super) fn computed_count(
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
        self.near_faces(&kind)?;
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
        let poly = match &counts.mass {
            Mass::F64(chances) => {
                self.charge_for(work, 2.0 * reach, width, span)?;
                let chances = by_count(chances, low, step);
                mixture_of_chances(&factor, &chances, counts.roundings, kind.total)
            }
            Mass::U64(_) | Mass::U128(_) | Mass::Limbs { .. } => {
                let (Some(weights), Some(total), true) =
                    (counts.small_weights(), counts.denom.small(), self.is_exact())
                else {
                    return Ok(None);
                };
                self.charge_for(work, 2.0 * reach, width, span)?;
                mixture_of_counts(&factor, &by_count(&weights, low, step), total, kind.total, width)
            }
        };
        let mut dist = Dist::of_poly(poly, denom, 1);
        dist.tail = counts.tail;
        Ok(Some(dist))
    }
}

/// A row that begins at `low` and goes in steps, with all numbers from 0 on.
fn by_count<T: Copy + Default>(row: &[T], low: usize, step: usize) -> Vec<T> {
    let mut all = vec![T::default(); low + step * (row.len() - 1) + 1];
    row.iter().enumerate().for_each(|(i, &weight)| all[low + step * i] = weight);
    all
}
