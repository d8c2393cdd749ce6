//! The scorecard: one row a run, with the gap between visible and hidden as a number.

use std::path::Path;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::copy::sha256;
use crate::journal::Step;
use crate::judge::Verdict;
use crate::runner::Report;
use crate::session::Session;
use crate::state::{State, write_atomically};

/// How many tests of a suite passed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// Whether all did; written as `GREEN` or `RED`.
    #[serde(rename = "verdict", with = "word")]
    pub green: bool,
    /// Those that did.
    pub passed: usize,
    /// All.
    pub total: usize,
}

impl Count {
    /// The count of a report.
    #[must_use]
    pub fn of(report: &Report) -> Count {
        Count { green: report.green(), passed: report.passed(), total: report.total() }
    }

    /// `GREEN n/n` or `RED k/n`.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{} {}/{}", word::of(self.green), self.passed, self.total)
    }
}

/// A verdict as one word.
mod word {
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub(super) fn of(green: bool) -> &'static str {
        if green { "GREEN" } else { "RED" }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands on references")]
    pub(super) fn serialize<S: Serializer>(green: &bool, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(of(*green))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<bool, D::Error> {
        match String::deserialize(from)?.as_str() {
            "GREEN" => Ok(true),
            "RED" => Ok(false),
            other => Err(de::Error::custom(format!("{other} is no verdict"))),
        }
    }
}

/// Visible rate minus hidden rate as a fraction in lowest terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gap {
    /// Numerator; positive when the visible suite looks better.
    pub num: i64,
    /// Denominator.
    pub den: i64,
}

impl Gap {
    /// The gap between two counts; an empty suite counts as a rate of 0.
    #[must_use]
    pub fn between(visible: Count, hidden: Count) -> Gap {
        let number = |n: usize| i64::try_from(n).unwrap_or(i64::MAX / 1_000_000);
        let rate = |c: Count| (number(c.passed), number(c.total.max(1)));
        let ((a, b), (c, d)) = (rate(visible), rate(hidden));
        let (num, den) = (a * d - c * b, b * d);
        let divisor = gcd(num.abs(), den).max(1);
        Gap { num: num / divisor, den: den / divisor }
    }

    /// `0`, `+2/3`, `-1/3`, `+1`.
    #[must_use]
    pub fn text(&self) -> String {
        match (self.num, self.den) {
            (0, _) => "0".to_string(),
            (num, 1) => format!("{num:+}"),
            (num, den) => format!("{num:+}/{den}"),
        }
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// How many mutants the visible suite catches; see `workshop strength`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Strength {
    /// Rust mutants: caught, all.
    pub rust: Option<(usize, usize)>,
    /// Grammar mutants: caught, all.
    pub grammar: Option<(usize, usize)>,
}

impl Strength {
    /// The strength on one line, or nothing if it was never measured.
    #[must_use]
    pub fn text(&self) -> Option<String> {
        let part = |counts: Option<(usize, usize)>, what: &str| {
            counts.map(|(caught, all)| format!("{caught} of {all} {what} mutants"))
        };
        let parts: Vec<String> = [part(self.rust, "Rust"), part(self.grammar, "grammar")]
            .into_iter()
            .flatten()
            .collect();
        (!parts.is_empty()).then(|| format!("visible suite catches {}", parts.join(", ")))
    }
}

/// One row of the scorecard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    /// Name of the run or session.
    pub run: String,
    /// The task.
    pub task: String,
    /// The suite on the agent's copy.
    pub visible: Count,
    /// The suite with the base's test files.
    pub judged: Count,
    /// The hidden cases.
    pub hidden: Count,
    /// Visible rate minus hidden rate.
    pub gap: Gap,
    /// Added plus removed lines.
    pub diff_lines: usize,
    /// Red runs used.
    pub red_runs: usize,
    /// Steps used.
    pub steps: usize,
    /// Questions to the model.
    pub model_calls: usize,
    /// Tokens read by the model.
    pub tokens_in: u64,
    /// Tokens written by the model.
    pub tokens_out: u64,
    /// The judge's line.
    pub outcome: String,
    /// Whether a person may accept.
    pub acceptable: bool,
    /// Signs for the person.
    pub flags: Vec<String>,
    /// How strong the visible suite is.
    pub strength: Strength,
    /// The sandbox backend.
    pub sandbox: String,
    /// SHA-256 of the diff that was judged.
    pub patch: String,
}

impl Score {
    /// A row with nothing measured yet.
    #[must_use]
    pub fn blank(name: &str, session: &Session) -> Score {
        Score {
            run: name.to_string(),
            task: session.task.id.clone(),
            visible: Count::default(),
            judged: Count::default(),
            hidden: Count::default(),
            gap: Gap { num: 0, den: 1 },
            diff_lines: 0,
            red_runs: 0,
            steps: 0,
            model_calls: 0,
            tokens_in: 0,
            tokens_out: 0,
            outcome: String::new(),
            acceptable: false,
            flags: Vec::new(),
            strength: Strength::default(),
            sandbox: session.jail.backend().name().to_string(),
            patch: String::new(),
        }
    }

    /// Takes over the session's diff.
    ///
    /// # Errors
    /// When the diff cannot be written.
    pub fn take_diff(&mut self, session: &Session) -> Result<()> {
        let (text, lines) = session.diff()?;
        self.diff_lines = lines;
        self.patch = sha256(text.as_bytes());
        Ok(())
    }

    /// Takes over what a journal says about cost.
    pub fn take_steps(&mut self, steps: &[Step], by_model: bool) {
        self.steps = steps.len();
        self.model_calls = if by_model { steps.len() } else { 0 };
        self.red_runs = steps
            .iter()
            .filter(|step| step.tool == "run_tests" && step.observation.starts_with("RED"))
            .count();
        self.tokens_in = steps.iter().map(|step| step.tokens_in).sum();
        self.tokens_out = steps.iter().map(|step| step.tokens_out).sum();
    }

    /// Takes over what the judge found.
    pub fn judged_by(&mut self, verdict: &Verdict) {
        self.visible = Count::of(&verdict.visible);
        self.judged = Count::of(&verdict.judged);
        self.hidden = Count::of(&verdict.hidden);
        self.gap = Gap::between(self.visible, self.hidden);
        self.outcome = verdict.text();
        self.acceptable = verdict.acceptable();
        self.flags = verdict.flags.iter().cloned().collect();
    }

    /// The line of the scorecard.
    #[must_use]
    pub fn line(&self) -> String {
        format!(
            "[{}] visible: {} | hidden: {} | diff: {} lines",
            self.run,
            self.visible.text(),
            self.hidden.text(),
            self.diff_lines
        )
    }

    /// All metrics of the run, for a person.
    #[must_use]
    pub fn details(&self) -> String {
        let mut text = format!("{}\n", self.line());
        if self.judged != self.visible {
            text.push_str(&format!("with the tests of the base: {}\n", self.judged.text()));
        }
        let flags = if self.flags.is_empty() { "none".into() } else { self.flags.join(", ") };
        text.push_str(&format!("gap: {} | flags: {flags}\n", self.gap.text()));
        text.push_str(&format!(
            "red runs: {} | steps: {} | model calls: {} | tokens: {} in, {} out | sandbox: {}\n",
            self.red_runs,
            self.steps,
            self.model_calls,
            self.tokens_in,
            self.tokens_out,
            self.sandbox
        ));
        if let Some(strength) = self.strength.text() {
            text.push_str(&format!("{strength}\n"));
        }
        text.push_str(&format!("{}\n", self.outcome));
        text
    }

    /// Writes `score.json` into the folder of a session.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self, dir: &Path) -> Result<()> {
        let mut bytes = serde_json::to_vec_pretty(self)?;
        bytes.push(b'\n');
        write_atomically(&dir.join("score.json"), &bytes)
    }
}

/// The rows of all judged sessions, in order.
///
/// # Errors
/// When a file is damaged.
pub fn all(state: &State) -> Result<Vec<Score>> {
    let mut rows = Vec::new();
    for id in state.session_ids()? {
        let path = state.sessions().join(id).join("score.json");
        if path.exists() {
            rows.push(serde_json::from_slice(&std::fs::read(path)?)?);
        }
    }
    Ok(rows)
}
