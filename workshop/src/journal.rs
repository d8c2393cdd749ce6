//! The journal of a session: one JSON object a line, readable as a replay script.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::tools::Args;

/// The first line of a journal: under which conditions the steps were made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// The task as the agent was told.
    pub task: String,
    /// What could be edited.
    pub policy: Vec<String>,
    /// One hash of the base tree.
    pub base: String,
    /// Who chose the actions.
    pub model: String,
    /// The sandbox backend.
    pub sandbox: String,
}

/// One step: what was done and what was seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Number of the step, from 1.
    pub n: usize,
    /// Why the step was made.
    pub hypothesis: String,
    /// The tool.
    pub tool: String,
    /// Its arguments.
    pub args: Args,
    /// What the tool answered.
    pub observation: String,
    /// How long the tool took, in milliseconds.
    pub ms: u64,
    /// Tokens read by the model for this step.
    pub tokens_in: u64,
    /// Tokens written by the model for this step.
    pub tokens_out: u64,
}

/// A journal being written.
#[derive(Debug)]
pub struct Journal {
    file: File,
}

impl Journal {
    /// Starts a journal, or goes on with the one that is there. A last line that was cut off
    /// by a crash goes.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn open(path: &Path, head: &Head) -> Result<Journal> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let whole = whole_lines(&std::fs::read(path)?).len();
        file.set_len(u64::try_from(whole)?)?;
        let mut journal = Journal { file };
        if whole == 0 {
            journal.line(head)?;
        }
        Ok(journal)
    }

    /// Adds one step.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn step(&mut self, step: &Step) -> Result<()> {
        self.line(step)
    }

    fn line(&mut self, value: &impl Serialize) -> Result<()> {
        let mut text = serde_json::to_string(value)?;
        text.push('\n');
        self.file.write_all(text.as_bytes())?;
        self.file.sync_data()?;
        Ok(())
    }
}

fn whole_lines(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    &bytes[..end]
}

/// Reads a journal, up to its last whole line.
///
/// # Errors
/// When the file is missing or a line is not what it should be.
pub fn read(path: &Path) -> Result<(Head, Vec<Step>)> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let text = std::str::from_utf8(whole_lines(&bytes)).context("the journal is not UTF-8")?;
    let mut lines = text.lines();
    let head = lines.next().context("the journal is empty")?;
    let head = serde_json::from_str(head).context("line 1 of the journal")?;
    let mut steps = Vec::new();
    for (n, line) in lines.enumerate() {
        let step =
            serde_json::from_str(line).with_context(|| format!("line {} of the journal", n + 2))?;
        steps.push(step);
    }
    Ok((head, steps))
}
