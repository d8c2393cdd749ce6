//! Reads what Rust's test harness prints.

use super::{Line, Status};

/// The results in the output of one test binary, in order.
pub(super) fn results(stdout: &str) -> Vec<Line> {
    stdout
        .lines()
        .filter_map(|line| {
            let (name, word) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
            let name = name.strip_suffix(" - should panic").unwrap_or(name).to_string();
            let status = match word.split(',').next()? {
                "ok" => Status::Pass,
                "FAILED" => failure(stdout, &name),
                "ignored" => Status::Error("ignored".to_string()),
                _ => return None,
            };
            Some(Line { name, status })
        })
        .collect()
}

/// Why the test failed, from its section of captured output: FAIL if the panic was in a
/// test file, ERROR if it was in the code under test or there was none.
fn failure(stdout: &str, name: &str) -> Status {
    let head = format!("---- {name} stdout ----");
    let mut lines = stdout.lines().skip_while(|line| *line != head).skip(1);
    let mut first = None;
    while let Some(line) = lines.next() {
        if line.starts_with("---- ") && line.ends_with(" stdout ----") || line == "failures:" {
            break;
        }
        if let Some(place) = panic_place(line) {
            let message = lines.next().unwrap_or("").to_string();
            let in_test = place.split('/').any(|part| part == "tests");
            return if in_test { Status::Fail(message) } else { Status::Error(message) };
        }
        if first.is_none() && !line.trim().is_empty() {
            first = Some(line.to_string());
        }
    }
    Status::Error(first.unwrap_or_else(|| "failed without a message".to_string()))
}

/// The file of a line `thread 'NAME' (ID) panicked at FILE:LINE:COLUMN:`.
fn panic_place(line: &str) -> Option<&str> {
    if !line.starts_with("thread '") {
        return None;
    }
    let (_, place) = line.split_once(" panicked at ")?;
    place.split(':').next()
}

/// The names in the output of `--list`.
pub(super) fn names(stdout: &str) -> Vec<String> {
    stdout.lines().filter_map(|line| line.strip_suffix(": test")).map(String::from).collect()
}
