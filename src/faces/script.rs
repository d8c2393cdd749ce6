//! Faces written out in advance. Like any other source it only answers, so a roll cannot tell it from chance.

use std::collections::VecDeque;

use super::{FaceError, Faces};
use crate::die::Die;

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
