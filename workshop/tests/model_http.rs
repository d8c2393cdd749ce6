//! The HTTP backend against a server on this machine that records what it is asked.
#![allow(missing_docs, clippy::unwrap_used)]

mod server;

use std::cell::RefCell;
use std::path::Path;
use std::time::Duration;

use serde_json::json;
use server::{Server, http, message, overloaded};
use workshop::config::{self, ModelKind};
use workshop::model::http::Http;
use workshop::model::{Model, Reply, Request, from_config};

const KEY: &str = "sk-test-1234567890";

fn settings(base: &str, folder: &Path) -> config::Model {
    std::fs::write(folder.join("key"), format!("{KEY}\n")).unwrap();
    config::Model {
        kind: ModelKind::Http,
        base: base.to_string(),
        name: "some-model".to_string(),
        key_file: Some("key".into()),
        timeout_s: 5,
        ..config::Model::default()
    }
}

thread_local! {
    static WAITS: RefCell<Vec<Duration>> = const { RefCell::new(Vec::new()) };
}

fn record_wait(wait: Duration) {
    WAITS.with_borrow_mut(|waits| waits.push(wait));
}

fn model(server: &Server) -> Http {
    let folder = tempfile::tempdir().unwrap();
    Http::new(&settings(&server.base, folder.path()), folder.path()).unwrap().with_wait(record_wait)
}

fn request() -> Request {
    Request {
        system: "Rules".to_string(),
        message: "Größe?".to_string(),
        schema: Some(json!({"type": "object"})),
        max_tokens: 700,
        cwd: None,
        tools: false,
    }
}

fn error(server: &Server) -> String {
    let text = format!("{:#}", model(server).ask(&request()).unwrap_err());
    assert!(!text.contains(KEY), "{text}");
    text.replace(&server.base, "BASE")
}

#[test]
fn a_question_is_one_post_with_the_key_in_its_header_alone() {
    let server = Server::start(vec![message("{\"antwort\": \"ja\"}", "end_turn")]);
    let reply = model(&server).ask(&request()).unwrap();
    let text = "{\"antwort\": \"ja\"}".to_string();
    assert_eq!(reply, Reply { text, tokens_in: 12, tokens_out: 34 });
    let received = server.received();
    assert_eq!(received.len(), 1);
    let only = &received[0];
    assert_eq!(only.line, "POST /v1/messages HTTP/1.1\r\n");
    assert_eq!(only.header("x-api-key"), Some(KEY));
    assert_eq!(only.header("anthropic-version"), Some("2023-06-01"));
    assert_eq!(only.header("content-type"), Some("application/json"));
    assert_eq!(only.headers.iter().filter(|(_, value)| value.contains(KEY)).count(), 1);
    let body = json!({
        "model": "some-model",
        "max_tokens": 700,
        "system": "Rules",
        "messages": [{"role": "user", "content": "Größe?"}],
        "output_config": {"format": {"type": "json_schema", "schema": {"type": "object"}}},
    });
    assert_eq!(only.body, body);
}

#[test]
fn without_a_schema_none_is_sent() {
    let server = Server::start(vec![message("x", "end_turn")]);
    model(&server).ask(&Request { schema: None, ..request() }).unwrap();
    assert_eq!(server.received()[0].body.get("output_config"), None);
}

#[test]
fn an_overloaded_address_is_asked_three_times_as_it_wishes() {
    let answers = vec![
        overloaded("429 Too Many Requests", "retry-after: 7\r\n"),
        overloaded("529 Overloaded", ""),
        message("endlich", "end_turn"),
    ];
    let server = Server::start(answers);
    assert_eq!(model(&server).ask(&request()).unwrap().text, "endlich");
    assert_eq!(server.received().len(), 3);
    assert_eq!(WAITS.take(), [Duration::from_secs(7), Duration::from_secs(2)]);
}

#[test]
fn after_three_tries_it_is_said_that_the_address_is_overloaded() {
    let answers = vec![
        overloaded("529 Overloaded", "retry-after: 99999\r\n"),
        overloaded("529 Overloaded", "retry-after: soon\r\n"),
        overloaded("429 Too Many Requests", "retry-after: 1\r\n"),
        message("never asked", "end_turn"),
    ];
    let server = Server::start(answers);
    assert_eq!(error(&server), "BASE/v1/messages is overloaded: it answered 429 to 3 tries");
    assert_eq!(server.received().len(), 3);
    assert_eq!(WAITS.take(), [Duration::from_secs(60), Duration::from_secs(2)]);
}

#[test]
fn every_answer_that_is_none_has_a_readable_error() {
    let cases = [
        (message("{\"ant", "max_tokens"), "the answer was cut off after 700 tokens"),
        (message("", "refusal"), "the model refused to answer"),
        (http("200 OK", "", r#"{"content": [{"type": "tool_use"}]}"#), "the answer holds no text"),
        (
            http("200 OK", "", "<html>"),
            "the answer is not a message: expected value at line 1 column 1",
        ),
        (
            http(
                "400 Bad Request",
                "",
                r#"{"error":{"type":"invalid_request_error","message":"bad\nfield"}}"#,
            ),
            "BASE/v1/messages answered 400: invalid_request_error: bad field",
        ),
        (
            http("401 Unauthorized", "", &format!("wrong key {KEY}")),
            "BASE/v1/messages answered 401: wrong key ***",
        ),
        (http("500 Internal Server Error", "", "  "), "BASE/v1/messages answered 500: "),
    ];
    for (answer, wanted) in cases {
        assert_eq!(error(&Server::start(vec![answer])), wanted);
    }
    assert_eq!(WAITS.take(), []);
}

#[test]
fn an_answer_that_breaks_off_is_an_error() {
    let (_, text) = message("{\"antwort\": \"ja\"}", "end_turn");
    let half = text[..text.len() - 20].to_string();
    let server = Server::start(vec![(Duration::ZERO, half)]);
    let error = error(&server);
    assert!(error.starts_with("the answer of BASE/v1/messages breaks off: "), "{error}");
    let nothing = Server::start(vec![(Duration::ZERO, String::new())]);
    let error = self::error(&nothing);
    assert!(error.starts_with("cannot ask BASE/v1/messages: "), "{error}");
}

#[test]
fn a_slow_address_is_given_up() {
    let (_, text) = message("late", "end_turn");
    let server = Server::start(vec![(Duration::from_secs(60), text)]);
    let folder = tempfile::tempdir().unwrap();
    let config = config::Model { timeout_s: 1, ..settings(&server.base, folder.path()) };
    let start = std::time::Instant::now();
    let error = Http::new(&config, folder.path()).unwrap().ask(&request()).unwrap_err();
    assert_eq!(error.to_string(), format!("{}/v1/messages gave no answer within 1 s", server.base));
    assert!(start.elapsed() < Duration::from_secs(30));
}

#[test]
fn a_redirect_does_not_carry_the_key_away() {
    let other = Server::start(vec![message("stolen", "end_turn")]);
    let location = format!("location: {}/v1/messages\r\n", other.base);
    for status in ["301 Moved", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"] {
        let server = Server::start(vec![http(status, &location, "go there")]);
        let wanted = format!("BASE/v1/messages answered {}: go there", &status[..3]);
        assert_eq!(error(&server), wanted);
    }
    assert_eq!(other.received().len(), 0);
}

#[test]
fn what_is_missing_or_unsafe_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let good = settings("https://127.0.0.1:9", folder.path());
    assert!(Http::new(&good, folder.path()).is_ok());
    std::fs::write(folder.path().join("empty"), " \n").unwrap();
    std::fs::write(folder.path().join("two"), "a\nb").unwrap();
    let missing = folder.path().join("missing");
    let header = "the key is empty or holds characters that a header cannot carry";
    let unset = "WORKSHOP_TEST_KEY_THAT_IS_NOT_SET".to_string();
    let cases = [
        (
            config::Model { name: String::new(), ..good.clone() },
            "model.name is missing".to_string(),
        ),
        (config::Model { key_file: Some("empty".into()), ..good.clone() }, header.to_string()),
        (config::Model { key_file: Some("two".into()), ..good.clone() }, header.to_string()),
        (
            config::Model { key_file: Some("missing".into()), ..good.clone() },
            format!("cannot read {}", missing.display()),
        ),
        (
            config::Model { key_file: None, key_env: unset.clone(), ..good.clone() },
            format!("the environment variable {unset} with the key is missing"),
        ),
        (
            config::Model { base: "http://example.org".to_string(), ..good.clone() },
            "model.base must be https: the key would travel unencrypted to example.org".to_string(),
        ),
        (
            config::Model { base: "http://localhost@example.org/".to_string(), ..good.clone() },
            "model.base must be https: the key would travel unencrypted to example.org".to_string(),
        ),
        (
            config::Model { base: "ftp://localhost".to_string(), ..good.clone() },
            "model.base is not an address: ftp://localhost".to_string(),
        ),
    ];
    for (config, wanted) in cases {
        assert_eq!(Http::new(&config, folder.path()).unwrap_err().to_string(), wanted);
    }
}

#[test]
fn the_key_is_in_no_debug_output_and_the_process_is_closed_to_others() {
    let folder = tempfile::tempdir().unwrap();
    let config = settings("http://127.0.0.1:9", folder.path());
    let http = Http::new(&config, folder.path()).unwrap();
    assert_eq!(format!("{http:?}"), "Http { address: \"http://127.0.0.1:9/v1/messages\", .. }");
    assert!(!from_config(&config, folder.path()).unwrap().reads_source());
    let dumpable = rustix::process::dumpable_behavior().unwrap();
    assert_eq!(dumpable, rustix::process::DumpableBehavior::NotDumpable);
}

/// Asks a real address once; needs the key in `ANTHROPIC_API_KEY` and a name in
/// `WORKSHOP_LIVE_MODEL`.
#[test]
#[ignore = "asks a model over the network"]
fn live_smoke() {
    let Ok(name) = std::env::var("WORKSHOP_LIVE_MODEL") else { return };
    let config = config::Model { kind: ModelKind::Http, name, ..config::Model::default() };
    let mut model = from_config(&config, Path::new(".")).unwrap();
    assert!(!model.ask(&Request { schema: None, ..request() }).unwrap().text.is_empty());
}
