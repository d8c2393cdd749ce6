//! How many small mistakes the visible suite would notice: measured before an agent starts,
//! because a green suite is worth what it can see.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::grammar_mutants::mutants;
use crate::commands::Desk;
use crate::copy::{copy_checked, copy_tree};
use crate::paths::editable;
use crate::runner::{self, Report, Site, Status};
use crate::sandbox::{Job, Phase};
use crate::score::Strength;
use crate::state::{State, write_atomically};
use crate::toolchain::Toolchain;

/// Seconds that all mutants of the Rust code may take.
const RUST_TIMEOUT_S: u64 = 3600;

/// What became of a set of mutants.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Caught {
    /// Noticed by the suite.
    pub caught: Vec<String>,
    /// Not noticed.
    pub missed: Vec<String>,
    /// Do not even compile, so they say nothing.
    pub unviable: Vec<String>,
}

impl Caught {
    /// Caught, and caught or missed.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        (self.caught.len(), self.caught.len() + self.missed.len())
    }

    /// The report as a person reads it.
    #[must_use]
    pub fn text(&self, what: &str) -> String {
        let (caught, all) = self.counts();
        let mut text = format!("{caught} of {all} {what} mutants caught");
        if !self.unviable.is_empty() {
            text.push_str(&format!(", {} more do not compile", self.unviable.len()));
        }
        text.push('\n');
        for name in &self.missed {
            text.push_str(&format!("  missed {name}\n"));
        }
        text
    }
}

/// The last measured strength.
///
/// # Errors
/// When the file is damaged.
pub fn load(state: &State) -> Result<Strength> {
    match fs::read(state.dir.join("strength.json")) {
        Ok(bytes) => Ok(serde_json::from_slice(&bytes)?),
        Err(_) => Ok(Strength::default()),
    }
}

/// Keeps a measured strength.
///
/// # Errors
/// When the file cannot be written.
pub fn save(state: &State, strength: &Strength) -> Result<()> {
    let mut bytes = serde_json::to_vec_pretty(strength)?;
    bytes.push(b'\n');
    write_atomically(&state.dir.join("strength.json"), &bytes)
}

/// Tries every mutant of every editable grammar against the visible suite. Nothing if the
/// repository has no grammar.
///
/// # Errors
/// When the base does not build, a grammar cannot be read, or nothing can be run confined.
pub fn grammar(desk: &Desk) -> Result<Option<Caught>> {
    let scratch = Scratch::new(desk)?;
    let grammars: Vec<&String> = scratch
        .files
        .keys()
        .filter(|path| path.ends_with(".pest") && editable(path, &desk.config.policy))
        .collect();
    if grammars.is_empty() {
        return Ok(None);
    }
    let runner = runner::new(&desk.config.runner, &desk.jail()?, &desk.repo)?;
    let site = &scratch.site;
    let names = runner.list(site)?;
    let base = runner.run(site, &names, None)?;
    let mut result = Caught::default();
    for path in grammars {
        let file = site.repo.join(path);
        let text = fs::read_to_string(&file)?;
        for mutant in mutants(&text).with_context(|| format!("cannot read {path}"))? {
            fs::write(&file, &mutant.text)?;
            let report = runner.run(site, &names, None)?;
            let name = format!("{path} {}", mutant.name.replace('\n', " "));
            let list = if report.load_error.is_some() {
                &mut result.unviable
            } else if noticed(&base, &report) {
                &mut result.caught
            } else {
                &mut result.missed
            };
            list.push(name);
        }
        fs::write(&file, &text)?;
    }
    Ok(Some(result))
}

/// Whether a test that passes on the base does not pass any more.
fn noticed(base: &Report, now: &Report) -> bool {
    base.tests
        .iter()
        .zip(&now.tests)
        .any(|(before, after)| before.status == Status::Pass && after.status != Status::Pass)
}

/// Lets cargo-mutants try the Rust code against the visible suites.
///
/// # Errors
/// When cargo-mutants is not installed, the suite is not green on the base, or nothing can
/// be run confined.
pub fn rust(desk: &Desk) -> Result<Caught> {
    let tool = find_tool("cargo-mutants")
        .context("cargo-mutants is not installed (cargo install cargo-mutants)")?;
    let scratch = Scratch::new(desk)?;
    let site = &scratch.site;
    let toolchain = Toolchain::find(&desk.repo)?;
    toolchain.private_home(&site.home)?;
    let mut env = toolchain.env(&site.home, &site.target, &site.tmp);
    // The tool gives each of its copies a target folder of its own.
    env.remove("CARGO_TARGET_DIR");
    env.insert("CARGO".into(), toolchain.cargo());
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let mut argv = vec![text(&tool), "mutants".into()];
    argv.extend(["--dir".into(), text(&site.repo), "--output".into(), text(&site.target)]);
    argv.extend(["--no-shuffle", "--colors", "never", "--package"].map(String::from));
    argv.push(desk.config.runner.package.clone());
    for argument in &desk.config.runner.build_args {
        argv.extend(["--cargo-arg".into(), argument.clone()]);
    }
    argv.push("--".into());
    for suite in &desk.config.runner.suites {
        argv.extend(["--test".into(), suite.clone()]);
    }
    let mut read = toolchain.read();
    read.extend([site.repo.clone(), site.home.clone(), tool]);
    let ran = desk.jail()?.run(&Job {
        argv,
        cwd: site.repo.clone(),
        env,
        read,
        write: vec![site.target.clone(), site.tmp.clone()],
        stdin: String::new(),
        timeout: Duration::from_secs(RUST_TIMEOUT_S),
        phase: Phase::Build,
    })?;
    let out = site.target.join("mutants.out");
    // 0: all caught; 2: some missed; 3: some timed out.
    if !matches!(ran.code, Some(0 | 2 | 3)) || !out.is_dir() {
        let last = ran.stdout.lines().chain(ran.stderr.lines()).rfind(|line| !line.is_empty());
        bail!("cargo-mutants failed: {}", last.unwrap_or("no reason given"));
    }
    let list = |name: &str| -> Vec<String> {
        let text = fs::read_to_string(out.join(format!("{name}.txt"))).unwrap_or_default();
        text.lines().map(String::from).collect()
    };
    let caught = [list("caught"), list("timeout")].concat();
    Ok(Caught { caught, missed: list("missed"), unviable: list("unviable") })
}

fn find_tool(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(name)).find(|file| file.is_file())
}

/// A copy of the repository to change.
struct Scratch {
    _keep: tempfile::TempDir,
    site: Site,
    files: crate::copy::Hashes,
}

impl Scratch {
    fn new(desk: &Desk) -> Result<Scratch> {
        let keep = tempfile::tempdir()?;
        let root = keep.path().canonicalize()?;
        let hidden = crate::session::hidden_dir(&desk.repo, &desk.config);
        let base = root.join("base");
        let copied = copy_tree(&desk.repo, &base, &desk.config.copy, hidden.as_deref())?;
        let site = Site::in_folder(&root, &root)?;
        copy_checked(&base, &site.repo, &copied.files)?;
        Ok(Scratch { _keep: keep, site, files: copied.files })
    }
}
