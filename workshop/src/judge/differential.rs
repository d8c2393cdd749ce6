//! The differential judge: the unpatched version says what is right for thousands of
//! generated inputs.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use regex::Regex;
use serde::Deserialize;

use super::generate;
use crate::paths::read_beneath;
use crate::runner::Probe;
use crate::sandbox::{Jail, Job, Phase, Ran};
use crate::toolchain::plain_env;

/// Name of the settings in the hidden folder.
pub const FILE: &str = "differential.toml";
/// Inputs that one process gets.
const BATCH: usize = 100;
/// The seed; another one gives other inputs.
const SEED: u64 = 0x5eed_d1ce;

/// How inputs are made for the probe.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// A pest grammar: a file beside these settings, else one of the repository.
    pub grammar: String,
    /// The rule that inputs are made from.
    pub rule: String,
    /// The line the probe reads; `{expr}` is the input and `{n}` its number. The probe
    /// answers each line with one line.
    pub stdin: String,
    /// How many inputs.
    #[serde(default = "many")]
    pub inputs: usize,
    /// Regular expression of answers to inputs that are accepted.
    #[serde(default)]
    pub accepts: String,
}

fn many() -> usize {
    2000
}

/// The settings of a hidden folder, if it has any.
///
/// # Errors
/// When the file is wrong.
pub fn settings(hidden: &Path) -> Result<Option<Settings>> {
    match std::fs::read_to_string(hidden.join(FILE)) {
        Ok(text) => Ok(Some(toml::from_str(&text).with_context(|| format!("{FILE} is wrong"))?)),
        Err(_) => Ok(None),
    }
}

/// What was compared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Compared {
    /// Inputs on which both versions were asked.
    pub inputs: usize,
    /// Inputs on which the base's answer counts.
    pub counted: usize,
    /// The first difference.
    pub difference: Option<String>,
}

impl Settings {
    /// Makes the inputs, from the base's grammar unless the hidden folder has its own.
    ///
    /// # Errors
    /// When there is no such grammar or rule.
    pub fn make(&self, hidden: &Path, base: &Path) -> Result<Vec<String>> {
        let text = match std::fs::read_to_string(hidden.join(&self.grammar)) {
            Ok(text) => text,
            Err(_) => read_beneath(base, &self.grammar)
                .with_context(|| format!("no grammar {}", self.grammar))?,
        };
        generate::inputs(&text, &self.rule, self.inputs, SEED)
    }

    /// Asks both versions. With `accepted_only`, inputs that the base refuses do not count:
    /// a new feature may accept more.
    ///
    /// # Errors
    /// Only when nothing can be run confined.
    pub fn compare(
        &self,
        jail: &Jail,
        (base, patched): (&Probe, &Probe),
        inputs: &[String],
        accepted_only: bool,
        timeout_s: u64,
    ) -> Result<Compared> {
        let accepts = Regex::new(&self.accepts)?;
        let mut result = Compared { inputs: inputs.len(), ..Compared::default() };
        let ask = |probe: &Probe, lines: &[String]| run(jail, probe, &lines.concat(), timeout_s);
        for (at, batch) in inputs.chunks(BATCH).enumerate() {
            let lines: Vec<String> = batch
                .iter()
                .enumerate()
                .map(|(n, input)| {
                    let n = (at * BATCH + n + 1).to_string();
                    self.stdin.replace("{n}", &n).replace("{expr}", input)
                })
                .collect();
            let (old, new) = (ask(base, &lines)?, ask(patched, &lines)?);
            let (old, new) = (answers(&old, lines.len()), answers(&new, lines.len()));
            for (n, (input, line)) in batch.iter().zip(&lines).enumerate() {
                // If somebody ended early, one process for each line tells where.
                let one = |all: &Option<Vec<String>>, probe: &Probe| match all {
                    Some(all) => Ok(all.get(n).cloned().unwrap_or_default()),
                    None => ask(probe, std::slice::from_ref(line)).map(|ran| alone(&ran)),
                };
                let was = one(&old, base)?;
                if accepted_only && !accepts.is_match(&was) {
                    continue;
                }
                result.counted += 1;
                let is = one(&new, patched)?;
                if was != is {
                    result.difference = Some(format!("{input}: was \"{was}\", is \"{is}\""));
                    return Ok(result);
                }
            }
        }
        Ok(result)
    }
}

fn run(jail: &Jail, probe: &Probe, stdin: &str, timeout_s: u64) -> Result<Ran> {
    jail.run(&Job {
        argv: probe.argv.clone(),
        cwd: probe.cwd.clone(),
        env: plain_env(&probe.cwd),
        read: probe.read.clone(),
        write: Vec::new(),
        stdin: stdin.to_string(),
        timeout: Duration::from_secs(timeout_s),
        phase: Phase::Run,
    })
}

/// The answers to a batch, if there is one line for each input and nothing went wrong.
fn answers(ran: &Ran, wanted: usize) -> Option<Vec<String>> {
    let lines: Vec<String> = ran.stdout.lines().map(String::from).collect();
    (ran.code == Some(0) && lines.len() == wanted).then_some(lines)
}

/// Everything a process did with one line.
fn alone(ran: &Ran) -> String {
    match (ran.code, ran.timed_out) {
        (_, true) => "timeout".to_string(),
        (Some(0), _) => ran.stdout.trim_end().to_string(),
        (Some(code), _) => format!("{} (code {code})", ran.stdout.trim_end()),
        (None, _) => format!("{} (ended by a signal)", ran.stdout.trim_end()),
    }
}
