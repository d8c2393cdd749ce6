//! Powers and truncated binomials by linear recurrences with small coefficients: no product of two large numbers at all.
//!
//! A power f = P^n satisfies `P f' = n P' f`. A die is `N / (1 - y)^d` with a numerator of few terms, so both sides have few
//! terms after multiplication by `(1 - y)^(d+1)`. For an ordinary die (`N = 1 - y^s`) this is the three-term recurrence that
//! H. Gould and others gave for multinomial coefficients of equal parts.
//!
//! The truncated binomial `B = sum_(b<k) C(n,b) c^(n-b) G^b` of "keep the highest k" satisfies
//! `(c + G) B' = (n B - K G^(k-1)) G'` with `K = (n-k+1) C(n,k-1) c^(n-k+1)`, as differentiating both sides shows: the sum
//! telescopes except for its last term.

use super::limb::{self, ExactDivisor};
use super::mass::Mass;
use super::width::Width;
use num_bigint::BigUint;

/// A coefficient of the recurrence: place back, and `constant + slope * j`.
type Step = (usize, i128, i128);

/// A sparse polynomial with signed coefficients.
type Sparse = Vec<(usize, i128)>;

/// The product of sparse polynomials.
fn product(a: &Sparse, b: &[(usize, i128)]) -> Option<Sparse> {
    let mut out = Sparse::new();
    for &(i, x) in a {
        for &(j, y) in b {
            add_term(&mut out, i + j, x.checked_mul(y)?);
        }
    }
    Some(out)
}

/// Adds a term.
fn add_term(to: &mut Sparse, at: usize, x: i128) {
    match to.iter_mut().find(|t| t.0 == at) {
        Some(t) => t.1 += x,
        None => to.push((at, x)),
    }
}

/// The derivative.
fn derivative(p: &Sparse) -> Option<Sparse> {
    p.iter()
        .filter(|t| t.0 > 0)
        .map(|&(i, x)| Some((i - 1, x.checked_mul(i128::try_from(i).ok()?)?)))
        .collect()
}

/// A and B with `A f' = n B f` for `f = (N / (1 - y)^d)^n`.
fn sides(numerator: &[(usize, i64)], divided: bool) -> Option<(Sparse, Sparse)> {
    let n: Sparse = numerator.iter().map(|&(i, x)| (i, i128::from(x))).collect();
    let slope = derivative(&n)?;
    if !divided {
        return Some((n, slope));
    }
    let one_minus_y = [(0, 1), (1, -1)];
    let mut b = product(&slope, &one_minus_y)?;
    for &(i, x) in &n {
        add_term(&mut b, i, x);
    }
    Some((product(&n, &one_minus_y)?, b))
}

/// Gathers the terms of one place.
fn gather(steps: &mut Vec<Step>, back: usize, constant: i128, slope: i128) {
    match steps.iter_mut().find(|s| s.0 == back) {
        Some(s) => {
            s.1 += constant;
            s.2 += slope;
        }
        None => steps.push((back, constant, slope)),
    }
}

/// Whether every coefficient fits so many bits for all j up to `last`, and the divisor `lead * last` too.
fn fits(steps: &[Step], lead: i128, last: usize, bits: u32) -> bool {
    let Ok(last) = i128::try_from(last) else { return false };
    let small = |x: Option<i128>| x.is_some_and(|x| x.unsigned_abs() < 1 << bits);
    small(lead.checked_mul(last.max(1)))
        && steps
            .iter()
            .all(|&(_, c, s)| small(Some(c)) && small(s.checked_mul(last).and_then(|x| x.checked_add(c))))
}

/// `dst += row * k` for a signed k, rows of one length.
#[inline]
#[allow(clippy::cast_possible_truncation)] // the low limb
fn add_signed(dst: &mut [u64], row: &[u64], k: i128) {
    let size = k.unsigned_abs();
    let (low, high) = (size as u64, (size >> 64) as u64);
    let join = if k < 0 { limb::sub_mul } else { limb::add_mul };
    if low > 0 {
        join(dst, row, low);
    }
    if high > 0 {
        join(&mut dst[1..], row, high);
    }
}

/// Limbs for counts of the given bits and a factor up to `lead * last` on top.
fn room(bits: u64, lead: i128, last: usize) -> usize {
    let extra =
        u64::from(128 - lead.unsigned_abs().leading_zeros()) + u64::from(usize::BITS - last.leading_zeros());
    usize::try_from((bits + extra) / 64 + 1).unwrap_or(usize::MAX)
}

/// The coefficients 0..=last of `scale * (N / (1 - y)^d)^n`, in limbs; `bits` bounds each of them.
///
/// `None` where a coefficient of the recurrence is too large for two limbs, or N starts with no constant term.
pub(crate) fn power(
    numerator: &[(usize, i64)],
    divided: bool,
    n: u32,
    scale: &BigUint,
    last: usize,
    bits: u64,
) -> Option<Mass> {
    let (a, b) = sides(numerator, divided)?;
    let lead = a.iter().find(|t| t.0 == 0)?.1;
    let first = u64::try_from(lead).ok()?;
    let mut steps: Vec<Step> = Vec::new();
    for &(i, x) in &b {
        gather(&mut steps, i + 1, i128::from(n).checked_mul(x)?, 0);
    }
    for &(i, x) in a.iter().filter(|t| t.0 > 0) {
        gather(&mut steps, i, x.checked_mul(i128::try_from(i).ok()?)?, -x);
    }
    if !fits(&steps, lead, last, 126) {
        return None;
    }
    let l = room(bits, lead, last);
    // A divisor of one limb at once, a longer one in two steps.
    let whole = fits(&[], lead, last, 63);
    let by_lead = ExactDivisor::new(if whole { 1 } else { first });
    let mut out = Mass::zeros(Width::Limbs(l), last + 1);
    out.set_big(0, &(scale * BigUint::from(first).pow(n)));
    let Mass::Limbs { d, .. } = &mut out else { return None };
    for j in 1..=last {
        let (before, after) = d.split_at_mut(j * l);
        let row = &mut after[..l];
        let place = i128::try_from(j).ok()?;
        for &(back, constant, slope) in &steps {
            if back <= j {
                add_signed(row, &before[(j - back) * l..(j - back + 1) * l], constant + slope * place);
            }
        }
        let j = u64::try_from(j).ok()?;
        if whole {
            ExactDivisor::new(first * j).divide(row);
        } else {
            by_lead.divide(row);
            ExactDivisor::new(j).divide(row);
        }
    }
    Some(out)
}

/// What the truncated binomial is made of.
pub(crate) struct Truncated<'a> {
    /// The numerator of G over `(1 - y)^d`, from exponent 0 on; its constant term may be zero.
    pub(crate) numerator: &'a [(usize, i64)],
    /// Whether d is 1.
    pub(crate) divided: bool,
    /// The constant term of G.
    pub(crate) constant: u64,
    /// The weight of all dice that are not in G.
    pub(crate) rest: u64,
    /// Dice.
    pub(crate) n: u32,
}

impl Truncated<'_> {
    /// The coefficients 0..=last of `sum_(b<k) C(n,b) c^(n-b) G^b` in rows of limbs. `last` is the degree of `G^(k-1)`, and
    /// `top` holds the coefficients of `G^(k-1)` times K.
    pub(crate) fn solve(&self, top: &Mass, last: usize, start: &BigUint, l: usize) -> Option<Mass> {
        let (a, q) = sides(self.numerator, self.divided)?;
        // P = (1 - y)^(d+1) (c + G): the part of G is `a`, the part of c is added here.
        let mut p = a;
        let c = i128::from(self.rest);
        let ring: &[i128] = if self.divided { &[1, -2, 1] } else { &[1] };
        for (i, x) in ring.iter().enumerate() {
            add_term(&mut p, i, c.checked_mul(*x)?);
        }
        let lead = i128::from(self.rest) + i128::from(self.constant);
        let first = u64::try_from(lead).ok().filter(|&x| x > 0)?;
        let mut steps: Vec<Step> = Vec::new();
        for &(i, x) in &q {
            gather(&mut steps, i + 1, i128::from(self.n).checked_mul(x)?, 0);
        }
        for &(i, x) in p.iter().filter(|t| t.0 > 0) {
            gather(&mut steps, i, x.checked_mul(i128::try_from(i).ok()?)?, -x);
        }
        let sources: Vec<Step> = q.iter().map(|&(i, x)| (i + 1, -x, 0)).collect();
        if !fits(&steps, lead, last, 63) || !fits(&sources, 1, 1, 63) {
            return None;
        }
        let mut out = Mass::zeros(Width::Limbs(l), last + 1);
        out.set_big(0, start);
        let (Mass::Limbs { d, .. }, Mass::Limbs { d: g, l: gl }) = (&mut out, top) else { return None };
        if *gl < l {
            return None;
        }
        let known = top.len();
        for j in 1..=last {
            let (before, after) = d.split_at_mut(j * l);
            let row = &mut after[..l];
            let place = i128::try_from(j).ok()?;
            for &(back, constant, slope) in &steps {
                if back <= j {
                    add_signed(row, &before[(j - back) * l..(j - back + 1) * l], constant + slope * place);
                }
            }
            for &(back, x, _) in &sources {
                if back <= j && j - back < known {
                    add_signed(row, &g[(j - back) * gl..(j - back) * gl + l], x);
                }
            }
            ExactDivisor::new(first * u64::try_from(j).ok()?).divide(row);
        }
        Some(out)
    }
}

/// The limbs that a truncated binomial with counts of the given bits needs on its way.
pub(crate) fn truncated_room(bits: u64, lead: u64, n: u32, last: usize) -> usize {
    room(bits + u64::from(32 - n.leading_zeros()), i128::from(lead), last)
}
