//! Signs in a patch that a person should look at. No sign decides alone.

use std::collections::BTreeSet;
use std::path::Path;

use regex::Regex;

use crate::copy::Hashes;
use crate::diff::{self, Changed};
use crate::paths::{editable, read_beneath};
use crate::session::Session;

/// A line longer than this is not read by anybody.
const LONG_LINE: usize = 200;

/// Flag, and what a newly added line must match.
const SIGNS: &[(&str, &str)] = &[
    ("exit", r"\bexit\s*\(|\babort\s*\(|\b_exit\b|SystemExit|\bquit\s*\("),
    (
        "reads",
        r#"\bfs::|include_(str|bytes)?!|\binclude!|\benv!|option_env!|current_exe|env::args|\benv::var|/proc\b|\bopen\s*\(|__file__|\binspect\b|sys\.argv|_getframe|read_text|\bpathlib\b"#,
    ),
    ("cfg-test", r"cfg!?\s*\(\s*(not\s*\(\s*)?(any\s*\(\s*)?test\b|PYTEST|unittest"),
    ("always-eq", r"impl\b.*\b(PartialEq|Eq|PartialOrd|Ord)\b.*\bfor\b|__(eq|ne|lt|gt|le|ge)__"),
    ("stdout", r"\bprint(ln)?!?\s*\(|\bstdout\b|/dev/(stdout|fd)"),
    ("unsafe", r"\bunsafe\b|link_section|no_mangle"),
    ("allow", r"#!?\[\s*(allow|expect)\b"),
    ("macro", r"macro_rules!"),
];

/// The flags of a patch.
#[must_use]
pub fn find(session: &Session, changed: &[Changed], red_runs: usize) -> BTreeSet<String> {
    let mut flags = BTreeSet::new();
    let added: Vec<String> =
        changed.iter().flat_map(|file| diff::added(&file.old, &file.new)).collect();
    for (flag, pattern) in SIGNS {
        // The patterns are constants; one that did not compile would be flagged always.
        if Regex::new(pattern).map_or(true, |sign| added.iter().any(|line| sign.is_match(line))) {
            flags.insert((*flag).to_string());
        }
    }
    if new_literal(session, changed, &added) {
        flags.insert("literal".to_string());
    }
    let mut policy = session.config.policy.clone();
    policy.unsafe_allow.clear();
    if changed.iter().any(|file| !editable(&file.path, &policy)) {
        flags.insert("build".to_string());
    }
    let lines = diff::unified(changed).1;
    let limit = if policy.max_diff_lines == 0 { 24 } else { policy.max_diff_lines };
    if lines * 3 > limit * 2 || added.iter().any(|line| line.chars().count() > LONG_LINE) {
        flags.insert("big-diff".to_string());
    }
    if red_runs > 0 && red_runs + 1 >= session.config.budget.max_red {
        flags.insert("near-max-red".to_string());
    }
    flags
}

/// Whether a number or string of the visible tests is new in the code.
fn new_literal(session: &Session, changed: &[Changed], added: &[String]) -> bool {
    let mut known = BTreeSet::new();
    for path in session.files.keys().filter(|path| is_test(path)) {
        known.extend(literals(&read_beneath(&session.base, path).unwrap_or_default()));
    }
    for case in &session.task.cases {
        known.extend(literals(&case.argv.join(" ")));
        known.extend(literals(&case.want.stdout));
    }
    let old: BTreeSet<String> = changed.iter().flat_map(|file| literals(&file.old)).collect();
    added
        .iter()
        .flat_map(|line| literals(line))
        .any(|one| known.contains(&one) && !old.contains(&one))
}

fn is_test(path: &str) -> bool {
    path.split('/').any(|part| part == "tests" || part == "test" || part.starts_with("test_"))
}

/// Numbers of at least two digits, and strings of at least two characters.
fn literals(text: &str) -> BTreeSet<String> {
    let Ok(pattern) = Regex::new(r#""([^"\n]{2,})"|'([^'\n]{2,})'|\b(\d[\d_]*\.\d+|\d{2,})\b"#)
    else {
        return BTreeSet::new();
    };
    pattern
        .captures_iter(text)
        .filter_map(|found| found.iter().skip(1).flatten().next().map(|m| m.as_str().to_string()))
        .collect()
}

/// Whether the Rust code of a tree uses `unsafe`.
#[must_use]
pub fn has_unsafe(root: &Path, files: &Hashes) -> bool {
    let Ok(pattern) = Regex::new(r"\bunsafe\s*(\{|fn\b|impl\b|trait\b|extern\b|\()") else {
        return true;
    };
    files
        .keys()
        .filter(|path| path.ends_with(".rs"))
        .any(|path| read_beneath(root, path).is_some_and(|text| pattern.is_match(&text)))
}
