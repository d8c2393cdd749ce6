//! What the sources do not have: ways to panic outside tests, and knowledge that belongs to one module only.

use std::fs;
use std::path::{Path, PathBuf};

use crate::path;

/// Every file below a folder of the package.
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![path(folder)];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The lines of a source without comments, strings kept, and without what stands behind `#[cfg(test)]`.
fn code(text: &str) -> Vec<(usize, String)> {
    let mut lines = Vec::new();
    let mut skipped: Option<i32> = None;
    for (index, line) in text.lines().enumerate() {
        let line = line.split("//").next().unwrap_or("");
        if line.trim() == "#[cfg(test)]" {
            skipped = Some(0);
        } else if let Some(depth) = &mut skipped {
            *depth += i32::try_from(line.matches('{').count()).unwrap();
            *depth -= i32::try_from(line.matches('}').count()).unwrap();
            if *depth <= 0 && !line.trim().is_empty() && !line.trim_start().starts_with("#[") {
                skipped = None;
            }
        } else {
            lines.push((index + 1, line.to_owned()));
        }
    }
    lines
}

/// The lines of `src/` outside tests that have one of `words`, except in files that `allowed` names.
fn found(words: &[&str], allowed: &[&str]) -> Vec<String> {
    let root = path("");
    let mut found = Vec::new();
    for file in files("src", "rs") {
        let name = file.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
        if allowed.iter().any(|part| name.starts_with(part)) || is_test(&file) {
            continue;
        }
        for (line, text) in code(&fs::read_to_string(&file).unwrap()) {
            let text = text.replace("self.expect(", "self.demand(");
            if words.iter().any(|word| has_word(&text, word)) {
                found.push(format!("{name}:{line}: {}", text.trim()));
            }
        }
    }
    found
}

/// Whether a line has a word that is not the end of a longer one.
fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let longer = |c: char| c.is_alphanumeric() || c == '_';
        !word.starts_with(longer) || !line[..at].ends_with(longer)
    })
}

fn is_test(file: &Path) -> bool {
    file.file_stem().is_some_and(|stem| stem == "tests") || file.iter().any(|part| part == "tests")
}

#[test]
fn nothing_outside_tests_can_panic_by_these_words() {
    let words = [".unwrap()", ".expect(", "panic!(", "unreachable!(", "todo!(", "unimplemented!("];
    assert_eq!(found(&words, &[]), Vec::<String>::new());
}

#[test]
fn only_the_grammar_knows_pest() {
    assert_eq!(
        found(&["pest::", "pest_", "use pest"], &["src/grammar/", "src/lib.rs"]),
        Vec::<String>::new()
    );
}

#[test]
fn only_the_faces_and_the_program_know_chance() {
    assert_eq!(
        found(&["rand::", "use rand"], &["src/faces", "src/main.rs", "src/cli/"]),
        Vec::<String>::new()
    );
}

#[test]
fn only_the_program_prints_exits_and_reads_the_clock() {
    let words = [
        "println!(",
        "eprintln!(",
        "print!(",
        "process::exit",
        "anyhow",
        "SystemTime",
        "Instant::now",
        "env::",
    ];
    let found = found(&words, &["src/main.rs", "src/cli/"]);
    let found: Vec<_> = found.iter().filter(|line| !line.contains("env!(")).collect();
    assert_eq!(found, Vec::<&String>::new());
}

#[test]
fn no_sum_is_computed_in_floating_point() {
    // Rolls are exact; numbers only know how to become an approximation.
    let allowed = ["src/main.rs", "src/cli/", "src/odds", "src/print/", "src/number.rs"];
    assert_eq!(found(&["f64", "f32"], &allowed), Vec::<String>::new());
}

#[test]
fn the_search_sees_what_it_should() {
    let text = "fn a() {\n    x.unwrap(); // y\n}\n\n#[cfg(test)]\nmod tests {\n    fn b() {\n        y.unwrap()\n    }\n}\nfn c() {}\n";
    let lines: Vec<String> = code(text).into_iter().map(|(line, text)| format!("{line}{text}")).collect();
    assert_eq!(lines, ["1fn a() {", "2    x.unwrap(); ", "3}", "4", "11fn c() {}"]);
    assert!(files("src", "rs").len() > 20);
    assert!(!found(&["pest::"], &[]).is_empty() && !found(&["rand::"], &[]).is_empty());
}
