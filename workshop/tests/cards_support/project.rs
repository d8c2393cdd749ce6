//! A project with cards and open proposals on disk.

use std::fs;
use std::path::PathBuf;

use serde_json::json;
use workshop::cards::propose::propose;
use workshop::cards::store::Store;

use super::answer;

/// A project in a folder of its own.
pub struct Project {
    pub folder: tempfile::TempDir,
}

impl Project {
    pub fn new() -> Project {
        Project { folder: tempfile::tempdir().unwrap() }
    }

    pub fn cards(&self) -> PathBuf {
        self.folder.path().join("cards")
    }

    pub fn pending(&self) -> PathBuf {
        self.folder.path().join("state/proposals.json")
    }

    pub fn store(&self) -> Store {
        Store::new(self.cards(), self.pending())
    }

    pub fn propose(&self, cards: serde_json::Value) {
        let store = self.store();
        store.propose(&propose(&store.cards().unwrap(), &answer(cards)).unwrap()).unwrap();
    }

    pub fn ids(&self) -> Vec<String> {
        self.store().open().unwrap().into_iter().map(|proposal| proposal.id).collect()
    }

    /// Every file of the project with its content.
    pub fn files(&self) -> Vec<(String, String)> {
        let mut files = Vec::new();
        for folder in [self.cards(), self.folder.path().join("state")] {
            for entry in fs::read_dir(folder).into_iter().flatten() {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                files.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
        files.sort();
        files
    }

    pub fn card(&self, id: &str) -> String {
        fs::read_to_string(self.cards().join(format!("{id}.md"))).unwrap()
    }
}

/// The example card with one rule more, another goal and a second function.
pub fn wish() -> serde_json::Value {
    json!([{"titel": "Würfeln", "ziel": "Alles auswerten",
            "regeln": ["zuerst", "Leerzeichen zählen nicht", "zuletzt"],
            "funktionen": [
                {"titel": "Explodieren", "ziel": "Die 6 noch einmal werfen",
                 "testen": ["1d6! mit 6,3 ergibt 9"]},
                {"titel": "Summieren", "testen": ["1+2 ergibt 3"]}]}])
}

pub const WISHED: &str = "\
<!-- titel -->
Würfeln
----------------------------------------
<!-- art -->
kern
----------------------------------------
<!-- ziel -->
Alles auswerten
----------------------------------------
<!-- regeln -->
- zuerst
- Leerzeichen zählen nicht
- zuletzt
----------------------------------------
<!-- funktion -->
Explodieren
<!-- stand -->
offen
<!-- ziel -->
Die 6 noch einmal werfen
<!-- testen -->
- 1d6! mit 6,3 ergibt 9
----------------------------------------
<!-- funktion -->
Summieren
<!-- stand -->
offen
<!-- testen -->
- 1+2 ergibt 3
";
