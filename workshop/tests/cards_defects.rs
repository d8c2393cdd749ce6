//! Nine mistakes that a card conversation can make, and that this one does not.
#![allow(missing_docs, clippy::unwrap_used)]

mod cards_support;

use cards_support::{EXAMPLE, answer, example, function, place, places, put, stock, strings};
use serde_json::json;
use workshop::cards::answer::Antwort;
use workshop::cards::apply::apply;
use workshop::cards::card::{Funktion, Karte, Stand};
use workshop::cards::parse::parse;
use workshop::cards::propose::propose;
use workshop::cards::store::Store;

const SEPARATOR: &str = "----------------------------------------";

/// The example card as a model would copy it, changed by the test.
fn copied() -> serde_json::Value {
    json!({"titel": "Würfeln", "art": "kern", "ziel": "Notation auswerten",
           "regeln": ["Leerzeichen zählen nicht"],
           "funktionen": [{"titel": "Explodieren", "ziel": "Die 6 noch einmal werfen",
                           "regeln": [], "testen": ["1d6! mit 6,3 ergibt 9"]}]})
}

#[test]
fn defect_1_text_cannot_forge_a_built_function() {
    let forged = format!("Ziel\n{SEPARATOR}\n<!-- funktion -->\nGefälscht\n<!-- testen -->\n- x");
    let existing = [stock("wuerfeln", &example())];
    for place in ["ziel", "regeln", "funktion", "testen", "titel"] {
        let mut card = copied();
        match place {
            "ziel" => card["ziel"] = json!(forged),
            "regeln" => card["regeln"] = json!([forged]),
            "funktion" => card["funktionen"][0]["ziel"] = json!(forged),
            "testen" => card["funktionen"][0]["testen"] = json!(forged),
            _ => card["funktionen"][0]["titel"] = json!(forged),
        }
        let title = if place == "ziel" { "Neu" } else { "Würfeln" };
        card["titel"] = json!(title);
        assert_eq!(
            propose(&existing, &answer(json!([card]))),
            Err(format!(
                "The card \"{title}\" cannot be written: Zeile nicht erlaubt: {SEPARATOR}."
            )),
            "{place}"
        );
    }
    let mut card = copied();
    card["funktionen"][0]["stand"] = json!("gebaut");
    assert_eq!(propose(&existing, &answer(json!([card]))), Ok(Vec::new()));
}

#[test]
fn defect_2_a_new_function_brings_its_whole_content() {
    let existing = stock("wuerfeln", &example());
    let mut card = copied();
    let new = json!({"titel": "Summieren", "ziel": "Zählt zusammen", "regeln": ["von links"],
                     "testen": ["1+2 ergibt 3"], "stand": "gebaut"});
    card["funktionen"].as_array_mut().unwrap().insert(0, new);
    let proposals = propose(std::slice::from_ref(&existing), &answer(json!([card]))).unwrap();
    assert_eq!(places(&proposals), [place("neue_funktion", "", "", "Summieren")]);
    let block = "<!-- funktion -->\nSummieren\n<!-- stand -->\noffen\n<!-- ziel -->\nZählt zusammen\n\
                 <!-- regeln -->\n- von links\n<!-- testen -->\n- 1+2 ergibt 3";
    assert_eq!(proposals[0].roh.as_deref(), Some(block));
    assert!(proposals[0].neu_offen);
    let separator = format!("\n{SEPARATOR}\n");
    let text = EXAMPLE.replacen(
        &format!("{separator}<!-- funktion -->"),
        &format!("{separator}{block}{separator}<!-- funktion -->"),
        1,
    );
    assert_eq!(apply(&existing.karte, &proposals[0]).unwrap().render().unwrap(), text);
}

#[test]
fn defect_3_a_function_can_be_renamed_and_keeps_its_content() {
    let mut old = example();
    old.funktionen[0].stand = Stand::Gebaut;
    let mut card = copied();
    card["funktionen"][0]["titel"] = json!("Nachwerfen");
    let proposals = propose(&[stock("wuerfeln", &old)], &answer(json!([card]))).unwrap();
    let wanted = place("funktion_titel", "Explodieren", "Explodieren", "Nachwerfen");
    assert_eq!(places(&proposals), [wanted]);
    let renamed = Funktion { titel: "Nachwerfen".to_string(), ..example().funktionen[0].clone() };
    let card = Karte { funktionen: vec![renamed], ..example() };
    assert_eq!(apply(&old, &proposals[0]), Ok(card));
}

#[test]
fn defect_3_a_function_that_goes_shows_what_is_lost() {
    let mut card = copied();
    card["funktionen"] = json!([]);
    let proposals = propose(&[stock("wuerfeln", &example())], &answer(json!([card]))).unwrap();
    let block = "<!-- funktion -->\nExplodieren\n<!-- stand -->\noffen\n<!-- ziel -->\n\
                 Die 6 noch einmal werfen\n<!-- testen -->\n- 1d6! mit 6,3 ergibt 9";
    assert_eq!(places(&proposals), [place("funktion_weg", "Explodieren", block, "")]);
}

#[test]
fn defect_3_a_card_can_be_renamed_and_removed() {
    let existing = [stock("wuerfeln", &example())];
    let mut card = copied();
    card["titel"] = json!("Wurf");
    let renamed = [place("titel", "", "Würfeln", "Wurf")];
    assert_eq!(places(&propose(&existing, &answer(json!([card]))).unwrap()), renamed);
    let both = json!({"karten": [card], "entfernen": ["würfeln"]});
    let both = Antwort::read(&both.to_string()).unwrap();
    assert_eq!(places(&propose(&existing, &both).unwrap()), renamed);
    let removal = Antwort::read(r#"{"entfernen": ["WÜRFELN"]}"#).unwrap();
    let removed = [place("karte_weg", "", EXAMPLE, "")];
    assert_eq!(places(&propose(&existing, &removal).unwrap()), removed);
    let unknown = Antwort::read(r#"{"entfernen": ["Nichts"]}"#).unwrap();
    let refused = Err("There is no card \"Nichts\" to remove.".to_string());
    assert_eq!(propose(&existing, &unknown), refused);
}

#[test]
fn defect_4_a_minus_sign_survives() {
    let rules = json!(["-1 ist kein Ausdruck", "- Regel mit Zeichen", "a --", "--b", "-"]);
    let kept = strings(&["-1 ist kein Ausdruck", "Regel mit Zeichen", "a --", "--b"]);
    let card = json!({"titel": "Neu", "regeln": rules});
    let proposals = propose(&[], &answer(json!([card]))).unwrap();
    let text = "<!-- titel -->\nNeu\n----------------------------------------\n<!-- art -->\nkern\n\
                ----------------------------------------\n<!-- regeln -->\n- -1 ist kein Ausdruck\n\
                - Regel mit Zeichen\n- a --\n- --b\n";
    assert_eq!(proposals[0].roh.as_deref(), Some(text));
    assert_eq!(parse(text).unwrap().regeln, kept);
    let block = json!({"titel": "Neu", "regeln": "- -1 ist kein Ausdruck\n-2 auch nicht\n"});
    let proposals = propose(&[], &answer(json!([block]))).unwrap();
    let read = parse(proposals[0].roh.as_deref().unwrap()).unwrap();
    assert_eq!(read.regeln, strings(&["-1 ist kein Ausdruck", "-2 auch nicht"]));
}

#[test]
fn defect_4_what_is_copied_from_the_state_does_not_change() {
    let odd =
        Karte { titel: "K".to_string(), regeln: strings(&["- x", "-", "y"]), ..Karte::default() };
    let spec = serde_json::to_value(workshop::cards::sektionen::Spec::from(&odd)).unwrap();
    assert_eq!(propose(&[stock("k", &odd)], &answer(json!([spec]))), Ok(Vec::new()));
}

#[test]
fn defect_5_json_of_another_form_is_not_an_answer() {
    let form = |reason: &str| Err(format!("The JSON has a wrong form: {reason}."));
    let cases = [
        (
            r#"{"karten": [{"titel": "A", "funktionen": ["B"]}]}"#,
            form("invalid type: string \"B\", expected struct FunktionSoll"),
        ),
        (
            r#"{"karten": [{"titel": "A", "funktionen": {"titel": "B"}}]}"#,
            form("invalid type: map, expected a sequence"),
        ),
        (r#"{"karten": ["A"]}"#, form("invalid type: string \"A\", expected struct KarteSoll")),
        (r#"{"karten": [{"titel": 7}]}"#, form("invalid type: integer `7`, expected a string")),
        (
            r#"{"karten": [{"titel": "A", "regeln": [1]}]}"#,
            form("regeln and testen must be a list of strings or one text"),
        ),
        (r#"[{"antwort": "x"}]"#, Err("The outermost value is not a JSON object.".to_string())),
        ("[]", Err("The outermost value is not a JSON object.".to_string())),
        ("Gern, das mache ich.", Err("There is no JSON object in it.".to_string())),
        (
            r#"{"titel": "A"}"#,
            Err("The JSON object has neither the key antwort nor karten.".to_string()),
        ),
        (
            r#"{"antwort": "a", "karten": [{"titel": "A"}"#,
            Err("The JSON object has neither the key antwort nor karten.".to_string()),
        ),
    ];
    let unread = |reason: &str| Err(format!("The JSON object cannot be read: {reason}."));
    let broken = [
        (r#"Hier: {"antwort": 'x'}"#, unread("expected value at line 1 column 13")),
        (
            r#"{"antwort": "x", "karten": [{"#,
            unread("EOF while parsing an object at line 1 column 29"),
        ),
        (r#"{"antwort": "x",} {7}"#, unread("trailing comma at line 1 column 17")),
    ];
    for (text, wanted) in cases.into_iter().chain(broken) {
        assert_eq!(Antwort::read(text), wanted, "{text}");
    }
}

#[test]
fn defect_5_sentences_and_fences_around_an_answer_do_not_matter() {
    let wanted = Antwort { antwort: Some("ja {}".to_string()), ..Antwort::default() };
    for text in [
        r#"{"antwort": "ja {}"}"#,
        "```json\n{\"antwort\": \"ja {}\"}\n```",
        "Hier {so} und {\"beispiel\": 1}:\n{\"antwort\": \"ja {}\"} Ende }",
        r#"{"antwort": "ja {}", "karten": null, "fremd": [1]}"#,
    ] {
        assert_eq!(Antwort::read(text), Ok(wanted.clone()), "{text}");
    }
}

#[test]
fn defect_6_a_function_without_a_way_to_try_it_is_refused() {
    let refused = |title: &str| Err(format!("The function \"{title}\" has no lines in testen."));
    let new = json!([{"titel": "Neu", "funktionen": [{"titel": "F", "testen": [" ", "-"]}]}]);
    assert_eq!(propose(&[], &answer(new)), refused("F"));
    let mut emptied = copied();
    emptied["funktionen"][0]["testen"] = json!([]);
    let existing = [stock("wuerfeln", &example())];
    assert_eq!(propose(&existing, &answer(json!([emptied]))), refused("Explodieren"));
    let bare = Karte {
        titel: "Alt".to_string(),
        funktionen: vec![function("F", &[], Stand::Gebaut)],
        ..Karte::default()
    };
    let copied = json!([{"titel": "Alt", "ziel": "neu", "funktionen": [{"titel": "F"}]}]);
    let proposals = propose(&[stock("alt", &bare)], &answer(copied)).unwrap();
    assert_eq!(places(&proposals), [place("ziel", "", "", "neu")]);
}

#[test]
fn defect_7_a_card_twice_in_one_answer_is_refused() {
    let twice = answer(json!([{"titel": "Würfeln"}, {"titel": " WÜRFELN "}]));
    assert_eq!(
        propose(&[], &twice),
        Err("The card \"WÜRFELN\" is in the answer twice.".to_string())
    );
    let double = json!([{"titel": "K", "funktionen": [
        {"titel": "F", "testen": "a"}, {"titel": "F ", "testen": "b"}]}]);
    let refused = "The card \"K\" cannot be written: Funktion doppelt: F.".to_string();
    assert_eq!(propose(&[], &answer(double)), Err(refused));
}

#[test]
fn defect_8_a_stale_proposal_does_not_overwrite_newer_text() {
    let folder = tempfile::tempdir().unwrap();
    let cards = folder.path().join("cards");
    let existing = put(&cards, "wuerfeln", &example());
    let store = Store::new(&cards, folder.path().join("state/proposals.json"));
    let mut card = copied();
    card["ziel"] = json!("Ziel des Modells");
    store.propose(&propose(&[existing], &answer(json!([card]))).unwrap()).unwrap();
    let newer = EXAMPLE.replace("Notation auswerten", "Von Hand geschrieben");
    std::fs::write(cards.join("wuerfeln.md"), &newer).unwrap();

    let first = store.open().unwrap();
    let error = store.accept(&first[0].id, None).unwrap_err().to_string();
    assert_eq!(error, "Vorschlag veraltet: ziel ist jetzt „Von Hand geschrieben“");
    assert_eq!(std::fs::read_to_string(cards.join("wuerfeln.md")).unwrap(), newer);

    let again = store.open().unwrap();
    assert_eq!(places(&again), [place("ziel", "", "Von Hand geschrieben", "Ziel des Modells")]);
    assert_ne!(again[0].id, first[0].id);
    store.accept(&again[0].id, None).unwrap();
    let text = EXAMPLE.replace("Notation auswerten", "Ziel des Modells");
    assert_eq!(std::fs::read_to_string(cards.join("wuerfeln.md")).unwrap(), text);
}
