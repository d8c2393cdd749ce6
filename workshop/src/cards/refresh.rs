//! Finds the place of a proposal again in a card that another hand has changed.

use super::apply::{Refusal, apply, holds, lines, lines_mut};
use super::card::{Funktion, Karte};
use super::proposal::{Feld, Stelle, Vorschlag};
use super::propose::{in_order, surroundings};

/// What becomes of a proposal when its card has changed by other hands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refreshed {
    /// It still means the same.
    Same(Vorschlag),
    /// It leads to the same text from another one; it has to be looked at again.
    Recomputed(Vorschlag, Refusal),
    /// The card already says what it wants.
    Done,
    /// There is nothing left that it could replace.
    Gone(Refusal),
}

/// Finds the place of a proposal in a card that has changed since.
#[must_use]
pub fn refresh(proposal: &Vorschlag, card: &Karte, basis: &str) -> Refreshed {
    let mut proposal = proposal.clone();
    proposal.basis = basis.to_string();
    let current = match proposal.feld {
        Feld::Regeln | Feld::Testen => return relocate(proposal, card),
        Feld::NeueKarte => return Refreshed::Same(proposal),
        Feld::NeueFunktion | Feld::FunktionTitel => {
            return match apply(card, &proposal) {
                Ok(_) => Refreshed::Same(proposal),
                Err(reason) => Refreshed::Gone(reason),
            };
        }
        Feld::Titel => card.titel.clone(),
        Feld::Badge => card.art.name().to_string(),
        Feld::Ziel if proposal.funktion.is_empty() => card.ziel.clone(),
        Feld::Ziel => match card.function(&proposal.funktion) {
            Some(function) => function.ziel.clone(),
            None => {
                return Refreshed::Gone(Refusal::Stale(format!(
                    "funktion {} gibt es nicht",
                    proposal.funktion
                )));
            }
        },
        Feld::Funktionen => in_order(card, &proposal.reihenfolge).join("\n"),
        Feld::KarteWeg => card.render().unwrap_or_default(),
        Feld::FunktionWeg => match card.function(&proposal.funktion).map(Funktion::render) {
            Some(Ok(block)) => block,
            _ => return Refreshed::Done,
        },
    };
    if current == proposal.original {
        return Refreshed::Same(proposal);
    }
    if proposal.feld == Feld::Funktionen {
        let mut wanted = lines(&current);
        wanted.sort_by_key(|title| proposal.reihenfolge.iter().position(|other| other == title));
        proposal.vorschlag = wanted.join("\n");
    }
    if current == proposal.vorschlag {
        return Refreshed::Done;
    }
    let reason = Refusal::Stale(format!("{} ist jetzt „{current}“", proposal.feld.name()));
    proposal.original = current;
    Refreshed::Recomputed(proposal.with_id(), reason)
}

fn relocate(mut proposal: Vorschlag, card: &Karte) -> Refreshed {
    let mut card = card.clone();
    let list = match lines_mut(&mut card, &proposal) {
        Ok(list) => list,
        Err(reason) => return Refreshed::Gone(reason),
    };
    let length = lines(&proposal.original).len();
    let around = proposal.umfeld.clone().unwrap_or_default();
    let fits = places(list, &proposal.original);
    let same = filtered(&fits, |place| surroundings(list, place) == around);
    let near = filtered(&fits, |place| surroundings(list, place).davor == around.davor);
    let taken = filtered(&places(list, &proposal.vorschlag), |place| {
        surroundings(list, place).davor == around.davor
    });
    if same.is_empty() && !proposal.vorschlag.is_empty() && !taken.is_empty() {
        return Refreshed::Done;
    }
    let candidates: &[&[Stelle]] =
        if length == 0 { &[&same, &near] } else { &[&same, &near, &fits] };
    match candidates.iter().find(|places| places.len() == 1) {
        Some(places) => {
            proposal.stelle = places.first().copied();
            Refreshed::Same(proposal)
        }
        None => Refreshed::Gone(Refusal::Stale(format!(
            "die Stelle in {} ist nicht mehr eindeutig: „{}“",
            proposal.feld.name(),
            if length == 0 { &proposal.vorschlag } else { &proposal.original }
        ))),
    }
}

fn places(list: &[String], text: &str) -> Vec<Stelle> {
    let length = lines(text).len();
    let all = (0..=list.len()).map(|von| Stelle { von, bis: von + length });
    all.filter(|place| holds(list, *place, text)).collect()
}

fn filtered(places: &[Stelle], keep: impl Fn(Stelle) -> bool) -> Vec<Stelle> {
    places.iter().copied().filter(|place| keep(*place)).collect()
}
