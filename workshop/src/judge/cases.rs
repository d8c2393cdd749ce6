//! Cases: an input for a process, and what it must print. The comparison happens here, so
//! the expected value never enters the process that runs the agent's code.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::runner::{Probe, Report, Status, TestResult, late};
use crate::sandbox::{Jail, Job, Phase};
use crate::toolchain::plain_env;

/// One case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The name in reports.
    pub name: String,
    /// Program and arguments; the program `probe` is the hidden folder's.
    pub argv: Vec<String>,
    /// What the program reads.
    #[serde(default)]
    pub stdin: String,
    /// What it must do.
    pub want: Want,
}

/// What a case demands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Want {
    /// The whole standard output.
    pub stdout: String,
    /// The exit code.
    #[serde(default)]
    pub code: i32,
}

/// Name of the file of hidden cases.
pub const FILE: &str = "cases.jsonl";

/// Reads the hidden cases in `folder`.
///
/// # Errors
/// When there is no such file or a line is malformed.
pub fn read(folder: &Path) -> Result<Vec<Case>> {
    let path = folder.join(FILE);
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("cannot read the hidden cases {}", path.display()))?;
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(n, line)| {
            serde_json::from_str(line).with_context(|| format!("line {} of {FILE}", n + 1))
        })
        .collect()
}

/// Runs one case in its own process, which may write nothing.
///
/// # Errors
/// Only when nothing can be run confined.
pub fn run(jail: &Jail, probe: &Probe, case: &Case, timeout_s: u64) -> Result<TestResult> {
    let mut argv = probe.argv.clone();
    argv.extend(case.argv.iter().skip(1).cloned());
    let ran = jail.run(&Job {
        argv,
        cwd: probe.cwd.clone(),
        env: plain_env(&probe.cwd),
        read: probe.read.clone(),
        write: Vec::new(),
        stdin: case.stdin.clone(),
        timeout: Duration::from_secs(timeout_s),
        phase: Phase::Run,
    })?;
    let status = if ran.timed_out {
        Status::Error(late(timeout_s))
    } else if ran.code != Some(case.want.code) {
        let how = ran.code.map_or("a signal".to_string(), |code| format!("code {code}"));
        Status::Error(format!("ended with {how}, want code {}", case.want.code))
    } else if ran.stdout == case.want.stdout {
        Status::Pass
    } else {
        let line = |text: &str| text.trim_end().replace('\n', "\\n");
        Status::Fail(format!("want {}, got {}", line(&case.want.stdout), line(&ran.stdout)))
    };
    Ok(TestResult { name: case.name.clone(), status })
}

/// A report of cases that could not be run at all: each is an error, none is left out.
#[must_use]
pub fn all_failed(cases: &[Case], reason: &str) -> Report {
    let failed = |case: &Case| TestResult {
        name: case.name.clone(),
        status: Status::Error(reason.to_string()),
    };
    Report { tests: cases.iter().map(failed).collect(), ..Report::default() }
}
