//! `tests/contract.md`: every promise names a test or a screen that exists.

use std::fs;

use crate::{path, read, transcript};

/// The sources of all tests.
fn sources(folder: &str) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(path(folder)).unwrap() {
        let entry = entry.unwrap().path();
        let relative = entry.strip_prefix(path("")).unwrap().to_str().unwrap().to_owned();
        if entry.is_dir() {
            text += &sources(&relative);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            text += &read(&relative);
        }
    }
    text
}

#[test]
fn every_promise_has_its_test() {
    let sources = sources("src") + &sources("tests/it");
    let mut checked = 0;
    for line in read("tests/contract.md").lines().filter(|line| line.starts_with("- ")) {
        // What stands in backticks behind the last colon outside of them.
        let (_, tests) = line.split_once(": `").unwrap_or_else(|| panic!("no test: {line}"));
        for test in tests.trim_end_matches('`').split("`, `") {
            checked += 1;
            if let Some((file, command)) =
                test.strip_prefix("screens/").and_then(|test| test.split_once(": "))
            {
                let screens = read(&format!("tests/screens/{file}.txt"));
                let found = transcript::commands(&screens).iter().any(|shown| shown.command == command);
                assert!(found, "{file} does not show {command}");
            } else {
                assert!(sources.contains(&format!("fn {test}() {{")), "no test {test}");
            }
        }
    }
    assert!(checked > 60, "{checked}");
}
