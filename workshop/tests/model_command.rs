//! The command backend with small shell scripts, and the script backend.
#![allow(missing_docs, clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use workshop::config::{self, ModelKind};
use workshop::model::command::{Command, DEFAULT, DEFAULT_WITH_SOURCE};
use workshop::model::script::Script;
use workshop::model::{Model, Reply, Request, from_config};

fn shell(script: &str, arguments: &[&str]) -> Vec<String> {
    let fixed = ["/bin/sh", "-c", script, "model"];
    fixed.iter().chain(arguments).map(ToString::to_string).collect()
}

fn settings(plain: Vec<String>, with_source: Vec<String>) -> config::Model {
    config::Model {
        kind: ModelKind::Command,
        command: plain,
        command_with_source: with_source,
        timeout_s: 20,
        ..config::Model::default()
    }
}

fn request(cwd: Option<&Path>) -> Request {
    Request {
        system: "The rules; $(touch x) \"quoted\" 'so'\nsecond line".to_string(),
        message: "Größe?".to_string(),
        schema: None,
        max_tokens: 4096,
        cwd: cwd.map(PathBuf::from),
        tools: cwd.is_some(),
    }
}

fn ask(config: &config::Model, cwd: Option<&Path>) -> Result<String, String> {
    let reply = Command::new(config).unwrap().ask(&request(cwd));
    reply.map(|reply| reply.text).map_err(|error| format!("{error:#}"))
}

#[test]
fn the_system_prompt_is_an_argument_and_the_message_is_the_input() {
    let config = settings(shell("printf '%s|' \"$@\"; cat", &["--system={system}", "x"]), vec![]);
    let system = request(None).system;
    assert_eq!(ask(&config, None), Ok(format!("--system={system}|x|Größe?")));
}

#[test]
fn without_a_place_for_it_the_system_prompt_comes_first_on_the_input() {
    let config = settings(shell("cat", &[]), vec![]);
    assert_eq!(ask(&config, None), Ok(format!("{}\n\nGröße?", request(None).system)));
}

#[test]
fn the_source_is_where_the_program_with_source_works_and_nowhere_else() {
    let source = tempfile::tempdir().unwrap();
    std::fs::write(source.path().join("lib.rs"), "").unwrap();
    let plain = shell("echo plain; ls -A", &[]);
    let with_source = shell("echo source; ls -A; pwd", &[]);
    let config = settings(plain, with_source);
    let place = source.path().canonicalize().unwrap();
    let with = format!("source\nlib.rs\n{}\n", place.display());
    assert_eq!(ask(&config, Some(source.path())), Ok(with));
    assert_eq!(ask(&config, None), Ok("plain\n".to_string()));
    // A directory without the permission to read it is none.
    let forbidden = Request { tools: false, ..request(Some(source.path())) };
    let reply = Command::new(&config).unwrap().ask(&forbidden).unwrap();
    assert_eq!(reply.text, "plain\n");
}

#[test]
fn a_program_that_fails_is_an_error_with_its_last_words() {
    let script =
        "cat >/dev/null; echo half; echo first >&2; printf 'last \\033[31mwords\\n' >&2; exit 3";
    let failed = "the model command /bin/sh failed (exit status: 3): last [31mwords";
    assert_eq!(ask(&settings(shell(script, &[]), vec![]), None), Err(failed.to_string()));
    let silent = "the model command /bin/sh failed (exit status: 1): it said nothing";
    assert_eq!(ask(&settings(shell("exit 1", &[]), vec![]), None), Err(silent.to_string()));
    let missing = settings(vec!["/no/such/program".to_string()], vec![]);
    let error =
        "cannot start the model command /no/such/program: No such file or directory (os error 2)";
    assert_eq!(ask(&missing, None), Err(error.to_string()));
    let binary = settings(shell("printf '\\377'", &[]), vec![]);
    let error = ask(&binary, None).unwrap_err();
    assert!(error.starts_with("the answer of the model command /bin/sh is not UTF-8"), "{error}");
}

#[test]
fn a_program_that_takes_too_long_is_ended_with_all_it_started() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pid");
    let script = format!("sleep 60 & echo $! >{}; sleep 60", file.display());
    let config = config::Model { timeout_s: 1, ..settings(shell(&script, &[]), vec![]) };
    let start = Instant::now();
    let late = "the model command /bin/sh gave no answer within 1 s";
    assert_eq!(ask(&config, None), Err(late.to_string()));
    let pid = std::fs::read_to_string(file).unwrap();
    while running(pid.trim()) {
        assert!(start.elapsed() < Duration::from_secs(30), "{pid} is still running");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Whether there is such a process and it has not ended.
fn running(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

#[test]
fn a_program_that_leaves_something_behind_does_not_hold_the_answer() {
    let config = settings(shell("echo ja; sleep 60 &", &[]), vec![]);
    let start = Instant::now();
    assert_eq!(ask(&config, None), Ok("ja\n".to_string()));
    assert!(start.elapsed() < Duration::from_secs(30));
}

#[test]
fn a_program_that_does_not_read_its_input_may_answer() {
    let mut request = request(None);
    request.message = "x".repeat(1_000_000);
    let config = settings(shell("echo ja", &[]), vec![]);
    let reply = Command::new(&config).unwrap().ask(&request).unwrap();
    assert_eq!(reply, Reply { text: "ja\n".to_string(), tokens_in: 0, tokens_out: 0 });
}

#[test]
fn an_endless_answer_and_an_endless_prompt_are_refused() {
    let config = settings(shell("head -c 5000000 /dev/zero", &[]), vec![]);
    let long = "the answer of the model command /bin/sh is longer than 4194304 bytes";
    assert_eq!(ask(&config, None), Err(long.to_string()));
    let mut request = request(None);
    request.system = "x".repeat(200_000);
    let config = settings(shell("cat", &["{system}"]), vec![]);
    let error = Command::new(&config).unwrap().ask(&request).unwrap_err().to_string();
    let wanted = "the system prompt is too long for an argument; leave {system} out of \
                  model.command, then it comes on standard input";
    assert_eq!(error, wanted);
    let config = settings(shell("wc -c", &[]), vec![]);
    let counted = Command::new(&config).unwrap().ask(&request).unwrap().text;
    assert_eq!(counted.trim(), "200010");
}

#[test]
fn the_defaults_read_source_only_with_reading_tools() {
    assert_eq!(DEFAULT[6..], ["--tools", ""]);
    assert_eq!(
        DEFAULT_WITH_SOURCE[6..],
        ["--tools", "Read,Grep,Glob", "--allowedTools", "Read,Grep,Glob"]
    );
    let root = Path::new("/");
    let reads = |plain: &[&str], with_source: &[&str]| {
        let list = |list: &[&str]| list.iter().map(ToString::to_string).collect();
        let model = from_config(&settings(list(plain), list(with_source)), root);
        model.map(|model| model.reads_source()).map_err(|error| error.to_string())
    };
    assert_eq!(reads(&[], &[]), Ok(true));
    assert_eq!(reads(&["a"], &["b"]), Ok(true));
    assert_eq!(reads(&["a"], &[]), Ok(false));
    let missing = "model.command_with_source needs model.command beside it".to_string();
    assert_eq!(reads(&[], &["b"]), Err(missing));
}

#[test]
fn a_script_answers_line_by_line_and_checks_the_question() {
    let folder = tempfile::tempdir().unwrap();
    let lines = "{\"reply\": \"eins\", \"expect\": \"Größe\", \"tokens_in\": 5, \"tokens_out\": 7}\n\n\
                 {\"reply\": {\"antwort\": \"zwei\"}, \"expect\": \"rules\"}\n\
                 {\"reply\": \"drei\", \"expect\": \"steht nicht da\"}\n";
    std::fs::write(folder.path().join("replies.jsonl"), lines).unwrap();
    let config = config::Model {
        kind: ModelKind::Script,
        script: Some("replies.jsonl".into()),
        ..config::Model::default()
    };
    let mut model = from_config(&config, folder.path()).unwrap();
    let first = Reply { text: "eins".to_string(), tokens_in: 5, tokens_out: 7 };
    assert_eq!(model.ask(&request(None)).unwrap(), first);
    assert_eq!(model.ask(&request(None)).unwrap().text, r#"{"antwort":"zwei"}"#);
    let unexpected = "question 3 does not contain \"steht nicht da\"";
    assert_eq!(model.ask(&request(None)).unwrap_err().to_string(), unexpected);
    let empty = "the script has no answer to question 4";
    assert_eq!(model.ask(&request(None)).unwrap_err().to_string(), empty);
    assert!(!model.reads_source());
}

#[test]
fn a_wrong_script_names_its_line() {
    let error = format!("{:#}", Script::parse("{\"reply\": 1}\n\n{\"text\": 2}").unwrap_err());
    assert_eq!(
        error,
        "line 3 of the script: unknown field `text`, expected one of `reply`, `expect`, \
         `tokens_in`, `tokens_out` at line 1 column 7"
    );
    let config = config::Model { kind: ModelKind::Script, ..config::Model::default() };
    let error = from_config(&config, Path::new("/")).err().unwrap();
    assert_eq!(error.to_string(), "model.script is missing");
}
