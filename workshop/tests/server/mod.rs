//! A server for tests of the HTTP backend.
#![allow(dead_code, missing_docs, clippy::unwrap_used)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// What a server received: request line, headers in lower case, body.
#[derive(Debug, Clone)]
pub struct Received {
    pub line: String,
    pub headers: Vec<(String, String)>,
    pub body: Value,
}

impl Received {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }
}

/// A server on this machine that gives the answers it was told and then ends.
pub struct Server {
    pub base: String,
    received: Arc<Mutex<Vec<Received>>>,
}

impl Server {
    /// Gives these answers, one a connection, each written as it is after a pause.
    pub fn start(answers: Vec<(Duration, String)>) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let received = Arc::new(Mutex::new(Vec::new()));
        let record = Arc::clone(&received);
        thread::spawn(move || {
            for (pause, answer) in answers {
                let (mut stream, _) = listener.accept().unwrap();
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                let mut line = String::new();
                reader.read_line(&mut line).unwrap();
                let mut headers = Vec::new();
                loop {
                    let mut header = String::new();
                    reader.read_line(&mut header).unwrap();
                    let Some((name, value)) = header.trim().split_once(": ") else { break };
                    headers.push((name.to_lowercase(), value.to_string()));
                }
                let length = headers.iter().find(|(name, _)| name == "content-length");
                let mut body = vec![0; length.unwrap().1.parse().unwrap()];
                reader.read_exact(&mut body).unwrap();
                let body = serde_json::from_slice(&body).unwrap();
                record.lock().unwrap().push(Received { line, headers, body });
                thread::sleep(pause);
                stream.write_all(answer.as_bytes()).ok();
            }
        });
        Server { base, received }
    }

    pub fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }
}

pub fn http(status: &str, headers: &str, body: &str) -> (Duration, String) {
    let length = body.len();
    let text = format!(
        "HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n{headers}\r\n{body}"
    );
    (Duration::ZERO, text)
}

pub fn message(text: &str, stop: &str) -> (Duration, String) {
    let body = json!({
        "type": "message",
        "content": [{"type": "thinking", "thinking": "…"}, {"type": "text", "text": text},
                    {"type": "text", "text": "second"}],
        "stop_reason": stop,
        "usage": {"input_tokens": 12, "output_tokens": 34},
    });
    http("200 OK", "", &body.to_string())
}

pub fn overloaded(status: &str, headers: &str) -> (Duration, String) {
    let body = r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#;
    http(status, headers, body)
}
