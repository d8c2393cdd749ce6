//! What holds for every card, every answer and every order of decisions.
#![allow(missing_docs, clippy::unwrap_used)]

mod cards_support;

use std::collections::BTreeSet;

use cards_support::{few_card, mostly_line, mostly_text, nasty, nasty_card, nasty_lines, stock};
use proptest::prelude::*;
use serde_json::json;
use workshop::cards::answer::Antwort;
use workshop::cards::apply::{self, apply, settle};
use workshop::cards::card::{Karte, Stand};
use workshop::cards::parse::{parse, parse_open_function};
use workshop::cards::proposal::{Feld, Vorschlag};
use workshop::cards::propose::{compare, propose};
use workshop::cards::refresh::{Refreshed, refresh};
use workshop::copy::sha256;

fn built(card: &Karte) -> BTreeSet<String> {
    let built = card.funktionen.iter().filter(|function| function.stand == Stand::Gebaut);
    built.map(|function| function.titel.clone()).collect()
}

/// The target as an answer would state it: a status is decided by code alone.
fn target(old: &Karte, wanted: &Karte) -> Karte {
    let mut target = wanted.clone();
    for function in &mut target.funktionen {
        let known = old.function(&function.titel);
        function.stand = known.map_or(Stand::Offen, |known| known.stand);
    }
    target
}

/// Takes proposals over in the given order; each must fit.
fn take(old: &Karte, mut open: Vec<Vorschlag>, order: &[usize]) -> Karte {
    let ids: Vec<String> = order.iter().map(|&n| open[n].id.clone()).collect();
    let mut card = old.clone();
    for id in ids {
        let n = open.iter().position(|proposal| proposal.id == id).unwrap();
        let taken = open.remove(n);
        card = apply(&card, &taken).unwrap();
        settle(&mut open, &taken, &sha256(card.render().unwrap().as_bytes()));
    }
    card
}

/// Two cards, and the proposals between them in some order, some of them left out.
fn decisions() -> impl Strategy<Value = (Karte, Karte, Vec<usize>, Vec<usize>)> {
    (few_card(), few_card()).prop_flat_map(|(old, wanted)| {
        let wanted = target(&old, &wanted);
        let count = compare(&stock("k", &old), &wanted).unwrap().len();
        let all: Vec<usize> = (0..count).collect();
        let subset = prop::sample::subsequence(all.clone(), 0..=count).prop_shuffle();
        (Just(old), Just(wanted), Just(all).prop_shuffle(), subset)
    })
}

/// Titles of existing functions and others.
fn function_title() -> impl Strategy<Value = String> {
    prop_oneof![prop::sample::select(vec!["A", "B", "C"]).prop_map(str::to_string), mostly_line()]
}

proptest! {
    #![proptest_config(cards_support::cases(400))]

    #[test]
    fn a_card_that_can_be_written_is_read_again_as_it_was(card in nasty_card()) {
        match card.render() {
            Ok(text) => {
                let again = parse(&text).unwrap();
                prop_assert_eq!(&again, &card.normalised());
                prop_assert_eq!(again.render().unwrap(), text);
            }
            Err(error) => prop_assert_eq!(card.normalised().check(), Err(error)),
        }
    }

    #[test]
    fn every_card_without_structure_in_its_values_can_be_written(card in few_card()) {
        prop_assert_eq!(parse(&card.render().unwrap()).unwrap(), card);
    }

    #[test]
    fn any_text_is_read_or_refused_and_what_is_read_can_be_written(text in nasty()) {
        if let Ok(card) = parse(&text) {
            prop_assert_eq!(parse(&card.render().unwrap()).unwrap(), card);
        }
        if let Ok(function) = parse_open_function(&text) {
            prop_assert_eq!(function.stand, Stand::Offen);
        }
    }

    #[test]
    fn all_proposals_in_any_order_give_the_target((old, wanted, all, _) in decisions()) {
        let proposals = compare(&stock("k", &old), &wanted).unwrap();
        prop_assert_eq!(take(&old, proposals, &all), wanted);
    }

    #[test]
    fn no_proposals_exist_exactly_when_nothing_changes((old, wanted, _, _) in decisions()) {
        let proposals = compare(&stock("k", &old), &wanted).unwrap();
        prop_assert_eq!(proposals.is_empty(), old == wanted);
    }

    #[test]
    fn some_proposals_in_any_order_give_a_valid_card((old, wanted, _, some) in decisions()) {
        let proposals = compare(&stock("k", &old), &wanted).unwrap();
        let card = take(&old, proposals.clone(), &some);
        prop_assert_eq!(parse(&card.render().unwrap()).unwrap(), card.clone());
        prop_assert!(built(&card).is_subset(&built(&old)), "{card:?}");
        let mut sorted = some.clone();
        sorted.sort_unstable();
        if sorted.iter().all(|&n| proposals[n].feld != Feld::Funktionen) {
            prop_assert_eq!(take(&old, proposals, &sorted), card);
        }
    }

    #[test]
    fn a_proposal_found_again_in_an_unchanged_card_is_the_same((old, wanted, _, _) in decisions()) {
        let existing = stock("k", &old);
        for proposal in compare(&existing, &wanted).unwrap() {
            let again = refresh(&proposal, &old, &existing.basis);
            if let Refreshed::Same(found) = &again {
                prop_assert_eq!(found, &proposal);
            } else {
                // A place between equal lines cannot be told from another one.
                prop_assert!(matches!(again, Refreshed::Gone(_)), "{again:?}");
                prop_assert!(proposal.stelle.is_some());
            }
        }
    }

    #[test]
    fn no_answer_makes_a_function_built(
        old in few_card(),
        title in prop_oneof![Just("Karte".to_string()), mostly_line()],
        functions in prop::collection::vec((function_title(), mostly_text(), nasty_lines()), 0..3),
        ziel in mostly_text(),
        art in prop_oneof![Just("vision"), Just("kern"), Just("gebaut")],
    ) {
        let functions: Vec<_> = functions.iter().map(|(titel, ziel, testen)| json!({
            "titel": titel, "ziel": ziel, "testen": testen, "stand": "gebaut", "status": "gebaut",
        })).collect();
        let card = json!({"titel": title, "art": art, "ziel": ziel, "funktionen": functions,
                          "stand": "gebaut"});
        let answer = Antwort::read(&json!({"karten": [card]}).to_string()).unwrap();
        let existing = stock("k", &old);
        if let Ok(proposals) = propose(std::slice::from_ref(&existing), &answer) {
            for proposal in &proposals {
                let card = match proposal.feld {
                    Feld::NeueKarte => apply::new_card(proposal).unwrap(),
                    _ => apply(&old, proposal).unwrap(),
                };
                let allowed = if proposal.feature.is_empty() { BTreeSet::new() } else { built(&old) };
                let written = parse(&card.render().unwrap()).unwrap();
                prop_assert!(built(&written).is_subset(&allowed), "{written:?}");
                prop_assert!(written.art != workshop::cards::card::Art::Vision);
            }
        }
    }
}
