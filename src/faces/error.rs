//! Why a source has no face to give.

use std::fmt;

use crate::die::Die;

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
    pub(super) fn impossible(face: i64, die: &Die) -> FaceError {
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
