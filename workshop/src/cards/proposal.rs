//! A proposal: one place of one card, as it is and as it would be.

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

use super::card;
use super::sektionen::Sektionen;
use crate::copy::sha256;

/// The rule that a proposal from the conversation names.
pub const REGEL: &str = "Aus dem Gespräch";

/// Which kind of place a proposal is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Feld {
    /// Title of the card.
    Titel,
    /// Kind of the card.
    Badge,
    /// What the card or the function is for.
    Ziel,
    /// Some neighbouring lines of the rules.
    Regeln,
    /// Some neighbouring lines of how a function is tried.
    Testen,
    /// Order of the functions.
    Funktionen,
    /// A whole new card.
    NeueKarte,
    /// A card that goes away.
    KarteWeg,
    /// A whole new function.
    NeueFunktion,
    /// A function with a new title and the same content.
    FunktionTitel,
    /// A function that goes away.
    FunktionWeg,
}

impl Feld {
    /// The word in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Feld::Titel => "titel",
            Feld::Badge => "badge",
            Feld::Ziel => "ziel",
            Feld::Regeln => "regeln",
            Feld::Testen => "testen",
            Feld::Funktionen => "funktionen",
            Feld::NeueKarte => "neue_karte",
            Feld::KarteWeg => "karte_weg",
            Feld::NeueFunktion => "neue_funktion",
            Feld::FunktionTitel => "funktion_titel",
            Feld::FunktionWeg => "funktion_weg",
        }
    }
}

/// Entries of a list, counted from 0, the end not included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stelle {
    /// First entry.
    pub von: usize,
    /// Entry after the last.
    pub bis: usize,
}

/// The entries around a place, to find it again in a list that has changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Umfeld {
    /// The entry before, none at the start of the list.
    pub davor: Option<String>,
    /// The entry after, none at the end of the list.
    pub danach: Option<String>,
}

/// One place of one card, as it is and as it would be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vorschlag {
    /// Names this proposal; another content has another id.
    pub id: String,
    /// Kind of place.
    pub feld: Feld,
    /// The text of the place now.
    pub original: String,
    /// The text of the place if it is accepted.
    pub vorschlag: String,
    /// Whether the place is the whole field.
    pub ganzes_feld: bool,
    /// Id of the card, empty for a new one.
    pub feature: String,
    /// Title of the function, empty for the card itself.
    pub funktion: String,
    /// Why, as a rule.
    pub regel: String,
    /// Why, for the person.
    pub problem: String,
    /// Whether accepting leaves the function open.
    #[serde(default, skip_serializing_if = "is_false")]
    pub neu_offen: bool,
    /// Text of the whole new card file or of the block of the new function.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roh: Option<String>,
    /// The new card, parsed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sektionen: Option<Sektionen>,
    /// SHA-256 of the card file this was made against, empty for a new card.
    pub basis: String,
    /// Which entries of the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stelle: Option<Stelle>,
    /// What stands around the entries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub umfeld: Option<Umfeld>,
    /// Titles of the functions in the order of the target, a former title before the new one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reihenfolge: Vec<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_false(value: &bool) -> bool {
    !*value
}

impl Vorschlag {
    /// A proposal for one field of a card, without its id.
    #[must_use]
    pub fn new(feld: Feld, original: &str, vorschlag: &str) -> Vorschlag {
        Vorschlag {
            id: String::new(),
            feld,
            original: original.to_string(),
            vorschlag: vorschlag.to_string(),
            ganzes_feld: true,
            feature: String::new(),
            funktion: String::new(),
            regel: REGEL.to_string(),
            problem: String::new(),
            neu_offen: false,
            roh: None,
            sektionen: None,
            basis: String::new(),
            stelle: None,
            umfeld: None,
            reihenfolge: Vec::new(),
        }
    }

    /// The proposal with the id that follows from its content.
    #[must_use]
    pub fn with_id(mut self) -> Vorschlag {
        let place = self.stelle.map(|stelle| format!("{}-{}", stelle.von, stelle.bis));
        let parts = [
            self.feld.name(),
            &self.feature,
            &self.funktion,
            &self.original,
            &self.vorschlag,
            self.roh.as_deref().unwrap_or_default(),
            place.as_deref().unwrap_or_default(),
            &self.basis,
        ];
        self.id = sha256(parts.join("\0").as_bytes()).chars().take(8).collect();
        self
    }

    /// Whether both are about the same card, so that the newer draft replaces the older.
    #[must_use]
    pub fn same_card(&self, other: &Vorschlag) -> bool {
        match (self.feld, other.feld) {
            (Feld::NeueKarte, Feld::NeueKarte) => {
                self.vorschlag.to_lowercase() == other.vorschlag.to_lowercase()
            }
            (Feld::NeueKarte, _) | (_, Feld::NeueKarte) => false,
            _ => self.feature == other.feature,
        }
    }

    /// The proposal with a text of the person's own.
    ///
    /// # Errors
    /// When there is no text to choose, as for something that goes away.
    pub fn with_text(&self, text: &str) -> Result<Vorschlag> {
        let mut edited = self.clone();
        match self.feld {
            Feld::NeueKarte | Feld::NeueFunktion => edited.roh = Some(text.to_string()),
            Feld::Regeln | Feld::Testen => {
                let entries = text.lines().map(card::unmarked).filter(|entry| !entry.is_empty());
                edited.vorschlag = entries.collect::<Vec<_>>().join("\n");
            }
            Feld::Titel | Feld::Badge | Feld::Ziel | Feld::FunktionTitel => {
                edited.vorschlag = text.trim().to_string();
            }
            Feld::Funktionen | Feld::FunktionWeg | Feld::KarteWeg => {
                bail!("{} cannot be edited, only accepted or rejected", self.feld.name());
            }
        }
        Ok(edited)
    }
}
