//! Compiled dependencies, kept between sessions. Only the base ever fills this store, and
//! nothing of the workspace's own code is in it, so it cannot carry a verdict over.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::copy::sha256;

/// The store for a lock file, or none when there are no dependencies worth keeping.
pub(super) fn folder(home: &Path, repo: &Path, rustc: &str) -> Option<PathBuf> {
    let lock = fs::read_to_string(repo.join("Cargo.lock")).ok()?;
    if !lock.contains("source = ") {
        return None;
    }
    let key = sha256(format!("{rustc}\n{lock}").as_bytes());
    Some(home.parent()?.join("warm").join(&key[..16]))
}

/// Fills an empty target folder from the store.
pub(super) fn fetch(store: &Path, target: &Path) -> Result<()> {
    if store.is_dir() && fs::read_dir(target)?.next().is_none() {
        copy(store, target)?;
    }
    Ok(())
}

/// Keeps a target folder as the store; `clean` removes the workspace's own code from it.
pub(super) fn keep(
    store: &Path,
    target: &Path,
    clean: impl FnOnce(&Path) -> Result<bool>,
) -> Result<()> {
    let Some(parent) = store.parent() else { return Ok(()) };
    if store.exists() {
        return Ok(());
    }
    fs::create_dir_all(parent)?;
    let beside = tempfile::Builder::new().prefix("new-").tempdir_in(parent)?;
    copy(target, beside.path())?;
    if clean(beside.path())? {
        // Another session may have been quicker; its store is as good.
        fs::rename(beside.path(), store).ok();
    }
    Ok(())
}

/// Copies a tree with modes and times: cargo decides by times what is fresh.
fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, kind) = (to.join(entry.file_name()), entry.file_type()?);
        if kind.is_dir() {
            copy(&entry.path(), &path)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), &path)?;
            let data = entry.metadata()?;
            let times = fs::FileTimes::new().set_modified(data.modified()?);
            fs::File::options().write(true).open(&path)?.set_times(times)?;
        }
    }
    Ok(())
}
