//! The k highest of n equal dice.
//!
//! Let v be the k-th highest rank. Then b < k dice are above v, and at least k - b of the others show v; only that many count:
//! `sum_v sum_(b<k) C(n,b) T(n-b, k-b) G(y)^b y^((k-b) g(v))` with G the polynomial of the faces above v. Horner's rule
//! takes one multiplication by a die for each b. For many kept dice the sum over b is a truncated binomial, found
//! by its differential equation (module `recurrence`) in time linear in the number of totals.

use super::factor::Factor;
use super::mass::Mass;
use super::poly::Poly;
use super::recurrence::{Truncated, truncated_room};
use super::scalar::{binomial, tie_chances, tie_counts};
use super::sum::{by_recurrence, sum_of};
use super::width::Width;
use super::words;
use num_bigint::BigUint;
use num_traits::Zero;

/// A face of a ranked die: what decides whether it is kept is its place in the list, what it adds when kept is `adds`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranked {
    /// What a kept die with this face adds to the total.
    pub adds: i64,
    /// The number of a die's outcomes that show this face.
    pub weight: u64,
}

/// Kept dice from which the differential equation is faster than Horner's rule (measured on ordinary dice).
const MANY: u32 = 40;

/// The distribution of what the k dice of highest rank add, of n equal dice with the given faces in ascending order of rank.
///
/// All ranks are different; `total` is the number of outcomes of one die and may exceed the sum of the weights. `width` must hold
/// `total^n`. Keeping at least n keeps all. For the lowest, pass the faces in descending order.
#[must_use]
pub fn keep_highest(faces: &[Ranked], n: u32, k: u32, total: u64, width: Width) -> Poly {
    let all: Vec<_> = faces.iter().map(|f| (f.adds, f.weight)).collect();
    let Some(die) = Factor::new(&all) else { return Poly::zero(width) };
    if k >= n {
        return sum_of(&die, n, total, width);
    }
    if faces.len() > 1 && falls(faces) {
        // As dice that add as much less than nothing, which rise.
        let negated: Vec<_> = faces.iter().map(|f| Ranked { adds: -f.adds, ..*f }).collect();
        let mut out = keep_highest(&negated, n, k, total, width);
        out.low = -out.high();
        out.mass.reverse();
        return out;
    }
    if k == 0 || die.weights().len() == 1 {
        // One possible sum, whatever shows: k times the face, or nothing at all.
        let only = if k == 0 { 0 } else { die.low };
        return Poly::exact(only * i64::from(k), outcomes(&die, n, total, width));
    }
    match width {
        Width::Limbs(l) if has_equation(faces, k, width) => {
            by_equation(faces, n, k, l).unwrap_or_else(|| horner(faces, n, k, total, width))
        }
        Width::U64 if is_even(faces) => {
            Poly::exact(die.low * i64::from(k), Mass::U64(words::keep(faces.len(), weight(faces), n, k)))
        }
        Width::U128 if is_even(faces) => {
            Poly::exact(die.low * i64::from(k), Mass::U128(words::keep(faces.len(), weight(faces), n, k)))
        }
        Width::U64 | Width::U128 | Width::Limbs(_) | Width::F64 => horner(faces, n, k, total, width),
    }
}

/// Whether what faces add falls from one to the next.
fn falls(faces: &[Ranked]) -> bool {
    faces.windows(2).all(|f| f[0].adds > f[1].adds)
}

/// Whether the k highest can be found by the differential equation: what faces add only rises or only falls.
#[must_use]
pub fn has_equation(faces: &[Ranked], k: u32, width: Width) -> bool {
    let rises = faces.windows(2).all(|f| f[0].adds <= f[1].adds);
    k > MANY && matches!(width, Width::Limbs(_)) && (rises || falls(faces))
}

/// The weight of the lowest face.
fn weight(faces: &[Ranked]) -> u64 {
    faces.first().map_or(1, |f| f.weight)
}

/// Whether the faces follow each other without gaps, add their rank, and weigh the same.
fn is_even(faces: &[Ranked]) -> bool {
    faces.windows(2).all(|f| f[0].adds + 1 == f[1].adds && f[0].weight == f[1].weight)
}

/// The outcomes of n dice as a row of one cell, or the probability that none is missing.
fn outcomes(die: &Factor, n: u32, total: u64, width: Width) -> Mass {
    let present: BigUint = die.weights().iter().map(|weight| BigUint::from(*weight)).sum();
    if width == Width::F64 {
        let there =
            num_traits::ToPrimitive::to_f64(&present).unwrap_or(0.0) / super::poly::small_float(total);
        return Mass::F64(vec![there.powi(i32::try_from(n).unwrap_or(i32::MAX))]);
    }
    let mut row = Mass::zeros(width, 1);
    row.set_big(0, &present.pow(n));
    row
}

/// The faces above place i as a polynomial in excess of `base`, if there are any.
fn above(faces: &[Ranked], i: usize, base: i64) -> Option<Factor> {
    let up: Vec<_> = faces[i..].iter().map(|f| (f.adds - base, f.weight)).collect();
    Factor::new(&up)
}

/// Horner's rule over the number of dice above, one value after the other. No subtraction in floating rows.
pub(super) fn horner(faces: &[Ranked], n: u32, k: u32, total: u64, width: Width) -> Poly {
    let mut out = Poly::zero(width);
    let mut low = 0u64;
    for (i, face) in faces.iter().enumerate() {
        if face.weight > 0 {
            let (ways, roundings) = if width == Width::F64 {
                let scale = 1.0 / super::poly::small_float(total);
                let (w, l) =
                    (super::poly::small_float(face.weight) * scale, super::poly::small_float(low) * scale);
                let (v, r) = tie_chances(n, k, w, l);
                (Mass::F64(v), r)
            } else {
                (tie_counts(n, k, face.weight, low, width), 0.0)
            };
            let base = faces[i..].iter().filter(|f| f.weight > 0).map(|f| f.adds).min().unwrap_or(face.adds);
            let tie = face.adds - base;
            match above(faces, i + 1, base) {
                None => out.add_cell(i64::from(k) * face.adds, &ways, 0, roundings),
                Some(die) => {
                    let mut sum = Poly::zero(width);
                    for b in (0..k).rev() {
                        let at = i64::from(k - b) * tie;
                        if !sum.is_zero() {
                            sum = sum.times_factor_from(at, &die, total);
                        }
                        let cell = usize::try_from(b).unwrap_or(0);
                        sum.add_cell(at, &ways, cell, roundings);
                    }
                    out.add(&sum, i64::from(k) * base);
                }
            }
        }
        low += face.weight;
    }
    out
}

/// `sum_v [fewer than k above v] - [fewer than k at or above v]`, each a truncated binomial.
pub(super) fn by_equation(faces: &[Ranked], n: u32, k: u32, l: usize) -> Option<Poly> {
    let mut out = Poly::zero(Width::Limbs(l));
    let mut low = 0u64;
    for (i, face) in faces.iter().enumerate() {
        if face.weight > 0 {
            let base = faces[i..].iter().filter(|f| f.weight > 0).map(|f| f.adds).min().unwrap_or(face.adds);
            // In units of a die that shows v, so that the missing dice fill up with exponent 0.
            if base == face.adds {
                let shift = i64::from(k) * face.adds;
                let most = fewer_than(above(faces, i + 1, base).as_ref(), n, k, low + face.weight, l)?;
                out.add(&most, shift);
                if low > 0 {
                    out.sub(&fewer_than(above(faces, i, base).as_ref(), n, k, low, l)?, shift);
                }
            } else {
                return None;
            }
        }
        low += face.weight;
    }
    // Where nothing is below v, all n dice are at or above it: fewer than k < n is impossible.
    Some(out)
}

/// `sum_(b<k) C(n,b) rest^(n-b) G^b` for a polynomial with no negative exponents.
fn fewer_than(die: Option<&Factor>, n: u32, k: u32, rest: u64, l: usize) -> Option<Poly> {
    let width = Width::Limbs(l);
    let full = BigUint::from(rest).pow(n);
    let Some(die) = die else {
        let mut only = Mass::zeros(width, 1);
        only.set_big(0, &full);
        return Some(Poly::exact(0, only));
    };
    let constant = if die.low == 0 { die.weights()[0] } else { 0 };
    let (numerator, divided) = die.numerator();
    let shift = usize::try_from(die.low).ok()?;
    let moved: Vec<(usize, i64)> = numerator.iter().map(|&(i, x)| (i + shift, x)).collect();
    let last = usize::try_from(die.high().checked_mul(i64::from(k - 1))?).ok()?;
    let room = truncated_room(u64::try_from(l).ok()? * 64, rest.checked_add(constant)?, n, last);
    // K = (n-k+1) C(n, k-1) rest^(n-k+1)
    let scale = binomial(n, k - 1) * BigUint::from(rest).pow(n - k + 1) * (n - k + 1);
    let top = by_recurrence(die, k - 1, &scale, room)?;
    let mut start = BigUint::zero();
    if constant == 0 {
        start = full;
    } else {
        let mut term = full; // C(n,b) rest^(n-b) constant^b
        let (c, r) = (BigUint::from(constant), BigUint::from(rest));
        for b in 0..k {
            start += &term;
            term = term * (n - b) * &c / (&r * (b + 1));
        }
    }
    let mut g = top.mass;
    let from = usize::try_from(top.low).ok()?;
    if from > 0 {
        let mut padded = Mass::zeros(Width::Limbs(room), from + g.len());
        padded.add_at(from, &g);
        g = padded;
    }
    let equation = Truncated { numerator: &moved, divided, constant, rest, n };
    let row = equation.solve(&g, last, &start, room)?;
    Some(Poly::exact(0, row.widen(width)))
}
