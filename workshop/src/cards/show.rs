//! Cards and proposals as a person reads them at a terminal.

use std::fmt::Write;

use super::card::{Karte, is_refused};
use super::files::CardFile;
use super::proposal::{Feld, Vorschlag};

/// Text in which no character acts on the terminal.
#[must_use]
pub fn plain(text: &str) -> String {
    text.chars().map(|c| if is_refused(c) { '\u{FFFD}' } else { c }).collect()
}

/// A proposal: where it is, what goes and what comes.
#[must_use]
pub fn proposal(number: usize, proposal: &Vorschlag, title: &str) -> String {
    let mut place = match (title, proposal.feld) {
        ("", Feld::NeueKarte) => proposal.vorschlag.clone(),
        ("", _) => proposal.feature.clone(),
        (title, _) => title.to_string(),
    };
    if !proposal.funktion.is_empty() {
        write!(place, " › {}", proposal.funktion).ok();
    }
    let mut text = format!("{number}. {place} › {} [{}]\n", proposal.feld.name(), proposal.id);
    let new = proposal.roh.as_deref().unwrap_or(&proposal.vorschlag);
    for (sign, lines) in [('-', proposal.original.as_str()), ('+', new)] {
        for line in lines.lines() {
            writeln!(text, "   {sign} {line}").ok();
        }
    }
    if proposal.feld == Feld::FunktionTitel {
        text += "   (offen: a function with a new title has to be judged again)\n";
    }
    plain(&text)
}

/// One line a card and one a function.
#[must_use]
pub fn list(files: &[CardFile]) -> String {
    let mut text = String::new();
    for file in files {
        match &file.karte {
            Ok(card) => text += &overview(&file.id, card),
            Err(error) => {
                writeln!(text, "{}.md:{error}", file.id).ok();
            }
        }
    }
    if text.is_empty() {
        text.push_str("There are no cards yet.\n");
    }
    plain(&text)
}

fn overview(id: &str, card: &Karte) -> String {
    let mut text = format!("{id}: {} ({})\n", card.titel, card.art.name());
    for function in &card.funktionen {
        writeln!(text, "  {:<6} {}", function.stand.name(), function.titel).ok();
    }
    text
}
