//! The judge: decides on a patch where the agent's code is not.
//!
//! It takes the base, applies only the changes that the tools made in editable files, builds
//! with a target of its own, runs the visible suite from the base's test files, and gives
//! each hidden case to a process that knows the input but never the expected output.

pub mod cases;
pub mod differential;
pub mod flags;
pub mod generate;
pub mod grammar_mutants;
pub mod hidden;
pub mod strength;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use crate::cards::atomic::Lock;
use crate::config::Config;
use crate::copy::{copy_checked, hash_tree, sha256};
use crate::diff::Changed;
use crate::journal;
use crate::paths::editable;
use crate::runner::{Report, Site};
use crate::session::{Kind, Session, hidden_dir};
use crate::state::State;
use cases::Case;
use differential::Compared;

/// What the judge found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verdict {
    /// The suite on the agent's copy, as the agent left it.
    pub visible: Report,
    /// The suite with the base's test files.
    pub judged: Report,
    /// The hidden cases.
    pub hidden: Report,
    /// The hidden folder's in-process suites, for comparison only.
    pub inside: Option<Report>,
    /// The comparison with the base on generated inputs, where there was one.
    pub compared: Option<Compared>,
    /// Why the patch was not judged at all.
    pub refused: Option<String>,
    /// Signs that a person should look at.
    pub flags: BTreeSet<String>,
}

impl Verdict {
    /// Whether a person may accept the patch.
    #[must_use]
    pub fn acceptable(&self) -> bool {
        self.refused.is_none()
            && self.judged.green()
            && self.hidden.green()
            && self.difference().is_none()
            && !self.flags.contains("flaky")
            && !self.flags.contains("forged-output")
    }

    /// First difference to the base where none may be.
    fn difference(&self) -> Option<&String> {
        self.compared.as_ref()?.difference.as_ref()
    }

    /// The verdict on one line.
    #[must_use]
    pub fn text(&self) -> String {
        if let Some(reason) = &self.refused {
            return format!("judge: refused ({reason})");
        }
        if self.acceptable() {
            return "judge: acceptable".to_string();
        }
        let mut why = Vec::new();
        if !self.judged.green() {
            why.push(format!("visible {}", self.judged.short()));
        }
        if let Some(reason) = &self.judged.load_error {
            why.push(format!("suite failed to load: {reason}"));
        }
        if !self.hidden.green() {
            why.push(format!("hidden {}", self.hidden.short()));
        }
        if let Some(difference) = self.difference() {
            why.push(format!("differs from the base: {difference}"));
        }
        for flag in ["flaky", "forged-output"] {
            if self.flags.contains(flag) {
                why.push(flag.to_string());
            }
        }
        format!("judge: not acceptable ({})", why.join(", "))
    }
}

/// What a judgement is made of besides the session.
#[derive(Debug, Clone, Copy, Default)]
pub struct Extra {
    /// Red runs the agent used.
    pub red_runs: usize,
    /// Whether the hidden folder's in-process suites are run for comparison.
    pub inside: bool,
}

/// Judges the patch of a session.
///
/// # Errors
/// When there are no hidden cases, or nothing can be run confined.
pub fn judge(state: &State, session: &Session, extra: Extra) -> Result<Verdict> {
    let hidden = hidden_dir(&session.repo, &session.config)
        .context("no hidden cases: set hidden.dir or give --hidden")?;
    let cases = cases::read(&hidden)?;
    if cases.is_empty() {
        bail!("there are no hidden cases in {}", hidden.display());
    }
    let secret = sha256(&fs::read(hidden.join(cases::FILE))?);
    if let Some((path, _)) = session.files.iter().find(|(_, hash)| **hash == secret) {
        bail!("the hidden cases were in the copy as {path}: they are hidden no more");
    }
    let changed = session.changed();
    let mut verdict = Verdict {
        visible: session.visible(&session.site, None)?,
        flags: flags::find(session, &changed, extra.red_runs),
        ..Verdict::default()
    };
    if let Some(reason) = tampered(session, &changed)? {
        verdict.refused = Some(reason);
        verdict.hidden = cases::all_failed(&cases, "not judged");
        return Ok(verdict);
    }
    // One judge at a time in a session; what a killed one left behind goes.
    let _lock = Lock::folder(&session.dir)?;
    let room = room(state, session)?;
    let court = Court::new(state, session, &changed, &hidden, room.path())?;
    verdict.judged = session.visible(&court.site, None)?;
    verdict.hidden = court.hidden(&cases)?;
    if verdict.judged.timed_out() || verdict.hidden.timed_out() {
        // Nothing is gained by waiting once more.
        verdict.flags.insert("timeout".to_string());
    } else {
        let again = (session.visible(&court.site, None)?, court.hidden(&cases)?);
        if (&again.0, &again.1) != (&verdict.judged, &verdict.hidden) {
            verdict.flags.insert("flaky".to_string());
        }
    }
    if verdict.visible.forged || verdict.judged.forged {
        verdict.flags.insert("forged-output".to_string());
    }
    if verdict.judged.load_error.is_none() {
        verdict.compared = court.compare()?;
        if verdict.compared.is_none() && session.task.kind == Kind::Feature {
            verdict.flags.insert("not-compared".to_string());
        }
    }
    if extra.inside {
        verdict.inside = court.inside()?;
    }
    Ok(verdict)
}

/// A new folder for one judgement, removed at its end; older ones of the session go at once.
fn room(state: &State, session: &Session) -> Result<TempDir> {
    let parent = state.dir.join("judge");
    fs::create_dir_all(&parent)?;
    let prefix = format!("{}-", session.id);
    for entry in fs::read_dir(&parent)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(&prefix) {
            fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(tempfile::Builder::new().prefix(&prefix).tempdir_in(&parent)?)
}

/// Whether anything was changed but by `edit_file`, and what.
fn tampered(session: &Session, changed: &[Changed]) -> Result<Option<String>> {
    let now = hash_tree(&session.site.repo)?;
    if let Some(path) = now.keys().find(|path| !session.files.contains_key(*path)) {
        return Ok(Some(format!("{path} is new")));
    }
    if let Some(path) = session.files.keys().find(|path| !now.contains_key(*path)) {
        return Ok(Some(format!("{path} is gone")));
    }
    let path = session.dir.join("journal.jsonl");
    let steps = if path.exists() { journal::read(&path)?.1 } else { Vec::new() };
    let edited: BTreeSet<&str> = steps
        .iter()
        .filter(|step| step.tool == "edit_file" && step.observation.starts_with("ok: patched "))
        .filter_map(|step| step.args.path.as_deref())
        .collect();
    let stray = changed.iter().find(|file| !edited.contains(file.path.as_str()));
    Ok(stray.map(|file| format!("{} was changed behind the tools", file.path)))
}

/// A fresh copy with the patch, in a folder of its own.
#[derive(Clone)]
struct Court<'a> {
    state: &'a State,
    session: &'a Session,
    dir: &'a Path,
    site: Site,
    hidden: &'a Path,
    changed: Vec<Changed>,
    forbid_unsafe: bool,
}

impl<'a> Court<'a> {
    fn new(
        state: &'a State,
        session: &'a Session,
        changed: &[Changed],
        hidden: &'a Path,
        dir: &'a Path,
    ) -> Result<Court<'a>> {
        let forbid_unsafe = !flags::has_unsafe(&session.base, &session.files);
        let allowed = own_changes(&session.config, changed);
        let mut court = Court {
            session,
            site: Site::in_folder(dir, &state.dir)?,
            state,
            dir,
            hidden,
            changed: allowed,
            forbid_unsafe,
        };
        court.site = court.fresh("visible")?;
        Ok(court)
    }

    /// A copy of the base with the patch below this court's folder.
    fn fresh(&self, name: &str) -> Result<Site> {
        let mut site = Site::in_folder(&self.dir.join(name), &self.state.dir)?;
        site.forbid_unsafe = self.forbid_unsafe;
        copy_checked(&self.session.base, &site.repo, &self.session.files)?;
        for file in &self.changed {
            fs::write(site.repo.join(&file.path), &file.new)?;
        }
        Ok(site)
    }

    fn hidden(&self, cases: &[Case]) -> Result<Report> {
        let probe = match self.session.runner.probe(&self.site, self.hidden)? {
            Ok(probe) => probe,
            Err(reason) => return Ok(cases::all_failed(cases, &reason)),
        };
        let mut report = Report::default();
        let timeout = self.session.config.runner.timeout_s;
        for case in cases {
            report.tests.push(cases::run(&self.session.jail, &probe, case, timeout)?);
        }
        Ok(report)
    }

    /// The differential part: always for a refactoring, for a feature where the hidden
    /// folder says how; a fix may change results.
    fn compare(&self) -> Result<Option<Compared>> {
        let kind = self.session.task.kind;
        let settings = differential::settings(self.hidden)?;
        let settings = match (kind, settings) {
            (Kind::Fix, _) | (Kind::Feature, None) => return Ok(None),
            (Kind::Refactor, None) => {
                bail!("a refactoring is judged by comparison: {} is missing", differential::FILE)
            }
            (Kind::Feature | Kind::Refactor, Some(settings)) => settings,
        };
        let inputs = settings.make(self.hidden, &self.session.base)?;
        if inputs.is_empty() {
            bail!("the grammar of {} gives no inputs", differential::FILE);
        }
        let unpatched = Court { changed: Vec::new(), ..self.clone() }.fresh("base")?;
        let runner = &self.session.runner;
        let base = match runner.probe(&unpatched, self.hidden)? {
            Ok(probe) => probe,
            Err(reason) => bail!("the probe does not build on the base: {reason}"),
        };
        let Ok(patched) = runner.probe(&self.site, self.hidden)? else { return Ok(None) };
        let accepted_only = kind == Kind::Feature;
        let timeout = self.session.config.runner.timeout_s;
        settings
            .compare(&self.session.jail, (&base, &patched), &inputs, accepted_only, timeout)
            .map(Some)
    }

    fn inside(&self) -> Result<Option<Report>> {
        let site = self.fresh("inside")?;
        self.session.runner.inside(&site, self.hidden)
    }
}

/// The changes that count: those in files that the repository's own policy lets be edited.
fn own_changes(config: &Config, changed: &[Changed]) -> Vec<Changed> {
    let mut policy = config.policy.clone();
    policy.unsafe_allow.clear();
    changed.iter().filter(|file| editable(&file.path, &policy)).cloned().collect()
}
