//! One round of the conversation against a scripted model.
#![allow(missing_docs, clippy::unwrap_used)]

mod cards_support;

use std::fs;

use cards_support::room::{Room, wish};
use cards_support::{EXAMPLE, place, places};
use serde_json::json;
use workshop::chat::{ask, prompt};
use workshop::history::{self, Eintrag, Rolle};
use workshop::model::script::Script;

#[test]
fn a_question_changes_nothing_but_the_history() {
    let room = Room::with_card();
    let before = room.files();
    let mut model = Script::replies([r#"{"antwort": " Heute so. ", "karten": []}"#]);
    let round = ask(&room.project, &mut model, "  Wie ist das heute?\n").unwrap();
    let history =
        [Eintrag::new(Rolle::Person, "Wie ist das heute?"), Eintrag::new(Rolle::Ki, "Heute so.")];
    assert_eq!((round.antwort.as_str(), &round.probleme[..]), ("Heute so.", &[][..]));
    assert_eq!(round.verlauf, history);
    let mut after = room.files();
    after.retain(|(path, _)| !path.ends_with(".chat.json"));
    assert_eq!(after, before);
}

#[test]
fn a_wish_gives_a_proposal_a_place_and_writes_no_card() {
    let room = Room::with_card();
    let round = ask(&room.project, &mut Script::replies([wish()]), "Mehr!").unwrap();
    let wanted = [
        place("ziel", "", "Notation auswerten", "Alles auswerten"),
        place("regeln", "", "", "-1 ist kein Ausdruck"),
        place("testen", "Explodieren", "", "`dice 3` ergibt `3`"),
        place("neue_karte", "", "", "Verlauf"),
    ];
    assert_eq!(places(&round.probleme), wanted);
    assert_eq!(room.project.store.open().unwrap(), round.probleme);
    let cards: Vec<String> = fs::read_dir(room.cards())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(cards, ["wuerfeln.md"]);
    assert_eq!(fs::read_to_string(room.cards().join("wuerfeln.md")).unwrap(), EXAMPLE);

    let ids: Vec<&str> = round.probleme.iter().map(|proposal| proposal.id.as_str()).collect();
    room.project.store.accept(ids[1], None).unwrap();
    room.project.store.reject(ids[0]).unwrap();
    let text = EXAMPLE.replace("zählen nicht\n", "zählen nicht\n- -1 ist kein Ausdruck\n");
    assert_eq!(fs::read_to_string(room.cards().join("wuerfeln.md")).unwrap(), text);
    assert_eq!(places(&room.project.store.open().unwrap()), wanted[2..]);
}

#[test]
fn a_proposal_has_the_keys_of_the_format() {
    let room = Room::with_card();
    let round = ask(&room.project, &mut Script::replies([wish()]), "Mehr!").unwrap();
    let basis = workshop::copy::sha256(EXAMPLE.as_bytes());
    let mut rule = serde_json::to_value(&round.probleme[1]).unwrap();
    rule["id"] = json!("");
    assert_eq!(
        rule,
        json!({"id": "", "feld": "regeln", "original": "", "vorschlag": "-1 ist kein Ausdruck",
               "ganzes_feld": false, "feature": "wuerfeln", "funktion": "",
               "regel": "Aus dem Gespräch", "problem": "Aus dem Gespräch: Würfeln", "basis": basis,
               "stelle": {"von": 1, "bis": 1},
               "umfeld": {"davor": "Leerzeichen zählen nicht", "danach": null}})
    );
    let mut card = serde_json::to_value(&round.probleme[3]).unwrap();
    card["id"] = json!("");
    let text = "<!-- titel -->\nVerlauf\n----------------------------------------\n<!-- art -->\n\
                optional\n----------------------------------------\n<!-- ziel -->\nFrühere Würfe sehen\n";
    assert_eq!(
        card,
        json!({"id": "", "feld": "neue_karte", "original": "", "vorschlag": "Verlauf",
               "ganzes_feld": true, "feature": "", "funktion": "", "regel": "Aus dem Gespräch",
               "problem": "Neue Karte", "roh": text, "basis": "",
               "sektionen": {"titel": "Verlauf", "art": "optional", "ziel": "Frühere Würfe sehen",
                             "regeln": "", "funktionen": []}})
    );
}

#[test]
fn an_empty_message_is_not_asked() {
    let room = Room::with_card();
    let before = room.files();
    let mut model = Script::replies(["{}"]);
    for empty in ["", " \n\t"] {
        let error = ask(&room.project, &mut model, empty).unwrap_err();
        assert_eq!(error.to_string(), "Nachricht ist leer");
    }
    assert_eq!((model.requests().len(), room.files()), (0, before));
}

#[test]
fn a_silent_answer_says_that_it_was_understood() {
    let room = Room::new();
    for silent in
        [r#"{"karten": []}"#, r#"{"antwort": "  "}"#, r#"{"antwort": null, "karten": null}"#]
    {
        let round = ask(&room.project, &mut Script::replies([silent]), "x").unwrap();
        assert_eq!(round.antwort, "Verstanden.");
    }
}

#[test]
fn the_third_try_may_succeed_and_has_seen_both_attempts() {
    let room = Room::new();
    let long = "ä".repeat(3000);
    let array = r#"[{"titel": "A"}]"#;
    let mut model = Script::replies([long.as_str(), array, r#"{"antwort": "Jetzt."}"#]);
    let round = ask(&room.project, &mut model, "Hallo").unwrap();
    assert_eq!(round.antwort, "Jetzt.");
    assert_eq!(room.said(), ["Hallo", "Jetzt."]);
    let messages: Vec<&str> =
        model.requests().iter().map(|request| request.message.as_str()).collect();
    let first = prompt::message(&[], "Hallo");
    let repair = |attempt: &str, reason: &str| {
        format!("\n\nYour last attempt was:\n{attempt}\n\n{reason}\n{}", prompt::AGAIN)
    };
    let second = format!("{first}{}", repair(&"ä".repeat(2000), "There is no JSON object in it."));
    let third = format!("{second}{}", repair(array, "The outermost value is not a JSON object."));
    assert_eq!(messages, [first, second, third]);
    let systems: Vec<&String> = model.requests().iter().map(|request| &request.system).collect();
    assert!(systems.iter().all(|system| *system == systems[0]));
}

#[test]
fn after_three_unusable_answers_nothing_of_the_round_is_kept() {
    let forged = "x\n----------------------------------------\n<!-- funktion -->\nF";
    let unusable = [
        "nein".to_string(),
        json!({"karten": [{"titel": "Würfeln", "funktionen": ["F"]}]}).to_string(),
        json!({"karten": [{"titel": "Neu", "ziel": forged}]}).to_string(),
        json!({"karten": [{"titel": "Neu", "funktionen": [{"titel": "F"}]}]}).to_string(),
        json!({"karten": [{"titel": "A"}, {"titel": "a"}]}).to_string(),
    ];
    for answer in unusable {
        let room = Room::with_card();
        history::append(&room.project.root, &[Eintrag::new(Rolle::Person, "früher")]).unwrap();
        let before = room.files();
        let mut model = Script::replies([&answer, &answer, &answer, &answer].map(String::as_str));
        let error = ask(&room.project, &mut model, "Hallo").unwrap_err();
        assert_eq!(error.to_string(), "Antwort war nicht lesbar — bitte noch einmal senden");
        assert_eq!((model.requests().len(), room.files()), (3, before), "{answer}");
    }
}

#[test]
fn a_model_that_fails_ends_the_round_at_once() {
    let room = Room::with_card();
    let before = room.files();
    let error = ask(&room.project, &mut Script::default(), "Hallo").unwrap_err();
    assert_eq!(error.to_string(), "the script has no answer to question 1");
    assert_eq!(room.files(), before);
}

#[test]
fn a_broken_card_ends_the_round_before_the_model_is_asked() {
    let room = Room::with_card();
    fs::write(room.cards().join("x.md"), "kaputt\n").unwrap();
    let mut model = Script::replies(["{}"]);
    let error = ask(&room.project, &mut model, "Hallo").unwrap_err().to_string();
    let path = room.cards().join("x.md");
    assert_eq!(error, format!("{}:1: Text ohne Abschnitt: kaputt", path.display()));
    assert_eq!(model.requests().len(), 0);
}
