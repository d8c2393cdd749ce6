//! Ordinary dice in machine words: faces that follow each other and weigh the same, each law in one buffer.
//!
//! A die is a window over the cells, one addition and one subtraction a cell; nothing is allocated on the way.

use super::mass::Mass;
use super::scalar::{Ties, Whole};
use super::tally::took;
use super::width::Width;

/// The counts of the sum of n dice with the faces 1 to `sides`, from the lowest sum on, or of the `kept` highest of them.
/// `None` where the width is no machine word, or the work is not worth a shortcut.
#[must_use]
pub fn ordinary(sides: usize, n: u32, kept: Option<u32>, width: Width) -> Option<Mass> {
    if sides == 0 || n == 0 || kept == Some(0) {
        return None;
    }
    let kept = kept.filter(|&k| k < n);
    match (width, kept) {
        (Width::U64, None) => Some(Mass::U64(sum(sides, n))),
        (Width::U128, None) => Some(Mass::U128(sum(sides, n))),
        (Width::U64, Some(k)) => Some(Mass::U64(keep(sides, 1, n, k))),
        (Width::U128, Some(k)) => Some(Mass::U128(keep(sides, 1, n, k))),
        (Width::Limbs(_) | Width::F64, _) => None,
    }
}

/// The sum of n dice.
fn sum<T: Whole + Copy>(sides: usize, n: u32) -> Vec<T> {
    let dice = usize::try_from(n).unwrap_or(0);
    let mut row = vec![T::of(0); (sides - 1) * dice + 1];
    row[..sides].fill(T::of(1));
    let mut len = sides;
    for _ in 1..dice {
        took((len + sides - 1) * 2 * size_of::<T>() / 8);
        // Downwards in place: cell j becomes the sum of the cells from j - sides + 1 to j.
        let mut window = T::of(0);
        for j in (0..len + sides - 1).rev() {
            if j + 1 >= sides {
                window = window.plus(&row[j + 1 - sides]);
            }
            let old = std::mem::replace(&mut row[j], window);
            if j < len {
                window = window.minus(&old);
            }
        }
        len += sides - 1;
    }
    row
}

/// The k < n highest of n dice with `sides` faces of the same weight, by Horner's rule (module `keep`).
pub(super) fn keep<T: Whole + Copy>(sides: usize, weight: u64, n: u32, k: u32) -> Vec<T> {
    if k == 1 {
        return highest(sides, weight, n);
    }
    let kept = usize::try_from(k).unwrap_or(0);
    let zero = T::of(0);
    let mut out = vec![zero; (sides - 1) * kept + 1];
    let mut ways = vec![zero; kept];
    let mut row = vec![zero; (sides - 1) * (kept - 1) + 1];
    let ties = Ties::new(n, k);
    let mut low = 0;
    for i in 0..sides {
        ties.fill(&mut ways, weight, low);
        low += weight;
        let m = sides - 1 - i;
        if m == 0 {
            out[i * kept] = out[i * kept].plus(&ways[0]);
            continue;
        }
        let mut len = 1;
        row[0] = ways[kept - 1];
        for b in (0..kept - 1).rev() {
            // Downwards in place: cell j becomes the sum of the m cells before it.
            let mut window = zero;
            took((len + m) * 2 * size_of::<T>() / 8);
            for j in (1..len + m).rev() {
                if j < len {
                    window = window.minus(&row[j]);
                }
                if j >= m {
                    window = window.plus(&row[j - m]);
                }
                row[j] = if weight == 1 { window } else { window.times(&T::of(weight)) };
            }
            len += m;
            row[0] = ways[b];
        }
        took((len + kept * 2) * size_of::<T>() / 8);
        for (cell, x) in out[i * kept..].iter_mut().zip(&row[..len]) {
            *cell = cell.plus(x);
        }
    }
    out
}

/// The highest of n dice: the outcomes without anything above a face, less those without the face itself.
fn highest<T: Whole + Copy>(sides: usize, weight: u64, n: u32) -> Vec<T> {
    let mut below = T::of(0);
    let mut at_most = 0;
    let face = |_| {
        at_most += weight;
        let all = T::of(at_most).power(n);
        let only = all.minus(&below);
        below = all;
        only
    };
    (0..sides).map(face).collect()
}
