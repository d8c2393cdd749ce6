//! The history of the conversation, kept on disk.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::ser::{PrettyFormatter, Serializer};

use crate::cards::atomic::{self, Lock};

/// The file in the root of the project.
pub const DATEI: &str = ".chat.json";

/// How many messages are kept, those of both sides counted. What was said earlier is on the
/// cards by now.
pub const TIEFE: usize = 30;

/// Who spoke.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rolle {
    /// The person.
    Person,
    /// The model.
    Ki,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Eintrag {
    /// Who spoke.
    pub rolle: Rolle,
    /// What was said.
    pub text: String,
}

impl Eintrag {
    /// A message.
    #[must_use]
    pub fn new(rolle: Rolle, text: impl Into<String>) -> Eintrag {
        Eintrag { rolle, text: text.into() }
    }
}

fn path(root: &Path) -> PathBuf {
    root.join(DATEI)
}

/// The messages so far. A file that is missing, unreadable or not a list is an empty
/// history; entries of another form are left out.
#[must_use]
pub fn load(root: &Path) -> Vec<Eintrag> {
    let text = fs::read_to_string(path(root)).unwrap_or_default();
    let entries: Vec<Value> = serde_json::from_str(&text).unwrap_or_default();
    entries.into_iter().filter_map(|entry| serde_json::from_value(entry).ok()).collect()
}

/// Adds messages and keeps the last [`TIEFE`]. The file is read again under a lock, so that
/// two rounds at once lose nothing of each other.
///
/// # Errors
/// When the file cannot be written; it then holds what it held before.
pub fn append(root: &Path, entries: &[Eintrag]) -> io::Result<Vec<Eintrag>> {
    append_with(root, entries, |_| Ok(()))
}

/// [`append`] with a step before the file is renamed into its place, for tests of crashes.
///
/// # Errors
/// When the file cannot be written or the step refuses; it then holds what it held before.
pub fn append_with(
    root: &Path,
    entries: &[Eintrag],
    before_rename: impl FnOnce(&Path) -> io::Result<()>,
) -> io::Result<Vec<Eintrag>> {
    let _lock = Lock::folder(root)?;
    let mut all = load(root);
    all.extend_from_slice(entries);
    let kept = all.split_off(all.len().saturating_sub(TIEFE));
    let mut bytes = Vec::new();
    let formatter = PrettyFormatter::with_indent(b" ");
    kept.serialize(&mut Serializer::with_formatter(&mut bytes, formatter))?;
    bytes.push(b'\n');
    atomic::replace_with(&path(root), &bytes, before_rename)?;
    Ok(kept)
}

/// Forgets the conversation; there may be none.
///
/// # Errors
/// When the file cannot be removed.
pub fn clear(root: &Path) -> io::Result<()> {
    let _lock = Lock::folder(root)?;
    atomic::remove(&path(root))
}
