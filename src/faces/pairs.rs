//! The same mapping for many small dice, two dice at a time.

use rand::Rng;

use super::draw::{draw, group, take, word};

/// From so many dice on it pays to take them in pairs.
pub(super) const MANY: usize = 256;
/// The most sides of dice that are taken in pairs.
pub(super) const PAIRED: u64 = 16;
/// The faces of two dice, by their index as one die of weight `W^2`.
type Pairs = [[u8; 2]; 256];

/// Taking an index below `W^2` out of a word takes the same two indices below `W`, in this order, with half the
/// multiplications.
#[expect(clippy::cast_possible_truncation, reason = "a paired die has at most 16 sides")]
fn pairs(weight: u64) -> Pairs {
    let mut pairs: Pairs = [[0; 2]; 256];
    let faces = (1..=weight as u8).flat_map(|first| (1..=weight as u8).map(move |second| [first, second]));
    pairs.iter_mut().zip(faces).for_each(|(pair, faces)| *pair = faces);
    pairs
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the index is below 256")]
fn take_pair(word: &mut u64, square: u64, pairs: &Pairs) -> [u8; 2] {
    pairs[take(word, square) as usize % pairs.len()]
}

/// [`draw`] for many small dice.
#[expect(clippy::cast_possible_truncation, reason = "a paired die has at most 16 sides")]
pub(super) fn draw_pairs<R: Rng + ?Sized>(rng: &mut R, weight: u64, out: &mut [u8]) {
    let (pairs, square) = (pairs(weight), weight * weight);
    let (size, power) = group(weight, out.len());
    let mut groups = out.chunks_exact_mut(size);
    for chunk in &mut groups {
        let mut word = word(rng, power);
        let mut places = chunk.chunks_exact_mut(2);
        for place in &mut places {
            place.copy_from_slice(&take_pair(&mut word, square, &pairs));
        }
        if let [last] = places.into_remainder() {
            *last = take(&mut word, weight) as u8 + 1;
        }
    }
    draw(rng, weight, groups.into_remainder(), |place, index| *place = index as u8 + 1);
}

/// [`Faces::sum`](super::Faces::sum) for many small dice.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a paired die has at most 16 sides, and a group at most 48 dice"
)]
pub(super) fn sum_pairs<R: Rng + ?Sized>(rng: &mut R, weight: u64, count: u64) -> i128 {
    let (pairs, square) = (pairs(weight), weight * weight);
    let sums = pairs.map(|[first, second]| first + second);
    let (size, power) = group(weight, usize::MAX);
    let mut sum: u64 = 0;
    for _ in 0..count / size as u64 {
        let mut word = word(rng, power);
        let mut part: u32 = 0;
        for _ in 0..size / 2 {
            part += u32::from(sums[take(&mut word, square) as usize % sums.len()]);
        }
        if size % 2 == 1 {
            part += take(&mut word, weight) as u32 + 1;
        }
        sum += u64::from(part);
    }
    let mut rest = [0; 48];
    let rest = &mut rest[..(count % size as u64) as usize];
    draw(rng, weight, rest, |place, index| *place = index as u8 + 1);
    i128::from(sum) + rest.iter().map(|face| i128::from(*face)).sum::<i128>()
}
