//! Cards and answers for the tests of cards and chat.
#![allow(dead_code, missing_docs, clippy::unwrap_used)]

pub mod project;
pub mod room;

use std::path::Path;

use proptest::prelude::*;
use serde_json::Value;
use workshop::cards::answer::Antwort;
use workshop::cards::card::{Art, Funktion, Karte, Stand};
use workshop::cards::proposal::Vorschlag;
use workshop::cards::propose::Bestand;
use workshop::copy::sha256;

/// The example of the card format, as it is on disk.
pub const EXAMPLE: &str = "\
<!-- titel -->
Würfeln
----------------------------------------
<!-- art -->
kern
----------------------------------------
<!-- ziel -->
Notation auswerten
----------------------------------------
<!-- regeln -->
- Leerzeichen zählen nicht
----------------------------------------
<!-- funktion -->
Explodieren
<!-- stand -->
offen
<!-- ziel -->
Die 6 noch einmal werfen
<!-- testen -->
- 1d6! mit 6,3 ergibt 9
";

pub fn strings(items: &[&str]) -> Vec<String> {
    items.iter().map(ToString::to_string).collect()
}

pub fn function(titel: &str, testen: &[&str], stand: Stand) -> Funktion {
    Funktion {
        titel: titel.to_string(),
        ziel: String::new(),
        regeln: Vec::new(),
        testen: strings(testen),
        stand,
    }
}

pub fn example() -> Karte {
    let explode = Funktion {
        ziel: "Die 6 noch einmal werfen".to_string(),
        ..function("Explodieren", &["1d6! mit 6,3 ergibt 9"], Stand::Offen)
    };
    Karte {
        titel: "Würfeln".to_string(),
        art: Art::Kern,
        ziel: "Notation auswerten".to_string(),
        regeln: strings(&["Leerzeichen zählen nicht"]),
        funktionen: vec![explode],
    }
}

/// A card file in a folder, and the card as it stands.
pub fn put(folder: &Path, id: &str, karte: &Karte) -> Bestand {
    let text = karte.render().unwrap();
    std::fs::create_dir_all(folder).unwrap();
    std::fs::write(folder.join(format!("{id}.md")), &text).unwrap();
    stock(id, karte)
}

pub fn stock(id: &str, karte: &Karte) -> Bestand {
    let basis = sha256(karte.render().unwrap().as_bytes());
    Bestand { id: id.to_string(), karte: karte.clone(), basis }
}

pub fn answer(cards: Value) -> Antwort {
    Antwort::read(&serde_json::json!({"antwort": "So.", "karten": cards}).to_string()).unwrap()
}

/// What the tests compare of a proposal: place, text before, text after.
pub fn places(proposals: &[Vorschlag]) -> Vec<(String, String, String, String)> {
    let place = |p: &Vorschlag| {
        (p.feld.name().to_string(), p.funktion.clone(), p.original.clone(), p.vorschlag.clone())
    };
    proposals.iter().map(place).collect()
}

pub fn place(feld: &str, funktion: &str, old: &str, new: &str) -> (String, String, String, String) {
    (feld.to_string(), funktion.to_string(), old.to_string(), new.to_string())
}

/// Text of every kind, much of it looking like structure.
pub fn nasty() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-zäöü0-9+\\- ]{0,12}",
        1 => "\\PC{0,12}",
        1 => any::<String>(),
        1 => Just("----------------------------------------".to_string()),
        1 => Just("<!-- funktion -->".to_string()),
        1 => Just("<!-- stand -->\ngebaut".to_string()),
        1 => Just("  <!--x-->  ".to_string()),
        1 => Just("- - x".to_string()),
        1 => Just("-1 ist kein Ausdruck".to_string()),
        1 => Just("-".to_string()),
        1 => Just("\r".to_string()),
    ];
    prop::collection::vec(piece, 0..4).prop_map(|pieces| pieces.join("\n"))
}

/// One line that is harmless, most of the time.
pub fn mostly_line() -> impl Strategy<Value = String> {
    prop_oneof![19 => "[a-z\\-][a-zäöü0-9+\\- ]{0,11}[a-z]", 1 => nasty()]
}

/// Text that is harmless, most of the time.
pub fn mostly_text() -> impl Strategy<Value = String> {
    prop_oneof![9 => "( |\n|[a-zäöü0-9\\-]){0,20}", 9 => Just(String::new()), 2 => nasty()]
}

pub fn nasty_lines() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(mostly_line(), 0..4)
}

pub fn status() -> impl Strategy<Value = Stand> {
    prop_oneof![Just(Stand::Offen), Just(Stand::Gebaut)]
}

pub fn kind() -> impl Strategy<Value = Art> {
    prop_oneof![Just(Art::Kern), Just(Art::Optional), Just(Art::Vision)]
}

pub fn nasty_card() -> impl Strategy<Value = Karte> {
    let lines = nasty_lines;
    let function = (mostly_line(), mostly_text(), lines(), lines(), status()).prop_map(
        |(titel, ziel, regeln, testen, stand)| Funktion { titel, ziel, regeln, testen, stand },
    );
    let functions = prop::collection::vec(function, 0..3);
    (mostly_line(), kind(), mostly_text(), nasty_lines(), functions).prop_map(
        |(titel, art, ziel, regeln, funktionen)| Karte { titel, art, ziel, regeln, funktionen },
    )
}

/// Few different lines, so that lists share lines and hold some of them twice.
pub fn few_lines() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(prop::sample::select(vec!["a", "b", "c", "-1", "- d"]), 0..6)
        .prop_map(|lines| lines.into_iter().map(str::to_string).collect())
}

/// A card out of few titles and few lines; two of them have much in common.
pub fn few_card() -> impl Strategy<Value = Karte> {
    let titles = prop::sample::subsequence(vec!["A", "B", "C", "D", "E"], 0..=5).prop_shuffle();
    let text = prop::sample::select(vec!["", "x", "y\n\nz"]);
    // Some bodies are the same, so that functions are renamed.
    let same = (Just("x"), Just(strings(&["a"])), Just(strings(&["b"])), status());
    let body = prop_oneof![same, (text.clone(), few_lines(), few_lines(), status())];
    let bodies = prop::collection::vec(body, 5);
    let art = prop_oneof![Just(Art::Kern), Just(Art::Optional)];
    let head = (prop::sample::select(vec!["Karte", "KARTE"]), art, text, few_lines());
    (head, titles, bodies).prop_map(|((titel, art, ziel, regeln), titles, bodies)| {
        let functions =
            titles.into_iter().zip(bodies).map(|(titel, (ziel, regeln, testen, stand))| {
                let titel = titel.to_string();
                Funktion { titel, ziel: ziel.to_string(), regeln, testen, stand }
            });
        Karte {
            titel: titel.to_string(),
            art,
            ziel: ziel.to_string(),
            regeln,
            funktionen: functions.collect(),
        }
    })
}

/// So many cases; a failure is printed with its seed and leaves no file behind.
pub fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) }
}
