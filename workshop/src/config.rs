//! `workshop.toml`: what may be edited, what runs the tests, how much may be spent.

mod model;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

pub use model::{Model, ModelKind};

/// The name of the configuration file at the root of a repository.
pub const FILE: &str = "workshop.toml";

/// The whole configuration; every section has defaults.
#[derive(Debug, Clone, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// What is left out of the copy.
    pub copy: Copy,
    /// What may be edited.
    pub policy: Policy,
    /// How much a run may cost.
    pub budget: Budget,
    /// How the visible suite is run.
    pub runner: Runner,
    /// Where the hidden cases are.
    pub hidden: Hidden,
    /// How code is confined.
    pub sandbox: Sandbox,
    /// Where the cards are.
    pub cards: Cards,
    /// Who answers questions.
    pub model: Model,
}

/// What is left out of the copy of a repository.
#[derive(Debug, Clone, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct Copy {
    /// Globs relative to the root.
    pub ignore: Vec<String>,
}

/// What `edit_file` may touch.
#[derive(Debug, Clone, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct Policy {
    /// Folders (with a trailing slash) and files that may be edited, by path component.
    pub edit_allow: Vec<String>,
    /// Globs that may never be edited; they win over `edit_allow`.
    pub edit_deny: Vec<String>,
    /// Lines one edit may touch: lines of `old` plus lines of `new`.
    pub max_edit_lines: usize,
    /// Lines the whole diff may have, added plus removed; 0 switches the limit off.
    pub max_diff_lines: usize,
    /// Paths that may be edited whatever the rules say; only from the command line, to
    /// show what happens without rules. The judge does not take changes of such files.
    #[serde(skip)]
    pub unsafe_allow: Vec<String>,
}

impl Default for Policy {
    fn default() -> Self {
        let list = |items: &[&str]| items.iter().map(ToString::to_string).collect();
        Policy {
            edit_allow: list(&["src/"]),
            edit_deny: list(&[
                "**/build.rs",
                "**/Cargo.toml",
                "**/Cargo.lock",
                "**/.cargo/**",
                "**/tests/**",
                "**/rust-toolchain*",
                "workshop.toml",
            ]),
            max_edit_lines: 6,
            max_diff_lines: 24,
            unsafe_allow: Vec::new(),
        }
    }
}

/// How much one run of the agent may cost.
#[derive(Debug, Clone, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields, default)]
pub struct Budget {
    /// Red test runs before a person is asked.
    pub max_red: usize,
    /// Steps, one model call each.
    pub max_steps: usize,
    /// Seconds of wall-clock time.
    pub wall_s: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { max_red: 3, max_steps: 12, wall_s: 900 }
    }
}

/// Which runner reads the suite.
#[derive(Debug, Clone, Copy, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum RunnerKind {
    /// `cargo test`, by the binaries it builds.
    #[default]
    Cargo,
    /// Any program that names its tests.
    Command,
}

/// How the visible suite is run.
#[derive(Debug, Clone, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct Runner {
    /// Cargo or any command.
    pub kind: RunnerKind,
    /// The cargo package under test.
    pub package: String,
    /// The integration test targets that make the visible suite.
    pub suites: Vec<String>,
    /// Further arguments of every cargo build, such as features.
    pub build_args: Vec<String>,
    /// Seconds one test process may take.
    pub timeout_s: u64,
    /// Seconds one build may take.
    pub build_timeout_s: u64,
    /// Command runner: prints one test name a line.
    pub list: Vec<String>,
    /// Command runner: runs everything.
    pub run: Vec<String>,
    /// Command runner: runs the one test named in `{only}`.
    pub run_only: Vec<String>,
    /// Command runner: regular expression of a result line with the groups `status`,
    /// `name` and optionally `message`.
    pub result: String,
    /// Command runner: regular expression of the line that says the suite did not load,
    /// with the group `message`.
    pub load_error: String,
    /// Command runner: JUnit XML file written by `run`, instead of `result`.
    pub junit: Option<String>,
    /// The program a hidden case is given to; `{probe}` is the hidden folder's probe file.
    pub probe: Vec<String>,
    /// File name of the probe in the hidden folder.
    pub probe_file: String,
    /// Paths of the copy that a probe may read besides its own program.
    pub run_read: Vec<String>,
}

impl Default for Runner {
    fn default() -> Self {
        Runner {
            kind: RunnerKind::Cargo,
            package: String::new(),
            suites: Vec::new(),
            build_args: Vec::new(),
            timeout_s: 120,
            build_timeout_s: 600,
            list: Vec::new(),
            run: Vec::new(),
            run_only: Vec::new(),
            result: String::new(),
            load_error: String::new(),
            junit: None,
            probe: Vec::new(),
            probe_file: "probe.rs".to_string(),
            run_read: Vec::new(),
        }
    }
}

/// Where the hidden cases are.
#[derive(Debug, Clone, Default, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields, default)]
pub struct Hidden {
    /// A folder outside the repository.
    pub dir: Option<PathBuf>,
}

/// Which mechanism confines code.
#[derive(Debug, Clone, Copy, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Backend {
    /// Landlock, seccomp and limits in a helper process.
    #[default]
    Native,
    /// Bubblewrap.
    Bwrap,
    /// Nothing; needs `--unsafe-no-sandbox`.
    Off,
}

impl Backend {
    /// The name used in the configuration and in journals.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Backend::Native => "native",
            Backend::Bwrap => "bwrap",
            Backend::Off => "off",
        }
    }
}

/// How code is confined.
#[derive(Debug, Clone, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields, default)]
pub struct Sandbox {
    /// The mechanism.
    pub backend: Backend,
    /// Extra paths that may be read while building and testing.
    pub read: Vec<PathBuf>,
    /// Address space of one process, in MiB.
    pub memory_mb: u64,
    /// Processes at once.
    pub processes: u64,
}

impl Default for Sandbox {
    fn default() -> Self {
        Sandbox { backend: Backend::Native, read: Vec::new(), memory_mb: 4096, processes: 256 }
    }
}

/// Where the cards are.
#[derive(Debug, Clone, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields, default)]
pub struct Cards {
    /// Folder of card files, relative to the repository.
    pub dir: PathBuf,
}

impl Default for Cards {
    fn default() -> Self {
        Cards { dir: PathBuf::from("cards") }
    }
}

impl Config {
    /// Reads a configuration from TOML text.
    ///
    /// # Errors
    /// When the text is not TOML, has an unknown key, or a value of the wrong type.
    pub fn parse(text: &str) -> Result<Config> {
        let config: Config = toml::from_str(text)?;
        config.check()?;
        Ok(config)
    }

    /// Reads `workshop.toml` in `root`; a missing file gives the defaults.
    ///
    /// # Errors
    /// When the file cannot be read or is wrong.
    pub fn load(root: &Path) -> Result<Config> {
        let path = root.join(FILE);
        if !path.exists() {
            return Ok(Config::default());
        }
        let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {FILE}"))?;
        Config::parse(&text).with_context(|| format!("{FILE} is wrong"))
    }

    fn check(&self) -> Result<()> {
        for glob in self.policy.edit_deny.iter().chain(&self.copy.ignore) {
            globset::Glob::new(glob).with_context(|| format!("bad glob {glob}"))?;
        }
        if self.budget.max_red == 0 || self.budget.max_steps == 0 {
            bail!("budget.max_red and budget.max_steps must be at least 1");
        }
        for pattern in [&self.runner.result, &self.runner.load_error] {
            regex::Regex::new(pattern).with_context(|| format!("bad pattern {pattern}"))?;
        }
        Ok(())
    }
}
