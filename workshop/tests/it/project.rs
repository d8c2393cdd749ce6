//! A repository with a card, at the terminal and with scripted answers.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Output;

use rexpect::session::{PtySession, spawn_command};
use serde_json::json;
use tempfile::TempDir;

use crate::common::{fixtures, folder, tree, workshop, write};

pub const CARD: &str = "\
<!-- titel -->
Würfeln
----------------------------------------
<!-- art -->
kern
----------------------------------------
<!-- ziel -->
Notation auswerten
----------------------------------------
<!-- regeln -->
- Leerzeichen zählen nicht
----------------------------------------
<!-- funktion -->
Niedrigste behalten
<!-- testen -->
- `dice-keep 4d6kl1 2,5,3,6` ergibt `2`
";

const MAIN: &str = "\
use dice_keep::{Rng, roll};

struct Faces(Vec<u32>);

impl Rng for Faces {
    fn roll(&mut self, _sides: u32) -> u32 {
        self.0.remove(0)
    }
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let faces = words[2].split(',').map(|face| face.parse().unwrap()).collect();
    println!(\"{}\", roll(&words[1], &mut Faces(faces)).unwrap());
}
";

/// A repository whose visible suite is green and whose card will get an open function.
pub struct Project {
    _keep: TempDir,
    pub root: PathBuf,
    pub repo: PathBuf,
}

pub fn project() -> Project {
    let (keep, root) = folder();
    let repo = root.join("repo");
    let fixture = tree(&fixtures().join("dice-keep/repo"));
    let files: Vec<(&str, &str)> =
        fixture.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    write(&repo, &files);
    let tests = fs::read_to_string(repo.join("tests/visible.rs")).unwrap();
    let green = tests.split("\n#[test]\nfn keep_highest").next().unwrap().to_string();
    let config = format!(
        "{}\n[hidden]\ndir = {:?}\n\n[model]\nkind = \"script\"\nscript = {:?}\n",
        fixture["workshop.toml"],
        fixtures().join("dice-keep/hidden"),
        root.join("script.jsonl"),
    );
    write(
        &repo,
        &[
            ("src/main.rs", MAIN),
            ("tests/visible.rs", &green),
            ("cards/wuerfeln.md", CARD),
            ("workshop.toml", &config),
        ],
    );
    Project { _keep: keep, root, repo }
}

impl Project {
    pub fn script(&self, replies: &[serde_json::Value]) {
        let lines: Vec<String> =
            replies.iter().map(|reply| json!({ "reply": reply }).to_string()).collect();
        fs::write(self.root.join("script.jsonl"), lines.join("\n")).unwrap();
    }

    /// The program without a terminal.
    pub fn run(&self, arguments: &[&str]) -> Output {
        let state = self.root.join("state");
        workshop(&state).args(arguments).current_dir(&self.repo).output().unwrap()
    }

    /// The same, which must end with `code`; returns what it printed.
    pub fn ends(&self, code: i32, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let text = format!(
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
        text
    }

    /// The program at a terminal.
    pub fn terminal(&self, arguments: &[&str]) -> PtySession {
        let mut command = workshop(&self.root.join("state"));
        command.args(arguments).current_dir(&self.repo);
        spawn_command(command, Some(60_000)).unwrap()
    }

    pub fn files(&self) -> BTreeMap<String, String> {
        tree(&self.repo)
    }

    pub fn card(&self) -> String {
        fs::read_to_string(self.repo.join("cards/wuerfeln.md")).unwrap()
    }

    /// Proposals for the open function, one of them accepted, the other rejected.
    pub fn converse(&self) {
        self.script(&[json!({
            "antwort": "Ich lege die Funktion daneben.",
            "karten": [{
                "titel": "Würfeln", "art": "kern", "ziel": "Notation auswerten",
                "regeln": ["Leerzeichen zählen nicht", "Tabulatoren auch nicht"],
                "funktionen": [
                    {"titel": "Niedrigste behalten",
                     "testen": ["`dice-keep 4d6kl1 2,5,3,6` ergibt `2`"]},
                    {"titel": "Höchste behalten", "ziel": "kh N behält die N höchsten",
                     "testen": ["`dice-keep 4d6kh3 2,5,3,6` ergibt `14`", "Ein Mensch liest den Diff"]},
                ],
            }],
        })]);
        let mut chat = self.terminal(&["chat", "Ich will die höchsten Würfe behalten."]);
        chat.exp_string("Ich lege die Funktion daneben.").unwrap();
        chat.exp_string("workshop review cards").unwrap();
        chat.exp_eof().unwrap();
        assert_eq!(self.card(), CARD, "a conversation changes no card");
        let mut review = self.terminal(&["review", "cards"]);
        for _ in 0..2 {
            let shown = review.exp_string("[y,n,e,s,q,?] ").unwrap();
            review.send_line(if shown.contains("Tabulatoren") { "n" } else { "y" }).unwrap();
        }
        review.exp_string("1 accepted, 1 rejected, 0 open").unwrap();
        review.exp_eof().unwrap();
    }
}

pub fn action(tool: &str, args: serde_json::Value) -> serde_json::Value {
    json!({"hypothesis": "kh nimmt die niedrigsten", "tool": tool, "args": args})
}

pub fn honest() -> Vec<serde_json::Value> {
    vec![
        action("run_tests", json!({})),
        action(
            "edit_file",
            json!({"path": "src/lib.rs", "old": "\"kh\" => ordered[..n]",
                   "new": "\"kh\" => ordered[ordered.len() - n..]"}),
        ),
        action("run_tests", json!({})),
    ]
}
