//! The files that runs are recorded in.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::session::Kind;
use crate::tools::Action;

/// First line of a run file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Head {
    /// Number of the run; a letter may follow.
    pub(super) run: String,
    /// Title of the run.
    pub(super) name: String,
    /// What the agent is told.
    pub(super) task: String,
    /// The repository, relative to the fixture's folder.
    #[serde(default = "own_repo")]
    pub(super) repo: String,
    /// The folder of the hidden cases, relative to the fixture's.
    #[serde(default = "own_hidden")]
    pub(super) hidden: String,
    /// What kind of change is wanted.
    #[serde(default)]
    pub(super) kind: Kind,
    /// The file of a run whose patch was accepted before: its setup and its edits come first.
    #[serde(default)]
    after: Option<String>,
    /// Files that are added to the repository: their path, and where the fixture has them.
    #[serde(default)]
    pub(super) add: BTreeMap<String, String>,
    /// Paths that the policy is switched off for.
    #[serde(default)]
    pub(super) unsafe_allow: Vec<String>,
    /// Changes to the repository before it is copied.
    #[serde(default)]
    pub(super) setup: Vec<Setup>,
    /// Whether the actions are the answers of a model in the loop.
    #[serde(default, rename = "loop")]
    pub(super) in_loop: bool,
    /// Whether to show what somebody sees who trusts exit codes of the code's own process.
    #[serde(default)]
    pub(super) naive: bool,
}

fn own_repo() -> String {
    "repo".to_string()
}

fn own_hidden() -> String {
    "hidden".to_string()
}

/// One change before a run.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Setup {
    pub(super) path: String,
    pub(super) old: String,
    pub(super) new: String,
}

/// One recorded run.
#[derive(Debug, Clone)]
pub struct Run {
    /// Name of the fixture it belongs to.
    pub fixture: String,
    /// The fixture's folder.
    pub(super) folder: PathBuf,
    pub(super) head: Head,
    pub(super) actions: Vec<Action>,
    /// The expected log.
    log: PathBuf,
}

impl Run {
    /// `fixture/number`.
    #[must_use]
    pub fn id(&self) -> String {
        format!("{}/{}", self.fixture, self.head.run)
    }

    /// The expected log, if it was ever recorded.
    #[must_use]
    pub fn expected(&self) -> Option<String> {
        fs::read_to_string(&self.log).ok()
    }

    /// Replaces the expected log.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn bless(&self, text: &str) -> Result<()> {
        Ok(fs::write(&self.log, text)?)
    }
}

/// The runs below `fixtures` that `wanted` names: `all`, a number, a fixture, or
/// `fixture/number`.
///
/// # Errors
/// When there are none or a file is malformed.
pub fn find(fixtures: &Path, wanted: &str) -> Result<Vec<Run>> {
    let mut runs = Vec::new();
    for folder in sorted(fixtures)? {
        if !folder.join("runs").is_dir() {
            continue;
        }
        for file in sorted(&folder.join("runs"))? {
            if file.extension().is_some_and(|ending| ending == "jsonl") {
                runs.push(read(&folder, &file)?);
            }
        }
    }
    runs.retain(|run| {
        wanted == "all" || wanted == run.head.run || wanted == run.fixture || wanted == run.id()
    });
    if runs.is_empty() {
        bail!("no run {wanted} in {}", fixtures.display());
    }
    Ok(runs)
}

fn sorted(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut list = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("no folder {}", folder.display()))? {
        list.push(entry?.path());
    }
    list.sort();
    Ok(list)
}

fn read(folder: &Path, file: &Path) -> Result<Run> {
    let place = || format!("in {}", file.display());
    let text = fs::read_to_string(file).with_context(place)?;
    let mut lines = text.lines();
    let mut head: Head = serde_json::from_str(lines.next().unwrap_or("")).with_context(place)?;
    let actions = lines.map(serde_json::from_str).collect::<Result<_, _>>().with_context(place)?;
    if let Some(name) = &head.after {
        let before = read(folder, &file.with_file_name(name))?;
        let mut setup = before.head.setup;
        setup.extend(before.actions.into_iter().filter_map(edit));
        setup.append(&mut head.setup);
        head.setup = setup;
    }
    Ok(Run {
        fixture: folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        folder: folder.to_path_buf(),
        head,
        actions,
        log: file.with_extension("log"),
    })
}

/// An edit as a change before another run.
fn edit(action: Action) -> Option<Setup> {
    let args = action.args;
    Some(Setup { path: args.path?, old: args.old?, new: args.new? })
}
