//! The k highest of ordinary dice of different sizes: all faces from a common lowest one up weigh the same.
//!
//! With u faces at or below a value, a larger die with s faces is `u + z t (1 - y^(s-u))` with `t = y / (1 - y)`, where z marks
//! a die above the value and y counts what is above. So the outcomes with b of N larger dice above are `u^(N-b) t^b E_b` with
//! `E_b = sum_J (-1)^J C(N-J, b-J) P_J` and `P_J = sum prod_g C(n_g, j_g) y^(j_g (s_g - u))` over all `sum j_g = J`: only
//! the kinds of dice matter, not their number, and `1 / (1 - y)` is a running sum. Filling up to k dice with the value or with the
//! next one and subtracting, as in module `mixed`, leaves one Horner scheme a value:
//! `sum_b u^(N-b) y^b (1 - y^(k-b)) E_b / (1 - y)^b`.

use super::mass::Mass;
use super::mixed::Group;
use super::poly::{Poly, signed, to_float};
use super::width::Width;

/// Dice of one size.
#[derive(Clone, Copy)]
struct Size {
    sides: usize,
    count: usize,
}

/// The common lowest rank and the dice by size, ascending, or `None` where they are not ordinary.
fn sizes(groups: &[Group]) -> Option<(i64, Vec<Size>)> {
    let low = groups.first()?.faces.first()?.0;
    let mut sizes: Vec<Size> = Vec::with_capacity(groups.len());
    for group in groups {
        let sides = group.faces.len();
        let ordinary = group.faces.iter().zip(0..).all(|(face, i)| *face == (low + i, 1));
        if !ordinary || u64::try_from(sides) != Ok(group.total) {
            return None;
        }
        let count = usize::try_from(group.count).ok()?;
        match sizes.iter_mut().find(|size| size.sides == sides) {
            Some(size) => size.count += count,
            None => sizes.push(Size { sides, count }),
        }
    }
    sizes.sort_unstable_by_key(|size| size.sides);
    Some((low, sizes))
}

/// What the lowest face adds and the dice by size, where this way to keep the highest fits them.
fn fitting(groups: &[Group], adds: &impl Fn(i64) -> i64, width: Width) -> Option<(i64, Vec<Size>)> {
    let (low, sizes) = sizes(groups)?;
    let most = sizes.last()?.sides;
    let base = adds(low);
    let by_rank = (0..most).all(|i| adds(low + signed(i)) == base + signed(i));
    (width != Width::F64 && by_rank).then_some((base, sizes))
}

/// About how many additions of one limb [`super::keep_mixed`] takes this way; `None` where it must go another.
#[must_use]
pub fn ordinary_work(groups: &[Group], k: u32, adds: &impl Fn(i64) -> i64, width: Width) -> Option<f64> {
    let (_, sizes) = fitting(groups, adds, width)?;
    let (kept, limbs) = (f64::from(k), to_float(width.limbs()));
    let mut work = 0.0;
    for (i, size) in sizes.iter().enumerate() {
        let smaller = if i == 0 { 0 } else { sizes[i - 1].sides };
        let larger = &sizes[i..];
        let dice: f64 = larger.iter().map(|size| to_float(size.count)).sum();
        let rows = kept.min(dice + 1.0);
        let spread = larger.last().map_or(0.0, |most| to_float(most.sides - size.sides));
        let reach = larger.last().map_or(0.0, |most| to_float(most.sides - smaller));
        // Pairs of rows, each as long as a third of the longest; binomials take a limb for 64 dice.
        let pairs = rows * rows / 2.0 * (rows * spread / 3.0 + 2.0);
        let each = pairs * (dice / 64.0).ceil().min(limbs) * limbs;
        let sums = rows * (rows * reach / 2.0 + 2.0) * (limbs + 4.0) * limbs;
        work +=
            pairs * to_float(larger.len()) * limbs * limbs + to_float(size.sides - smaller) * (each + sums);
    }
    Some(work)
}

/// The k highest of more than k dice, k at least 1, in an exact width; `None` where they are not ordinary or do not add their rank.
pub(super) fn keep_ordinary(
    groups: &[Group],
    k: usize,
    adds: &impl Fn(i64) -> i64,
    width: Width,
) -> Option<Poly> {
    let (base, sizes) = fitting(groups, adds, width)?;
    let most = sizes.last()?.sides;
    let mut out = Mass::zeros(width, k * (most - 1) + 1);
    for (i, size) in sizes.iter().enumerate() {
        let smaller = if i == 0 { 0 } else { sizes[i - 1].sides };
        let larger = Larger::new(&sizes[i..], k, width);
        // Smaller dice cannot be above: each shows any of its faces.
        let rest = all_faces(&sizes[..i], width);
        for u in smaller.max(1)..size.sides {
            out.add_at(k * (u - 1), &larger.at(u, &rest));
        }
    }
    // Nothing is above the highest face: whatever else shows, the k highest may all show it.
    out.add_at(k * (most - 1), &all_faces(&sizes, width));
    Some(Poly::exact(base * signed(k), out).trim())
}

/// In how many ways dice can show any faces.
fn all_faces(sizes: &[Size], width: Width) -> Mass {
    let mut all = Mass::one(width, 1);
    for size in sizes {
        times_power(&mut all, size.sides, size.count);
    }
    all
}

/// Times `base^exponent`.
fn times_power(row: &mut Mass, base: usize, exponent: usize) {
    let base = u64::try_from(base).unwrap_or(u64::MAX);
    (0..exponent).for_each(|_| row.mul_small(base));
}

/// The dice that can be above some values.
struct Larger {
    k: usize,
    dice: usize,
    least: usize,
    most: usize,
    /// `(-1)^J P_J` with `y^(j_g (s_g - least))`.
    products: Vec<Mass>,
    /// `C(N - J, i)`.
    choices: Vec<Mass>,
    width: Width,
}

impl Larger {
    fn new(sizes: &[Size], k: usize, width: Width) -> Self {
        let dice = sizes.iter().map(|size| size.count).sum();
        let (least, most) = (sizes.first().map_or(1, |s| s.sides), sizes.last().map_or(1, |s| s.sides));
        let rows = k.min(dice + 1); // dice above: 0 to rows - 1
        let mut products = vec![Mass::one(width, 1)];
        for size in sizes {
            let signs = powers(size.count, 0, rows, width, Mass::sub_at);
            let Some(signs) = signs.last() else { continue };
            let shift = size.sides - least;
            let mut next: Vec<Mass> = (0..rows).map(|j| Mass::zeros(width, j * shift + 1)).collect();
            for (before, row) in products.iter().enumerate() {
                for j in 0..(rows - before).min(size.count + 1) {
                    let to = &mut next[before + j];
                    let needed = row.len() + j * shift;
                    if to.len() < needed {
                        to.resize(needed);
                    }
                    to.add_multiple(j * shift, row, signs, j);
                }
            }
            products = next;
        }
        Self {
            k,
            dice,
            least,
            most,
            products,
            choices: powers(dice, rows - 1, rows, width, Mass::add_at),
            width,
        }
    }

    /// The outcomes in which the k-th highest die is the u-th face, by what the k highest exceed k such faces.
    fn at(&self, u: usize, rest: &Mass) -> Mass {
        let (k, rows) = (self.k, self.products.len());
        let mut sum = Mass::zeros(self.width, (k - 1) * (self.most - u) + 2);
        // rest u^(N-b), from the largest b down
        let mut weight = rest.clone();
        times_power(&mut weight, u, self.dice + 1 - rows);
        for b in (0..rows).rev() {
            let mut above = Mass::zeros(self.width, b * (self.most - u) + 1);
            for (j, product) in self.products.iter().enumerate().take(b + 1) {
                above.add_multiple(j * (self.least - u), product, &self.choices[j], b - j);
            }
            let mut weighted = Mass::zeros(self.width, above.len());
            weighted.add_multiple(0, &above, &weight, 0);
            sum.add_at(b, &weighted);
            sum.sub_at(k, &weighted);
            if b > 0 {
                sum.prefix();
                times_power(&mut weight, u, 1);
            }
        }
        sum
    }
}

/// The first `len` coefficients of `(1 + z)^(n - j)`, or of `(1 - z)^(n - j)` where rows are subtracted, for j from 0 to `down`.
fn powers(n: usize, down: usize, len: usize, width: Width, join: fn(&mut Mass, usize, &Mass)) -> Vec<Mass> {
    let mut row = Mass::zeros(width, len);
    row.set(0, 1);
    let mut rows = Vec::with_capacity(down + 1);
    for m in 0..=n {
        if m > 0 {
            let before = row.clone();
            join(&mut row, 1, &before);
        }
        if n - m <= down {
            rows.push(row.clone());
        }
    }
    rows.reverse();
    rows
}
