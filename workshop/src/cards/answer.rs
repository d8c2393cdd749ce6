//! What a model answers: a sentence and the cards as they should be.

use serde::Deserialize;
use serde_json::{Value, json};

use super::card::{self, Art, Funktion, Karte, Stand};
use crate::json::object_with;

/// The answer, read but not yet compared with the cards.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Antwort {
    /// What the model says to the person.
    pub antwort: Option<String>,
    /// Target state of every card that changes or is new.
    pub karten: Option<Vec<KarteSoll>>,
    /// Titles of cards to remove.
    pub entfernen: Option<Vec<String>>,
}

/// The target state of one card. There is no field for a status: a status that is sent is
/// not read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct KarteSoll {
    /// Title; finds the existing card, whatever the case.
    pub titel: Option<String>,
    /// `kern` or `optional`.
    pub art: Option<String>,
    /// What the card is for.
    pub ziel: Option<String>,
    /// Rules.
    pub regeln: Option<Zeilen>,
    /// Functions.
    pub funktionen: Option<Vec<FunktionSoll>>,
}

/// The target state of one function.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct FunktionSoll {
    /// Title; finds the existing function exactly.
    pub titel: Option<String>,
    /// What it is for.
    pub ziel: Option<String>,
    /// Rules.
    pub regeln: Option<Zeilen>,
    /// How it is tried.
    pub testen: Option<Zeilen>,
}

/// Lines, as a list or as a block of text.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged, expecting = "regeln and testen must be a list of strings or one text")]
pub enum Zeilen {
    /// One entry a line.
    Liste(Vec<String>),
    /// Lines with their markers.
    Block(String),
}

impl Antwort {
    /// Reads the first JSON object in `text` that is an answer; fences and sentences around
    /// it do not matter.
    ///
    /// # Errors
    /// Why the text is not an answer, in one line, to be told to the model.
    pub fn read(text: &str) -> Result<Antwort, String> {
        let object = object_with(text, &["antwort", "karten", "entfernen"])?;
        serde_json::from_str::<Value>(object)
            .and_then(serde_json::from_value)
            .map_err(|error| format!("The JSON has a wrong form: {error}."))
    }

    /// The JSON schema of the answer, for backends that can enforce one.
    #[must_use]
    pub fn schema() -> Value {
        let text = json!({"type": "string"});
        let texts = json!({"type": "array", "items": text});
        let object = |properties: Value, required: &[&str]| {
            json!({"type": "object", "properties": properties, "required": required,
                   "additionalProperties": false})
        };
        let function = object(
            json!({"titel": text, "ziel": text, "regeln": texts, "testen": texts}),
            &["titel", "ziel", "regeln", "testen"],
        );
        let card = object(
            json!({"titel": text, "art": {"type": "string", "enum": ["kern", "optional"]},
                   "ziel": text, "regeln": texts,
                   "funktionen": {"type": "array", "items": function}}),
            &["titel", "art", "ziel", "regeln", "funktionen"],
        );
        object(
            json!({"antwort": text, "karten": {"type": "array", "items": card}, "entfernen": texts}),
            &["antwort", "karten", "entfernen"],
        )
    }
}

impl KarteSoll {
    /// The title without blanks at its ends, none when it is empty.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        title(self.titel.as_deref())
    }

    /// The card this describes. The status is decided here: a function of exactly the title
    /// of a built function of the existing card is built, every other one is open.
    #[must_use]
    pub fn card(&self, existing: Option<&Karte>) -> Karte {
        let known = |title: &str| existing.and_then(|card| card.function(title));
        let functions = self.funktionen.iter().flatten().map(|function| {
            let title = title(function.titel.as_deref()).unwrap_or_default();
            let old = known(title);
            Funktion {
                titel: title.to_string(),
                ziel: function.ziel.clone().unwrap_or_default(),
                regeln: lines(function.regeln.as_ref(), old.map_or(&[], |old| &old.regeln)),
                testen: lines(function.testen.as_ref(), old.map_or(&[], |old| &old.testen)),
                stand: old.map_or(Stand::Offen, |old| old.stand),
            }
        });
        let kind = self.art.as_deref().and_then(Art::read).unwrap_or_default();
        Karte {
            titel: self.title().unwrap_or_default().to_string(),
            art: if kind == Art::Vision { Art::Kern } else { kind },
            ziel: self.ziel.clone().unwrap_or_default(),
            regeln: lines(self.regeln.as_ref(), existing.map_or(&[], |card| &card.regeln)),
            funktionen: functions.collect(),
        }
        .normalised()
    }
}

fn title(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|title| !title.is_empty())
}

/// The entries. A marker in front of an entry is cut, unless the existing list holds the
/// entry with it: what is copied from the state stays as it is.
fn lines(lines: Option<&Zeilen>, existing: &[String]) -> Vec<String> {
    match lines {
        None => Vec::new(),
        Some(Zeilen::Block(block)) => {
            block.lines().map(|l| card::unmarked(l).to_string()).collect()
        }
        Some(Zeilen::Liste(list)) => {
            list.iter()
                .map(|entry| entry.trim())
                .map(|entry| {
                    if existing.iter().any(|e| e == entry) { entry } else { card::unmarked(entry) }
                })
                .map(str::to_string)
                .collect()
        }
    }
}
