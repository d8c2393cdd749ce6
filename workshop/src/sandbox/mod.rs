//! Where code that nobody trusts is run: confined by the kernel, or not at all.
//!
//! The workshop starts a supervisor, the supervisor starts a process that gives up its
//! rights and then becomes the program. If any required right cannot be given up, the
//! program is not started and the caller gets [`Unavailable`].

mod bwrap;
mod controls;
pub mod doctor;
mod native;
mod pids;
mod probes;
mod seccomp;
mod supervise;

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::config;
pub use crate::config::Backend;

pub use controls::{WITHOUT, without};
pub use native::{SANDBOX, enter};
pub use probes::{PROBE, probe};
pub use supervise::{SUPERVISE, supervise};

/// Code was not run because it could not be confined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unavailable(pub String);

impl std::fmt::Display for Unavailable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "sandbox unavailable: {}", self.0)
    }
}

impl std::error::Error for Unavailable {}

/// What a process is allowed to do besides reading and writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// Compilers, linkers and build scripts of the base: may also change modes and times of
    /// the files they own.
    Build,
    /// Code under test.
    Run,
}

/// One program to run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// Program and arguments.
    pub argv: Vec<String>,
    /// Working directory.
    pub cwd: PathBuf,
    /// The whole environment.
    pub env: BTreeMap<String, String>,
    /// Files and folders that may be read and executed, besides the system's.
    pub read: Vec<PathBuf>,
    /// Folders that may be written.
    pub write: Vec<PathBuf>,
    /// What the program reads from standard input.
    pub stdin: String,
    /// When everything is killed.
    pub timeout: Duration,
    /// What kind of program it is.
    pub phase: Phase,
}

/// What became of a program.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ran {
    /// Exit code, unless a signal ended the program.
    pub code: Option<i32>,
    /// The signal that ended the program.
    pub signal: Option<i32>,
    /// Whether it was killed for taking too long.
    pub timed_out: bool,
    /// Standard output, at most [`OUTPUT_CAP`] bytes.
    pub stdout: String,
    /// Standard error, at most [`OUTPUT_CAP`] bytes.
    pub stderr: String,
    /// Whether output was cut off.
    pub truncated: bool,
    /// Processes that were still there when the program had ended.
    pub survivors: usize,
    /// What is enforced, in words.
    pub enforced: String,
}

/// Most bytes kept of one output stream.
pub const OUTPUT_CAP: usize = 4 * 1024 * 1024;

/// What the supervisor is told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Order {
    job: Job,
    backend: String,
    memory_mb: u64,
    processes: u64,
    cgroup: Option<PathBuf>,
}

/// What the supervisor answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
enum Answer {
    Ran(Ran),
    Unavailable(String),
}

/// Runs programs confined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Jail {
    helper: PathBuf,
    backend: Backend,
    memory_mb: u64,
    processes: u64,
    read: Vec<PathBuf>,
}

impl Jail {
    /// A jail as configured. `helper` is the `workshop` program itself.
    ///
    /// # Errors
    /// [`Unavailable`] when the backend is `off` and that was not allowed on the command
    /// line, or the backend is not installed.
    pub fn new(settings: &config::Sandbox, helper: &Path, allow_off: bool) -> Result<Jail> {
        match settings.backend {
            Backend::Off if !allow_off => {
                return Err(
                    Unavailable("backend = \"off\" needs --unsafe-no-sandbox".into()).into()
                );
            }
            Backend::Bwrap => bwrap::check()?,
            Backend::Off | Backend::Native => {}
        }
        Ok(Jail {
            helper: helper.to_path_buf(),
            backend: settings.backend,
            memory_mb: settings.memory_mb,
            processes: settings.processes,
            read: settings.read.clone(),
        })
    }

    /// The backend in use.
    #[must_use]
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// Runs one program to its end and kills everything it left behind.
    ///
    /// # Errors
    /// [`Unavailable`] when it could not be confined; other errors when the supervisor
    /// itself could not be run.
    pub fn run(&self, job: &Job) -> Result<Ran> {
        let mut job = job.clone();
        if job.phase == Phase::Build {
            job.read.extend(self.read.iter().cloned());
        }
        let order = Order {
            job,
            backend: self.backend.name().to_string(),
            memory_mb: self.memory_mb,
            processes: self.processes,
            cgroup: None,
        };
        let mut line = serde_json::to_string(&order)?;
        line.push('\n');
        use std::os::unix::process::CommandExt;
        let mut child = Command::new(&self.helper)
            .arg(SUPERVISE)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .with_context(|| format!("cannot start {}", self.helper.display()))?;
        // The pipe stays open while the supervisor works: its end tells the supervisor that
        // the workshop is gone and everything must be killed.
        let mut stdin = child.stdin.take().context("no pipe to the supervisor")?;
        let sent = stdin.write_all(line.as_bytes());
        let mut text = String::new();
        let read = child.stdout.take().context("no pipe from the supervisor")?;
        let received = { read }.read_to_string(&mut text);
        drop(stdin);
        child.wait()?;
        sent.context("cannot talk to the supervisor")?;
        received.context("cannot hear the supervisor")?;
        match serde_json::from_str(&text) {
            Ok(Answer::Ran(ran)) => Ok(ran),
            Ok(Answer::Unavailable(reason)) => Err(Unavailable(reason).into()),
            Err(_) => Err(Unavailable("the supervisor gave no answer".into()).into()),
        }
    }
}
