//! What an agent is asked to do.

use serde::{Deserialize, Serialize};

use crate::judge::cases::Case;

/// What is to be done.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// Name of the task.
    pub id: String,
    /// What the agent is told.
    pub text: String,
    /// What kind of change is wanted.
    #[serde(default)]
    pub kind: Kind,
    /// Visible cases besides the suite.
    #[serde(default)]
    pub cases: Vec<Case>,
    /// The card file and the function this task builds.
    #[serde(default)]
    pub card: Option<CardRef>,
}

/// What kind of change a task wants.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Something is wrong: results may change.
    #[default]
    Fix,
    /// Something is missing: what was accepted before keeps its results.
    Feature,
    /// Nothing may change that a caller can see.
    Refactor,
}

/// A function on a card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardRef {
    /// Id of the card.
    pub card: String,
    /// The block of the function in the card file when the task was planned.
    pub funktion: String,
}
