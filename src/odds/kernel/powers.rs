//! Powers of marked units without a product of two large numbers.
//!
//! With `p_i` the distribution of a unit with i marks and `f_j` that of n units with j marks, `P f' = n P' f` in the marks says
//! `j p_0 f_j = sum_i (n i - j + i) p_i f_(j-i)`. Where unmarked dice add nothing `p_0` is a number, so each step is a few
//! products of a whole row with the counts of one unit, which are short, and an exact division.

use super::limb::{self, WideDivisor};
use super::marks::Marks;
use super::mass::Mass;
use super::poly::{Poly, small_float, span, to_float};
use super::width::Width;
use num_bigint::BigUint;

/// Work beyond which an estimate need not be exact.
const HOPELESS: f64 = 1e12;

/// The terms of one coefficient of the unit: exponent and count.
type Terms = Vec<(i64, BigUint)>;

/// The coefficients of a unit that are not zero, `p_0` left out, by their number of marks.
fn terms(unit: &Marks) -> Vec<(usize, Terms)> {
    let rows = unit.rows().iter().enumerate().skip(1).filter(|row| !row.1.is_zero());
    let listed = rows.map(|(i, row)| {
        let cells = super::cells(row).filter(|cell| !row.mass.is_zero(cell.1));
        (i, cells.map(|(at, cell)| (at, row.mass.big(cell))).collect())
    });
    listed.collect()
}

/// The n-th power of a unit whose unmarked dice add nothing, `unmarked` in number.
pub(super) fn marked(unit: &Marks, unmarked: &BigUint, n: u32, width: Width) -> Marks {
    let most = unit.rows().len();
    let terms = terms(unit);
    // Exact division needs room for the powers of two that are divided out.
    let spare = unmarked.trailing_zeros().unwrap_or(0) + u64::from(usize::BITS - most.leading_zeros());
    let l = width.limbs() + usize::try_from(spare / 64 + 1).unwrap_or(1);
    let wide = Width::Limbs(l);
    let mut start = Mass::zeros(wide, 1);
    start.set_big(0, &unmarked.pow(n));
    let mut rows = vec![Poly::exact(0, start)];
    for j in 1..most {
        let row = step(&terms, &rows, n, j, l);
        rows.push(row.map_or_else(|| Poly::zero(wide), |row| divided(row, &(unmarked * j), width.limbs())));
    }
    let narrow = rows.into_iter().map(|row| if row.is_zero() { Poly::zero(width) } else { row.widen(width) });
    Marks::from_rows(narrow.collect(), unit.caps(), width)
}

/// The sum for one number of marks, in rows of `l` limbs.
fn step(terms: &[(usize, Terms)], rows: &[Poly], n: u32, j: usize, l: usize) -> Option<Poly> {
    let known = |i: usize| j.checked_sub(i).and_then(|rest| rows.get(rest)).filter(|row| !row.is_zero());
    let parts: Vec<_> = terms.iter().filter_map(|(i, unit)| Some((*i, unit, known(*i)?))).collect();
    let low = parts.iter().filter_map(|part| Some(part.1.first()?.0 + part.2.low)).min()?;
    let high = parts.iter().filter_map(|part| Some(part.1.last()?.0 + part.2.high())).max()?;
    let mut sum = vec![0; span(low, high) * l];
    let mut less = Vec::new();
    for (i, unit, row) in parts {
        let Mass::Limbs { d: source, .. } = &row.mass else { continue };
        // n i - j + i, which may be negative.
        let up = (u64::from(n) + 1) * u64::try_from(i).unwrap_or(0);
        let j = u64::try_from(j).unwrap_or(0);
        let to = if up >= j {
            &mut sum
        } else {
            less.resize(sum.len(), 0);
            &mut less
        };
        for (at, count) in unit {
            let factor: Vec<u64> = (count * up.abs_diff(j)).iter_u64_digits().take(l).collect();
            let from = (span(low, at + row.low) - 1) * l;
            for (cell, source) in to[from..].chunks_exact_mut(l).zip(source.chunks_exact(l)) {
                limb::add_product(cell, &factor, source);
            }
        }
    }
    for (cell, less) in sum.chunks_exact_mut(l).zip(less.chunks_exact(l)) {
        limb::sub(cell, less);
    }
    Some(Poly::exact(low, Mass::Limbs { l, d: sum }))
}

/// Every count divided by a number that divides it, the quotients being of so many limbs. What is above them is not right after
/// a division by a power of two, and would come down with the next one.
fn divided(mut row: Poly, by: &BigUint, limbs: usize) -> Poly {
    let divisor = WideDivisor::new(by);
    if let Mass::Limbs { l, d } = &mut row.mass {
        for cell in d.chunks_exact_mut(*l) {
            divisor.divide(cell);
            cell[limbs..].fill(0);
        }
    }
    row.trim()
}

/// About how many additions of one limb the n-th power takes this way, with counts of so many limbs in the end, and how many
/// counts it has; `None` where it goes by squaring.
#[must_use]
pub fn marked_work(unit: &Marks, n: u32, limbs: f64) -> Option<(f64, f64)> {
    let unmarked = unit.unmarked(unit.width())?;
    let most = unit.rows().len();
    let terms = terms(unit);
    let mut extent: Vec<Option<(i64, i64)>> = vec![Some((0, 0))];
    let limbs_of = |count: &BigUint| small_float((count.bits() + 20).div_ceil(64));
    let division = limbs_of(&unmarked);
    let costs: Vec<f64> =
        terms.iter().map(|(_, unit)| unit.iter().map(|term| limbs_of(&term.1)).sum()).collect();
    let mut work = limbs * limbs;
    let mut counts = 1.0;
    // No power has more marks than its dice can have.
    let dice = usize::try_from(n).unwrap_or(usize::MAX);
    let most = most.min(terms.last().map_or(0, |last| last.0).saturating_mul(dice).saturating_add(1));
    for j in 1..most {
        let mut range: Option<(i64, i64)> = None;
        for ((i, unit), cost) in terms.iter().zip(&costs) {
            let Some(Some((low, high))) = j.checked_sub(*i).and_then(|rest| extent.get(rest)) else {
                continue;
            };
            let (Some(first), Some(last)) = (unit.first(), unit.last()) else { continue };
            let (from, to) = (low + first.0, high + last.0);
            range = Some(range.map_or((from, to), |r| (r.0.min(from), r.1.max(to))));
            work += (to_float(span(*low, *high)) * cost + 4.0) * (limbs + 6.0);
        }
        if let Some((low, high)) = range {
            work += to_float(span(low, high)) * (division + 1.0) * (limbs + 6.0);
            counts += to_float(span(low, high));
        }
        extent.push(range);
        if work > HOPELESS {
            // Rows widen evenly, so their work grows as the square of their number.
            let more = to_float(most) / to_float(j);
            return Some((work * more * more, counts * more * more));
        }
    }
    Some((work, counts))
}
