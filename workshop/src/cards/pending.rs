//! The proposals that a person has not yet decided on, kept between commands.

use std::fs;
use std::io;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use serde::{Deserialize, Serialize};

use super::apply;
use super::card::Karte;
use super::proposal::Vorschlag;
use super::refresh::{Refreshed, refresh};

/// What is kept.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pending {
    /// In the order in which they are shown.
    pub vorschlaege: Vec<Vorschlag>,
    /// The proposal that is being taken over. It is written down before the card is
    /// replaced, so that a crash between the two files is noticed by the next command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub laufend: Option<Laufend>,
}

/// A proposal that is being taken over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Laufend {
    /// The proposal as it is taken over, with the person's own text if there is one.
    pub vorschlag: Vorschlag,
    /// Id of the card file that changes.
    pub feature: String,
    /// SHA-256 of that file afterwards, none when it is removed.
    pub nachher: Option<String>,
}

impl Pending {
    /// Reads the file; a missing file is an empty list.
    ///
    /// # Errors
    /// When the file cannot be read or is not what [`Pending::text`] writes.
    pub fn load(path: &Path) -> Result<Pending> {
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Pending::default()),
            other => other.with_context(|| format!("cannot read {}", path.display()))?,
        };
        serde_json::from_str(&text).with_context(|| format!("{} is damaged", path.display()))
    }

    /// What is written.
    ///
    /// # Errors
    /// Never in practice; a value that is not JSON.
    pub fn text(&self) -> Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// The open proposal of this id.
    ///
    /// # Errors
    /// When there is none.
    pub fn find(&self, id: &str) -> Result<Vorschlag> {
        let found = self.vorschlaege.iter().find(|proposal| proposal.id == id);
        found.cloned().ok_or_else(|| anyhow!("Vorschlag unbekannt: {id}"))
    }

    /// Drops the proposal that was taken over and moves the others to the new state of its
    /// card.
    pub fn finish(&mut self) {
        let Some(running) = self.laufend.take() else { return };
        let taken = running.vorschlag;
        self.vorschlaege.retain(|other| other.id != taken.id);
        match running.nachher {
            Some(after) => apply::settle(&mut self.vorschlaege, &taken, &after),
            None => self.vorschlaege.retain(|other| other.feature != running.feature),
        }
    }

    /// Finds the places of all proposals for a card again; those that have none any more go.
    pub fn refresh(&mut self, id: &str, card: &Karte, basis: &str) {
        let moved = self.vorschlaege.drain(..).filter_map(|proposal| {
            if proposal.feature != id || proposal.basis == basis {
                return Some(proposal);
            }
            match refresh(&proposal, card, basis) {
                Refreshed::Same(proposal) | Refreshed::Recomputed(proposal, _) => Some(proposal),
                Refreshed::Done | Refreshed::Gone(_) => None,
            }
        });
        self.vorschlaege = moved.collect();
    }
}
