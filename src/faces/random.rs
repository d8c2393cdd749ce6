//! Every generator of the `rand` crate as a source of faces, and which way of drawing serves which dice.

use rand::Rng;

use super::draw::{draw, group, take, word};
use super::pairs::{MANY, PAIRED, draw_pairs, sum_pairs};
use super::{FaceError, Faces};
use crate::die::Die;

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
