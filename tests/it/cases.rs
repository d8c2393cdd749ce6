//! The case files: `tests/cases/RULE.txt` for every rule of the grammar.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use dice::{Expr, grammar_rules, rules_in};

use crate::transcript::{self, Errors};
use crate::{bless, path};

/// Rules that only fit in texts that mean nothing on their own and are refused: a guard for a clear message,
/// and the parts of house rules.
pub const REFUSED: [&str; 5] = ["unclear_explosion", "unclear_sign", "hole", "hole_key", "hole_default"];

/// The names of the rules that need documentation and cases: all that leave a node, except house rules and
/// what stands around them: there are none in the grammar as shipped.
pub fn documented() -> BTreeSet<String> {
    grammar_rules().into_iter().filter(|rule| !rule.silent && !rule.house).map(|rule| rule.name).collect()
}

/// The case files by the name of their rule.
pub fn files() -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(path("tests/cases")).unwrap() {
        let file = entry.unwrap().path();
        let name = file.file_name().unwrap().to_str().unwrap();
        let rule = name.strip_suffix(".txt").unwrap_or_else(|| panic!("{name} is no case file"));
        files.insert(rule.to_owned(), fs::read_to_string(&file).unwrap());
    }
    files
}

#[test]
fn the_program_prints_what_the_case_files_say() {
    let mut wrong = Vec::new();
    for (rule, text) in files() {
        let actual = transcript::run(&text, Errors::Marked);
        if bless() {
            fs::write(path(&format!("tests/cases/{rule}.txt")), &actual).unwrap();
        } else if actual != text {
            wrong.push(format!("tests/cases/{rule}.txt\n{}", difference(&text, &actual)));
        }
    }
    assert!(wrong.is_empty(), "BLESS=1 cargo test rewrites them\n{}", wrong.join("\n"));
}

#[test]
fn every_rule_has_its_case_file_and_every_case_file_its_rule() {
    let files: BTreeSet<String> = files().into_keys().collect();
    assert_eq!(files, documented());
}

#[test]
fn every_case_file_has_a_text_that_parses_as_its_rule() {
    for (rule, text) in files() {
        let uses = |command: &str| {
            transcript::notation(command).iter().any(|text| {
                rules_in(text).is_some_and(|rules| rules.contains(&rule))
                    && (REFUSED.contains(&rule.as_str()) || text.parse::<Expr>().is_ok())
            })
        };
        let shown = transcript::commands(&text);
        let refused = |shown: &transcript::Shown| shown.output.contains("[exit ");
        assert!(
            shown
                .iter()
                .any(|shown| uses(&shown.command) && refused(shown) == REFUSED.contains(&rule.as_str())),
            "no text of tests/cases/{rule}.txt parses as {rule}"
        );
    }
}

#[test]
fn a_refused_text_prints_nothing_on_standard_output() {
    for (rule, text) in files() {
        for shown in transcript::commands(&text) {
            let lines: Vec<&str> = shown.output.lines().collect();
            if lines.last() == Some(&"[exit 2]") && !shown.command.starts_with("printf") {
                assert!(
                    lines.len() > 1 && lines[..lines.len() - 1].iter().all(|line| line.starts_with('!')),
                    "tests/cases/{rule}.txt: {}",
                    shown.command
                );
            }
        }
    }
}

/// The lines from the first that differs.
pub fn difference(expected: &str, actual: &str) -> String {
    let same = expected.lines().zip(actual.lines()).take_while(|(a, b)| a == b).count();
    let part = |text: &str, mark: &str| -> String {
        text.lines().skip(same).take(12).flat_map(|line| [mark, line, "\n"]).collect()
    };
    let (expected, actual) = (part(expected, "- "), part(actual, "+ "));
    format!("line {}:\n{expected}{actual}", same + 1)
}
