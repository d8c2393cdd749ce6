//! The algebra of independent numbers: sums, functions of one and of two, and comparisons by running sums.

use super::dist::{Dist, Gather, Moments, Support, lcm};
use super::kernel::{Convolution, Mass, Poly, Width};
use super::moments::is_float;
use crate::ast::Comparison;
use crate::number::Number;

/// Two grids on one scale: the common scale, and low and step of each in its units.
struct Aligned {
    scale: i128,
    left: (i128, i128),
    right: (i128, i128),
}

fn aligned(a: &Dist, b: &Dist) -> Option<Aligned> {
    let (Support::Grid { low, step, scale }, Support::Grid { low: low2, step: step2, scale: scale2 }) =
        (&a.support, &b.support)
    else {
        return None;
    };
    let common = lcm(*scale, *scale2)?;
    let (f, g) = (common / scale, common / scale2);
    Some(Aligned {
        scale: common,
        left: (low.checked_mul(f)?, if a.len() > 1 { step.checked_mul(f)? } else { 0 }),
        right: (low2.checked_mul(g)?, if b.len() > 1 { step2.checked_mul(g)? } else { 0 }),
    })
}

/// A row with cells `by` places apart.
pub(super) fn spread(mass: &Mass, by: usize) -> Mass {
    if by == 1 || mass.len() < 2 {
        return mass.clone();
    }
    let mut out = Mass::zeros(mass.width(), (mass.len() - 1) * by + 1);
    for i in 0..mass.len() {
        out.copy_cell(i * by, mass, i);
    }
    out
}

/// The common step of aligned grids, the spread of each, and the cells of their sum; `None` where gaps would prevail.
fn common_step(at: &Aligned, a: &Dist, b: &Dist, offset: i128) -> Option<(i128, usize, usize)> {
    let step = num_integer::gcd(num_integer::gcd(at.left.1, at.right.1), offset).max(1);
    let by = |own: i128| usize::try_from((own / step).max(1)).ok();
    let (x, y) = (by(at.left.1)?, by(at.right.1)?);
    let dense = a.len().checked_mul(x)?.checked_add(b.len().checked_mul(y)?)?;
    let sparse = a.len().checked_mul(b.len())?;
    (dense <= sparse.saturating_mul(8).saturating_add(256)).then_some((step, x, y))
}

/// The estimated work of [`add`].
pub(crate) fn add_cost(a: &Dist, b: &Dist) -> f64 {
    let width = a.width_for(&a.denom.times(&b.denom));
    let Some((_, x, y)) = aligned(a, b).and_then(|at| common_step(&at, a, b, 0)) else {
        return pairwise_cost(a, b);
    };
    let cells = (super::float(a.len() * x), super::float(b.len() * y));
    match width {
        Width::U64 | Width::F64 => cells.0 * cells.1,
        Width::U128 => cells.0 * cells.1 * 2.0,
        Width::Limbs(_) => {
            let (few, many) = (a.width().limbs().min(b.width().limbs()), width.limbs());
            Convolution::of(cells, super::float(few), super::float(many)).least()
        }
    }
}

/// The estimated work of [`pairwise_lossy`]: each pair looks its value up among those before it, and they are sorted.
pub(crate) fn pairwise_cost(a: &Dist, b: &Dist) -> f64 {
    let limbs = a.width_for(&a.denom.times(&b.denom)).limbs();
    pairs(a, b) * (250.0 + super::float(a.width().limbs()) * super::float(limbs))
}

/// The bytes that a value takes there besides its count.
pub(crate) const VALUE: f64 = 100.0;

/// How many pairs of cells there are.
pub(crate) fn pairs(a: &Dist, b: &Dist) -> f64 {
    super::float(a.len()) * super::float(b.len())
}

/// The sum of independent numbers; `None` where a value does not fit.
pub(crate) fn add(a: &Dist, b: &Dist) -> Option<Dist> {
    let denom = a.denom.times(&b.denom);
    let width = a.width_for(&denom);
    if a.len() == 0 || b.len() == 0 {
        return Some(Dist::nothing(width));
    }
    let tail = a.tail + b.tail;
    let closed = closed_sum(a, b);
    if let Some(at) = aligned(a, b)
        && let Some((step, x, y)) = common_step(&at, a, b, 0)
    {
        let low = at.left.0.checked_add(at.right.0)?;
        at.left.1.checked_mul(i128::try_from(a.len()).ok()?)?;
        let left = Poly { low: 0, mass: spread(&a.mass, x), roundings: a.roundings };
        let right = Poly { low: 0, mass: spread(&b.mass, y), roundings: b.roundings };
        let sum = left.times(&right, width);
        let support = Support::Grid { low, step, scale: at.scale };
        return Some(Dist { support, mass: sum.mass, denom, roundings: sum.roundings, tail, closed });
    }
    let mut sum = pairwise(a, b, Number::plus)?;
    sum.closed = closed;
    Some(sum)
}

fn closed_sum(a: &Dist, b: &Dist) -> Option<Box<Moments>> {
    if a.closed.is_none() && b.closed.is_none() {
        return None;
    }
    Some(Box::new(a.moments()?.plus(&b.moments()?)))
}

/// The number times a constant; `None` where a value does not fit.
pub(crate) fn scale(a: Dist, by: Number) -> Option<Dist> {
    let closed = a.closed.as_ref().map(|m| Box::new(m.times(by)));
    if by.is_zero() {
        let mut out = map(&a, |_| Some(Number::ZERO));
        out.closed = closed;
        return Some(out);
    }
    let Dist { support, mut mass, denom, roundings, tail, .. } = a;
    let support = match support {
        Support::Grid { low, step, scale } => {
            let cells = i128::try_from(mass.len().saturating_sub(1)).ok()?;
            let (mut low, step) = (low.checked_mul(by.numerator())?, step.checked_mul(by.numerator())?);
            let scale = scale.checked_mul(by.denominator())?;
            let high = low.checked_add(step.checked_mul(cells)?)?;
            if step < 0 {
                low = high;
                mass.reverse();
            }
            let shared = num_integer::gcd(num_integer::gcd(low, step), scale).max(1);
            Support::Grid { low: low / shared, step: step.abs() / shared, scale: scale / shared }
        }
        Support::List(values) => {
            let mut values: Vec<Number> = values.into_iter().map(|v| v.times(by)).collect::<Option<_>>()?;
            if by.is_negative() {
                values.reverse();
                mass.reverse();
            }
            Support::List(values)
        }
    };
    Some(Dist { support, mass, denom, roundings, tail, closed })
}

/// A function of the number. Where it has no value, the outcome is lost.
pub(crate) fn map(a: &Dist, mut f: impl FnMut(Number) -> Option<Number>) -> Dist {
    let mut out = Gather::new(a.width());
    for (value, i) in a.cells() {
        if let Some(value) = f(value) {
            let cell = out.cell(value);
            out.mass.add_cell(cell, &a.mass, i);
        }
    }
    let merged = if is_float(a.width()) { super::float(a.len()) } else { 0.0 };
    out.finish(a.denom.clone(), a.roundings + merged, a.tail)
}

/// A function of two independent numbers, pair by pair. `None` where the function has no value somewhere.
pub(crate) fn pairwise(a: &Dist, b: &Dist, f: impl Fn(Number, Number) -> Option<Number>) -> Option<Dist> {
    let mut lost = false;
    let out = pairwise_lossy(a, b, |x, y| {
        let value = f(x, y);
        lost |= value.is_none();
        value
    });
    (!lost).then_some(out)
}

/// A function of two independent numbers, pair by pair. Where it has no value, the outcome is lost.
pub(crate) fn pairwise_lossy(
    a: &Dist,
    b: &Dist,
    mut f: impl FnMut(Number, Number) -> Option<Number>,
) -> Dist {
    let denom = a.denom.times(&b.denom);
    let width = a.width_for(&denom);
    let mut out = Gather::new(width);
    // Widened once and not for every pair.
    let (left, right) = (a.mass.clone().widen(width), b.mass.clone().widen(width));
    for (x, i) in a.cells() {
        for (y, j) in b.cells() {
            if let Some(value) = f(x, y) {
                let cell = out.cell(value);
                out.mass.add_product(cell, &left, i, &right, j);
            }
        }
    }
    let merged = if is_float(a.width()) { pairs(a, b) } else { 0.0 };
    out.finish(denom, a.roundings + b.roundings + merged, a.tail + b.tail)
}

/// The greater (or the lesser) of two independent numbers, from running sums.
pub(crate) fn extreme(a: &Dist, b: &Dist, greater: bool) -> Dist {
    let denom = a.denom.times(&b.denom);
    let width = a.width_for(&denom);
    let mut order: Vec<(Number, bool, usize)> = a.cells().map(|(v, i)| (v, false, i)).collect();
    order.extend(b.cells().map(|(v, i)| (v, true, i)));
    order.sort_unstable_by(|x, y| if greater { x.0.cmp(&y.0) } else { y.0.cmp(&x.0) });
    // Running sums of what has been passed, as single cells.
    let (mut below_a, mut below_b) = (Mass::zeros(width, 1), Mass::zeros(width, 1));
    let mut out = Gather::new(width);
    let (mass_a, mass_b) = (a.mass.clone().widen(width), b.mass.clone().widen(width));
    for (value, right, i) in order {
        let cell = out.cell(value);
        if right {
            out.mass.add_product(cell, &below_a, 0, &mass_b, i);
            below_b.add_at(0, &b.mass.slice(i, i + 1));
        } else {
            out.mass.add_product(cell, &mass_a, i, &below_b, 0);
            below_a.add_at(0, &a.mass.slice(i, i + 1));
        }
    }
    let more = if is_float(width) { super::float(a.len() + b.len()) + 2.0 } else { 0.0 };
    out.finish(denom, a.roundings + b.roundings + more, a.tail + b.tail)
}

/// Whether two independent numbers compare so: 1 or 0.
pub(crate) fn compare(a: &Dist, comparison: Comparison, b: &Dist) -> Dist {
    let denom = a.denom.times(&b.denom);
    let width = a.width_for(&denom);
    let right: Vec<(Number, usize)> = b.cells().collect();
    // Widened once and not for every value of the left side.
    let own = b.mass.clone().widen(width);
    // below[j]: the counts of the first j values of the right side.
    let mut below = Mass::zeros(width, right.len() + 1);
    for (j, &(_, cell)) in right.iter().enumerate() {
        below.add_cell(j + 1, &b.mass, cell);
    }
    below.prefix();
    let mut part = [Mass::zeros(width, 1), Mass::zeros(width, 1), Mass::zeros(width, 1)]; // less, equal, greater
    // above[j]: the counts of the values from the j-th on.
    let mut above = Mass::zeros(width, right.len() + 1);
    for (j, &(_, cell)) in right.iter().enumerate() {
        above.add_cell(right.len() - j, &b.mass, cell);
    }
    above.prefix();
    above.reverse();
    for (value, i) in a.cells() {
        let under = right.partition_point(|r| r.0 < value);
        let upto = right.partition_point(|r| r.0 <= value);
        part[2].add_product(0, &a.mass, i, &below, under);
        part[0].add_product(0, &a.mass, i, &above, upto);
        if upto > under {
            part[1].add_product(0, &a.mass, i, &own, right[under].1);
        }
    }
    let mut out = Mass::zeros(width, 2);
    for (mass, (left, other)) in part.iter().zip([(0, 1), (1, 1), (2, 1)]) {
        out.add_at(usize::from(comparison.holds(&left, &other)), mass);
    }
    let more = if is_float(width) { super::float(a.len() + b.len()) + 3.0 } else { 0.0 };
    Dist {
        support: Support::Grid { low: 0, step: 1, scale: 1 },
        mass: out,
        denom,
        roundings: a.roundings + b.roundings + more,
        tail: a.tail + b.tail,
        closed: None,
    }
}
