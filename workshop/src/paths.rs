//! Paths that somebody else chose: taken apart first, opened without following links.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use rustix::fs::{Mode, OFlags, ResolveFlags, open, openat2};

use crate::config::Policy;
use crate::copy::globs;

/// The largest file the tools handle, in bytes.
pub const MAX_FILE: u64 = 1024 * 1024;

/// The components of `path` if it is plain: relative, without `.`, `..`, empty components,
/// backslashes and NUL.
#[must_use]
pub fn components(path: &str) -> Option<Vec<&str>> {
    let parts: Vec<&str> = path.split('/').collect();
    let plain = parts.iter().all(|part| {
        !part.is_empty() && *part != "." && *part != ".." && !part.contains(['\\', '\0'])
    });
    plain.then_some(parts)
}

/// Whether the policy lets `path` be edited: inside the allow list by components, and not
/// matched by the deny list. A malformed deny glob denies everything.
#[must_use]
pub fn editable(path: &str, policy: &Policy) -> bool {
    let Some(parts) = components(path) else { return false };
    let within = |entry: &String| match entry.strip_suffix('/') {
        Some(folder) => components(folder)
            .is_some_and(|folder| parts.len() > folder.len() && parts.starts_with(&folder)),
        None => path == entry,
    };
    if policy.unsafe_allow.iter().any(within) {
        return true;
    }
    policy.edit_allow.iter().any(within)
        && globs(&policy.edit_deny).is_ok_and(|deny| !deny.is_match(path))
}

/// Opens a regular file below `root` without following any link.
///
/// The kernel resolves the path (`openat2` with `RESOLVE_BENEATH`), so no link that appears
/// between a check and the opening can lead outside. Files with several names are refused.
fn open_beneath(root: &Path, path: &str, flags: OFlags) -> Option<File> {
    components(path)?;
    let folder =
        open(root, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()).ok()?;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    let flags = flags | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    let fd = openat2(folder, path, flags, Mode::empty(), resolve).ok()?;
    let file = File::from(fd);
    let data = file.metadata().ok()?;
    let one_name = std::os::unix::fs::MetadataExt::nlink(&data) == 1;
    (data.is_file() && one_name && data.len() <= MAX_FILE).then_some(file)
}

/// The text of a file below `root`, or nothing if there is no such plain text file.
#[must_use]
pub fn read_beneath(root: &Path, path: &str) -> Option<String> {
    let mut file = open_beneath(root, path, OFlags::RDONLY)?;
    let mut text = String::new();
    file.read_to_string(&mut text).ok()?;
    Some(text)
}

/// Replaces the text of an existing file below `root`.
///
/// # Errors
/// When there is no such plain file or it cannot be written.
pub fn write_beneath(root: &Path, path: &str, text: &str) -> std::io::Result<()> {
    let mut file = open_beneath(root, path, OFlags::RDWR)
        .ok_or_else(|| std::io::Error::from(std::io::ErrorKind::NotFound))?;
    file.set_len(0)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
