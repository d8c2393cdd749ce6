//! Windows: a row times `1 + y + … + y^(m-1)`, which is what an ordinary die multiplies by.

use super::limb;
use super::mass::Mass;
use super::tally::took;

impl Mass {
    /// The row times `y^lead (1 + y + … + y^(m-1))`: after `lead` empty cells, each new cell is the sum of the last `m` old ones.
    ///
    /// Exact rows slide a window (one addition and one subtraction a cell). A floating row sums two running stacks instead,
    /// because a subtraction would lose its relative error bound.
    #[must_use]
    pub fn window(&self, m: usize, lead: usize) -> Self {
        if self.is_empty() || m == 0 {
            return Self::zeros(self.width(), 0);
        }
        let len = self.len() + m - 1;
        match self {
            Self::U64(_) | Self::F64(_) => took(2 * len),
            Self::U128(_) => took(4 * len),
            Self::Limbs { .. } => {}
        }
        match self {
            Self::U64(v) => Self::U64(slide(v, m, lead, 0, u64::wrapping_add, u64::wrapping_sub)),
            Self::U128(v) => Self::U128(slide(v, m, lead, 0, u128::wrapping_add, u128::wrapping_sub)),
            Self::Limbs { l, d } => {
                let slid = match l {
                    3 => fixed::<3>(d, m, lead),
                    4 => fixed::<4>(d, m, lead),
                    5 => fixed::<5>(d, m, lead),
                    6 => fixed::<6>(d, m, lead),
                    7 => fixed::<7>(d, m, lead),
                    8 => fixed::<8>(d, m, lead),
                    _ => any(d, *l, m, lead),
                };
                Self::Limbs { l: *l, d: slid }
            }
            Self::F64(v) => Self::F64(stacks(v, m, lead)),
        }
    }
}

/// A window that slides over exact cells: it grows, keeps its length (or holds all cells), and shrinks.
#[inline]
fn slide<T: Copy>(
    cells: &[T],
    m: usize,
    lead: usize,
    zero: T,
    plus: impl Fn(T, T) -> T,
    minus: impl Fn(T, T) -> T,
) -> Vec<T> {
    let n = cells.len();
    let mut out = Vec::with_capacity(lead + n + m - 1);
    out.resize(lead, zero);
    let mut sum = zero;
    for &cell in &cells[..m.min(n)] {
        sum = plus(sum, cell);
        out.push(sum);
    }
    if n > m {
        out.extend(cells[m..].iter().zip(cells).map(|(&cell, &left)| {
            sum = minus(plus(sum, cell), left);
            sum
        }));
    } else {
        out.resize(lead + m, sum);
    }
    for &left in &cells[n.saturating_sub(m)..n - 1] {
        sum = minus(sum, left);
        out.push(sum);
    }
    out
}

/// Counts of a few limbs, of a length that the compiler knows.
fn fixed<const L: usize>(limbs: &[u64], m: usize, lead: usize) -> Vec<u64> {
    let plus = |mut a: [u64; L], b: [u64; L]| {
        limb::add(&mut a, &b);
        a
    };
    let minus = |mut a: [u64; L], b: [u64; L]| {
        limb::sub(&mut a, &b);
        a
    };
    slide(limbs.as_chunks().0, m, lead, [0; L], plus, minus).into_flattened()
}

/// Counts of any number of limbs.
fn any(limbs: &[u64], l: usize, m: usize, lead: usize) -> Vec<u64> {
    let n = limbs.len() / l;
    let mut out = Vec::with_capacity((lead + n + m - 1) * l);
    out.resize(lead * l, 0);
    let mut sum = vec![0; l];
    for j in 0..n + m - 1 {
        if j < n {
            limb::add(&mut sum, &limbs[j * l..(j + 1) * l]);
        }
        if j >= m {
            limb::sub(&mut sum, &limbs[(j - m) * l..(j - m + 1) * l]);
        }
        out.extend_from_slice(&sum);
    }
    out
}

/// Windows of a floating row without subtraction: the end of one block of `m` cells and the beginning of the next.
fn stacks(v: &[f64], m: usize, lead: usize) -> Vec<f64> {
    let len = v.len() + m - 1;
    let at = |i: usize| v.get(i).copied().unwrap_or(0.0);
    let mut out = Vec::with_capacity(lead + len);
    out.resize(lead, 0.0);
    let mut suffix = vec![0.0; m + 1]; // suffix[i] = sum of the last block from its i-th cell on
    let mut start = 0;
    while start < len {
        let mut prefix = 0.0;
        for i in 0..m.min(len - start) {
            prefix += at(start + i);
            out.push(suffix[i + 1] + prefix);
        }
        suffix[m] = 0.0;
        for i in (0..m).rev() {
            suffix[i] = suffix[i + 1] + at(start + i);
        }
        start += m;
    }
    out
}
