//! A session: one copy of a repository, one task, one patch.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::config::Config;
use crate::copy::{Hashes, copy_checked, copy_tree, tree_hash};
use crate::diff::{self, Changed};
use crate::journal::{Head, Journal, Step};
use crate::judge::cases::{self, Case};
use crate::runner::{self, Report, Runner, Site};
use crate::sandbox::Jail;
use crate::state::{State, write_atomically};
pub use crate::task::{CardRef, Kind, Task};
use crate::tools::{Action, Suite, Tools};

/// What is kept of a session between two commands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Info {
    repo: PathBuf,
    task: Task,
    tests: Vec<String>,
    unsafe_allow: Vec<String>,
    skipped: Vec<String>,
}

/// A session.
pub struct Session {
    /// Its name.
    pub id: String,
    /// Its folder.
    pub dir: PathBuf,
    /// The task.
    pub task: Task,
    /// The repository it was copied from.
    pub repo: PathBuf,
    /// The untouched copy.
    pub base: PathBuf,
    /// Where the copy is built.
    pub site: Site,
    /// The files of the base.
    pub files: Hashes,
    /// The names of the visible tests in the base.
    pub tests: Vec<String>,
    /// What was left out of the copy because it leads outside.
    pub skipped: Vec<String>,
    /// The configuration of the repository, with the policy of this session.
    pub config: Config,
    /// Confines everything that is run.
    pub jail: Jail,
    /// Runs the suite.
    pub runner: Box<dyn Runner>,
}

impl Session {
    /// Copies the repository and lists its tests.
    ///
    /// # Errors
    /// When the base does not build, or nothing can be run confined.
    pub fn create(
        state: &State,
        repo: &Path,
        config: &Config,
        jail: &Jail,
        task: Task,
    ) -> Result<Session> {
        let repo = repo.canonicalize()?;
        let hidden = hidden_dir(&repo, config);
        let id = state.new_session()?;
        let dir = state.sessions().join(&id);
        let base = dir.join("base");
        let copied = copy_tree(&repo, &base, &config.copy, hidden.as_deref())?;
        let site = Site::in_folder(&dir, &state.dir)?;
        copy_checked(&base, &site.repo, &copied.files)?;
        let runner = runner::new(&config.runner, jail, &repo)?;
        let tests = runner.list(&site)?;
        if let Some(case) = task.cases.iter().find(|case| tests.contains(&case.name)) {
            bail!("the case {} has the name of a test", case.name);
        }
        let info = Info {
            repo: repo.clone(),
            task: task.clone(),
            tests: tests.clone(),
            unsafe_allow: config.policy.unsafe_allow.clone(),
            skipped: copied.skipped.clone(),
        };
        write_atomically(&dir.join("base.json"), &json(&copied.files)?)?;
        write_atomically(&dir.join("session.json"), &json(&info)?)?;
        Ok(Session {
            id,
            dir,
            task,
            repo,
            base,
            site,
            files: copied.files,
            tests,
            skipped: copied.skipped,
            config: config.clone(),
            jail: jail.clone(),
            runner,
        })
    }

    /// Opens an existing session. The configuration is read from the session's base.
    ///
    /// # Errors
    /// When there is no such session or its files are damaged.
    pub fn open(
        state: &State,
        id: &str,
        overlay: &dyn Fn(&mut Config),
        jail: &Jail,
    ) -> Result<Session> {
        let dir = state.session(id)?;
        let read = |name: &str| {
            fs::read(dir.join(name)).with_context(|| format!("session {id} has no {name}"))
        };
        let files: Hashes = serde_json::from_slice(&read("base.json")?)?;
        let info: Info = serde_json::from_slice(&read("session.json")?)?;
        let base = dir.join("base");
        let mut config = Config::load(&base)?;
        overlay(&mut config);
        config.policy.unsafe_allow = info.unsafe_allow;
        let runner = runner::new(&config.runner, jail, &base)?;
        Ok(Session {
            id: id.to_string(),
            task: info.task,
            repo: info.repo,
            site: Site::in_folder(&dir, &state.dir)?,
            base,
            dir,
            files,
            tests: info.tests,
            skipped: info.skipped,
            config,
            jail: jail.clone(),
            runner,
        })
    }

    /// The journal's first line.
    #[must_use]
    pub fn head(&self, model: &str) -> Head {
        Head {
            task: self.task.text.clone(),
            policy: self.config.policy.edit_allow.clone(),
            base: tree_hash(&self.files),
            model: model.to_string(),
            sandbox: self.jail.backend().name().to_string(),
        }
    }

    /// The session's journal, started if there is none.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn journal(&self, model: &str) -> Result<Journal> {
        Journal::open(&self.dir.join("journal.jsonl"), &self.head(model))
    }

    /// Does one action and returns it as step `n`.
    ///
    /// # Errors
    /// Only when nothing can be run confined.
    pub fn act(&self, n: usize, action: &Action) -> Result<Step> {
        let mut suite = Visible { session: self };
        let mut tools = Tools {
            root: &self.site.repo,
            base: &self.base,
            files: &self.files,
            policy: &self.config.policy,
            suite: &mut suite,
        };
        let (observation, ms) = tools.call(action)?;
        Ok(Step {
            n,
            hypothesis: action.hypothesis.clone(),
            tool: action.tool.clone(),
            args: action.args.clone(),
            observation,
            ms,
            tokens_in: 0,
            tokens_out: 0,
        })
    }

    /// The changed files of the copy.
    #[must_use]
    pub fn changed(&self) -> Vec<Changed> {
        diff::changed(&self.base, &self.site.repo, &self.files)
    }

    /// The diff and its lines; also writes `diff.patch`.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn diff(&self) -> Result<(String, usize)> {
        let (text, lines) = diff::unified(&self.changed());
        write_atomically(&self.dir.join("diff.patch"), text.as_bytes())?;
        Ok((text, lines))
    }

    /// Runs the visible suite and the visible cases of the task at `site`.
    ///
    /// # Errors
    /// Only when nothing can be run confined.
    pub fn visible(&self, site: &Site, only: Option<&str>) -> Result<Report> {
        let cases: Vec<&Case> = self
            .task
            .cases
            .iter()
            .filter(|case| only.is_none_or(|name| name == case.name))
            .collect();
        if only.is_some() && !cases.is_empty() {
            let mut report = Report { exit_ok: true, ..Report::default() };
            self.run_cases(site, &cases, &mut report)?;
            return Ok(report);
        }
        let suite_is_empty = self.tests.is_empty() && !cases.is_empty();
        let mut report = if suite_is_empty {
            Report { exit_ok: true, ..Report::default() }
        } else {
            self.runner.run(site, &self.tests, only)?
        };
        if only.is_none() && report.load_error.is_none() {
            self.run_cases(site, &cases, &mut report)?;
        }
        Ok(report)
    }

    fn run_cases(&self, site: &Site, cases: &[&Case], report: &mut Report) -> Result<()> {
        for case in cases {
            let program = case.argv.first().map_or("", String::as_str);
            match self.runner.program(site, program)? {
                Ok(probe) => {
                    let timeout = self.config.runner.timeout_s;
                    report.tests.push(cases::run(&self.jail, &probe, case, timeout)?);
                }
                Err(reason) => {
                    *report = Report::not_loaded(reason);
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

/// The hidden folder as an absolute path.
#[must_use]
pub fn hidden_dir(repo: &Path, config: &Config) -> Option<PathBuf> {
    config.hidden.dir.as_ref().map(|dir| repo.join(dir))
}

struct Visible<'a> {
    session: &'a Session,
}

impl Suite for Visible<'_> {
    fn run(&mut self, only: Option<&str>) -> Result<String> {
        Ok(self.session.visible(&self.session.site, only)?.text())
    }
}

fn json(value: &impl Serialize) -> Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(value)?;
    bytes.push(b'\n');
    Ok(bytes)
}
