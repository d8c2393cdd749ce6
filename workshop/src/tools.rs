//! The four tools of the agent. Every refusal is an observation, never an error of the loop.

use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use regex::Regex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::config::Policy;
use crate::copy::Hashes;
use crate::text::clip;
use crate::{diff, paths};

/// Longest text `read_file` shows whole, in characters; of a longer one it shows both ends.
pub const READ_LIMIT: usize = 10_000;
/// Most hits `grep` shows.
pub const GREP_LIMIT: usize = 200;
/// Characters of a line that `grep` shows.
const GREP_LINE: usize = 500;

/// The arguments of an action; which are needed depends on the tool.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Args {
    /// Path relative to the root of the repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Regular expression to look for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// Text to replace; it must occur exactly once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// Text to put in its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
    /// Name of the one test to run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only: Option<String>,
}

/// One step of the agent, as the model answers it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Action {
    /// What the step is meant to find out or change, and why.
    pub hypothesis: String,
    /// `read_file`, `grep`, `edit_file` or `run_tests`.
    pub tool: String,
    /// The arguments of the tool.
    pub args: Args,
}

/// The JSON schema of an [`Action`].
#[must_use]
pub fn action_schema() -> serde_json::Value {
    let mut schema = schemars::schema_for!(Action).to_value();
    schema["properties"]["tool"] = serde_json::json!({
        "type": "string",
        "enum": ["read_file", "grep", "edit_file", "run_tests"],
    });
    schema
}

/// Runs the visible suite for the tool `run_tests`.
pub trait Suite {
    /// Runs the whole suite or the one named test and says what happened, in the format of
    /// the runner.
    ///
    /// # Errors
    /// Only when code cannot be run safely at all.
    fn run(&mut self, only: Option<&str>) -> Result<String>;
}

/// The tools at work on one copy.
pub struct Tools<'a> {
    /// The copy.
    pub root: &'a Path,
    /// The untouched base.
    pub base: &'a Path,
    /// The files of the base.
    pub files: &'a Hashes,
    /// What may be edited.
    pub policy: &'a Policy,
    /// Runs the visible suite.
    pub suite: &'a mut dyn Suite,
}

impl Tools<'_> {
    /// Does one action. The observation is never empty.
    ///
    /// # Errors
    /// Only when code cannot be run safely at all.
    pub fn call(&mut self, action: &Action) -> Result<(String, u64)> {
        let start = Instant::now();
        let observation = self.observe(action)?;
        let ms = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok((observation, ms))
    }

    fn observe(&mut self, action: &Action) -> Result<String> {
        if action.hypothesis.trim().is_empty() {
            return Ok("error: state a hypothesis first".to_string());
        }
        let bad = || Ok(format!("error: bad arguments for {}", action.tool));
        let a = &action.args;
        let given = (&a.path, &a.pattern, &a.old, &a.new, &a.only);
        match action.tool.as_str() {
            "read_file" => match given {
                (Some(path), None, None, None, None) => Ok(self.read_file(path)),
                _ => bad(),
            },
            "grep" => match given {
                (None, Some(pattern), None, None, None) => Ok(self.grep(pattern)),
                _ => bad(),
            },
            "edit_file" => match given {
                (Some(path), None, Some(old), Some(new), None) => {
                    Ok(self.edit_file(path, old, new))
                }
                _ => bad(),
            },
            "run_tests" => match given {
                (None, None, None, None, only) => {
                    self.suite.run(only.as_deref().filter(|name| !name.is_empty()))
                }
                _ => bad(),
            },
            name => Ok(format!("error: unknown tool {name}")),
        }
    }

    fn read_file(&self, path: &str) -> String {
        let Some(text) = paths::read_beneath(self.root, path) else {
            return no_such_file(path);
        };
        if text.is_empty() {
            return "(empty file)".to_string();
        }
        shorten(&text)
    }

    fn grep(&self, pattern: &str) -> String {
        let Ok(regex) = Regex::new(pattern) else {
            return "error: bad pattern".to_string();
        };
        let mut hits = Vec::new();
        for path in self.files.keys() {
            let Some(text) = paths::read_beneath(self.root, path) else { continue };
            for (n, line) in text.lines().enumerate() {
                if regex.is_match(line) {
                    hits.push(format!("{path}:{}: {}", n + 1, clip(line.trim_start(), GREP_LINE)));
                }
            }
        }
        if hits.is_empty() {
            return "no match".to_string();
        }
        hits.truncate(GREP_LIMIT);
        hits.join("\n")
    }

    /// The checks stand in the order in which they are made; a person can rely on it.
    fn edit_file(&self, path: &str, old: &str, new: &str) -> String {
        if !paths::editable(path, self.policy) {
            let allowed = python_list(&self.policy.edit_allow);
            return format!("denied by policy: {path} is read-only, editable: {allowed}");
        }
        let Some(text) = paths::read_beneath(self.root, path) else {
            return no_such_file(path);
        };
        let touched = lines(old) + lines(new);
        let budget = self.policy.max_edit_lines;
        if touched > budget {
            return format!("denied by policy: edit touches {touched} lines, budget {budget}");
        }
        if old.is_empty() {
            return "error: old text is empty".to_string();
        }
        match text.matches(old).count() {
            0 => return "error: old text not found, read the file again".to_string(),
            1 if text.find(old) == text.rfind(old) => {}
            1 => return "error: old text occurs 2 times, add context".to_string(),
            k => return format!("error: old text occurs {k} times, add context"),
        }
        let patched = text.replacen(old, new, 1);
        let total = self.diff_with(path, &patched);
        let budget = self.policy.max_diff_lines;
        if budget > 0 && total > budget {
            return format!("denied by policy: diff would be {total} lines, budget {budget}");
        }
        match paths::write_beneath(self.root, path, &patched) {
            Ok(()) => format!("ok: patched {path}"),
            Err(_) => no_such_file(path),
        }
    }

    /// Lines of the whole diff if `path` had the text `patched`.
    fn diff_with(&self, path: &str, patched: &str) -> usize {
        let others: usize = diff::changed(self.base, self.root, self.files)
            .iter()
            .filter(|file| file.path != path)
            .map(|file| diff::count(&file.old, &file.new))
            .sum();
        let old = paths::read_beneath(self.base, path).unwrap_or_default();
        others + diff::count(&old, patched)
    }
}

fn no_such_file(path: &str) -> String {
    format!("error: no such file {path}")
}

/// Number of lines by every line ending that any editor or compiler knows, so that a budget
/// in lines cannot be passed with an unusual one.
fn lines(text: &str) -> usize {
    let breaks = [
        '\n', '\r', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}',
        '\u{2029}',
    ];
    let unified = text.replace("\r\n", "\n");
    let ends = unified.chars().filter(|c| breaks.contains(c)).count();
    let open = unified.chars().next_back().is_some_and(|c| !breaks.contains(&c));
    ends + usize::from(open)
}

fn shorten(text: &str) -> String {
    let length = text.chars().count();
    if length <= READ_LIMIT {
        return text.to_string();
    }
    let half = READ_LIMIT / 2;
    let head: String = text.chars().take(half).collect();
    let tail: String = text.chars().skip(length - half).collect();
    format!("{head}\n[… {} characters left out …]\n{tail}", length - 2 * half)
}

/// A list as Python prints it.
#[must_use]
pub fn python_list(items: &[String]) -> String {
    let quoted: Vec<String> = items.iter().map(|item| format!("'{item}'")).collect();
    format!("[{}]", quoted.join(", "))
}

/// A call as the log prints it: `tool(arg='…')`.
#[must_use]
pub fn call_text(tool: &str, args: &Args) -> String {
    let named = [
        ("path", &args.path),
        ("pattern", &args.pattern),
        ("old", &args.old),
        ("new", &args.new),
        ("only", &args.only),
    ];
    let shown: Vec<String> = named
        .iter()
        .filter_map(|(name, value)| value.as_ref().map(|v| format!("{name}={}", quote(v))))
        .collect();
    format!("{tool}({})", shown.join(", "))
}

/// A string on one line in single quotes, as Python prints it.
fn quote(text: &str) -> String {
    let escaped =
        text.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r").replace('\t', "\\t");
    if escaped.contains('\'') && !escaped.contains('"') {
        format!("\"{escaped}\"")
    } else {
        format!("'{}'", escaped.replace('\'', "\\'"))
    }
}
