//! Takes one proposal over into a card.

use std::fmt;

use super::card::{Art, Funktion, Karte, Stand};
use super::error::{CardError, CardErrorKind};
use super::parse::{parse, parse_open_function};
use super::proposal::{Feld, Stelle, Vorschlag};
use super::propose::in_order;

/// Why a proposal cannot be taken over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// It no longer fits the card.
    Stale(String),
    /// The card would not be one any more.
    Card(CardError),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Stale(reason) => write!(f, "Vorschlag veraltet: {reason}"),
            Refusal::Card(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for Refusal {}

impl From<CardError> for Refusal {
    fn from(error: CardError) -> Refusal {
        Refusal::Card(error)
    }
}

fn stale<T>(reason: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Stale(reason.into()))
}

/// The card with one proposal taken over. No proposal can make a function built, and the
/// status of the functions it does not name stays as it is.
///
/// # Errors
/// When what the proposal wants to replace is not there.
pub fn apply(card: &Karte, proposal: &Vorschlag) -> Result<Karte, Refusal> {
    let mut card = card.clone();
    match proposal.feld {
        Feld::Titel => replace_text(&mut card.titel, proposal)?,
        Feld::Badge => {
            let mut name = card.art.name().to_string();
            replace_text(&mut name, proposal)?;
            card.art = match Art::read(&name) {
                Some(art) if art != Art::Vision => art,
                _ => return Err(CardError::new(CardErrorKind::UnknownKind(name)).into()),
            };
        }
        Feld::Ziel if proposal.funktion.is_empty() => replace_text(&mut card.ziel, proposal)?,
        Feld::Ziel => replace_text(&mut function(&mut card, &proposal.funktion)?.ziel, proposal)?,
        Feld::Regeln | Feld::Testen => replace_lines(lines_mut(&mut card, proposal)?, proposal)?,
        Feld::Funktionen => reorder(&mut card, proposal)?,
        Feld::NeueFunktion => insert(&mut card, proposal)?,
        Feld::FunktionTitel => rename(&mut card, proposal)?,
        Feld::FunktionWeg => {
            let position = card.position(&proposal.funktion);
            let block = position.and_then(|n| card.funktionen.get(n)).and_then(|f| f.render().ok());
            match (position, block) {
                (Some(n), Some(block)) if block == proposal.original => {
                    drop(card.funktionen.remove(n))
                }
                _ => return stale(format!("funktion {} ist anders", proposal.funktion)),
            }
        }
        Feld::NeueKarte | Feld::KarteWeg => return stale("betrifft eine ganze Karte"),
    }
    let card = card.normalised();
    card.check()?;
    Ok(card)
}

/// The new card of a proposal, every function open whatever its text says.
///
/// # Errors
/// When the text is not a card, or one that only a person may write.
pub fn new_card(proposal: &Vorschlag) -> Result<Karte, Refusal> {
    let text = proposal.roh.as_deref().unwrap_or_default();
    let mut card = parse(text)?;
    if card.art == Art::Vision {
        let kind = CardErrorKind::UnknownKind(card.art.name().to_string());
        return Err(CardError::new(kind).into());
    }
    for function in &mut card.funktionen {
        function.stand = Stand::Offen;
    }
    Ok(card)
}

fn replace_text(text: &mut String, proposal: &Vorschlag) -> Result<(), Refusal> {
    if *text != proposal.original {
        return stale(format!("{} ist jetzt „{text}“", proposal.feld.name()));
    }
    text.clone_from(&proposal.vorschlag);
    Ok(())
}

fn function<'a>(card: &'a mut Karte, title: &str) -> Result<&'a mut Funktion, Refusal> {
    let found = card.funktionen.iter_mut().find(|function| function.titel == title);
    found.ok_or_else(|| Refusal::Stale(format!("funktion {title} gibt es nicht")))
}

pub(super) fn lines_mut<'a>(
    card: &'a mut Karte,
    proposal: &Vorschlag,
) -> Result<&'a mut Vec<String>, Refusal> {
    match (proposal.feld, proposal.funktion.is_empty()) {
        (Feld::Regeln, true) => Ok(&mut card.regeln),
        (Feld::Regeln, false) => Ok(&mut function(card, &proposal.funktion)?.regeln),
        (Feld::Testen, false) => Ok(&mut function(card, &proposal.funktion)?.testen),
        _ => stale(format!("{} hat keine Zeilen", proposal.feld.name())),
    }
}

fn replace_lines(list: &mut Vec<String>, proposal: &Vorschlag) -> Result<(), Refusal> {
    let place = proposal.stelle.filter(|place| holds(list, *place, &proposal.original));
    let Some(Stelle { von, bis }) = place else {
        return stale(format!(
            "„{}“ steht nicht mehr in {}",
            proposal.original,
            proposal.feld.name()
        ));
    };
    list.splice(von..bis, lines(&proposal.vorschlag));
    Ok(())
}

pub(super) fn holds(list: &[String], place: Stelle, original: &str) -> bool {
    list.get(place.von..place.bis).is_some_and(|entries| entries == lines(original))
}

/// The entries in a text of a place.
#[must_use]
pub(super) fn lines(text: &str) -> Vec<String> {
    text.split('\n').filter(|line| !line.is_empty()).map(str::to_string).collect()
}

fn reorder(card: &mut Karte, proposal: &Vorschlag) -> Result<(), Refusal> {
    if in_order(card, &proposal.reihenfolge).is_empty() {
        return stale("die Funktionen sind andere");
    }
    let rank = |title: &str| proposal.reihenfolge.iter().position(|other| other == title);
    let named = |function: &Funktion| rank(&function.titel).is_some();
    let slots: Vec<usize> =
        (0..card.funktionen.len()).filter(|&n| named(&card.funktionen[n])).collect();
    let mut sorted: Vec<Funktion> = card.funktionen.iter().filter(|f| named(f)).cloned().collect();
    sorted.sort_by_key(|function| rank(&function.titel));
    for (slot, function) in slots.into_iter().zip(sorted) {
        card.funktionen[slot] = function;
    }
    Ok(())
}

fn insert(card: &mut Karte, proposal: &Vorschlag) -> Result<(), Refusal> {
    let block = proposal.roh.as_deref().unwrap_or_default();
    let new = parse_open_function(block)?;
    if card.function(&new.titel).is_some() {
        return stale(format!("funktion {} gibt es schon", new.titel));
    }
    let before = proposal.reihenfolge.iter().take_while(|title| **title != proposal.vorschlag);
    let place = before.filter_map(|title| card.position(title)).last().map_or(0, |n| n + 1);
    card.funktionen.insert(place, new);
    Ok(())
}

fn rename(card: &mut Karte, proposal: &Vorschlag) -> Result<(), Refusal> {
    if card.function(&proposal.vorschlag).is_some() {
        return stale(format!("funktion {} gibt es schon", proposal.vorschlag));
    }
    let function = function(card, &proposal.original)?;
    function.titel.clone_from(&proposal.vorschlag);
    function.stand = Stand::Offen;
    Ok(())
}

/// Moves the places of the other proposals after `taken` has been taken over and its card
/// file has the SHA-256 `basis`. Those that were made against another state stay as they are.
pub fn settle(others: &mut [Vorschlag], taken: &Vorschlag, basis: &str) {
    let same = |other: &&mut Vorschlag| {
        other.feature == taken.feature && other.basis == taken.basis && other.id != taken.id
    };
    for other in others.iter_mut().filter(same) {
        other.basis = basis.to_string();
        if other.feld == taken.feld && other.funktion == taken.funktion {
            shift(other, taken);
        }
    }
}

fn shift(other: &mut Vorschlag, taken: &Vorschlag) {
    let (Some(place), Some(done)) = (other.stelle.as_mut(), taken.stelle) else { return };
    if place.von >= done.bis {
        let inserted = lines(&taken.vorschlag).len();
        place.von = place.von - done.bis + done.von + inserted;
        place.bis = place.bis - done.bis + done.von + inserted;
    }
}
