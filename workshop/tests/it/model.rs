//! The backends that ask a real model, through the whole program.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::json;
use tempfile::TempDir;

use crate::common::{action, edit, fixtures, folder, tree, workshop, write};
use crate::server::{Server, http, message, overloaded};

const KEY: &str = "sk-test-1234567890";
const ANSWER: &str = r#"{"antwort": "Gern.", "karten": [], "entfernen": []}"#;

/// The Python repository with a model section and a task.
fn project(model: &str) -> (TempDir, PathBuf) {
    let (keep, root) = folder();
    let mut files = tree(&fixtures().join("billing/repo"));
    let config = files.get_mut("workshop.toml").unwrap();
    config.push_str(&format!("\n[model]\n{model}"));
    for (path, text) in &files {
        write(&root.join("repo"), &[(path.as_str(), text.as_str())]);
    }
    write(&root, &[("task.json", r#"{"id": "t", "text": "Repair the rule."}"#), ("key", KEY)]);
    (keep, root)
}

/// Runs the program; its exit code and everything it printed.
fn run(root: &Path, arguments: &[&str]) -> (i32, String) {
    let path = format!("{}:/usr/bin:/bin", root.join("bin").display());
    let output = workshop(&root.join("state"))
        .args(arguments)
        .current_dir(root.join("repo"))
        .env("PATH", path)
        .env("RUSTUP_TOOLCHAIN", "none")
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (output.status.code().unwrap(), text.concat())
}

/// A program `claude` that notes how it was started and says what the file `answer` holds.
fn fake_claude(root: &Path, answer: &str) {
    let note = root.join("note");
    let script = format!(
        "#!/bin/sh\n{{ pwd; printf '%s\\0' \"$@\"; }} >{0}\ncat >{0}.input\ncat {1}\n",
        note.display(),
        root.join("answer").display()
    );
    write(root, &[("bin/claude", &script), ("answer", answer)]);
    fs::set_permissions(root.join("bin/claude"), fs::Permissions::from_mode(0o755)).unwrap();
}

/// The folder the program was started in and its arguments.
fn noted(root: &Path) -> (String, Vec<String>) {
    let note = fs::read_to_string(root.join("note")).unwrap();
    let (folder, arguments) = note.split_once('\n').unwrap();
    (folder.to_string(), arguments.split_terminator('\0').map(String::from).collect())
}

#[test]
fn the_default_command_gets_exactly_these_arguments() {
    for (model, tools, source) in [
        ("", &["--tools", ""][..], None),
        (
            "source = \"billing\"\n",
            &["--tools", "Read,Grep,Glob", "--allowedTools", "Read,Grep,Glob"][..],
            Some("repo/billing"),
        ),
    ] {
        let (_keep, root) = project(model);
        fake_claude(&root, ANSWER);
        assert_eq!(run(&root, &["chat", "Was kann es?"]), (0, "Gern.\n".to_string()));
        let (folder, arguments) = noted(&root);
        assert_eq!(arguments[..4], ["-p", "--output-format", "text", "--system-prompt"]);
        assert!(arguments[4].contains("JSON"), "{}", arguments[4]);
        assert_eq!(arguments[5..], *tools);
        match source {
            Some(source) => assert_eq!(Path::new(&folder), root.join(source)),
            None => assert!(!folder.starts_with(root.to_str().unwrap()), "{folder}"),
        }
        let input = fs::read_to_string(root.join("note.input")).unwrap();
        assert!(input.contains("Was kann es?"), "{input}");
    }
}

#[test]
fn a_missing_or_silent_command_is_an_error_of_use() {
    let (_keep, root) = project("");
    let (code, text) = run(&root, &["chat", "Hallo"]);
    assert_eq!(
        (code, text.starts_with("workshop: cannot start the model command claude: ")),
        (1, true)
    );
    fake_claude(&root, "");
    let (code, text) = run(&root, &["chat", "Hallo"]);
    assert_eq!(
        (code, text.as_str()),
        (1, "workshop: Antwort war nicht lesbar — bitte noch einmal senden\n")
    );
    assert!(!root.join("repo/.chat.json").exists(), "nothing of the round is kept");
}

fn http_model(server: &Server) -> String {
    format!(
        "kind = \"http\"\nbase = {:?}\nname = \"m\"\nkey_file = \"../key\"\ntimeout_s = 20\n",
        server.base
    )
}

fn says(action: &workshop::tools::Action) -> (Duration, String) {
    message(&serde_json::to_string(action).unwrap(), "end_turn")
}

#[test]
fn an_agent_behind_an_address_fixes_through_overload_and_nonsense() {
    let fix = edit(
        "billing/discounts.py",
        "rate += LOYALTY_PER_YEAR * years",
        "rate += min(LOYALTY_PER_YEAR * years, LOYALTY_CAP)",
    );
    let server = Server::start(vec![
        overloaded("529 Overloaded", "retry-after: 0\r\n"),
        says(&action("run_tests", &[])),
        message("I would rather talk about {weather}.", "end_turn"),
        says(&fix),
        says(&action("run_tests", &[])),
    ]);
    let (_keep, root) = project(&http_model(&server));
    let (code, text) = run(&root, &["fix", "../task.json"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("\ngreen after 4 steps, 1 red runs\n"), "{text}");
    let received = server.received();
    assert_eq!(received.len(), 5);
    for one in &received {
        assert_eq!(one.line, "POST /v1/messages HTTP/1.1\r\n");
        assert_eq!(one.header("x-api-key"), Some(KEY));
        assert_eq!(one.body["max_tokens"], 700);
        assert_eq!(one.body["output_config"]["format"]["type"], "json_schema");
        assert!(!one.body.to_string().contains(KEY));
    }
    let repair = received[3].body["messages"][0]["content"].as_str().unwrap();
    assert!(
        repair.contains("Your last answer was:\nI would rather talk about {weather}."),
        "{repair}"
    );
    for (path, text) in tree(&root.join("state")) {
        assert!(!text.contains(KEY), "the key is in {path}");
    }
    let (code, text) = run(
        &root,
        &["judge", "s001", "--hidden", fixtures().join("billing/hidden").to_str().unwrap()],
    );
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("model calls: 4 | tokens: 48 in, 136 out"), "{text}");
}

#[test]
fn an_address_that_fails_leaves_a_session_that_can_be_looked_at() {
    let server = Server::start(vec![
        says(&action("run_tests", &[])),
        http(
            "500 Internal Server Error",
            "",
            &json!({"error": {"type": "api_error", "message": "no"}}).to_string(),
        ),
    ]);
    let (_keep, root) = project(&http_model(&server));
    let (code, text) = run(&root, &["fix", "../task.json"]);
    let said = format!("\nworkshop: {}/v1/messages answered 500: api_error: no\n", server.base);
    assert_eq!((code, text.ends_with(&said)), (1, true), "{text}");
    let journal = root.join("state");
    let lines: Vec<usize> = tree(&journal)
        .iter()
        .filter(|(path, _)| path.ends_with("journal.jsonl"))
        .map(|(_, text)| text.lines().count())
        .collect();
    assert_eq!(lines, [2], "what was done is in the journal");
    let gone = Server::start(vec![]);
    let (_keep, root) = project(&http_model(&gone));
    let (code, text) = run(&root, &["fix", "../task.json"]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains(&format!("workshop: cannot ask {}/v1/messages: ", gone.base)), "{text}");
}
