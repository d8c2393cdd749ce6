//! Mixtures of distributions: one of several, each with its weight. What a condition, a computed number or a name leaves.
//!
//! Apart from `combine`, whose numbers are independent: here one number decides which of the others counts.

use num_bigint::BigInt;

use super::combine::spread;
use super::dist::{Dist, Gather, Moments, Rational, Support, lcm};
use super::kernel::{Denom, Mass, Width};
use super::moments::{from_float, is_float};

/// One of several distributions, the i-th in `weights[i]` of `denom` outcomes. Weights are cells of one row.
pub(crate) fn mixture(parts: &[(usize, Dist)], weights: &Mass, denom: &Denom, roundings: f64) -> Dist {
    let inner = parts.iter().fold(Denom::one(), |all, (_, part)| all.lcm(&part.denom));
    let total = denom.times(&inner);
    let width = if is_float(weights.width()) { Width::F64 } else { Width::for_bits(total.bits()) };
    let mut rounded: f64 = 0.0;
    let mut tail = 0.0;
    let all = super::dist::ratio_float(&BigInt::from(1), &BigInt::from(denom.big()));
    for (cell, part) in parts {
        rounded = rounded.max(part.roundings);
        if part.tail > 0.0 {
            let (m, e) = weights.scaled(*cell);
            let weight = if is_float(width) { m } else { super::dist::power_of_two(m * all, e) };
            tail += part.tail * weight;
        }
    }
    let closed = closed_mixture(parts, weights);
    let more = if is_float(width) { super::float(parts.len()) + 1.0 } else { 0.0 };
    let scaled = |part: &Dist| {
        let mut mass = part.mass.clone().widen(width);
        for piece in part.denom.missing_to(&inner).chunks() {
            mass.mul_small(piece);
        }
        mass
    };
    let weights = weights.clone().widen(width);
    let finish = |mut dist: Dist| {
        dist.closed = closed;
        dist
    };
    let roundings = roundings + rounded + more;
    if let Some((low, step, scale, cells)) = common_grid(parts) {
        let mut out = Mass::zeros(width, cells);
        for (cell, part) in parts.iter().filter(|p| p.1.len() > 0) {
            let Support::Grid { low: own, step: gap, scale: unit } = &part.support else { continue };
            let by = usize::try_from(gap * (scale / unit) / step).unwrap_or(1).max(1);
            let at = usize::try_from((own * (scale / unit) - low) / step).unwrap_or(0);
            out.add_multiple(
                at,
                &spread(&scaled(part), if part.len() > 1 { by } else { 1 }),
                &weights,
                *cell,
            );
        }
        let support = Support::Grid { low, step, scale };
        return finish(Dist { support, mass: out, denom: total, roundings, tail, closed: None });
    }
    let mut out = Gather::new(width);
    for (cell, part) in parts {
        let mass = scaled(part);
        for (value, i) in part.cells() {
            let to = out.cell(value);
            out.mass.add_product(to, &mass, i, &weights, *cell);
        }
    }
    finish(out.finish(total, roundings, tail))
}

fn closed_mixture(parts: &[(usize, Dist)], weights: &Mass) -> Option<Box<Moments>> {
    if parts.iter().all(|p| p.1.closed.is_none()) {
        return None;
    }
    let weighted: Option<Vec<_>> = parts
        .iter()
        .map(|(cell, part)| {
            let weight = if is_float(weights.width()) {
                from_float(weights.scaled(*cell).0)
            } else {
                Rational::from(BigInt::from(weights.big(*cell)))
            };
            // Part of a component may be missing because it fails; what is cut off counts as there.
            let there = if part.closed.is_some() { 1.0 } else { part.present() };
            Some((weight * from_float(there), part.moments()?))
        })
        .collect();
    Moments::mixture(&weighted?).map(Box::new)
}

/// A grid that holds all parts, if they leave few gaps.
fn common_grid(parts: &[(usize, Dist)]) -> Option<(i128, i128, i128, usize)> {
    let mut scale: i128 = 1;
    for (_, part) in parts {
        match &part.support {
            Support::Grid { scale: own, .. } => scale = lcm(scale, *own)?,
            Support::List(_) => return None,
        }
    }
    let (mut low, mut high, mut step, mut first) = (i128::MAX, i128::MIN, 0, None);
    let mut cells = 0usize;
    for (_, part) in parts.iter().filter(|p| p.1.len() > 0) {
        let Support::Grid { low: own, step: gap, scale: unit } = &part.support else { return None };
        let by = scale / unit;
        let (own, gap) = (own.checked_mul(by)?, gap.checked_mul(by)?);
        let reach = gap.checked_mul(i128::try_from(part.len() - 1).ok()?)?;
        low = low.min(own);
        high = high.max(own.checked_add(reach)?);
        step = num_integer::gcd(step, if part.len() > 1 { gap } else { 0 });
        step = num_integer::gcd(step, own - *first.get_or_insert(own));
        cells += part.len();
    }
    if low > high {
        return None;
    }
    let step = step.max(1);
    let span = usize::try_from((high - low) / step + 1).ok()?;
    (span <= cells.saturating_mul(8).saturating_add(256)).then_some((low, step, scale, span))
}
