//! Accepting and rejecting on disk, by one hand after the other.
#![allow(missing_docs, clippy::unwrap_used)]

mod cards_support;

use std::fs;

use cards_support::project::{Project, WISHED, wish};
use cards_support::{EXAMPLE, example, few_card, function, place, places, put, strings};
use proptest::prelude::*;
use serde_json::json;
use workshop::cards::answer::Antwort;
use workshop::cards::card::{Karte, Stand};
use workshop::cards::pending::Pending;
use workshop::cards::propose::{compare, propose};

#[test]
fn accepting_all_gives_the_target_and_rejecting_all_changes_nothing() {
    for accept in [true, false] {
        let project = Project::new();
        put(&project.cards(), "wuerfeln", &example());
        project.propose(wish());
        let wanted = [
            place("ziel", "", "Notation auswerten", "Alles auswerten"),
            place("regeln", "", "", "zuerst"),
            place("regeln", "", "", "zuletzt"),
            place("neue_funktion", "", "", "Summieren"),
        ];
        assert_eq!(places(&project.store().open().unwrap()), wanted);
        assert_eq!(project.card("wuerfeln"), EXAMPLE);
        for id in project.ids().iter().rev() {
            if accept {
                project.store().accept(id, None).unwrap();
            } else {
                project.store().reject(id).unwrap();
            }
        }
        assert_eq!(project.card("wuerfeln"), if accept { WISHED } else { EXAMPLE });
        assert_eq!(project.ids(), Vec::<String>::new());
    }
}

#[test]
fn a_decided_proposal_is_unknown() {
    let project = Project::new();
    put(&project.cards(), "wuerfeln", &example());
    project.propose(wish());
    let ids = project.ids();
    project.store().accept(&ids[0], None).unwrap();
    project.store().reject(&ids[1]).unwrap();
    let before = project.files();
    for id in [&ids[0], &ids[1], &"nichts".to_string()] {
        let unknown = format!("Vorschlag unbekannt: {id}");
        assert_eq!(project.store().accept(id, None).unwrap_err().to_string(), unknown);
        assert_eq!(project.store().reject(id).unwrap_err().to_string(), unknown);
    }
    assert_eq!(project.files(), before);
}

#[test]
fn a_new_card_gets_a_file_of_its_own_with_every_function_open() {
    let project = Project::new();
    let card = json!({"titel": "Würfel & Größe!", "art": "vision", "stand": "gebaut",
                      "funktionen": [{"titel": "F", "testen": ["t"], "stand": "gebaut"}]});
    project.propose(json!([card]));
    let open = project.store().open().unwrap();
    assert_eq!(places(&open), [place("neue_karte", "", "", "Würfel & Größe!")]);
    let mut pending = Pending::load(&project.pending()).unwrap();
    let forged = pending.vorschlaege[0].roh.as_ref().unwrap().replace("offen", "gebaut");
    pending.vorschlaege[0].roh = Some(forged);
    fs::write(project.pending(), pending.text().unwrap()).unwrap();
    let accepted = project.store().accept(&open[0].id, None).unwrap();
    assert_eq!(accepted.feature, "wuerfel-groesse");
    let text = "<!-- titel -->\nWürfel & Größe!\n----------------------------------------\n\
                <!-- art -->\nkern\n----------------------------------------\n<!-- funktion -->\nF\n\
                <!-- stand -->\noffen\n<!-- testen -->\n- t\n";
    assert_eq!(project.card("wuerfel-groesse"), text);

    project.propose(json!([{"titel": "Würfel, Größe"}, {"titel": "日本"}]));
    for id in project.ids() {
        project.store().accept(&id, None).unwrap();
    }
    let names: Vec<String> = project.files().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["karte.md", "proposals.json", "wuerfel-groesse-2.md", "wuerfel-groesse.md"]);
}

#[test]
fn a_new_card_whose_title_exists_by_now_is_stale() {
    let project = Project::new();
    project.propose(json!([{"titel": "Würfeln"}]));
    put(&project.cards(), "von-hand", &example());
    let error = project.store().accept(&project.ids()[0], None).unwrap_err().to_string();
    assert_eq!(error, "Vorschlag veraltet: die Karte Würfeln gibt es schon");
    assert_eq!(project.card("von-hand"), EXAMPLE);
}

#[test]
fn a_card_is_removed_only_as_it_was_shown() {
    let project = Project::new();
    put(&project.cards(), "wuerfeln", &example());
    let store = project.store();
    let removal = Antwort::read(r#"{"entfernen": ["Würfeln"]}"#).unwrap();
    store.propose(&propose(&store.cards().unwrap(), &removal).unwrap()).unwrap();
    let newer = EXAMPLE.replace("kern", "optional");
    fs::write(project.cards().join("wuerfeln.md"), &newer).unwrap();
    let error = store.accept(&project.ids()[0], None).unwrap_err().to_string();
    assert_eq!(error, format!("Vorschlag veraltet: karte_weg ist jetzt „{newer}“"));
    assert_eq!(places(&store.open().unwrap()), [place("karte_weg", "", &newer, "")]);
    store.accept(&project.ids()[0], None).unwrap();
    let names: Vec<String> = project.files().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["proposals.json"]);
}

#[test]
fn a_place_is_found_again_after_another_hand_changed_the_card() {
    let project = Project::new();
    put(&project.cards(), "wuerfeln", &example());
    project.propose(wish());
    let newer = EXAMPLE.replace("- Leerzeichen", "- von Hand\n- Leerzeichen");
    fs::write(project.cards().join("wuerfeln.md"), &newer).unwrap();
    for id in project.ids() {
        project.store().accept(&id, None).unwrap();
    }
    assert_eq!(
        project.card("wuerfeln"),
        WISHED.replace("- Leerzeichen", "- von Hand\n- Leerzeichen")
    );
}

#[test]
fn what_is_done_already_or_has_lost_its_card_is_said_and_dropped() {
    let project = Project::new();
    put(&project.cards(), "wuerfeln", &example());
    project.propose(wish());
    project.propose(json!([{"titel": "Neu"}]));
    let ids = project.ids();
    let newer = EXAMPLE.replace("Notation auswerten", "Alles auswerten");
    fs::write(project.cards().join("wuerfeln.md"), &newer).unwrap();
    let error = project.store().accept(&ids[0], None).unwrap_err().to_string();
    assert_eq!(error, "Vorschlag veraltet: das steht schon auf der Karte");
    assert_eq!(project.ids(), ids[1..]);
    assert_eq!(project.card("wuerfeln"), newer);
    fs::remove_file(project.cards().join("wuerfeln.md")).unwrap();
    let error = project.store().accept(&ids[1], None).unwrap_err().to_string();
    assert_eq!(error, "Vorschlag veraltet: die Karte wuerfeln gibt es nicht mehr");
    assert_eq!(project.ids(), ids[4..]);
    assert_eq!(project.files().len(), 1);
}

#[test]
fn removing_a_card_leaves_the_proposals_of_others() {
    let project = Project::new();
    put(&project.cards(), "wuerfeln", &example());
    put(&project.cards(), "alt", &Karte { titel: "Alt".to_string(), ..Karte::default() });
    project.propose(wish());
    let store = project.store();
    let removal = Antwort::read(r#"{"entfernen": ["Alt"]}"#).unwrap();
    store.propose(&propose(&store.cards().unwrap(), &removal).unwrap()).unwrap();
    let before = store.open().unwrap();
    store.accept(&before[4].id, None).unwrap();
    assert_eq!(store.open().unwrap(), before[..4]);
    assert_eq!(store.cards().unwrap().len(), 1);
}

#[test]
fn damaged_open_proposals_are_an_error_and_stay() {
    let project = Project::new();
    put(&project.cards(), "wuerfeln", &example());
    project.propose(wish());
    fs::write(project.pending(), "[").unwrap();
    let error = project.store().open().unwrap_err().to_string();
    assert_eq!(error, format!("{} is damaged", project.pending().display()));
    fs::write(project.pending(), b"\xff").unwrap();
    let error = project.store().reject("x").unwrap_err().to_string();
    assert_eq!(error, format!("cannot read {}", project.pending().display()));
    assert_eq!(fs::read(project.pending()).unwrap(), b"\xff");
}

#[test]
fn what_cannot_be_edited_says_so() {
    let project = Project::new();
    put(&project.cards(), "wuerfeln", &example());
    project.propose(json!([{"titel": "Würfeln", "ziel": "Notation auswerten",
                            "regeln": ["Leerzeichen zählen nicht"]}]));
    let open = project.store().open().unwrap();
    assert_eq!(open[0].feld.name(), "funktion_weg");
    let error = project.store().accept(&open[0].id, Some("x")).unwrap_err().to_string();
    assert_eq!(error, "funktion_weg cannot be edited, only accepted or rejected");
    assert_eq!(project.store().open().unwrap(), open);
    assert_eq!(project.card("wuerfeln"), EXAMPLE);
}

#[test]
fn the_person_may_take_a_text_of_their_own() {
    let project = Project::new();
    put(&project.cards(), "wuerfeln", &example());
    project.propose(wish());
    let ids = project.ids();
    let forged = "x\n<!-- stand -->\ngebaut";
    let refused = "Zeile nicht erlaubt: <!-- stand -->";
    assert_eq!(project.store().accept(&ids[0], Some(forged)).unwrap_err().to_string(), refused);
    project.store().accept(&ids[0], Some(" Mein Ziel\n")).unwrap();
    project.store().accept(&ids[1], Some("- eins\n- -2\n")).unwrap();
    project.store().accept(&ids[2], None).unwrap();
    let own = "<!-- funktion -->\nRechnen\n<!-- stand -->\ngebaut\n<!-- testen -->\n- t";
    project.store().accept(&ids[3], Some(own)).unwrap();
    let text = WISHED
        .replace("Alles auswerten", "Mein Ziel")
        .replace("- zuerst", "- eins\n- -2")
        .replace("Summieren", "Rechnen")
        .replace("- 1+2 ergibt 3", "- t");
    assert_eq!(project.card("wuerfeln"), text);
}

#[test]
fn a_new_draft_replaces_the_open_proposals_of_its_card_alone() {
    let project = Project::new();
    put(&project.cards(), "wuerfeln", &example());
    let other = Karte { titel: "Andere".to_string(), ..Karte::default() };
    put(&project.cards(), "andere", &other);
    project.propose(json!([{"titel": "Andere", "ziel": "A"}]));
    project.propose(wish());
    let mut second = wish();
    second[0]["ziel"] = json!("Notation auswerten");
    second[0]["regeln"] = json!(["Leerzeichen zählen nicht"]);
    project.propose(second);
    let wanted = [place("ziel", "", "", "A"), place("neue_funktion", "", "", "Summieren")];
    assert_eq!(places(&project.store().open().unwrap()), wanted);
}

#[test]
fn only_what_was_planned_is_marked_built() {
    let project = Project::new();
    put(&project.cards(), "wuerfeln", &example());
    let store = project.store();
    let planned = example().funktionen[0].clone();
    let other = function("Explodieren", &["etwas anderes"], Stand::Offen);
    let error = store.mark_built("wuerfeln", &other).unwrap_err().to_string();
    assert_eq!(error, "wuerfeln: funktion Explodieren sagt inzwischen etwas anderes");
    let missing = function("Fehlt", &[], Stand::Offen);
    let error = store.mark_built("wuerfeln", &missing).unwrap_err().to_string();
    assert_eq!(error, "wuerfeln: funktion Fehlt gibt es nicht");
    assert_eq!(project.card("wuerfeln"), EXAMPLE);
    store.mark_built("wuerfeln", &planned).unwrap();
    assert_eq!(project.card("wuerfeln"), EXAMPLE.replace("<!-- stand -->\noffen\n", ""));
    store.mark_open("wuerfeln", "Explodieren").unwrap();
    assert_eq!(project.card("wuerfeln"), EXAMPLE);
    for id in ["../wuerfeln", "", ".x", "a/b"] {
        let error = store.mark_built(id, &planned).unwrap_err().to_string();
        assert_eq!(error, format!("not the id of a card: {id:?}"));
    }
}

proptest! {
    #![proptest_config(cards_support::cases(40))]

    #[test]
    fn on_disk_any_order_of_decisions_gives_valid_cards_and_all_give_the_target(
        old in few_card(),
        wanted in few_card(),
        order in prop::collection::vec(any::<prop::sample::Index>(), 40),
        accept in prop::collection::vec(any::<bool>(), 40),
        all in any::<bool>(),
    ) {
        let project = Project::new();
        let existing = put(&project.cards(), "k", &old);
        let mut target = wanted.clone();
        for function in &mut target.funktionen {
            function.stand = old.function(&function.titel).map_or(Stand::Offen, |f| f.stand);
        }
        project.store().propose(&compare(&existing, &target).unwrap()).unwrap();
        let mut accepted_any = false;
        for (n, accept) in accept.iter().enumerate() {
            let ids = project.ids();
            if ids.is_empty() {
                break;
            }
            let id = order[n].get(&ids);
            if all || *accept {
                project.store().accept(id, None).unwrap();
                accepted_any = true;
            } else {
                project.store().reject(id).unwrap();
            }
            prop_assert_eq!(project.store().cards().unwrap().len(), 1);
        }
        prop_assert_eq!(project.ids(), Vec::<String>::new());
        let now = project.card("k");
        if all {
            prop_assert_eq!(now, target.render().unwrap());
        } else if !accepted_any {
            prop_assert_eq!(now, old.render().unwrap());
        }
    }
}

#[test]
fn two_cards_of_one_title_and_a_broken_card_are_named() {
    let project = Project::new();
    put(&project.cards(), "a", &example());
    put(&project.cards(), "b", &Karte { regeln: strings(&["x"]), ..example() });
    let path = project.cards().join("b.md");
    let error = project.store().cards().unwrap_err().to_string();
    assert_eq!(error, format!("{}: Karte doppelt: Würfeln (auch in a.md)", path.display()));
    fs::write(&path, "Hallo\n").unwrap();
    let error = project.store().cards().unwrap_err().to_string();
    assert_eq!(error, format!("{}:1: Text ohne Abschnitt: Hallo", path.display()));
}
