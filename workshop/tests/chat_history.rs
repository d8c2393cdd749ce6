//! The history file: its bytes, its depth, what damages it and what does not.
#![allow(missing_docs, clippy::unwrap_used)]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use workshop::history::{DATEI, Eintrag, Rolle, TIEFE, append, append_with, clear, load};

fn message(n: usize) -> Eintrag {
    let rolle = if n.is_multiple_of(2) { Rolle::Person } else { Rolle::Ki };
    Eintrag::new(rolle, format!("Nachricht {n}"))
}

#[test]
fn the_file_has_the_bytes_of_the_format() {
    let root = tempfile::tempdir().unwrap();
    let entries = [Eintrag::new(Rolle::Person, "Größe \"x\"\nzwei"), Eintrag::new(Rolle::Ki, "ja")];
    append(root.path(), &entries).unwrap();
    let text = "[\n {\n  \"rolle\": \"person\",\n  \"text\": \"Größe \\\"x\\\"\\nzwei\"\n },\n \
                {\n  \"rolle\": \"ki\",\n  \"text\": \"ja\"\n }\n]\n";
    assert_eq!(fs::read_to_string(root.path().join(".chat.json")).unwrap(), text);
    assert_eq!(load(root.path()), entries);
    assert_eq!(names(root.path()), [".chat.json"]);
}

#[test]
fn of_31_messages_the_last_30_are_kept() {
    let root = tempfile::tempdir().unwrap();
    let all: Vec<Eintrag> = (0..31).map(message).collect();
    assert_eq!(append(root.path(), &all[..30]).unwrap(), all[..30]);
    assert_eq!(append(root.path(), &all[30..]).unwrap(), all[1..]);
    assert_eq!(load(root.path()), all[1..]);
    assert_eq!((load(root.path()).len(), TIEFE), (30, 30));
}

#[test]
fn a_damaged_history_is_an_empty_one() {
    let root = tempfile::tempdir().unwrap();
    assert_eq!(load(root.path()), []);
    for damaged in ["", "[", "{}", "7", "null", "\"x\""] {
        fs::write(root.path().join(DATEI), damaged).unwrap();
        assert_eq!(load(root.path()), [], "{damaged}");
    }
    fs::write(root.path().join(DATEI), b"[\xff]").unwrap();
    assert_eq!(load(root.path()), []);
    let mixed =
        r#"[1, {"rolle": "wer", "text": "x"}, {"rolle": "ki"}, {"rolle": "ki", "text": "y"}]"#;
    fs::write(root.path().join(DATEI), mixed).unwrap();
    assert_eq!(load(root.path()), [Eintrag::new(Rolle::Ki, "y")]);
}

#[test]
fn clearing_forgets_and_may_be_done_twice() {
    let root = tempfile::tempdir().unwrap();
    append(root.path(), &[message(0)]).unwrap();
    clear(root.path()).unwrap();
    assert_eq!(load(root.path()), []);
    clear(root.path()).unwrap();
    assert_eq!(names(root.path()), Vec::<String>::new());
}

#[test]
fn no_copy_of_the_repository_holds_the_history() {
    let root = tempfile::tempdir().unwrap();
    let copy = tempfile::tempdir().unwrap();
    append(root.path(), &[message(0)]).unwrap();
    fs::write(root.path().join(".chat.json.neu"), "[").unwrap();
    fs::write(root.path().join(".other.json"), "[]").unwrap();
    let rules = workshop::config::Copy::default();
    workshop::copy::copy_tree(root.path(), copy.path(), &rules, None).unwrap();
    assert_eq!(names(copy.path()), [".other.json"]);
}

#[test]
fn an_error_before_the_rename_keeps_the_old_history() {
    let root = tempfile::tempdir().unwrap();
    append(root.path(), &[message(0)]).unwrap();
    let before = fs::read(root.path().join(DATEI)).unwrap();
    let refuse = |_: &Path| Err(std::io::Error::other("disk full"));
    let error = append_with(root.path(), &[message(1)], refuse).unwrap_err();
    assert_eq!(error.to_string(), "disk full");
    assert_eq!(fs::read(root.path().join(DATEI)).unwrap(), before);
    assert_eq!(names(root.path()), [".chat.json", ".chat.json.neu"]);
    append(root.path(), &[message(1)]).unwrap();
    assert_eq!(load(root.path()), [message(0), message(1)]);
    assert_eq!(names(root.path()), [".chat.json"]);
}

#[test]
fn a_crash_before_the_rename_keeps_the_old_history() {
    let root = tempfile::tempdir().unwrap();
    append(root.path(), &[message(0)]).unwrap();
    assert!(!child("crashing_child", root.path()).wait().unwrap().success());
    assert_eq!(load(root.path()), [message(0)]);
    append(root.path(), &[message(1)]).unwrap();
    assert_eq!(load(root.path()), [message(0), message(1)]);
}

#[test]
fn two_processes_that_append_at_once_lose_nothing() {
    let root = tempfile::tempdir().unwrap();
    let mut children: Vec<_> = (0..4).map(|_| child("appending_child", root.path())).collect();
    assert!(children.iter_mut().all(|child| child.wait().unwrap().success()));
    let mut texts: Vec<String> = load(root.path()).into_iter().map(|entry| entry.text).collect();
    texts.sort();
    let wanted: Vec<String> = (0..5).flat_map(|n| vec![format!("Nachricht {n}"); 4]).collect();
    assert_eq!(texts, wanted);
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn child(name: &str, root: &Path) -> std::process::Child {
    Command::new(std::env::current_exe().unwrap())
        .args([name, "--exact", "--ignored"])
        .env("HISTORY_ROOT", root)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
#[ignore = "started by the tests above"]
fn appending_child() {
    let Ok(root) = std::env::var("HISTORY_ROOT") else { return };
    for n in 0..5 {
        append(Path::new(&root), &[message(n)]).unwrap();
    }
}

#[test]
#[ignore = "started by the tests above"]
fn crashing_child() {
    let Ok(root) = std::env::var("HISTORY_ROOT") else { return };
    append_with(Path::new(&root), &[message(1)], |_| std::process::abort()).unwrap();
}
