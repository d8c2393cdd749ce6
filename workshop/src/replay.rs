//! The canonical runs: recorded actions, fed again offline, compared line by line.

mod file;

use std::collections::VecDeque;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::agent;
use crate::config::Config;
use crate::copy::copy_tree;
use crate::journal::Step;
use crate::judge::{self, Extra};
use crate::model::{Model, Reply, Request};
use crate::sandbox::Jail;
use crate::score::Score;
use crate::session::{Session, Task};
use crate::state::State;
use crate::tools::{Action, call_text};
pub use file::{Run, find};

/// What a played run leaves behind.
pub struct Played {
    /// The log.
    pub log: String,
    /// The session, in `state`.
    pub session: Session,
    /// The row of the scorecard.
    pub score: Score,
}

/// Plays one run with its state below `scratch`, which keeps the session afterwards.
///
/// # Errors
/// When something cannot be built or run confined.
pub fn play(run: &Run, scratch: &Path, jail: &Jail) -> Result<Played> {
    let repo = scratch.join("repo");
    if repo.exists() {
        // Another run was played here; what it compiled of the dependencies serves this one.
        fs::remove_dir_all(&repo)?;
    }
    let original = run.folder.join(&run.head.repo);
    // A fixture on a repository that is not its own may bring its own configuration.
    let own = run.folder.join(crate::config::FILE).exists();
    let mut config = Config::load(if own { &run.folder } else { &original })?;
    let hidden = run.folder.join(&run.head.hidden);
    copy_tree(&original, &repo, &config.copy, Some(&hidden))?;
    for change in &run.head.setup {
        let path = repo.join(&change.path);
        let text = fs::read_to_string(&path)?;
        if text.matches(&change.old).count() != 1 {
            bail!("the setup of run {} does not fit {}", run.id(), change.path);
        }
        fs::write(&path, text.replacen(&change.old, &change.new, 1))?;
    }
    for (path, from) in &run.head.add {
        let path = repo.join(path);
        fs::create_dir_all(path.parent().unwrap_or(&repo))?;
        fs::copy(run.folder.join(from), path).with_context(|| format!("no file {from}"))?;
    }
    config.hidden.dir = Some(hidden);
    config.policy.unsafe_allow.clone_from(&run.head.unsafe_allow);
    let state = State::below(&scratch.join("state"), &repo)?;
    let task = Task {
        id: run.head.run.clone(),
        text: run.head.task.clone(),
        kind: run.head.kind,
        ..Task::default()
    };
    let session = Session::create(&state, &repo, &config, jail, task)?;

    let mut log = format!("=== Run {}: {} ===\n", run.head.run, run.head.name);
    let mut score = Score::blank(&run.head.name, &session);
    if run.head.in_loop {
        let mut script = Script(run.actions.iter().cloned().collect());
        let budget = session.config.budget.clone();
        let fixed = agent::fix(&session, &mut script, "recorded", &budget, &mut |step| {
            log.push_str(&step_text(step));
        })?;
        log.push_str(&fixed.text);
        if !fixed.text.ends_with('\n') {
            log.push('\n');
        }
        score.red_runs = fixed.red_runs;
        score.steps = fixed.steps;
        score.model_calls = fixed.model_calls;
    } else {
        let mut journal = session.journal("recorded")?;
        for (n, action) in run.actions.iter().enumerate() {
            let step = session.act(n + 1, action)?;
            journal.step(&step)?;
            log.push_str(&step_text(&step));
            let red = step.tool == "run_tests" && step.observation.starts_with("RED");
            score.red_runs += usize::from(red);
            score.steps += 1;
        }
    }
    let extra = Extra { red_runs: score.red_runs, inside: run.head.naive };
    let verdict = judge::judge(&state, &session, extra)?;
    score.take_diff(&session)?;
    score.judged_by(&verdict);
    score.save(&session.dir)?;

    log.push_str(&format!("{}\n", score.line()));
    if run.head.naive {
        let word = |ok| if ok { "GREEN" } else { "RED" };
        let hidden = verdict.inside.as_ref().is_some_and(|report| report.exit_ok);
        log.push_str(&format!(
            "in one process, by exit code: visible {}, hidden {}\n",
            word(verdict.visible.exit_ok),
            word(hidden)
        ));
    }
    if score.judged != score.visible {
        log.push_str(&format!("with the tests of the base: {}\n", score.judged.text()));
    }
    let flags = if score.flags.is_empty() { "none".into() } else { score.flags.join(", ") };
    log.push_str(&format!("gap: {} | flags: {flags}\n{}\n", score.gap.text(), score.outcome));
    Ok(Played { log, session, score })
}

/// A step as the log prints it: the call, then what was seen, indented by two blanks.
#[must_use]
pub fn step_text(step: &Step) -> String {
    let mut text = format!("{}\n", call_text(&step.tool, &step.args));
    for line in step.observation.lines() {
        text.push_str(format!("  {line}").trim_end());
        text.push('\n');
    }
    text
}

/// Answers with recorded actions.
struct Script(VecDeque<Action>);

impl Model for Script {
    fn ask(&mut self, _request: &Request) -> Result<Reply> {
        let action = self.0.pop_front().context("the recorded run has no more actions")?;
        Ok(Reply { text: serde_json::to_string(&action)?, tokens_in: 0, tokens_out: 0 })
    }
}
