//! What several tests need.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use tempfile::TempDir;
use workshop::config::{self, Config};
use workshop::copy::copy_tree;
use workshop::sandbox::{Jail, Job, Phase};
use workshop::session::{Session, Task};
use workshop::state::State;
use workshop::toolchain::plain_env;
use workshop::tools::Action;

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

/// A session on a repository, with everything it needs kept alive.
pub struct Bench {
    keep: Vec<TempDir>,
    /// The state.
    pub state: State,
    /// The session.
    pub session: Session,
}

/// A session on `repo` with the hidden cases in `hidden`.
pub fn bench_with(repo: &Path, hidden: &Path, task: Task, jail: &Jail) -> Bench {
    let (keep, root) = folder();
    let mut config = Config::load(repo).unwrap();
    copy_tree(repo, &root.join("repo"), &config.copy, None).unwrap();
    config.hidden.dir = Some(hidden.to_path_buf());
    let state = State::below(&root.join("state"), &root.join("repo")).unwrap();
    let session = Session::create(&state, &root.join("repo"), &config, jail, task).unwrap();
    Bench { keep: vec![keep], state, session }
}

/// A session on one of the fixtures.
pub fn bench(fixture: &str) -> Bench {
    let folder = fixtures().join(fixture);
    let task = Task { id: "t".into(), text: "Repair the rule.".into(), ..Task::default() };
    bench_with(&folder.join("repo"), &folder.join("hidden"), task, &jail())
}

/// An action.
pub fn action(tool: &str, args: &[(&str, &str)]) -> Action {
    let args: serde_json::Map<String, serde_json::Value> =
        args.iter().map(|(key, value)| (key.to_string(), (*value).into())).collect();
    Action {
        hypothesis: "because".into(),
        tool: tool.into(),
        args: serde_json::from_value(args.into()).unwrap(),
    }
}

/// An edit.
pub fn edit(path: &str, old: &str, new: &str) -> Action {
    action("edit_file", &[("path", path), ("old", old), ("new", new)])
}

impl Bench {
    /// Keeps a folder as long as the session.
    pub fn and(mut self, folder: TempDir) -> Bench {
        self.keep.push(folder);
        self
    }

    /// Does actions with a journal and returns the observations.
    pub fn act(&self, actions: &[Action]) -> Vec<String> {
        let mut journal = self.session.journal("test").unwrap();
        let steps = actions.iter().enumerate().map(|(n, action)| {
            let step = self.session.act(n + 1, action).unwrap();
            journal.step(&step).unwrap();
            step.observation
        });
        steps.collect()
    }
}
