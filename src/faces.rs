//! Where faces come from: any generator of the `rand` crate, or a script.
//!
//! # The mapping from random words to faces
//!
//! It is part of this crate's promise that the same seed gives the same dice, so it is fixed here and pinned
//! by golden vectors. Let `W` be the die's weight (its sides, for a plain die) and `k` the largest number
//! with `W^k <= 2^48`, at least 1. The dice of one throw are taken in groups of `k`; the last group has what is left,
//! and a die thrown on its own is a group of one. For a group of `b` dice one 64-bit word `x` is drawn. If
//! `(x * W^b) mod 2^64` is less than `2^64 mod W^b`, the word is discarded and another one drawn. Then, for
//! each die in turn, `x * W` is computed in 128 bits: its upper half is the index of the face, its lower half the next `x`.
//! A die of weight 1 takes no word. The index is that of [`Die::face_at`].
//!
//! Source of the algorithm: N. Brackett-Rozinsky and D. Lemire, "Batched Ranged Random Integer Generation",
//! Software: Practice and Experience, 2024. Every face has exactly its probability.

use std::collections::VecDeque;
use std::fmt;

use rand::Rng;

use crate::die::Die;

/// A source of faces. Implemented for every generator of the `rand` crate and for [`Script`].
pub trait Faces {
    /// One face of a die.
    ///
    /// # Errors
    /// A scripted source may have no face left, or one that the die does not have.
    fn face(&mut self, die: &Die) -> Result<i64, FaceError>;

    /// A face for a die that is rolled until one of the faces of `rest` comes up; `rest` has some of the faces
    /// of `die`. A source of chance draws from `rest` at once. A source that gives any other face is asked
    /// again.
    ///
    /// # Errors
    /// As [`Faces::face`].
    fn replacement(&mut self, die: &Die, rest: &Die) -> Result<i64, FaceError> {
        let _ = die;
        self.face(rest)
    }

    /// One face of a plain die of at most 255 sides: the same that [`Faces::face`] would give.
    ///
    /// # Errors
    /// As [`Faces::face`].
    fn small_face(&mut self, die: &Die) -> Result<u8, FaceError> {
        let face = self.face(die)?;
        let small = u8::try_from(face).ok().filter(|_| die.has(face));
        small.ok_or_else(|| FaceError::impossible(face, die))
    }

    /// A face for each place of `out`, for a plain die of at most 255 sides.
    ///
    /// # Errors
    /// As [`Faces::face`].
    fn fill_small(&mut self, die: &Die, out: &mut [u8]) -> Result<(), FaceError> {
        for place in out {
            *place = self.small_face(die)?;
        }
        Ok(())
    }

    /// A face for each place of `out`.
    ///
    /// # Errors
    /// As [`Faces::face`].
    fn fill(&mut self, die: &Die, out: &mut [i64]) -> Result<(), FaceError> {
        for place in out {
            *place = self.face(die)?;
        }
        Ok(())
    }

    /// The sum of `count` faces: the same faces that [`Faces::fill`] would give.
    ///
    /// # Errors
    /// As [`Faces::face`].
    fn sum(&mut self, die: &Die, count: u64) -> Result<i128, FaceError> {
        (0..count).try_fold(0, |sum, _| Ok(sum + i128::from(self.face(die)?)))
    }
}

/// Why a scripted source has no face to give.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaceError {
    /// More dice were thrown than faces are written.
    TooFew {
        /// How many faces there were.
        given: usize,
    },
    /// Faces are left over.
    TooMany {
        /// How many are left.
        left: usize,
    },
    /// The die does not have the face.
    Impossible {
        /// The face.
        face: i64,
        /// The die.
        die: Die,
    },
    /// The script expected a die of other sides.
    OtherSides {
        /// The sides that the script expected.
        expected: u64,
        /// The die that was thrown.
        die: Die,
    },
}

impl FaceError {
    fn impossible(face: i64, die: &Die) -> FaceError {
        FaceError::Impossible { face, die: die.clone() }
    }
}

impl fmt::Display for FaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FaceError::TooFew { given } => write!(f, "more dice are thrown than the {given} scripted faces"),
            FaceError::TooMany { left: 1 } => f.write_str("one scripted face is left over"),
            FaceError::TooMany { left } => write!(f, "{left} scripted faces are left over"),
            FaceError::Impossible { face, die } => write!(f, "a {die} has no face {face}"),
            FaceError::OtherSides { expected, die } => {
                write!(f, "a d{expected} was scripted, but a {die} is thrown")
            }
        }
    }
}

impl std::error::Error for FaceError {}

/// Faces written out in advance, for tests and for real dice on a table.
///
/// ```
/// use dice::{Expr, Script};
/// let mut script = Script::new([2, 5, 3, 6]);
/// let roll = "4d6kh3+2".parse::<Expr>()?.roll(&mut script)?;
/// assert_eq!(roll.total().to_string(), "16");
/// script.exhausted()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Script {
    faces: VecDeque<(Option<u64>, i64)>,
    given: usize,
}

impl Script {
    /// These faces, in this order, for whatever dice are thrown.
    pub fn new(faces: impl IntoIterator<Item = i64>) -> Script {
        Script::from_pairs(faces.into_iter().map(|face| (None, face)).collect())
    }

    /// Pairs of sides and face; a die that is not a plain die of so many sides is an error.
    pub fn with_sides(faces: impl IntoIterator<Item = (u64, i64)>) -> Script {
        Script::from_pairs(faces.into_iter().map(|(sides, face)| (Some(sides), face)).collect())
    }

    fn from_pairs(faces: VecDeque<(Option<u64>, i64)>) -> Script {
        Script { given: faces.len(), faces }
    }

    /// Whether every face has been used.
    ///
    /// # Errors
    /// [`FaceError::TooMany`] if faces are left over.
    pub fn exhausted(&self) -> Result<(), FaceError> {
        if self.faces.is_empty() { Ok(()) } else { Err(FaceError::TooMany { left: self.faces.len() }) }
    }
}

impl Faces for Script {
    fn face(&mut self, die: &Die) -> Result<i64, FaceError> {
        let Some((sides, face)) = self.faces.pop_front() else {
            return Err(FaceError::TooFew { given: self.given });
        };
        match sides {
            Some(expected) if *die != Die::Plain(expected) => {
                Err(FaceError::OtherSides { expected, die: die.clone() })
            }
            Some(_) | None if die.has(face) => Ok(face),
            Some(_) | None => Err(FaceError::impossible(face, die)),
        }
    }

    fn replacement(&mut self, die: &Die, rest: &Die) -> Result<i64, FaceError> {
        let _ = rest;
        self.face(die)
    }
}

/// The greatest product of sides that one random word serves.
const GROUP: u64 = 1 << 48;

/// How many of `count` dice of a weight one word serves, and the power of the weight for that many.
#[inline]
fn group(weight: u64, count: usize) -> (usize, u64) {
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
fn word<R: Rng + ?Sized>(rng: &mut R, power: u64) -> u64 {
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
fn take(word: &mut u64, weight: u64) -> u64 {
    let product = u128::from(*word) * u128::from(weight);
    *word = product as u64;
    (product >> 64) as u64
}

/// Hands an index below `weight` to `each` place of `out`, by the mapping above.
#[inline]
fn draw<R: Rng + ?Sized, T>(rng: &mut R, weight: u64, out: &mut [T], mut each: impl FnMut(&mut T, u64)) {
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
        let mut word = word(rng, rest.iter().fold(1, |power, _| power * weight));
        for place in rest {
            each(place, take(&mut word, weight));
        }
    }
}

/// From so many dice on it pays to take them in pairs.
const MANY: usize = 256;
/// The most sides of dice that are taken in pairs.
const PAIRED: u64 = 16;
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
fn draw_pairs<R: Rng + ?Sized>(rng: &mut R, weight: u64, out: &mut [u8]) {
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

/// [`Faces::sum`] for many small dice.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a paired die has at most 16 sides, and a group at most 48 dice"
)]
fn sum_pairs<R: Rng + ?Sized>(rng: &mut R, weight: u64, count: u64) -> i128 {
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

impl<R: Rng + ?Sized> Faces for R {
    #[inline]
    fn face(&mut self, die: &Die) -> Result<i64, FaceError> {
        let weight = die.weight();
        let index = if weight == 1 { 0 } else { take(&mut word(self, weight), weight) };
        Ok(die.face_at(index))
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a small die has at most 255 sides")]
    fn small_face(&mut self, die: &Die) -> Result<u8, FaceError> {
        let weight = die.weight();
        Ok(if weight == 1 { 1 } else { take(&mut word(self, weight), weight) as u8 + 1 })
    }

    #[expect(clippy::cast_possible_truncation, reason = "a small die has at most 255 sides")]
    fn fill_small(&mut self, die: &Die, out: &mut [u8]) -> Result<(), FaceError> {
        if out.len() >= MANY && matches!(die, Die::Plain(2..=PAIRED)) {
            draw_pairs(self, die.weight(), out);
            return Ok(());
        }
        draw(self, die.weight(), out, |place, index| *place = index as u8 + 1);
        Ok(())
    }

    fn fill(&mut self, die: &Die, out: &mut [i64]) -> Result<(), FaceError> {
        draw(self, die.weight(), out, |place, index| *place = die.face_at(index));
        Ok(())
    }

    fn sum(&mut self, die: &Die, count: u64) -> Result<i128, FaceError> {
        let weight = die.weight();
        if weight == 1 {
            return Ok(i128::from(count) * i128::from(die.face_at(0)));
        }
        if count >= MANY as u64 && matches!(die, Die::Plain(2..=PAIRED)) {
            return Ok(sum_pairs(self, weight, count));
        }
        let (size, power) = group(weight, usize::try_from(count).unwrap_or(usize::MAX));
        let size = size as u64;
        let mut sum: i128 = 0;
        if !matches!(die, Die::Plain(_)) {
            let mut left = count;
            while left > 0 {
                let throw = left.min(size);
                let mut word = word(self, (0..throw).fold(1, |power, _| power * weight));
                for _ in 0..throw {
                    sum += i128::from(die.face_at(take(&mut word, weight)));
                }
                left -= throw;
            }
            return Ok(sum);
        }
        for _ in 0..count / size {
            let mut word = word(self, power);
            let mut part: u128 = 0;
            for _ in 0..size {
                part += u128::from(take(&mut word, weight));
            }
            sum += part.cast_signed();
        }
        let rest = count % size;
        if rest > 0 {
            let mut word = word(self, (0..rest).fold(1, |power, _| power * weight));
            for _ in 0..rest {
                sum += i128::from(take(&mut word, weight));
            }
        }
        Ok(sum + i128::from(count))
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::{ChaCha8Rng, Xoshiro256PlusPlus};
    use rand::{Rng, SeedableRng};

    use super::{FaceError, Faces, Script, group};
    use crate::die::{Die, Entry};

    #[test]
    fn groups_are_as_documented() {
        assert_eq!(
            [2, 6, 20, 100, 1 << 48, 1 << 49, u64::MAX >> 1].map(|w| group(w, 100).0),
            [48, 18, 11, 7, 1, 1, 1]
        );
    }

    /// The mapping once more, in the words of the documentation, one die after the other.
    fn documented(rng: &mut dyn Rng, die: &Die, count: usize) -> Vec<i64> {
        let weight = u128::from(die.weight());
        let mut faces = Vec::new();
        while faces.len() < count && weight > 1 {
            let mut size = 1;
            while weight.pow(size + 1) <= 1 << 48 {
                size += 1;
            }
            let size = (size as usize).min(count - faces.len());
            let power = weight.pow(u32::try_from(size).unwrap());
            let mut x = u128::from(rng.next_u64());
            while (x * power) % (1 << 64) < (1 << 64) % power {
                x = u128::from(rng.next_u64());
            }
            for _ in 0..size {
                faces.push(die.face_at(u64::try_from((x * weight) >> 64).unwrap()));
                x = (x * weight) % (1 << 64);
            }
        }
        faces.resize(count, die.face_at(0));
        faces
    }

    #[test]
    fn every_way_to_draw_follows_the_documented_mapping() {
        let weighted = Die::listed(vec![Entry { low: 0, high: 9, weight: 3 }]).unwrap();
        for die in
            [1, 2, 3, 6, 10, 13, 16, 17, 20, 100, 255, 256, 1_000_000_007, (1 << 48) + 1, u64::MAX >> 1]
                .map(Die::Plain)
                .into_iter()
                .chain([Die::Fudge, weighted])
        {
            for count in [0, 1, 2, 17, 18, 19, 100, 255, 256, 1000] {
                let rng = || Xoshiro256PlusPlus::seed_from_u64(count as u64);
                let expected = documented(&mut rng(), &die, count);
                let mut wide = vec![0; count];
                rng().fill(&die, &mut wide).unwrap();
                assert_eq!(wide, expected, "{die:?}");
                let sum: i128 = expected.iter().map(|face| i128::from(*face)).sum();
                assert_eq!(Faces::sum(&mut rng(), &die, count as u64).unwrap(), sum, "{die:?}");
                if matches!(die, Die::Plain(..=255)) {
                    let mut small = vec![0; count];
                    rng().fill_small(&die, &mut small).unwrap();
                    assert_eq!(small.into_iter().map(i64::from).collect::<Vec<_>>(), expected);
                }
                if count == 1 {
                    assert_eq!(rng().face(&die).unwrap(), expected[0]);
                }
            }
        }
    }

    #[test]
    fn golden_vectors() {
        // Recomputed outside the crate from the definitions of ChaCha with 8 rounds and of the mapping.
        let mut faces = vec![0; 12];
        let mut rng = ChaCha8Rng::from_seed([7; 32]);
        rng.fill(&Die::Plain(6), &mut faces).unwrap();
        let d6 = faces.clone();
        rng.fill(&Die::Plain(20), &mut faces).unwrap();
        let singles: Vec<i64> = (0..6).map(|_| rng.face(&Die::Plain(100)).unwrap()).collect();
        assert_eq!(
            format!("{d6:?} {faces:?} {singles:?}"),
            "[2, 3, 1, 2, 2, 1, 1, 5, 5, 2, 5, 1] [17, 13, 15, 19, 14, 10, 15, 2, 19, 13, 15, 6] [36, 71, 12, 65, 59, 59]"
        );
    }

    #[test]
    fn a_script_gives_values_and_counts_them() {
        let mut script = Script::new([-1, 6]);
        assert_eq!(script.face(&Die::Fudge), Ok(-1));
        assert_eq!(script.exhausted(), Err(FaceError::TooMany { left: 1 }));
        assert_eq!(script.face(&Die::Plain(4)), Err(FaceError::Impossible { face: 6, die: Die::Plain(4) }));
        assert_eq!(script.face(&Die::Plain(4)), Err(FaceError::TooFew { given: 2 }));
        let mut script = Script::with_sides([(20, 7), (20, 19)]);
        assert_eq!(script.face(&Die::Plain(20)), Ok(7));
        assert_eq!(
            script.face(&Die::Plain(6)),
            Err(FaceError::OtherSides { expected: 20, die: Die::Plain(6) })
        );
    }
}
