//! Where files of the person who calls the program lie.

use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

use anyhow::Context;

/// The history of the prompt.
pub fn history() -> Option<PathBuf> {
    Some(base("XDG_STATE_HOME", ".local/state")?.join("history"))
}

/// The named rolls.
pub fn rolls() -> Option<PathBuf> {
    Some(base("XDG_CONFIG_HOME", ".config")?.join("rolls"))
}

/// The defaults of options.
pub fn defaults() -> Option<PathBuf> {
    Some(base("XDG_CONFIG_HOME", ".config")?.join("defaults"))
}

/// A folder of ours in the folder that a variable names, or else in one below the home folder.
fn base(variable: &str, below_home: &str) -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    // The standard wants a relative path to be ignored.
    let base = set(variable).filter(|path| path.is_absolute());
    Some(base.or_else(|| Some(set("HOME")?.join(below_home)))?.join("dice"))
}

/// What a file of the person who calls the program holds; `None` if there is none.
///
/// # Errors
/// It cannot be read, or is something that may never end, such as a pipe.
pub fn read(path: &Path) -> anyhow::Result<Option<String>> {
    let read = || match std::fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
        Ok(about) if !about.is_file() => Err(Error::other("it is no file")),
        Ok(_) => std::fs::read_to_string(path).map(Some),
    };
    read().with_context(|| format!("{} cannot be read", path.display()))
}
