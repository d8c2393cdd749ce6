//! The mapping from random words to faces.
//!
//! It is part of this crate's promise that the same seed gives the same dice, so it is fixed here and pinned
//! by golden vectors. Let `W` be the die's weight (its sides, for a plain die) and `k` the largest number
//! with `W^k <= 2^48`, at least 1. The dice of one throw are taken in groups of `k`; the last group has what is left,
//! and a die thrown on its own is a group of one. For a group of `b` dice one 64-bit word `x` is drawn. If
//! `(x * W^b) mod 2^64` is less than `2^64 mod W^b`, the word is discarded and another one drawn. Then, for
//! each die in turn, `x * W` is computed in 128 bits: its upper half is the index of the face, its lower half the next `x`.
//! A die of weight 1 takes no word. The index is that of [`Die::face_at`](crate::Die::face_at).
//!
//! Source of the algorithm: N. Brackett-Rozinsky and D. Lemire, "Batched Ranged Random Integer Generation",
//! Software: Practice and Experience, 2024. Every face has exactly its probability.

use rand::Rng;

/// The greatest product of sides that one random word serves.
const GROUP: u64 = 1 << 48;

/// Weights below this and fewer dice than that are looked up.
const SMALL: (usize, usize) = (128, 16);

/// The powers of small weights, as far as one word serves them; 0 beyond.
static POWERS: [[u64; SMALL.1]; SMALL.0] = powers();

const fn powers() -> [[u64; SMALL.1]; SMALL.0] {
    let mut table = [[0; SMALL.1]; SMALL.0];
    let mut weight = 1;
    while weight < SMALL.0 {
        let (mut power, mut count) = (1, 1);
        while count < SMALL.1 {
            power *= weight as u64;
            if power > GROUP {
                break;
            }
            table[weight][count] = power;
            count += 1;
        }
        weight += 1;
    }
    table
}

/// How many of `count` dice of a weight one word serves, and the power of the weight for that many.
#[inline]
pub(super) fn group(weight: u64, count: usize) -> (usize, u64) {
    let known = usize::try_from(weight).ok().and_then(|weight| POWERS.get(weight)?.get(count));
    if let Some(&power) = known.filter(|power| **power > 0) {
        return (count, power);
    }
    let (mut size, mut power) = (1, weight);
    while size < count {
        match power.checked_mul(weight) {
            Some(next) if next <= GROUP => power = next,
            Some(_) | None => break,
        }
        size += 1;
    }
    (size, power)
}

/// A word that is fair for a group of dice, `power` being the weight of the whole group.
#[inline]
pub(super) fn word<R: Rng + ?Sized>(rng: &mut R, power: u64) -> u64 {
    loop {
        let word = rng.next_u64();
        let left = word.wrapping_mul(power);
        if left >= power || left >= power.wrapping_neg() % power {
            return word;
        }
    }
}

/// Takes the next index below `weight` out of a word.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the two halves of the product are wanted")]
pub(super) fn take(word: &mut u64, weight: u64) -> u64 {
    let product = u128::from(*word) * u128::from(weight);
    *word = product as u64;
    (product >> 64) as u64
}

/// Hands an index below `weight` to `each` place of `out`, by the mapping above.
#[inline]
pub(super) fn draw<R: Rng + ?Sized, T>(
    rng: &mut R,
    weight: u64,
    out: &mut [T],
    mut each: impl FnMut(&mut T, u64),
) {
    if weight == 1 {
        return out.iter_mut().for_each(|place| each(place, 0));
    }
    let (size, power) = group(weight, out.len());
    let mut groups = out.chunks_exact_mut(size);
    for chunk in &mut groups {
        let mut word = word(rng, power);
        for place in chunk {
            each(place, take(&mut word, weight));
        }
    }
    let rest = groups.into_remainder();
    if !rest.is_empty() {
        let mut word = word(rng, group(weight, rest.len()).1);
        for place in rest {
            each(place, take(&mut word, weight));
        }
    }
}
