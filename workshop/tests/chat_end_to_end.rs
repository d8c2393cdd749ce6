//! From a wish to built code, at a terminal: chat, accept one proposal and reject one, plan,
//! fix with a scripted model, judge, review the patch.
#![allow(missing_docs, clippy::panic, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use nix::sys::wait::WaitStatus;
use rexpect::session::spawn_command;
use serde_json::{Value, json};

const CARD: &str = "\
<!-- titel -->
Auswahl
----------------------------------------
<!-- art -->
kern
----------------------------------------
<!-- funktion -->
Die niedrigsten behalten
<!-- testen -->
- `dice 4d6kl1 2,5,3,6` ergibt `2`
";

const ADDED: &str = "\
----------------------------------------
<!-- funktion -->
Die höchsten behalten
<!-- stand -->
offen
<!-- ziel -->
kh N zählt die N höchsten Würfe
<!-- testen -->
- `dice 4d6kh3 2,5,3,6` ergibt `14`
- Mit echten Würfeln ausprobieren
";

/// A program of the fixture, so that a line of `testen` can be run.
const PROGRAM: &str = r#"//! `dice NOTATION ROLLS`: evaluates a notation with the given rolls.

struct Rolls(std::vec::IntoIter<u32>);

impl dice_keep::Rng for Rolls {
    fn roll(&mut self, _: u32) -> u32 {
        self.0.next().unwrap_or(1)
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let rolls = arguments[2].split(',').map(|roll| roll.parse().unwrap()).collect::<Vec<_>>();
    println!("{}", dice_keep::roll(&arguments[1], &mut Rolls(rolls.into_iter())).unwrap());
}
"#;

const BUG: &str = "\"kh\" => ordered[..n].to_vec(),";
const REPAIR: &str = "\"kh\" => ordered[ordered.len() - n..].to_vec(),";
const HARDCODE: &str =
    "\"kh\" => if rolls == [2, 5, 3, 6] { vec![14] } else { ordered[..n].to_vec() },";

struct Room {
    folder: tempfile::TempDir,
}

impl Room {
    fn new() -> Room {
        let room = Room { folder: tempfile::tempdir().unwrap() };
        copy(&fixture().join("repo"), &room.repo());
        room.write("src/bin/dice.rs", PROGRAM);
        room.write("cards/auswahl.md", CARD);
        let config = room.read("workshop.toml");
        let model = "\n[model]\nkind = \"script\"\nscript = \"../replies.jsonl\"\n";
        room.write("workshop.toml", &(config + model));
        room
    }

    fn repo(&self) -> PathBuf {
        self.folder.path().join("repo")
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.repo().join(path)).unwrap()
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.repo().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn script(&self, replies: &[Value]) {
        let lines = replies.iter().map(|reply| json!({"reply": reply}).to_string() + "\n");
        fs::write(self.folder.path().join("replies.jsonl"), lines.collect::<String>()).unwrap();
    }

    /// Every file of the repository with its text.
    fn tree(&self) -> BTreeMap<PathBuf, String> {
        let mut tree = BTreeMap::new();
        let mut folders = vec![self.repo()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let name = path.strip_prefix(self.repo()).unwrap().to_path_buf();
                    tree.insert(name, fs::read_to_string(&path).unwrap());
                }
            }
        }
        tree
    }

    /// Runs the program at a terminal; each answer is typed when its prompt appears.
    /// Returns the exit code and all that was to be seen.
    fn at_terminal(&self, arguments: &[&str], answers: &[(&str, &str)]) -> (i32, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_workshop"));
        command
            .args(arguments)
            .current_dir(self.repo())
            .env("WORKSHOP_STATE", self.folder.path().join("state"));
        let mut terminal = spawn_command(command, Some(120_000)).unwrap();
        let mut seen = String::new();
        for (prompt, answer) in answers {
            seen += &terminal.exp_string(prompt).unwrap();
            seen += prompt;
            terminal.send_line(answer).unwrap();
        }
        seen += &terminal.exp_eof().unwrap();
        let WaitStatus::Exited(_, code) = terminal.process().wait().unwrap() else {
            panic!("{arguments:?} did not exit: {seen}");
        };
        // The terminal hands out one character a byte.
        let bytes: Vec<u8> = seen.chars().map(|c| u8::try_from(c).unwrap()).collect();
        (code, String::from_utf8(bytes).unwrap().replace("\r\n", "\n"))
    }

    fn hidden(&self, arguments: &[&str], answers: &[(&str, &str)]) -> (i32, String) {
        let hidden = fixture().join("hidden");
        let all = [&["--hidden", hidden.to_str().unwrap()], arguments].concat();
        self.at_terminal(&all, answers)
    }

    /// Lets the scripted agent put `text` in the place of the bug; returns what was seen.
    fn fix(&self, text: &str) -> (i32, String) {
        let act = |hypothesis: &str, tool: &str, args: Value| json!({"hypothesis": hypothesis, "tool": tool, "args": args});
        let edit = json!({"path": "src/lib.rs", "old": BUG, "new": text});
        self.script(&[
            act("see what is red", "run_tests", json!({})),
            act("kh takes the lowest", "edit_file", edit),
            act("see whether it holds", "run_tests", json!({})),
        ]);
        self.at_terminal(&["fix", "t001"], &[])
    }
}

fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/dice-keep")
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

fn wish() -> Value {
    let function = |titel: &str, ziel: &str, testen: &[&str]| json!({"titel": titel, "ziel": ziel, "regeln": [], "testen": testen, "stand": "gebaut"});
    let functions = [
        function("Die niedrigsten behalten", "", &["`dice 4d6kl1 2,5,3,6` ergibt `2`"]),
        function(
            "Die höchsten behalten",
            "kh N zählt die N höchsten Würfe",
            &["`dice 4d6kh3 2,5,3,6` ergibt `14`", "Mit echten Würfeln ausprobieren"],
        ),
    ];
    json!({"antwort": "So?", "karten": [{"titel": "Auswahl", "art": "kern", "ziel": "",
           "regeln": ["Höchstens 100 Würfel"], "funktionen": functions}]})
}

/// Lines of a step log and a run, as `fix` prints them.
fn fixed(session: &str, text: &str) -> String {
    let results = |kh: &str, case: &str| {
        format!("    PASS drop_lowest\n    {kh}\n    PASS keep_lowest\n    {case}\n")
    };
    let red = results("FAIL keep_highest: want 14, got 10", "FAIL testen_1: want 14, got 10");
    let green = results("PASS keep_highest", "PASS testen_1");
    format!(
        "session {session}\nrun_tests()\n  RED 2/4\n{red}\
         edit_file(path='src/lib.rs', old='{BUG}', new='{text}')\n  ok: patched src/lib.rs\n\
         run_tests()\n  GREEN 4/4\n{green}green after 3 steps, 1 red runs\n\
         next: workshop judge {session}\n"
    )
}

#[test]
fn a_wish_becomes_a_card_a_task_a_judged_patch_and_built_code() {
    let room = Room::new();
    room.script(&[wish()]);

    // A wish becomes two proposals, of which one is accepted.
    let (code, seen) = room.at_terminal(&["chat", "Ich will die höchsten behalten"], &[]);
    assert_eq!(code, 0, "{seen}");
    assert!(seen.starts_with("So?\n\n1. Auswahl › regeln ["), "{seen}");
    let prompt = "[y,n,e,s,q,?] ";
    let (code, seen) = room.at_terminal(&["review", "cards"], &[(prompt, "n"), (prompt, "y")]);
    assert_eq!(code, 0, "{seen}");
    assert!(seen.ends_with("1 accepted, 1 rejected, 0 open\n"), "{seen}");
    let planned_card = format!("{CARD}{ADDED}");
    assert_eq!(room.read("cards/auswahl.md"), planned_card);

    let (code, seen) =
        room.at_terminal(&["plan", "auswahl", "Die höchsten behalten", "--fix"], &[]);
    let plan = "task t001\nRepair the function \"Die höchsten behalten\" of the card \"Auswahl\".\n\
                Purpose of the function:\n- kh N zählt die N höchsten Würfe\nHow it is tried:\n\
                - `dice 4d6kh3 2,5,3,6` ergibt `14`\n- Mit echten Würfeln ausprobieren\n\
                case testen_1: dice 4d6kh3 2,5,3,6 -> 14\n\
                not executable: Mit echten Würfeln ausprobieren\nnext: workshop fix t001\n";
    assert_eq!((code, seen.as_str()), (0, plan));
    let before = room.tree();

    // A fraud is green for the agent, but not for the judge, and cannot be accepted.
    assert_eq!(room.fix(HARDCODE), (0, fixed("s001", HARDCODE)));
    let (code, seen) = room.hidden(&["judge", "s001"], &[]);
    assert_eq!(code, 2, "{seen}");
    assert!(seen.contains("visible: GREEN 4/4 | hidden: RED 1/3 | diff: 2 lines"), "{seen}");
    assert!(seen.contains("\njudge: not acceptable"), "{seen}");
    for arguments in [&["review", "patch", "s001"][..], &["review", "patch", "s001", "--accept"]] {
        let (code, seen) = room.hidden(arguments, &[]);
        assert_eq!(code, 2, "{seen}");
        assert!(seen.ends_with("\nThis patch cannot be accepted.\n"), "{seen}");
    }
    assert_eq!(room.tree(), before);

    // The honest repair is acceptable; a person may still reject it.
    assert_eq!(room.fix(REPAIR), (0, fixed("s002", REPAIR)));
    let (code, seen) = room.hidden(&["judge", "s002"], &[]);
    assert_eq!(code, 0, "{seen}");
    assert!(seen.contains("visible: GREEN 4/4 | hidden: GREEN 3/3 | diff: 2 lines"), "{seen}");
    assert!(seen.contains("\njudge: acceptable\n"), "{seen}");
    let ask = "Accept this patch? [y,n,q] ";
    let (code, seen) = room.hidden(&["review", "patch", "s002"], &[(ask, "n")]);
    assert_eq!(code, 0, "{seen}");
    assert!(seen.ends_with("[y,n,q] rejected, nothing was changed\n"), "{seen}");
    assert_eq!(room.tree(), before);

    // A card that says something else by now does not become built, and no code changes.
    assert_eq!(room.fix(REPAIR), (0, fixed("s003", REPAIR)));
    let (code, seen) = room.hidden(&["judge", "s003"], &[]);
    assert_eq!(code, 0, "{seen}");
    room.write("cards/auswahl.md", &planned_card.replace("`14`", "`15`"));
    let (code, seen) = room.hidden(&["review", "patch", "s003"], &[(ask, "y")]);
    assert_eq!(code, 1, "{seen}");
    let stale = "workshop: auswahl: funktion Die höchsten behalten sagt inzwischen etwas anderes\n";
    assert!(seen.ends_with(stale), "{seen}");
    assert_eq!(room.read("src/lib.rs"), before[Path::new("src/lib.rs")]);
    room.write("cards/auswahl.md", &planned_card);

    // The person accepts: exactly the diff, and the function is built.
    let (code, seen) = room.hidden(&["review", "patch", "s003"], &[(ask, "y")]);
    assert_eq!(code, 0, "{seen}");
    let built = "changed src/lib.rs\nbuilt: Die höchsten behalten on auswahl\n";
    assert!(seen.ends_with(built), "{seen}");
    let mut wanted = before.clone();
    let code_before = &before[Path::new("src/lib.rs")];
    assert_eq!(code_before.matches(BUG).count(), 1);
    wanted.insert("src/lib.rs".into(), code_before.replace(BUG, REPAIR));
    let built_card = planned_card.replace("<!-- stand -->\noffen\n", "");
    wanted.insert("cards/auswahl.md".into(), built_card);
    assert_eq!(room.tree(), wanted);

    // What is built is checked, and stays built only as long as it holds.
    let (code, seen) = room.at_terminal(&["cards", "check"], &[]);
    assert_eq!((code, seen.as_str()), (0, "0 mistakes, 0 notes\n"));
    room.write("src/lib.rs", code_before);
    let (code, seen) = room.at_terminal(&["cards", "check"], &[]);
    let open = "0 mistakes, 0 notes\nopen again: Die höchsten behalten on auswahl\n";
    assert_eq!((code, seen.as_str()), (2, open));
    assert_eq!(room.tree(), before);
}
