//! Brute force against every algorithm, seeded: what the tests of all algorithms share.

mod keep;
mod mixed;
mod rows;
mod sums;
mod units;

use super::*;
use num_bigint::BigUint;
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
use std::collections::BTreeMap;

type Law = BTreeMap<i64, BigUint>;

fn law(poly: &Poly) -> Law {
    cells(poly).map(|(x, i)| (x, poly.mass.big(i))).filter(|(_, c)| *c != BigUint::default()).collect()
}

/// Every outcome of the dice with its weight, folded into a law.
fn brute(dice: &[Vec<(i64, u64)>], total: impl Fn(&[i64]) -> i64) -> Law {
    let mut out = Law::new();
    let mut shown = vec![0; dice.len()];
    fn walk(
        dice: &[Vec<(i64, u64)>],
        at: usize,
        weight: u64,
        shown: &mut [i64],
        total: &impl Fn(&[i64]) -> i64,
        out: &mut Law,
    ) {
        if at == dice.len() {
            *out.entry(total(shown)).or_default() += weight;
            return;
        }
        for &(face, w) in &dice[at] {
            shown[at] = face;
            walk(dice, at + 1, weight * w, shown, total, out);
        }
    }
    walk(dice, 0, 1, &mut shown, &total, &mut out);
    out
}

fn random_die(rng: &mut ChaCha8Rng, faces: usize) -> Vec<(i64, u64)> {
    let mut die = BTreeMap::new();
    while die.len() < faces {
        die.insert(rng.random_range(-3..8i64), rng.random_range(1..4u64));
    }
    die.into_iter().collect()
}

fn widths(bits: u64) -> [Width; 3] {
    [Width::for_bits(bits), Width::U128, Width::Limbs(2)]
}

fn close(float: &Poly, want: &Law, total: u64, n: u32) {
    let all = (total as f64).powi(n as i32);
    for (x, i) in cells(float) {
        let w = want.get(&x).map_or(0.0, |c| num_traits::ToPrimitive::to_f64(c).unwrap() / all);
        let (got, _) = float.mass.scaled(i);
        assert!(
            (got - w).abs() <= w * ((float.roundings * f64::EPSILON) + 1e-15),
            "{x}: {got} {w} {}",
            (float.roundings * f64::EPSILON)
        );
    }
}
