//! What the model is told, and what it is allowed.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod cards_support;

use std::fs;
use std::path::PathBuf;

use cards_support::room::{Room, copy};
use cards_support::{example, function, put, strings};
use serde_json::json;
use workshop::cards::answer::Antwort;
use workshop::cards::card::{Art, Karte, Stand};
use workshop::cards::style::{FUNKTIONEN, KARTEN};
use workshop::chat::{Project, ask, prompt};
use workshop::config;
use workshop::model::command::Command;
use workshop::model::script::Script;

#[test]
fn the_prompt_holds_state_catalogues_and_history_and_is_not_a_template() {
    let room = Room::new();
    let odd = Karte {
        titel: "{code} {stil}".to_string(),
        art: Art::Optional,
        funktionen: vec![function("F", &["{karten}"], Stand::Gebaut)],
        ..Karte::default()
    };
    let vision = Karte {
        titel: "Vision".to_string(),
        art: Art::Vision,
        ziel: "Würfeln für alle".to_string(),
        ..Karte::default()
    };
    put(&room.cards(), "odd", &odd);
    put(&room.cards(), "vision", &vision);
    let state = "What the project is meant to be:\n\nWürfeln für alle\n\nThe cards:\n\n[\n {\n  \
                 \"titel\": \"{code} {stil}\",\n  \"art\": \"optional\",\n  \"ziel\": \"\",\n  \
                 \"regeln\": [],\n  \"funktionen\": [\n   {\n    \"titel\": \"F\",\n    \
                 \"ziel\": \"\",\n    \"regeln\": [],\n    \"testen\": [\n     \"{karten}\"\n    ]\n   \
                 }\n  ]\n }\n]";
    assert_eq!(prompt::state(&room.project.store.cards().unwrap()), state);
    assert_eq!(prompt::state(&[]), "There are no cards yet.");
    let answers = [r#"{"antwort": "eins"}"#, r#"{"antwort": "zwei"}"#];
    let mut model = Script::replies(answers);
    ask(&room.project, &mut model, "erste").unwrap();
    ask(&room.project, &mut model, "zweite").unwrap();
    let [first, second] = model.requests() else { panic!("two questions") };
    for part in [state, KARTEN.trim(), FUNKTIONEN.trim(), prompt::WITHOUT_CODE] {
        assert_eq!(first.system.matches(part).count(), 1, "{part}");
    }
    assert_eq!((first.max_tokens, first.schema.clone()), (4096, Some(Antwort::schema())));
    let last = "Answer with the JSON object alone, with no text before or after it.";
    let message =
        |said: &str, new: &str| format!("{said}\n\nThe person's new message:\n{new}\n\n{last}");
    assert_eq!(first.message, message("Nothing has been said yet.", "erste"));
    assert_eq!(second.message, message("Person: erste\n\nYou: eins", "zweite"));
}

#[test]
fn the_state_is_a_valid_answer_that_changes_nothing() {
    let room = Room::with_card();
    put(
        &room.cards(),
        "x",
        &Karte { titel: "X".to_string(), regeln: strings(&["- y", "-2"]), ..example() },
    );
    let state = prompt::state(&room.project.store.cards().unwrap());
    let copied = format!("{{\"antwort\": \"so\", \"karten\": {state}}}");
    let round = ask(&room.project, &mut Script::replies([copied]), "x").unwrap();
    assert_eq!(round.probleme, []);
}

#[test]
fn the_vision_is_not_the_models_to_change() {
    let room = Room::new();
    let vision = Karte { titel: "Vision".to_string(), art: Art::Vision, ..Karte::default() };
    put(&room.cards(), "vision", &vision);
    let text = json!({"karten": [{"titel": "VISION", "ziel": "x"}]}).to_string();
    let mut model = Script::replies([text.as_str(), r#"{"antwort": "gut"}"#]);
    let round = ask(&room.project, &mut model, "x").unwrap();
    assert_eq!(round.probleme, []);
    let reason = "The card \"Vision\" is the vision; only a person changes it.";
    assert!(model.requests()[1].message.contains(reason));
}

#[test]
fn one_switch_decides_what_is_offered_and_what_is_allowed() {
    let room = Room::new();
    let source = room.folder.path().join("source");
    fs::create_dir(&source).unwrap();
    let file = room.folder.path().join("file");
    fs::write(&file, "").unwrap();
    let cases = [
        (Some(source.clone()), true, true),
        (Some(PathBuf::from("../source")), true, true),
        (Some(source.clone()), false, false),
        (Some(room.folder.path().join("missing")), true, false),
        (Some(file), true, false),
        (None, true, false),
    ];
    for (path, reads, allowed) in cases {
        let project = Project { source: path.clone(), ..copy(&room.project) };
        let model = Script::replies([r#"{"antwort": "x"}"#]);
        let mut model = if reads { model.with_source() } else { model };
        ask(&project, &mut model, "x").unwrap();
        let request = &model.requests()[0];
        let wanted = allowed.then(|| source.canonicalize().unwrap());
        assert_eq!((request.cwd.clone(), request.tools), (wanted, allowed), "{path:?}");
        assert_eq!(request.system.contains(prompt::WITH_CODE), allowed, "{path:?}");
        assert_eq!(request.system.contains(prompt::WITHOUT_CODE), !allowed, "{path:?}");
    }
}

#[test]
fn with_a_program_the_source_is_readable_exactly_when_it_is_offered() {
    let room = Room::new();
    fs::write(room.project.root.join("marker.rs"), "").unwrap();
    let script = "cat >/dev/null; printf '{\"antwort\": \"%s %s\"}' \"$1\" \"$(ls)\"";
    let program =
        |kind: &str| ["/bin/sh", "-c", script, "model", kind].map(str::to_string).to_vec();
    let config = config::Model {
        command: program("plain"),
        command_with_source: program("reads"),
        ..config::Model::default()
    };
    let mut model = Command::new(&config).unwrap();
    let answer = |project: &Project, model: &mut Command| ask(project, model, "x").unwrap().antwort;
    assert_eq!(answer(&room.project, &mut model), "plain");
    let with_source = Project { source: Some(PathBuf::from(".")), ..copy(&room.project) };
    assert_eq!(answer(&with_source, &mut model), "reads marker.rs");
}

#[test]
fn the_schema_is_closed_and_names_every_key_of_the_answer() {
    let schema = Antwort::schema();
    assert_eq!(schema["required"], json!(["antwort", "karten", "entfernen"]));
    let card = &schema["properties"]["karten"]["items"];
    assert_eq!(card["required"], json!(["titel", "art", "ziel", "regeln", "funktionen"]));
    let function = &card["properties"]["funktionen"]["items"];
    assert_eq!(function["required"], json!(["titel", "ziel", "regeln", "testen"]));
    for object in [&schema, card, function] {
        assert_eq!(object["additionalProperties"], json!(false));
        let properties = object["properties"].as_object().unwrap();
        assert_eq!(properties.len(), object["required"].as_array().unwrap().len());
        assert!(!properties.contains_key("stand"));
    }
}
