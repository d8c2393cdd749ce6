//! Where a proposal's place is when another hand has changed the card.
#![allow(missing_docs, clippy::unwrap_used)]

mod cards_support;

use cards_support::{answer, example, function, stock, strings};
use serde_json::json;
use workshop::cards::apply::apply;
use workshop::cards::card::{Art, Karte, Stand};
use workshop::cards::proposal::{Feld, Vorschlag};
use workshop::cards::propose::{compare, propose};
use workshop::cards::refresh::{Refreshed, refresh};

type Lines = &'static [&'static str];
type Change = fn(&mut Karte, &str);

fn rules(lines: &[&str]) -> Karte {
    Karte { titel: "K".to_string(), regeln: strings(lines), ..Karte::default() }
}

/// The only proposal between two cards.
fn only(old: &Karte, new: &Karte) -> Vorschlag {
    let proposals = compare(&stock("k", old), new).unwrap();
    assert_eq!(proposals.len(), 1, "{proposals:?}");
    proposals[0].clone()
}

/// What the card says after a proposal made for another state of it, or why not.
fn later(old: &Karte, new: &Karte, now: &Karte) -> Result<Karte, String> {
    match refresh(&only(old, new), now, "now") {
        Refreshed::Same(proposal) => {
            assert_eq!(proposal.basis, "now");
            apply(now, &proposal).map_err(|error| error.to_string())
        }
        Refreshed::Recomputed(proposal, reason) => {
            assert_eq!(proposal.basis, "now");
            Err(format!("{reason}; {} -> {}", proposal.original, proposal.vorschlag))
        }
        Refreshed::Done => Err("done".to_string()),
        Refreshed::Gone(reason) => Err(reason.to_string()),
    }
}

#[test]
fn lines_are_found_by_what_stands_around_them() {
    let unclear = |text: &str| {
        Err(format!("Vorschlag veraltet: die Stelle in regeln ist nicht mehr eindeutig: „{text}“"))
    };
    let found = |lines: &[&str]| Ok(rules(lines));
    let cases: [(Lines, Lines, Lines, Result<Karte, String>); 14] = [
        // Another line before or after does not matter.
        (&["a", "b"], &["a", "x"], &["0", "a", "b", "c"], found(&["0", "a", "x", "c"])),
        (&["a"], &["a", "x"], &["0", "a"], found(&["0", "a", "x"])),
        (&["a", "b"], &["a", "x", "b"], &["a", "n", "b"], found(&["a", "x", "n", "b"])),
        (&["a", "b", "c"], &["a", "c"], &["c", "b", "a"], found(&["c", "a"])),
        // The line itself has changed or is gone.
        (&["a", "b"], &["a", "x"], &["a", "n"], unclear("b")),
        (&["a", "b"], &["a"], &["a"], unclear("b")),
        // The place of a new line is no longer certain.
        (&["a", "b"], &["a", "x", "b"], &["n", "b"], unclear("x")),
        (&["a", "b"], &["a", "x", "b"], &["a", "a", "n"], unclear("x")),
        (&["a", "b"], &["a", "x", "b"], &["a", "b", "a", "b"], unclear("x")),
        // What stands around decides between equal lines.
        (&["a", "b", "c"], &["a", "c"], &["b", "a", "b", "c"], found(&["b", "a", "c"])),
        (&["a", "b"], &["a", "x"], &["b", "a", "b", "n"], found(&["b", "a", "x", "n"])),
        (&["a", "b", "c"], &["a", "c"], &["b", "b", "n"], unclear("b")),
        // Somebody has done it already.
        (&["a", "b"], &["a", "x"], &["a", "x"], Err("done".to_string())),
        (&["a"], &["a", "x"], &["a", "x", "n"], Err("done".to_string())),
    ];
    for (old, new, now, wanted) in cases {
        assert_eq!(later(&rules(old), &rules(new), &rules(now)), wanted, "{old:?} {new:?} {now:?}");
    }
}

#[test]
fn a_whole_field_is_compared_with_what_stands_there() {
    let old = example();
    let change = |change: Change, text: &str| {
        let mut card = example();
        change(&mut card, text);
        card
    };
    let fields: [(&str, Change); 4] = [
        ("titel", |card, text| card.titel = text.to_string()),
        ("ziel", |card, text| card.ziel = text.to_string()),
        ("ziel", |card, text| card.funktionen[0].ziel = text.to_string()),
        ("badge", |card, text| card.art = if text == "neu" { Art::Optional } else { Art::Vision }),
    ];
    for (name, set) in fields {
        let new = change(set, "neu");
        assert_eq!(later(&old, &new, &old), Ok(new.clone()));
        assert_eq!(later(&old, &new, &new), Err("done".to_string()));
        let hand = change(set, "Hand");
        let (from, to) = if name == "badge" { ("vision", "optional") } else { ("Hand", "neu") };
        let wanted = format!("Vorschlag veraltet: {name} ist jetzt „{from}“; {from} -> {to}");
        assert_eq!(later(&old, &new, &hand), Err(wanted));
    }
}

#[test]
fn a_function_that_is_gone_or_there_already_makes_proposals_stale() {
    let f = |titel: &str, line: &str| function(titel, &[line], Stand::Offen);
    let card = |functions: &[(&str, &str)]| Karte {
        titel: "K".to_string(),
        funktionen: functions.iter().map(|(titel, line)| f(titel, line)).collect(),
        ..Karte::default()
    };
    let stale = |text: &str| Err(format!("Vorschlag veraltet: {text}"));
    let a = card(&[("A", "1")]);
    let mut aim = a.clone();
    aim.funktionen[0].ziel = "z".to_string();
    let more = card(&[("A", "2")]);
    let renamed = card(&[("B", "1")]);
    let added = card(&[("A", "1"), ("C", "3")]);
    let empty = card(&[]);
    assert_eq!(later(&a, &aim, &empty), stale("funktion A gibt es nicht"));
    assert_eq!(later(&a, &more, &empty), stale("funktion A gibt es nicht"));
    assert_eq!(later(&a, &renamed, &empty), stale("funktion A gibt es nicht"));
    assert_eq!(
        later(&a, &renamed, &card(&[("A", "1"), ("B", "9")])),
        stale("funktion B gibt es schon")
    );
    assert_eq!(later(&a, &added, &card(&[("C", "9")])), stale("funktion C gibt es schon"));
    assert_eq!(later(&a, &added, &empty), Ok(card(&[("C", "3")])));
    assert_eq!(later(&a, &empty, &empty), Err("done".to_string()));
    let block = |line: &str| {
        format!("<!-- funktion -->\nA\n<!-- stand -->\noffen\n<!-- testen -->\n- {line}")
    };
    let wanted = format!("funktion_weg ist jetzt „{}“; {} -> ", block("2"), block("2"));
    assert_eq!(later(&a, &empty, &more), stale(&wanted));
    let removal = only(&a, &empty);
    assert_eq!(
        apply(&more, &removal).unwrap_err().to_string(),
        "Vorschlag veraltet: funktion A ist anders"
    );
    assert_eq!(
        apply(&empty, &removal).unwrap_err().to_string(),
        "Vorschlag veraltet: funktion A ist anders"
    );
}

#[test]
fn an_order_is_kept_among_functions_that_have_come_and_gone() {
    let card = |titles: &[&str]| Karte {
        titel: "K".to_string(),
        funktionen: titles.iter().map(|titel| function(titel, &["t"], Stand::Gebaut)).collect(),
        ..Karte::default()
    };
    let old = card(&["A", "B", "C"]);
    let new = card(&["C", "A", "B"]);
    assert_eq!(only(&old, &new).feld, Feld::Funktionen);
    assert_eq!(later(&old, &new, &old), Ok(new.clone()));
    assert_eq!(later(&old, &new, &new), Err("done".to_string()));
    let reason = "Vorschlag veraltet: funktionen ist jetzt „B\nA\nC“; B\nA\nC -> C\nA\nB";
    assert_eq!(later(&old, &new, &card(&["B", "N", "A", "C"])), Err(reason.to_string()));
    assert_eq!(later(&old, &new, &card(&["N", "A"])), Err("done".to_string()));
    let proposal = only(&old, &new);
    assert_eq!(apply(&card(&["B", "N", "A", "C"]), &proposal), Ok(card(&["C", "N", "A", "B"])));
    let none = apply(&card(&["N"]), &proposal).unwrap_err().to_string();
    assert_eq!(none, "Vorschlag veraltet: die Funktionen sind andere");
}

#[test]
fn no_edit_makes_a_vision() {
    let old = example();
    let new = Karte { art: Art::Optional, ..example() };
    let mut proposal = only(&old, &new);
    for (text, wanted) in [("vision", "vision"), ("rot", "rot")] {
        proposal.vorschlag = text.to_string();
        let error = apply(&old, &proposal).unwrap_err().to_string();
        assert_eq!(error, format!("Art unbekannt: {wanted}"));
    }
    let mut card = propose(&[], &answer(json!([{"titel": "Neu"}]))).unwrap()[0].clone();
    card.roh = card.roh.map(|text| text.replace("kern", "vision"));
    let error = workshop::cards::apply::new_card(&card).unwrap_err().to_string();
    assert_eq!(error, "Art unbekannt: vision");
    let whole = apply(&old, &card).unwrap_err().to_string();
    assert_eq!(whole, "Vorschlag veraltet: betrifft eine ganze Karte");
}

#[test]
fn a_marker_is_cut_unless_the_entry_is_copied() {
    let old = stock("k", &rules(&["- x", "y"]));
    let card = json!([{"titel": "K", "regeln": ["- x", "- y", "- z", "- - w"]}]);
    let proposals = propose(std::slice::from_ref(&old), &answer(card)).unwrap();
    let lines: Vec<&str> = proposals.iter().map(|proposal| proposal.vorschlag.as_str()).collect();
    assert_eq!(lines, ["z\n- w"]);
}

#[test]
fn taking_one_over_moves_only_what_was_made_against_the_same_state() {
    let old = rules(&["a", "b", "c"]);
    let new = rules(&["x", "y", "a", "b", "z"]);
    let [taken, other] = compare(&stock("k", &old), &new).unwrap().try_into().unwrap();
    let mut of_another_card = other.clone();
    of_another_card.feature = "j".to_string();
    let mut of_another_state = other.clone();
    of_another_state.basis = "older".to_string();
    let mut of_a_function = other.clone();
    of_a_function.funktion = "F".to_string();
    let mut others = [
        other.clone(),
        of_another_card.clone(),
        of_another_state.clone(),
        of_a_function.clone(),
        taken.clone(),
    ];
    workshop::cards::apply::settle(&mut others, &taken, "after");
    let moved = |proposal: &Vorschlag, by: usize| {
        let mut proposal = proposal.clone();
        proposal.basis = "after".to_string();
        proposal.stelle = proposal.stelle.map(|mut place| {
            place.von += by;
            place.bis += by;
            place
        });
        proposal
    };
    let wanted =
        [moved(&other, 2), of_another_card, of_another_state, moved(&of_a_function, 0), taken];
    assert_eq!(others, wanted);
}
