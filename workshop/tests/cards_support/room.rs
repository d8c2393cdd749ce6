//! A room for conversations.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;
use workshop::cards::store::Store;
use workshop::chat::Project;
use workshop::history;

use super::{example, put};

/// A repository with its cards, its history and its open proposals.
pub struct Room {
    pub folder: tempfile::TempDir,
    pub project: Project,
}

impl Room {
    pub fn new() -> Room {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("repo");
        fs::create_dir(&root).unwrap();
        let store = Store::new(root.join("cards"), folder.path().join("state/proposals.json"));
        Room { folder, project: Project { root, store, source: None } }
    }

    /// A room with the example card.
    pub fn with_card() -> Room {
        let room = Room::new();
        put(&room.cards(), "wuerfeln", &example());
        room
    }

    pub fn cards(&self) -> PathBuf {
        self.project.root.join("cards")
    }

    pub fn said(&self) -> Vec<String> {
        history::load(&self.project.root).into_iter().map(|entry| entry.text).collect()
    }

    /// Every file of the room with its content.
    pub fn files(&self) -> Vec<(PathBuf, String)> {
        let mut files = Vec::new();
        collect(self.folder.path(), &mut files);
        files.sort();
        files
    }
}

fn collect(folder: &Path, files: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            let text = fs::read_to_string(&path).unwrap();
            files.push((path, text));
        }
    }
}

pub fn wish() -> String {
    json!({"antwort": "So?", "karten": [
        {"titel": "Würfeln", "art": "kern", "ziel": "Alles auswerten",
         "regeln": ["Leerzeichen zählen nicht", "-1 ist kein Ausdruck"],
         "funktionen": [
            {"titel": "Explodieren", "ziel": "Die 6 noch einmal werfen", "regeln": [],
             "testen": ["1d6! mit 6,3 ergibt 9", "`dice 3` ergibt `3`"]}]},
        {"titel": "Verlauf", "art": "optional", "ziel": "Frühere Würfe sehen"}]})
    .to_string()
}

/// The same project, to be changed.
pub fn copy(project: &Project) -> Project {
    let store = Store::new(project.store.folder(), project.root.join("../state/proposals.json"));
    Project { root: project.root.clone(), store, source: project.source.clone() }
}
