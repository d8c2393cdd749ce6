//! What would change: from the target state of the cards to proposals, one a place.

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::answer::{Antwort, KarteSoll};
use super::card::{Art, Funktion, Karte, Stand};
use super::proposal::{Feld, Stelle, Umfeld, Vorschlag};
use super::sektionen::Sektionen;

/// A card as it stands: its id, what is in it, and the SHA-256 of its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bestand {
    /// Name of the file without `.md`.
    pub id: String,
    /// What is in it.
    pub karte: Karte,
    /// SHA-256 of the file.
    pub basis: String,
}

/// The proposals that lead from the cards as they stand to those of the answer. A card that
/// is left out stays; a line left out of a card goes.
///
/// # Errors
/// Why the answer cannot be used, in one line, to be told to the model.
pub fn propose(cards: &[Bestand], answer: &Antwort) -> Result<Vec<Vorschlag>, String> {
    let mut removed = removals(cards, answer)?;
    let targets = targets(cards, answer)?;
    let mut proposals = Vec::new();
    let mut taken: Vec<&str> =
        targets.iter().filter_map(|(card, _)| card.map(|c| c.id.as_str())).collect();
    for (existing, target) in &targets {
        if let Some(existing) = existing {
            check_testen(Some(&existing.karte), target)?;
            proposals.extend(compare(existing, target)?);
            continue;
        }
        let free = |card: &&Bestand| !taken.contains(&card.id.as_str());
        let renamed = cards.iter().filter(free).find(|card| same_content(&card.karte, target));
        if let Some(renamed) = renamed {
            taken.push(&renamed.id);
            removed.retain(|card| card.id != renamed.id);
            let place = Vorschlag::new(Feld::Titel, &renamed.karte.titel, &target.titel);
            proposals.push(finish(place, renamed));
        } else {
            check_testen(None, target)?;
            proposals.push(new_card(target)?);
        }
    }
    for card in removed {
        let text = card.karte.render().map_err(|error| error.to_string())?;
        proposals.push(finish(Vorschlag::new(Feld::KarteWeg, &text, ""), card));
    }
    Ok(proposals)
}

fn find<'a>(cards: &'a [Bestand], title: &str) -> Option<&'a Bestand> {
    cards.iter().find(|card| card.karte.titel.to_lowercase() == title.to_lowercase())
}

fn removals<'a>(cards: &'a [Bestand], answer: &Antwort) -> Result<Vec<&'a Bestand>, String> {
    let mut removed: Vec<&Bestand> = Vec::new();
    for title in answer.entfernen.iter().flatten() {
        let title = title.trim();
        let card =
            find(cards, title).ok_or_else(|| format!("There is no card \"{title}\" to remove."))?;
        refuse_vision(card)?;
        if removed.iter().all(|other| other.id != card.id) {
            removed.push(card);
        }
    }
    Ok(removed)
}

/// Each card of the answer with the existing card of its title.
type Target<'a> = (Option<&'a Bestand>, Karte);

fn targets<'a>(cards: &'a [Bestand], answer: &Antwort) -> Result<Vec<Target<'a>>, String> {
    let removed = removals(cards, answer)?;
    let mut targets: Vec<Target<'a>> = Vec::new();
    for (soll, title) in answer.karten.iter().flatten().filter_map(titled) {
        let lower = title.to_lowercase();
        if targets.iter().any(|(_, other)| other.titel.to_lowercase() == lower) {
            return Err(format!("The card \"{title}\" is in the answer twice."));
        }
        let existing = find(cards, title);
        if let Some(card) = existing {
            refuse_vision(card)?;
            if removed.iter().any(|other| other.id == card.id) {
                return Err(format!("The card \"{title}\" is both described and removed."));
            }
        }
        let target = soll.card(existing.map(|card| &card.karte));
        target
            .check()
            .map_err(|error| format!("The card \"{title}\" cannot be written: {error}."))?;
        targets.push((existing, target));
    }
    Ok(targets)
}

fn titled(soll: &KarteSoll) -> Option<(&KarteSoll, &str)> {
    soll.title().map(|title| (soll, title))
}

fn refuse_vision(card: &Bestand) -> Result<(), String> {
    if card.karte.art == Art::Vision {
        return Err(format!(
            "The card \"{}\" is the vision; only a person changes it.",
            card.karte.titel
        ));
    }
    Ok(())
}

/// Every function that is new, or that had lines to try it, must have some.
fn check_testen(existing: Option<&Karte>, target: &Karte) -> Result<(), String> {
    let renames = existing.map(|card| renames(card, target)).unwrap_or_default();
    for function in target.funktionen.iter().filter(|function| function.testen.is_empty()) {
        let old = existing.and_then(|card| card.function(&function.titel));
        let renamed = renames.iter().any(|(_, new)| *new == function.titel);
        if !renamed && old.is_none_or(|old| !old.testen.is_empty()) {
            return Err(format!("The function \"{}\" has no lines in testen.", function.titel));
        }
    }
    Ok(())
}

fn same_content(card: &Karte, target: &Karte) -> bool {
    let empty = card.ziel.is_empty() && card.regeln.is_empty() && card.funktionen.is_empty();
    let same = |(old, new): (&Funktion, &Funktion)| old.titel == new.titel && old.same_body(new);
    !empty
        && card.art == target.art
        && card.ziel == target.ziel
        && card.regeln == target.regeln
        && card.funktionen.len() == target.funktionen.len()
        && card.funktionen.iter().zip(&target.funktionen).all(same)
}

fn new_card(target: &Karte) -> Result<Vorschlag, String> {
    let mut place = Vorschlag::new(Feld::NeueKarte, "", &target.titel);
    place.roh = Some(target.render().map_err(|error| error.to_string())?);
    place.sektionen = Some(Sektionen::from(target));
    place.problem = "Neue Karte".to_string();
    Ok(place.with_id())
}

fn finish(mut place: Vorschlag, card: &Bestand) -> Vorschlag {
    place.feature.clone_from(&card.id);
    place.basis.clone_from(&card.basis);
    place.problem = format!("{}: {}", super::proposal::REGEL, card.karte.titel);
    place.with_id()
}

/// What changes in one existing card.
///
/// # Errors
/// When a function cannot be written.
pub fn compare(existing: &Bestand, target: &Karte) -> Result<Vec<Vorschlag>, String> {
    let old = &existing.karte;
    let fields = [
        (Feld::Titel, old.titel.as_str(), target.titel.as_str()),
        (Feld::Badge, old.art.name(), target.art.name()),
        (Feld::Ziel, &old.ziel, &target.ziel),
    ];
    let mut places: Vec<Vorschlag> =
        fields.into_iter().filter_map(|(f, a, b)| whole(f, a, b)).collect();
    places.extend(hunks(Feld::Regeln, &old.regeln, &target.regeln));
    places.extend(functions(old, target)?);
    for new in &target.funktionen {
        let Some(old) = old.function(&new.titel) else { continue };
        let mut inside: Vec<Vorschlag> =
            whole(Feld::Ziel, &old.ziel, &new.ziel).into_iter().collect();
        inside.extend(hunks(Feld::Regeln, &old.regeln, &new.regeln));
        inside.extend(hunks(Feld::Testen, &old.testen, &new.testen));
        places.extend(inside.into_iter().map(|mut place| {
            place.funktion.clone_from(&new.titel);
            place
        }));
    }
    Ok(places.into_iter().map(|place| finish(place, existing)).collect())
}

fn whole(field: Feld, old: &str, new: &str) -> Option<Vorschlag> {
    (old != new).then(|| Vorschlag::new(field, old, new))
}

/// The places of a list, each some neighbouring entries that are replaced by others.
fn hunks(field: Feld, old: &[String], new: &[String]) -> Vec<Vorschlag> {
    let mut spans: Vec<(Stelle, Stelle)> = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, old, new) {
        let (tag, before, after) = op.as_tag_tuple();
        if tag == DiffTag::Equal {
            continue;
        }
        match spans.last_mut() {
            Some((a, b)) if a.bis == before.start && b.bis == after.start => {
                a.bis = before.end;
                b.bis = after.end;
            }
            _ => spans.push((
                Stelle { von: before.start, bis: before.end },
                Stelle { von: after.start, bis: after.end },
            )),
        }
    }
    let place = |(a, b): (Stelle, Stelle)| {
        let original = old[a.von..a.bis].join("\n");
        let mut place = Vorschlag::new(field, &original, &new[b.von..b.bis].join("\n"));
        place.ganzes_feld = a.von == 0 && a.bis == old.len();
        place.stelle = Some(a);
        place.umfeld = Some(surroundings(old, a));
        place
    };
    spans.into_iter().map(place).collect()
}

/// The entries around a place of a list.
#[must_use]
pub(super) fn surroundings(list: &[String], place: Stelle) -> Umfeld {
    let before = place.von.checked_sub(1).and_then(|n| list.get(n)).cloned();
    Umfeld { davor: before, danach: list.get(place.bis).cloned() }
}

/// Former and new title of functions whose title alone has changed.
fn renames<'a>(old: &'a Karte, new: &'a Karte) -> Vec<(&'a str, &'a str)> {
    let mut added: Vec<&Funktion> =
        new.funktionen.iter().filter(|function| old.function(&function.titel).is_none()).collect();
    let mut pairs = Vec::new();
    for gone in old.funktionen.iter().filter(|function| new.function(&function.titel).is_none()) {
        if let Some(n) = added.iter().position(|function| function.same_body(gone)) {
            pairs.push((gone.titel.as_str(), added.remove(n).titel.as_str()));
        }
    }
    pairs
}

/// The places of the list of functions: gone, renamed, new, another order.
fn functions(old: &Karte, new: &Karte) -> Result<Vec<Vorschlag>, String> {
    let renames = renames(old, new);
    let former = |title: &str| renames.iter().find(|(_, new)| *new == title).map(|(old, _)| *old);
    let mut order: Vec<String> = Vec::new();
    for function in &new.funktionen {
        order.extend(former(&function.titel).map(str::to_string));
        order.push(function.titel.clone());
    }
    let mut places = Vec::new();
    for gone in old.funktionen.iter().filter(|function| !order.contains(&function.titel)) {
        let block = gone.render().map_err(|error| error.to_string())?;
        let mut place = Vorschlag::new(Feld::FunktionWeg, &block, "");
        place.funktion.clone_from(&gone.titel);
        places.push(place);
    }
    for (from, to) in &renames {
        let mut place = Vorschlag::new(Feld::FunktionTitel, from, to);
        place.funktion = (*from).to_string();
        place.neu_offen = true;
        places.push(place);
    }
    for function in &new.funktionen {
        if old.function(&function.titel).is_some() || former(&function.titel).is_some() {
            continue;
        }
        let mut place = Vorschlag::new(Feld::NeueFunktion, "", &function.titel);
        let open = Funktion { stand: Stand::Offen, ..function.clone() };
        place.roh = Some(open.render().map_err(|error| error.to_string())?);
        place.neu_offen = true;
        place.reihenfolge.clone_from(&order);
        places.push(place);
    }
    places.extend(reordering(old, &order));
    Ok(places)
}

fn reordering(old: &Karte, order: &[String]) -> Option<Vorschlag> {
    let now = in_order(old, order);
    let mut wanted = now.clone();
    wanted.sort_by_key(|title| order.iter().position(|other| other == title));
    (now != wanted).then(|| {
        let mut place = Vorschlag::new(Feld::Funktionen, &now.join("\n"), &wanted.join("\n"));
        place.neu_offen = true;
        place.reihenfolge = order.to_vec();
        place
    })
}

/// Titles of the card's functions that the order names, as they stand in the card.
pub(super) fn in_order<'a>(card: &'a Karte, order: &[String]) -> Vec<&'a str> {
    let titles = card.funktionen.iter().map(|function| function.titel.as_str());
    titles.filter(|title| order.iter().any(|other| other == title)).collect()
}
