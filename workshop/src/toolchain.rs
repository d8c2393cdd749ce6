//! The Rust toolchain as a confined build sees it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// Where the compiler and the downloaded dependencies are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toolchain {
    sysroot: PathBuf,
    cargo_home: PathBuf,
}

impl Toolchain {
    /// The toolchain that would build the repository at `repo`.
    ///
    /// # Errors
    /// When there is no `rustc`.
    pub fn find(repo: &Path) -> Result<Toolchain> {
        let output = Command::new("rustc")
            .args(["--print", "sysroot"])
            .current_dir(repo)
            .output()
            .context("rustc is not installed")?;
        if !output.status.success() {
            bail!("rustc --print sysroot failed");
        }
        let sysroot = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
        let cargo_home = std::env::var_os("CARGO_HOME")
            .map(PathBuf::from)
            .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cargo")))
            .context("neither CARGO_HOME nor HOME is set")?;
        Ok(Toolchain { sysroot, cargo_home })
    }

    /// The program `cargo`.
    #[must_use]
    pub fn cargo(&self) -> String {
        self.sysroot.join("bin/cargo").to_string_lossy().into_owned()
    }

    /// The program `rustc`.
    #[must_use]
    pub fn rustc(&self) -> String {
        self.sysroot.join("bin/rustc").to_string_lossy().into_owned()
    }

    /// What a build must be able to read.
    #[must_use]
    pub fn read(&self) -> Vec<PathBuf> {
        let mut list = vec![self.sysroot.clone()];
        for name in ["registry", "git"] {
            let path = self.cargo_home.join(name);
            if path.is_dir() {
                list.push(path);
            }
        }
        list
    }

    /// Makes a cargo home that holds no credentials and that no build can write: links to
    /// the downloaded dependencies, and of the user's configuration only the sources.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn private_home(&self, at: &Path) -> Result<()> {
        if at.exists() {
            return Ok(());
        }
        let parent = at.parent().unwrap_or(Path::new("."));
        let beside = tempfile::Builder::new().prefix("cargo-home-").tempdir_in(parent)?;
        let ready = beside.path();
        for name in ["registry", "git"] {
            let real = self.cargo_home.join(name);
            if real.is_dir() {
                std::os::unix::fs::symlink(&real, ready.join(name))?;
            }
        }
        let user = ["config.toml", "config"]
            .iter()
            .find_map(|name| std::fs::read_to_string(self.cargo_home.join(name)).ok());
        if let Some(text) = user
            && let Ok(table) = text.parse::<toml::Table>()
            && let Some(source) = table.get("source")
        {
            let kept = toml::Table::from_iter([("source".to_string(), source.clone())]);
            std::fs::write(ready.join("config.toml"), kept.to_string())?;
        }
        // Another process may have made the same folder meanwhile.
        match std::fs::rename(ready, at) {
            Err(error) if !at.is_dir() => Err(error.into()),
            _ => Ok(()),
        }
    }

    /// The whole environment of a build.
    #[must_use]
    pub fn env(&self, home: &Path, target: &Path, tmp: &Path) -> BTreeMap<String, String> {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let mut env = plain_env(tmp);
        let path = format!("{}:/usr/bin:/bin", text(&self.sysroot.join("bin")));
        let more = [
            ("PATH", path.as_str()),
            ("CARGO_HOME", &text(home)),
            ("CARGO_TARGET_DIR", &text(target)),
            ("CARGO_NET_OFFLINE", "true"),
            ("CARGO_TERM_COLOR", "never"),
            ("CARGO_INCREMENTAL", "0"),
            ("CARGO_PROFILE_DEV_DEBUG", "0"),
            ("CARGO_PROFILE_TEST_DEBUG", "0"),
        ]
        .map(|(name, value)| (name.to_string(), value.to_string()));
        env.extend(more);
        env
    }
}

/// The environment of any confined program: nothing of the caller's.
#[must_use]
pub fn plain_env(tmp: &Path) -> BTreeMap<String, String> {
    let tmp = tmp.to_string_lossy();
    [
        ("PATH", "/usr/bin:/bin"),
        ("HOME", &tmp),
        ("TMPDIR", &tmp),
        ("LANG", "C.UTF-8"),
        ("RUST_BACKTRACE", "0"),
    ]
    .map(|(name, value)| (name.to_string(), value.to_string()))
    .into()
}
