//! The commands as a person types them, whole outputs compared.
#![allow(missing_docs, clippy::unwrap_used)]

mod cards_support;

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use cards_support::{EXAMPLE, example, function, put};
use serde_json::{Value, json};
use workshop::cards::card::{Karte, Stand};

struct Repo {
    folder: tempfile::TempDir,
}

impl Repo {
    /// A repository with the example card and a scripted model.
    fn new(replies: &[Value]) -> Repo {
        let repo = Repo { folder: tempfile::tempdir().unwrap() };
        put(&repo.root().join("cards"), "wuerfeln", &example());
        repo.script(replies);
        let config = "[model]\nkind = \"script\"\nscript = \"../replies.jsonl\"\n";
        fs::write(repo.root().join("workshop.toml"), config).unwrap();
        repo
    }

    fn script(&self, replies: &[Value]) {
        let lines = replies.iter().map(|reply| json!({"reply": reply}).to_string() + "\n");
        fs::write(self.folder.path().join("replies.jsonl"), lines.collect::<String>()).unwrap();
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("repo")
    }

    fn card(&self) -> String {
        fs::read_to_string(self.root().join("cards/wuerfeln.md")).unwrap()
    }

    /// Runs the program; exit code, standard output, standard error.
    fn run(&self, arguments: &[&str], input: &str) -> (i32, String, String) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_workshop"))
            .args(arguments)
            .current_dir(self.root())
            .env("WORKSHOP_STATE", self.folder.path().join("state"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    fn good(&self, arguments: &[&str], input: &str) -> String {
        let (code, out, err) = self.run(arguments, input);
        assert_eq!((code, err.as_str()), (0, ""), "{arguments:?}: {out}");
        out
    }

    /// The ids of the open proposals.
    fn ids(&self) -> Vec<String> {
        let open: Value =
            serde_json::from_str(&self.good(&["review", "cards", "--json"], "")).unwrap();
        open.as_array().unwrap().iter().map(|p| p["id"].as_str().unwrap().to_string()).collect()
    }
}

fn wish() -> Value {
    json!({"antwort": "So \u{1b}[31mrot?", "karten": [
        {"titel": "Würfeln", "ziel": "Alles auswerten",
         "regeln": ["Leerzeichen zählen nicht", "-1 ist kein Ausdruck"],
         "funktionen": [{"titel": "Nachwerfen", "ziel": "Die 6 noch einmal werfen",
                         "testen": ["1d6! mit 6,3 ergibt 9"]}]}]})
}

#[test]
fn chat_then_accept_one_and_reject_one_then_the_rest_by_id() {
    let repo = Repo::new(&[wish()]);
    let out = repo.good(&["chat", "Mehr!"], "");
    let ids = repo.ids();
    let wanted = format!(
        "So \u{FFFD}[31mrot?\n\n\
         1. Würfeln › ziel [{}]\n   - Notation auswerten\n   + Alles auswerten\n\
         2. Würfeln › regeln [{}]\n   + -1 ist kein Ausdruck\n\
         3. Würfeln › Explodieren › funktion_titel [{}]\n   - Explodieren\n   + Nachwerfen\n   \
         (offen: a function with a new title has to be judged again)\n\n\
         Decide with: workshop review cards\n",
        ids[0], ids[1], ids[2]
    );
    assert_eq!(out, wanted);
    assert_eq!(repo.card(), EXAMPLE);

    let out = repo.good(&["review", "cards"], "n\ny\nq\n");
    let (first, rest) = wanted.split_once("\n\n").unwrap().1.split_once("2. ").unwrap();
    let (second, third) = rest.split_once("3. ").unwrap();
    let third = third.trim_end_matches("\n\nDecide with: workshop review cards\n");
    let prompt = "[y,n,e,s,q,?] ";
    let dialogue = format!(
        "{first}{prompt}2. {second}{prompt}3. {third}\n{prompt}1 accepted, 1 rejected, 1 open\n"
    );
    assert_eq!(out, dialogue);
    let text = EXAMPLE.replace("nicht\n", "nicht\n- -1 ist kein Ausdruck\n");
    assert_eq!(repo.card(), text);

    let out = repo.good(&["review", "cards", "--accept", &ids[2]], "");
    assert_eq!(out, format!("accepted {}: funktion_titel in wuerfeln.md\n", ids[2]));
    assert_eq!(repo.card(), text.replace("Explodieren", "Nachwerfen"));
    let error = format!("workshop: Vorschlag unbekannt: {}\n", ids[2]);
    assert_eq!(repo.run(&["review", "cards", "--reject", &ids[2]], ""), (1, String::new(), error));
    assert_eq!(repo.good(&["review", "cards"], ""), "0 accepted, 0 rejected, 0 open\n");
}

#[test]
fn the_dialogue_helps_edits_skips_and_stops_at_the_end_of_input() {
    let repo = Repo::new(&[wish()]);
    repo.good(&["chat"], "Mehr!\n");
    let input = "?\ne\n<!-- stand -->\n.\ne\nMein Ziel\n.\ns\n";
    let out = repo.good(&["review", "cards"], input);
    let ids = repo.ids();
    let help = "y  take it over\nn  drop it\n\
                e  take over a text of your own instead; it ends with a line that holds only a dot\n\
                s  decide later\nq  stop here\n";
    let goal = "Würfeln › ziel [ID]\n   - Notation auswerten\n   + Alles auswerten\n";
    let wanted = format!(
        "1. {goal}[y,n,e,s,q,?] {help}[y,n,e,s,q,?] \
         Zeile nicht erlaubt: <!-- stand -->\n\
         2. {goal}[y,n,e,s,q,?] \
         3. Würfeln › regeln [{}]\n   + -1 ist kein Ausdruck\n[y,n,e,s,q,?] \
         4. Würfeln › Explodieren › funktion_titel [{}]\n   - Explodieren\n   + Nachwerfen\n   \
         (offen: a function with a new title has to be judged again)\n[y,n,e,s,q,?] \n\
         1 accepted, 0 rejected, 2 open\n",
        ids[0], ids[1]
    );
    let start = out.find('[').unwrap();
    let id = &out[start..start + 10];
    assert_eq!(out.replace(id, "[ID]"), wanted);
    assert_eq!(repo.card(), EXAMPLE.replace("Notation auswerten", "Mein Ziel"));
}

#[test]
fn a_stale_proposal_is_shown_anew_in_the_dialogue() {
    let repo = Repo::new(&[wish()]);
    repo.good(&["chat", "Mehr!"], "");
    let newer = EXAMPLE.replace("Notation auswerten", "Von Hand");
    fs::write(repo.root().join("cards/wuerfeln.md"), &newer).unwrap();
    let ids = repo.ids();
    let stale = "workshop: Vorschlag veraltet: ziel ist jetzt „Von Hand“\n".to_string();
    let refused = repo.run(&["review", "cards", "--accept", &ids[0]], "");
    assert_eq!(refused, (1, String::new(), stale));
    assert_eq!(repo.card(), newer);
    let out = repo.good(&["review", "cards"], "y\nq\n");
    let id = &repo.ids()[0];
    let wanted = format!(
        "[y,n,e,s,q,?] 2. Würfeln › regeln [{id}]\n   + -1 ist kein Ausdruck\n[y,n,e,s,q,?] \
         1 accepted, 0 rejected, 2 open\n"
    );
    let (first, rest) = out.split_once("[y,n").map(|(a, b)| (a, format!("[y,n{b}"))).unwrap();
    assert_eq!(rest, wanted);
    assert!(first.ends_with("\n   - Von Hand\n   + Alles auswerten\n"), "{first}");
    assert_eq!(repo.card(), EXAMPLE.replace("Notation auswerten", "Alles auswerten"));
}

#[test]
fn a_question_prints_the_answer_alone() {
    let repo = Repo::new(&[json!({"antwort": "Heute so.", "karten": []})]);
    assert_eq!(repo.good(&["chat", "Wie ist das heute?"], ""), "Heute so.\n");
    assert_eq!((repo.card(), repo.ids()), (EXAMPLE.to_string(), Vec::new()));
    let round: Value = serde_json::from_str(&repo.good(&["chat", "--json", "Und?"], "")).unwrap();
    let said = |rolle: &str, text: &str| json!({"rolle": rolle, "text": text});
    let history = [
        said("person", "Wie ist das heute?"),
        said("ki", "Heute so."),
        said("person", "Und?"),
        said("ki", "Heute so."),
    ];
    assert_eq!(round, json!({"antwort": "Heute so.", "probleme": [], "verlauf": history}));
}

#[test]
fn clearing_forgets_and_asks_only_with_a_text() {
    let repo = Repo::new(&[json!({"antwort": "ja"})]);
    repo.good(&["chat", "eins"], "");
    assert!(repo.root().join(".chat.json").exists());
    assert_eq!(repo.good(&["chat", "--clear"], ""), "The conversation is forgotten.\n");
    assert!(!repo.root().join(".chat.json").exists());
    repo.good(&["chat", "zwei"], "");
    repo.good(&["chat", "--clear", "drei"], "");
    let history = fs::read_to_string(repo.root().join(".chat.json")).unwrap();
    assert!(history.contains("drei") && !history.contains("zwei"), "{history}");
}

#[test]
fn errors_are_one_line_and_exit_with_1() {
    let repo = Repo::new(&[json!("nein"), json!("nein"), json!("nein")]);
    let error = |text: &str| (1, String::new(), format!("workshop: {text}\n"));
    let unreadable = "Antwort war nicht lesbar — bitte noch einmal senden";
    assert_eq!(repo.run(&["chat", "Hallo"], ""), error(unreadable));
    assert_eq!(repo.run(&["chat"], " \n"), error("Nachricht ist leer"));
    assert_eq!(repo.run(&["cards", "show", "fehlt"], ""), error("there is no card fehlt"));
    assert!(!repo.root().join(".chat.json").exists());
}

#[test]
fn cards_are_listed_shown_and_checked() {
    let repo = Repo::new(&[]);
    let other = Karte {
        titel: "Andere".to_string(),
        funktionen: vec![
            function("Werfen", &["t"], Stand::Gebaut),
            function("Leer", &[], Stand::Offen),
        ],
        ..Karte::default()
    };
    put(&repo.root().join("cards"), "andere", &other);
    let list = "andere: Andere (kern)\n  gebaut Werfen\n  offen  Leer\n\
                wuerfeln: Würfeln (kern)\n  offen  Explodieren\n";
    assert_eq!(repo.good(&["cards", "list"], ""), list);
    assert_eq!(repo.good(&["cards", "show", "wuerfeln"], ""), EXAMPLE);
    assert_eq!(repo.good(&["cards", "show", "WÜRFELN"], ""), EXAMPLE);
    let note = "note: andere.md: Leer has no testen and cannot be planned\n";
    assert_eq!(repo.good(&["cards", "check"], ""), format!("{note}0 mistakes, 1 notes\n"));

    let untidy = EXAMPLE.replace("- Leerzeichen", "Leerzeichen").replace("Würfeln", "Andere");
    fs::write(repo.root().join("cards/doppelt.md"), untidy).unwrap();
    fs::write(repo.root().join("cards/kaputt.md"), "\u{1b}[2J\n").unwrap();
    let wanted = format!(
        "doppelt.md: Karte doppelt: Andere (auch in andere.md)\n\
         kaputt.md:1: Text ohne Abschnitt: \u{FFFD}[2J\n{note}\
         note: doppelt.md: the next accepted proposal will tidy this file\n\
         2 mistakes, 2 notes\n"
    );
    assert_eq!(repo.run(&["cards", "check"], ""), (1, wanted, String::new()));
    let list = format!(
        "andere: Andere (kern)\n  gebaut Werfen\n  offen  Leer\ndoppelt: Andere (kern)\n  offen  \
         Explodieren\nkaputt.md:1: Text ohne Abschnitt: \u{FFFD}[2J\n{}",
        "wuerfeln: Würfeln (kern)\n  offen  Explodieren\n"
    );
    assert_eq!(repo.good(&["cards", "list"], ""), list);
}

#[test]
fn the_key_is_in_no_file_of_the_repository_or_the_state() {
    let key = "sk-very-secret-key";
    let repo = Repo::new(&[]);
    let config = "[model]\nkind = \"http\"\nname = \"m\"\nbase = \"http://127.0.0.1:1\"\nkey_env = \"TEST_KEY\"\n";
    fs::write(repo.root().join("workshop.toml"), config).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_workshop"))
        .args(["chat", "Hallo"])
        .current_dir(repo.root())
        .env("WORKSHOP_STATE", repo.folder.path().join("state"))
        .env("TEST_KEY", key)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(said.starts_with("workshop: cannot ask http://127.0.0.1:1/v1/messages: "), "{said}");
    assert!(!said.contains(key));
    let mut folders = vec![repo.folder.path().to_path_buf()];
    let mut read = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                read += 1;
                assert!(!fs::read_to_string(path).unwrap().contains(key));
            }
        }
    }
    assert!(read >= 3);
}

#[test]
fn what_a_person_may_overlook_is_said_beside_the_proposal() {
    let repo = Repo::new(&[json!({"antwort": "Gern.", "karten": [{
    "titel": "Würfeln", "ziel": "Notation auswerten", "regeln": ["Leerzeichen zählen nicht"],
    "funktionen": [
        {"titel": "Explodieren", "ziel": "Die 6 noch einmal werfen", "testen": ["geht"]},
        {"titel": "Ехplodieren", "testen": ["geht"]},
    ]}]})]);
    let mut built = example();
    built.funktionen[0].stand = Stand::Gebaut;
    put(&repo.root().join("cards"), "wuerfeln", &built);
    let out = repo.good(&["chat", "Mehr!"], "");
    let note = "   (gebaut: what was judged is the old text, nobody has judged this one)\n";
    assert!(out.contains(&format!("   + geht\n{note}")), "{out}");
    let note = "   (letters of several alphabets in one word: Ехplodieren)\n";
    assert!(out.contains(note), "{out}");
    assert_eq!(out.matches("   (").count(), 2, "{out}");
}
