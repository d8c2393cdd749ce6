//! What several tests need.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use tempfile::TempDir;
use workshop::config;
use workshop::sandbox::{Jail, Job, Phase};
use workshop::toolchain::plain_env;

/// The program under test.
pub fn program() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_workshop"))
}

/// A command of the program with its state in `state`.
pub fn workshop(state: &Path) -> Command {
    let mut command = Command::new(program());
    command.env("WORKSHOP_STATE", state);
    command
}

/// The fixtures of the crate.
pub fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// An empty folder that is removed at the end, with a path free of links.
pub fn folder() -> (TempDir, PathBuf) {
    let dir = TempDir::new().unwrap();
    let path = dir.path().canonicalize().unwrap();
    (dir, path)
}

/// Writes files with their folders.
pub fn write(root: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// Every file below `root` with its text.
pub fn tree(root: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.is_symlink() {
                open.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
                let text = fs::read(&path).unwrap_or_default();
                found.insert(name, String::from_utf8_lossy(&text).into_owned());
            }
        }
    }
    found
}

/// A native jail.
pub fn jail() -> Jail {
    Jail::new(&config::Sandbox::default(), &program(), false).unwrap()
}

/// A job of the run phase that may write only `tmp`.
pub fn job(tmp: &Path, argv: &[&str]) -> Job {
    Job {
        argv: argv.iter().map(ToString::to_string).collect(),
        cwd: tmp.to_path_buf(),
        env: plain_env(tmp),
        read: Vec::new(),
        write: vec![tmp.to_path_buf()],
        stdin: String::new(),
        timeout: Duration::from_secs(20),
        phase: Phase::Run,
    }
}
