//! What is wrong with the cards of a project, and built functions that no longer hold.

use std::path::Path;

use anyhow::Result;

use super::card::{Funktion, Karte, Stand};
use super::cases::{Fall, cases};
use super::files;
use super::store::Store;

/// What a check found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Findings {
    /// Must be repaired before the cards can be used.
    pub mistakes: Vec<String>,
    /// Can stay.
    pub notes: Vec<String>,
}

/// Checks the form of all card files of a folder.
///
/// # Errors
/// When the folder cannot be read.
pub fn check(folder: &Path) -> Result<Findings> {
    let mut findings = Findings::default();
    let mut titles: Vec<(String, String)> = Vec::new();
    for file in files::files(folder)? {
        let shown = format!("{}.md", file.id);
        let card = match file.karte {
            Ok(card) => card,
            Err(error) => {
                findings.mistakes.push(format!("{shown}:{error}"));
                continue;
            }
        };
        let title = card.titel.to_lowercase();
        if let Some((_, other)) = titles.iter().find(|(known, _)| *known == title) {
            let text = format!("{shown}: Karte doppelt: {} (auch in {other}.md)", card.titel);
            findings.mistakes.push(text);
        }
        titles.push((title, file.id));
        if !file.canonical {
            findings.notes.push(format!("{shown}: the next accepted proposal will tidy this file"));
        }
        for function in card.funktionen.iter().filter(|function| function.testen.is_empty()) {
            let text = format!("{shown}: {} has no testen and cannot be planned", function.titel);
            findings.notes.push(text);
        }
    }
    Ok(findings)
}

/// Runs every case of the built functions that can be run, and marks those open that fail.
/// Returns the functions that are open now, as card id and title.
///
/// # Errors
/// When a card cannot be read or written, or a case cannot be run at all.
pub fn reopen(
    store: &Store,
    mut holds: impl FnMut(&Fall) -> Result<bool>,
) -> Result<Vec<(String, String)>> {
    let mut reopened = Vec::new();
    for card in store.cards()? {
        for function in built(&card.karte) {
            let mut red = false;
            for case in cases(function).ausfuehrbar {
                red = !holds(&case)? || red;
            }
            if red {
                store.mark_open(&card.id, &function.titel)?;
                reopened.push((card.id.clone(), function.titel.clone()));
            }
        }
    }
    Ok(reopened)
}

fn built(card: &Karte) -> impl Iterator<Item = &Funktion> {
    card.funktionen.iter().filter(|function| function.stand == Stand::Gebaut)
}
