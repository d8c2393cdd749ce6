//! Commands that prepare and prove the workshop itself.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::Desk;
use crate::cli::{ERROR, NO_SANDBOX, OK};
use crate::config::{Config, FILE};
use crate::copy::{copy_checked, copy_tree};
use crate::replay;
use crate::runner::{self, Site};
use crate::sandbox::{self, Jail};
use crate::session::{Session, Task};

/// `doctor`.
///
/// # Errors
/// When nothing can be run confined.
pub fn doctor(desk: &Desk, out: &mut dyn Write) -> Result<u8> {
    let report = sandbox::doctor::examine(&desk.jail()?, &desk.helper)?;
    write!(out, "{}", report.text())?;
    Ok(if report.healthy() { OK } else { NO_SANDBOX })
}

/// `init`.
///
/// # Errors
/// When the repository has no runner that can be detected, or nothing can be run confined.
pub fn init(desk: &mut Desk, out: &mut dyn Write) -> Result<u8> {
    let path = desk.repo.join(FILE);
    if path.exists() {
        writeln!(out, "{FILE} is there already")?;
    } else {
        let text = detect(&desk.repo)?;
        Config::parse(&text)?;
        fs::write(&path, text)?;
        writeln!(out, "wrote {FILE}")?;
        let hidden = desk.config.hidden.clone();
        desk.config = Config::load(&desk.repo)?;
        desk.config.hidden = hidden;
    }
    let code = doctor(desk, out)?;
    if code != OK {
        return Ok(code);
    }
    if desk.repo.join("Cargo.toml").exists() {
        // The only step that may use the network: dependencies must be there before code
        // is run without it.
        let fetched = Command::new("cargo")
            .args(["fetch", "--locked", "--quiet"])
            .current_dir(&desk.repo)
            .status()
            .context("cargo is not installed")?;
        if !fetched.success() {
            bail!("cargo fetch --locked failed: is there a Cargo.lock that fits?");
        }
    }
    let scratch = tempfile::tempdir()?;
    let root = scratch.path().canonicalize()?;
    let copied = copy_tree(&desk.repo, &root.join("base"), &desk.config.copy, None)?;
    let site = Site::in_folder(&root, &root)?;
    copy_checked(&root.join("base"), &site.repo, &copied.files)?;
    let runner = runner::new(&desk.config.runner, &desk.jail()?, &desk.repo)?;
    for name in runner.list(&site)? {
        writeln!(out, "test {name}")?;
    }
    Ok(OK)
}

/// The configuration for a repository that has none.
fn detect(repo: &Path) -> Result<String> {
    let manifest = fs::read_to_string(repo.join("Cargo.toml")).unwrap_or_default();
    let table: toml::Table = manifest.parse().context("Cargo.toml is wrong")?;
    let package = table.get("package").and_then(|p| p.get("name")).and_then(|name| name.as_str());
    let Some(package) = package else {
        bail!("no package in Cargo.toml; for other languages write {FILE} by hand, see the README");
    };
    let list = |folder: &Path, ending: &str, whole: bool| {
        let mut names: Vec<String> = fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|entry| {
                let name = entry.file_name().to_str()?.to_string();
                let stem = name.strip_suffix(ending)?.to_string();
                Some(format!("{:?}", if whole { name } else { stem }))
            })
            .collect();
        names.sort();
        names
    };
    let mut suites = list(&repo.join("tests"), ".rs", false);
    for entry in fs::read_dir(repo.join("tests")).into_iter().flatten().flatten() {
        if entry.path().join("main.rs").is_file() {
            suites.push(format!("{:?}", entry.file_name().to_string_lossy()));
        }
    }
    if suites.is_empty() {
        bail!("there are no tests in tests/: without a visible suite nothing can be judged");
    }
    let mut allow = vec!["\"src/\"".to_string()];
    allow.extend(list(repo, ".pest", true));
    Ok(format!(
        "[policy]\nedit_allow = [{}]\n\n[runner]\nkind = \"cargo\"\npackage = {package:?}\n\
         suites = [{}]\n",
        allow.join(", "),
        suites.join(", ")
    ))
}

/// `replay`.
///
/// # Errors
/// When there is no such run or nothing can be run confined.
pub fn replay(
    desk: &Desk,
    wanted: &str,
    fixtures: &Path,
    bless: bool,
    out: &mut dyn Write,
) -> Result<u8> {
    let jail = Jail::new(&Config::default().sandbox, &desk.helper, desk.allow_off)?;
    let runs = replay::find(fixtures, wanted)?;
    let mut different = 0;
    let mut fixture = "";
    let mut scratch = tempfile::tempdir()?;
    for run in &runs {
        if fixture != run.fixture {
            fixture = &run.fixture;
            scratch = tempfile::tempdir()?;
            writeln!(out, "# {fixture}\n")?;
        }
        let log = replay::play(run, scratch.path(), &jail)?.log;
        writeln!(out, "{log}")?;
        if bless {
            run.bless(&log)?;
        } else if run.expected().as_deref() != Some(log.as_str()) {
            let expected = run.expected().unwrap_or_default();
            let diff = similar::TextDiff::from_lines(expected.as_str(), log.as_str());
            let diff = diff.unified_diff().header("expected", "now").to_string();
            writeln!(out, "run {} differs:\n{diff}", run.id())?;
            different += 1;
        }
    }
    writeln!(out, "{} runs, {different} different from the expected log", runs.len())?;
    Ok(if different == 0 { OK } else { ERROR })
}

/// `replay --session`: feeds the actions of a journal to a fresh copy of its base.
///
/// # Errors
/// When there is no such session or nothing can be run confined.
pub fn replay_session(desk: &Desk, id: &str, out: &mut dyn Write) -> Result<u8> {
    let old = desk.session(id)?;
    let (_, steps) = crate::journal::read(&old.dir.join("journal.jsonl"))?;
    let scratch = tempfile::tempdir()?;
    let state = crate::state::State::below(scratch.path(), &old.base)?;
    let task = Task { ..old.task.clone() };
    let new = Session::create(&state, &old.base, &old.config, &old.jail, task)?;
    let mut different = 0;
    for step in steps.iter().filter(|step| step.tool != "(unreadable)") {
        let action = crate::tools::Action {
            hypothesis: step.hypothesis.clone(),
            tool: step.tool.clone(),
            args: step.args.clone(),
        };
        let again = new.act(step.n, &action)?;
        if again.observation != step.observation {
            different += 1;
            writeln!(out, "step {} differs: {}", step.n, again.observation)?;
        }
    }
    writeln!(out, "{} steps, {different} different from the journal", steps.len())?;
    Ok(if different == 0 { OK } else { ERROR })
}
