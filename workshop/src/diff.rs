//! The difference between the base of a session and its copy.

use std::path::Path;

use similar::{ChangeTag, TextDiff};

use crate::copy::Hashes;

/// Number of lines added plus removed.
#[must_use]
pub fn count(old: &str, new: &str) -> usize {
    TextDiff::from_lines(old, new)
        .iter_all_changes()
        .filter(|change| change.tag() != ChangeTag::Equal)
        .count()
}

/// The lines that `new` has and `old` has not.
#[must_use]
pub fn added(old: &str, new: &str) -> Vec<String> {
    TextDiff::from_lines(old, new)
        .iter_all_changes()
        .filter(|change| change.tag() == ChangeTag::Insert)
        .map(|change| change.value().trim_end_matches('\n').to_string())
        .collect()
}

/// One changed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// Path relative to the root.
    pub path: String,
    /// Text in the base.
    pub old: String,
    /// Text in the copy.
    pub new: String,
}

/// The files of `copy` whose text is not that of `base`, in order.
///
/// Only files that are in `files` are looked at: no tool creates a file.
#[must_use]
pub fn changed(base: &Path, copy: &Path, files: &Hashes) -> Vec<Changed> {
    let read = |root: &Path, path: &String| std::fs::read(root.join(path)).ok();
    let mut list = Vec::new();
    for path in files.keys() {
        let (old, new) = (read(base, path), read(copy, path));
        if old != new {
            let text = |bytes: Option<Vec<u8>>| {
                String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned()
            };
            list.push(Changed { path: path.clone(), old: text(old), new: text(new) });
        }
    }
    list
}

/// A unified diff of all changed files and its number of added plus removed lines.
#[must_use]
pub fn unified(changed: &[Changed]) -> (String, usize) {
    let mut text = String::new();
    let mut lines = 0;
    for file in changed {
        lines += count(&file.old, &file.new);
        let diff = TextDiff::from_lines(file.old.as_str(), file.new.as_str());
        let (old, new) = (format!("a/{}", file.path), format!("b/{}", file.path));
        text.push_str(&diff.unified_diff().context_radius(3).header(&old, &new).to_string());
    }
    (text, lines)
}
