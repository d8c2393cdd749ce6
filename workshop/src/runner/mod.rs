//! Runs the visible suite and says what each test did, by name and never by exit code.

pub mod cargo;
pub mod command;
mod libtest;
mod package;
mod warm;

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::config::{self, RunnerKind};
use crate::sandbox::Jail;

/// Where one copy is built and run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// The copy.
    pub repo: PathBuf,
    /// Where builds write; never shared between copies.
    pub target: PathBuf,
    /// Temporary files of confined programs.
    pub tmp: PathBuf,
    /// The private cargo home, the same for all sites of a repository: dependencies would
    /// otherwise be compiled anew in each.
    pub home: PathBuf,
    /// Whether the workspace's own code may not be unsafe.
    pub forbid_unsafe: bool,
}

impl Site {
    /// A site in `dir`, with its folders; what all sites share lies in `state`.
    ///
    /// # Errors
    /// When the folders cannot be made.
    pub fn in_folder(dir: &Path, state: &Path) -> Result<Site> {
        let site = Site {
            repo: dir.join("repo"),
            target: dir.join("target"),
            tmp: dir.join("tmp"),
            home: state.join("cargo-home"),
            forbid_unsafe: false,
        };
        for folder in [&site.repo, &site.target, &site.tmp] {
            std::fs::create_dir_all(folder)?;
        }
        Ok(site)
    }
}

/// What one test did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
    /// It reported success, once, by name.
    Pass,
    /// An assertion of the test failed.
    Fail(String),
    /// Anything else.
    Error(String),
}

/// One test and what it did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestResult {
    /// The name.
    pub name: String,
    /// What it did.
    pub status: Status,
}

/// What a run of the suite showed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Every expected test in order.
    pub tests: Vec<TestResult>,
    /// Why nothing could be run.
    pub load_error: Option<String>,
    /// The name that was asked for and does not exist.
    pub no_such: Option<String>,
    /// Whether there were result lines that no honest run prints.
    pub forged: bool,
    /// What somebody would believe who looks at the exit code alone.
    pub exit_ok: bool,
}

impl Report {
    /// A report of a suite that could not be run.
    #[must_use]
    pub fn not_loaded(reason: impl Into<String>) -> Report {
        Report { load_error: Some(reason.into()), ..Report::default() }
    }

    /// Tests that passed.
    #[must_use]
    pub fn passed(&self) -> usize {
        self.tests.iter().filter(|test| test.status == Status::Pass).count()
    }

    /// Tests that should have passed.
    #[must_use]
    pub fn total(&self) -> usize {
        self.tests.len()
    }

    /// Whether every test passed and there was at least one.
    #[must_use]
    pub fn green(&self) -> bool {
        self.load_error.is_none()
            && self.no_such.is_none()
            && !self.tests.is_empty()
            && self.passed() == self.total()
    }

    /// Whether a test was ended because it took too long.
    #[must_use]
    pub fn timed_out(&self) -> bool {
        let late = |status: &Status| matches!(status, Status::Error(m) if m.starts_with(LATE));
        self.tests.iter().any(|test| late(&test.status))
    }

    /// `GREEN n/n` or `RED k/n`.
    #[must_use]
    pub fn short(&self) -> String {
        let word = if self.green() { "GREEN" } else { "RED" };
        format!("{word} {}/{}", self.passed(), self.total())
    }

    /// The observation of the tool `run_tests`.
    #[must_use]
    pub fn text(&self) -> String {
        if let Some(name) = &self.no_such {
            return format!("error: no test named {name}");
        }
        if let Some(reason) = &self.load_error {
            return format!("RED 0/0 suite failed to load: {reason}");
        }
        let mut text = self.short();
        for test in &self.tests {
            let line = match &test.status {
                Status::Pass => format!("\n  PASS {}", test.name),
                Status::Fail(message) => format!("\n  FAIL {}: {message}", test.name),
                Status::Error(message) => format!("\n  ERROR {}: {message}", test.name),
            };
            text.push_str(&line);
        }
        text
    }
}

/// A program that a hidden case is given to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// Program and first arguments.
    pub argv: Vec<String>,
    /// Working directory.
    pub cwd: PathBuf,
    /// All it may read besides the system's files.
    pub read: Vec<PathBuf>,
}

/// Something that can run a suite.
pub trait Runner {
    /// The names of the tests, from a copy that nobody has patched.
    ///
    /// # Errors
    /// When the copy does not build, or nothing can be run confined.
    fn list(&self, site: &Site) -> Result<Vec<String>>;

    /// Runs the tests `names`, or the one named test.
    ///
    /// # Errors
    /// Only when nothing can be run confined.
    fn run(&self, site: &Site, names: &[String], only: Option<&str>) -> Result<Report>;

    /// Makes the probe from the file in the hidden folder, in a copy of the judge. The inner
    /// error is a reason for the verdict, for instance that the patch does not compile.
    ///
    /// # Errors
    /// Only when nothing can be run confined, or there is no probe.
    fn probe(&self, site: &Site, hidden: &Path) -> Result<Result<Probe, String>>;

    /// The program `name` of a copy, for visible cases that are command lines.
    ///
    /// # Errors
    /// Only when nothing can be run confined.
    fn program(&self, site: &Site, name: &str) -> Result<Result<Probe, String>>;

    /// Runs the hidden folder's `*_test.rs` files as ordinary suites in the process of the
    /// code under test, in a copy of their own. Nothing if there are none.
    ///
    /// # Errors
    /// Only when nothing can be run confined.
    fn inside(&self, site: &Site, hidden: &Path) -> Result<Option<Report>>;
}

/// The runner of a configuration.
///
/// # Errors
/// When the toolchain is missing or the configuration lacks something.
pub fn new(config: &config::Runner, jail: &Jail, repo: &Path) -> Result<Box<dyn Runner>> {
    Ok(match config.kind {
        RunnerKind::Cargo => Box::new(cargo::Cargo::new(config, jail, repo)?),
        RunnerKind::Command => Box::new(command::Command::new(config, jail)?),
    })
}

/// The expected names that a run covers, or the report that there is no such test.
fn chosen(names: &[String], only: Option<&str>) -> Result<Vec<String>, Report> {
    match only {
        None if names.is_empty() => Err(Report::not_loaded("there are no tests")),
        None => Ok(names.to_vec()),
        Some(name) if names.iter().any(|known| known == name) => Ok(vec![name.to_string()]),
        Some(name) => Err(Report { no_such: Some(name.to_string()), ..Report::default() }),
    }
}

/// A result that a run printed.
struct Line {
    name: String,
    status: Status,
}

/// Puts printed results to expected names: each must have exactly one.
fn settle(names: &[String], lines: &[Line], silent: &str) -> (Vec<TestResult>, bool) {
    let mut forged = lines.iter().any(|line| !names.contains(&line.name));
    let tests = names
        .iter()
        .map(|name| {
            let own: Vec<&Line> = lines.iter().filter(|line| line.name == *name).collect();
            let status = match own.as_slice() {
                [] => Status::Error(silent.to_string()),
                [line] => line.status.clone(),
                many => {
                    forged = true;
                    Status::Error(format!("{} results", many.len()))
                }
            };
            TestResult { name: name.clone(), status }
        })
        .collect();
    (tests, forged)
}

/// How the message about a test begins that took too long.
const LATE: &str = "timeout after ";

/// What is said about a test that took too long.
pub(crate) fn late(timeout_s: u64) -> String {
    format!("{LATE}{timeout_s}s")
}

/// What is said about a test without a result.
fn silence(timed_out: bool, timeout_s: u64) -> String {
    if timed_out { late(timeout_s) } else { "no result (process ended early)".to_string() }
}
