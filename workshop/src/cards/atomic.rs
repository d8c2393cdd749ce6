//! Files that are whole at every moment, and changed by one process at a time.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The temporary file beside `path`: `.neu` after its name.
#[must_use]
pub fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(".neu");
    PathBuf::from(name)
}

/// Replaces a file: a temporary file beside it, flushed to the disk, then renamed over it.
/// Whoever reads `path` sees the old content or the new one, never a part.
///
/// # Errors
/// When the disk refuses; the old file is then still there.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    replace_with(path, content, |_| Ok(()))
}

/// [`replace`] with a step between the flush and the rename, for tests of what a crash at
/// that moment leaves behind.
///
/// # Errors
/// When the disk or the step refuses; the old file is then still there.
pub fn replace_with(
    path: &Path,
    content: &[u8],
    before_rename: impl FnOnce(&Path) -> io::Result<()>,
) -> io::Result<()> {
    let temporary = beside(path);
    match fs::remove_file(&temporary) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = File::create_new(&temporary)?;
    file.write_all(content)?;
    file.sync_all()?;
    drop(file);
    before_rename(path)?;
    fs::rename(&temporary, path)?;
    sync_folder(path)
}

/// Removes a file; it may be missing.
///
/// # Errors
/// When the disk refuses.
pub fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => sync_folder(path),
    }
}

fn sync_folder(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}

/// Holds the lock of a folder until it is dropped, also against other processes.
#[derive(Debug)]
pub struct Lock(#[expect(dead_code, reason = "dropping it releases the lock")] File);

impl Lock {
    /// Waits for the lock of a folder, which is made when it is missing. The folder itself
    /// is locked, so that no lock file is left behind.
    ///
    /// # Errors
    /// When the folder cannot be made, opened or locked.
    pub fn folder(folder: &Path) -> io::Result<Lock> {
        fs::create_dir_all(folder)?;
        let file = File::open(folder)?;
        file.lock()?;
        Ok(Lock(file))
    }
}
