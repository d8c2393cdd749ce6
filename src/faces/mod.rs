//! Where faces come from: any generator of the `rand` crate, or a script.

mod draw;
mod error;
mod pairs;
mod random;
mod script;
#[cfg(test)]
mod tests;

pub use error::FaceError;
pub use script::Script;

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
