//! A card as JSON: for display (`sektionen`) and as the state that a model copies from.

use serde::{Deserialize, Serialize};

use super::card::{self, Funktion, Karte};

/// A parsed card with its lists as blocks of text, as a proposal carries it for display.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sektionen {
    /// Title of the card.
    pub titel: String,
    /// Kind of the card.
    pub art: String,
    /// What the card is for.
    pub ziel: String,
    /// Rules, each line with its marker.
    pub regeln: String,
    /// Functions.
    pub funktionen: Vec<FunktionSektionen>,
}

/// One function of [`Sektionen`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunktionSektionen {
    /// Title of the function.
    pub text: String,
    /// What it is for.
    pub ziel: String,
    /// Rules, each line with its marker.
    pub regeln: String,
    /// How it is tried, each line with its marker.
    pub testen: String,
    /// `offen` or `gebaut`.
    pub stand: String,
}

impl From<&Karte> for Sektionen {
    fn from(karte: &Karte) -> Sektionen {
        Sektionen {
            titel: karte.titel.clone(),
            art: karte.art.name().to_string(),
            ziel: karte.ziel.clone(),
            regeln: card::list(&karte.regeln),
            funktionen: karte.funktionen.iter().map(FunktionSektionen::from).collect(),
        }
    }
}

impl From<&Funktion> for FunktionSektionen {
    fn from(function: &Funktion) -> FunktionSektionen {
        FunktionSektionen {
            text: function.titel.clone(),
            ziel: function.ziel.clone(),
            regeln: card::list(&function.regeln),
            testen: card::list(&function.testen),
            stand: function.stand.name().to_string(),
        }
    }
}

/// A card in the form in which a model answers; the status is not part of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Spec<'a> {
    titel: &'a str,
    art: &'a str,
    ziel: &'a str,
    regeln: &'a [String],
    funktionen: Vec<FunktionSpec<'a>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct FunktionSpec<'a> {
    titel: &'a str,
    ziel: &'a str,
    regeln: &'a [String],
    testen: &'a [String],
}

impl<'a> From<&'a Karte> for Spec<'a> {
    fn from(karte: &'a Karte) -> Spec<'a> {
        let functions = karte.funktionen.iter().map(|function| FunktionSpec {
            titel: &function.titel,
            ziel: &function.ziel,
            regeln: &function.regeln,
            testen: &function.testen,
        });
        Spec {
            titel: &karte.titel,
            art: karte.art.name(),
            ziel: &karte.ziel,
            regeln: &karte.regeln,
            funktionen: functions.collect(),
        }
    }
}
