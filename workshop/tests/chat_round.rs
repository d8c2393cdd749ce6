//! One round of the conversation against a scripted model.
#![allow(missing_docs, clippy::unwrap_used)]

mod cards_support;

use std::fs;
use std::path::{Path, PathBuf};

use cards_support::{EXAMPLE, example, function, place, places, put, strings};
use serde_json::json;
use workshop::cards::answer::Antwort;
use workshop::cards::card::{Art, Karte, Stand};
use workshop::cards::store::Store;
use workshop::cards::style::{FUNKTIONEN, KARTEN};
use workshop::chat::{Project, ask, prompt};
use workshop::config;
use workshop::history::{self, Eintrag, Rolle};
use workshop::model::command::Command;
use workshop::model::script::Script;

struct Room {
    folder: tempfile::TempDir,
    project: Project,
}

impl Room {
    fn new() -> Room {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("repo");
        fs::create_dir(&root).unwrap();
        let store = Store::new(root.join("cards"), folder.path().join("state/proposals.json"));
        Room { folder, project: Project { root, store, source: None } }
    }

    /// A room with the example card.
    fn with_card() -> Room {
        let room = Room::new();
        put(&room.cards(), "wuerfeln", &example());
        room
    }

    fn cards(&self) -> PathBuf {
        self.project.root.join("cards")
    }

    fn said(&self) -> Vec<String> {
        history::load(&self.project.root).into_iter().map(|entry| entry.text).collect()
    }

    /// Every file of the room with its content.
    fn files(&self) -> Vec<(PathBuf, String)> {
        let mut files = Vec::new();
        collect(self.folder.path(), &mut files);
        files.sort();
        files
    }
}

fn collect(folder: &Path, files: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            let text = fs::read_to_string(&path).unwrap();
            files.push((path, text));
        }
    }
}

fn wish() -> String {
    json!({"antwort": "So?", "karten": [
        {"titel": "Würfeln", "art": "kern", "ziel": "Alles auswerten",
         "regeln": ["Leerzeichen zählen nicht", "-1 ist kein Ausdruck"],
         "funktionen": [
            {"titel": "Explodieren", "ziel": "Die 6 noch einmal werfen", "regeln": [],
             "testen": ["1d6! mit 6,3 ergibt 9", "`dice 3` ergibt `3`"]}]},
        {"titel": "Verlauf", "art": "optional", "ziel": "Frühere Würfe sehen"}]})
    .to_string()
}

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

fn copy(project: &Project) -> Project {
    let store = Store::new(project.store.folder(), project.root.join("../state/proposals.json"));
    Project { root: project.root.clone(), store, source: project.source.clone() }
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
