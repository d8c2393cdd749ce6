//! Commands that let an agent work and judge what it did.

use std::io::Write;

use anyhow::{Context, Result, bail};

use super::Desk;
use crate::agent;
use crate::cards::show::plain;
use crate::cli::{ERROR, ESCALATED, NOT_ACCEPTABLE, OK};
use crate::config::ModelKind;
use crate::journal;
use crate::judge::{self, Extra, hidden};
use crate::model;
use crate::replay::step_text;
use crate::score::{self, Score};
use crate::session::{Kind, Session, Task};
use crate::tools::{Action, Args};
use crate::{copy, plan};

/// Limits from the command line.
#[derive(Debug, Clone, Copy, Default)]
pub struct Limits {
    /// Red runs.
    pub max_red: Option<usize>,
    /// Steps.
    pub max_steps: Option<usize>,
}

/// `fix`.
///
/// # Errors
/// When there is nothing to do, the model does not answer, or nothing can be run confined.
pub fn fix(
    desk: &Desk,
    task: &str,
    limits: Limits,
    unsafe_allow: &[String],
    out: &mut dyn Write,
) -> Result<u8> {
    let state = desk.state()?;
    let jail = desk.jail()?;
    let task = plan::load(&state, task)?;
    let mut config = desk.config.clone();
    config.policy.unsafe_allow = unsafe_allow.to_vec();
    let mut budget = config.budget.clone();
    budget.max_red = limits.max_red.unwrap_or(budget.max_red);
    budget.max_steps = limits.max_steps.unwrap_or(budget.max_steps);
    if budget.max_red == 0 || budget.max_steps == 0 {
        bail!("--max-red and --max-steps must be at least 1");
    }
    let mut model = model::from_config(&config.model, &desk.repo)?;
    let session = Session::create(&state, &desk.repo, &config, &jail, task)?;
    writeln!(out, "session {}", session.id)?;
    for path in &session.skipped {
        writeln!(out, "left out: {path}")?;
    }
    let before = session.visible(&session.site, None)?;
    match (session.task.kind == Kind::Refactor, before.green()) {
        (true, false) => bail!("a refactoring starts green, but: {}", before.text()),
        (false, true) => bail!("nothing is red: there is no visible case for this task yet"),
        _ => {}
    }
    let name = match config.model.kind {
        ModelKind::Script => "script",
        ModelKind::Command => "command",
        ModelKind::Http => "http",
    };
    let fixed = agent::fix(&session, model.as_mut(), name, &budget, &mut |step| {
        // A closed terminal does not stop the work.
        write!(out, "{}", plain(&step_text(step))).ok();
    })?;
    writeln!(out, "{}", plain(fixed.text.trim_end()))?;
    if fixed.green {
        writeln!(out, "next: workshop judge {}", session.id)?;
        return Ok(OK);
    }
    Ok(ESCALATED)
}

/// `tool`: one action by hand, in the given session or a new one.
///
/// # Errors
/// When an argument is malformed or nothing can be run confined.
pub fn tool(
    desk: &Desk,
    name: &str,
    arguments: &[String],
    session: Option<&str>,
    out: &mut dyn Write,
) -> Result<u8> {
    let session = match session {
        Some(id) => desk.session(id)?,
        None => {
            let task = Task { id: "hand".into(), text: "by hand".into(), ..Task::default() };
            let session =
                Session::create(&desk.state()?, &desk.repo, &desk.config, &desk.jail()?, task)?;
            writeln!(out, "session {}", session.id)?;
            session
        }
    };
    let mut args = Args::default();
    for argument in arguments {
        let (key, value) = argument
            .split_once('=')
            .with_context(|| format!("{argument} is not of the form key=value"))?;
        let value = Some(value.to_string());
        match key {
            "path" => args.path = value,
            "pattern" => args.pattern = value,
            "old" => args.old = value,
            "new" => args.new = value,
            "only" => args.only = value,
            _ => bail!("there is no argument {key}"),
        }
    }
    let path = session.dir.join("journal.jsonl");
    let n = if path.exists() { journal::read(&path)?.1.len() + 1 } else { 1 };
    let action = Action { hypothesis: "by hand".into(), tool: name.into(), args };
    let step = session.act(n, &action)?;
    session.journal("hand")?.step(&step)?;
    writeln!(out, "{}", plain(step.observation.trim_end()))?;
    Ok(OK)
}

/// `judge`.
///
/// # Errors
/// When there are no hidden cases or nothing can be run confined.
pub fn judge(desk: &Desk, id: &str, inside: bool, out: &mut dyn Write) -> Result<u8> {
    let state = desk.state()?;
    let session = desk.session(id)?;
    let mut score = Score::blank(id, &session);
    let path = session.dir.join("journal.jsonl");
    if path.exists() {
        let (head, steps) = journal::read(&path)?;
        score.take_steps(&steps, head.model != "hand");
    }
    let extra = Extra { red_runs: score.red_runs, inside };
    let verdict = judge::judge(&state, &session, extra)?;
    score.take_diff(&session)?;
    score.judged_by(&verdict);
    score.strength = judge::strength::load(&state)?;
    score.save(&session.dir)?;
    writeln!(out, "visible: {}", plain(&verdict.judged.text()))?;
    writeln!(out, "hidden: {}", plain(&verdict.hidden.text()))?;
    if let Some(report) = &verdict.inside {
        let word = if report.exit_ok { "GREEN" } else { "RED" };
        writeln!(out, "hidden*: {} ({word} by exit code), in one process", report.short())?;
    }
    if let Some(compared) = &verdict.compared {
        let (all, counted) = (compared.inputs, compared.counted);
        let word = if compared.difference.is_some() { "one differs" } else { "none differs" };
        writeln!(out, "differential: {all} inputs, {counted} counted, {word}")?;
    }
    write!(out, "{}", plain(&score.details()))?;
    if verdict.acceptable() {
        writeln!(out, "next: workshop review patch {id}")?;
        return Ok(OK);
    }
    Ok(NOT_ACCEPTABLE)
}

/// `score`.
///
/// # Errors
/// When a file is damaged.
pub fn score(desk: &Desk, json: bool, out: &mut dyn Write) -> Result<u8> {
    let rows = score::all(&desk.state()?)?;
    if json {
        writeln!(out, "{}", serde_json::to_string_pretty(&rows)?)?;
    } else {
        if rows.is_empty() {
            writeln!(out, "no session has been judged yet")?;
        }
        for row in &rows {
            writeln!(out, "{}", row.line())?;
        }
    }
    Ok(OK)
}

/// `hidden check`: every hidden case must pass on the reference solution.
///
/// # Errors
/// When there are no hidden cases or no reference, or nothing can be run confined.
pub fn hidden_check(desk: &Desk, out: &mut dyn Write) -> Result<u8> {
    let dir = crate::session::hidden_dir(&desk.repo, &desk.config)
        .context("no hidden cases: set hidden.dir or give --hidden")?;
    let scratch = tempfile::tempdir()?;
    let root = scratch.path().canonicalize()?;
    let copied = copy::copy_tree(&desk.repo, &root.join("base"), &desk.config.copy, Some(&dir))?;
    let report = hidden::on_reference(desk, &root, &copied.files, &dir)?;
    writeln!(out, "hidden cases on the reference: {}", plain(&report.text()))?;
    Ok(if report.green() { OK } else { ERROR })
}

/// `strength`.
///
/// # Errors
/// When a tool is missing, the base does not build, or nothing can be run confined.
pub fn strength(desk: &Desk, grammar: bool, rust: bool, out: &mut dyn Write) -> Result<u8> {
    let state = desk.state()?;
    let mut strength = judge::strength::load(&state)?;
    if !rust {
        match judge::strength::grammar(desk)? {
            Some(result) => {
                write!(out, "{}", plain(&result.text("grammar")))?;
                strength.grammar = Some(result.counts());
            }
            None => writeln!(out, "there is no editable grammar")?,
        }
    }
    if !grammar {
        let result = judge::strength::rust(desk)?;
        write!(out, "{}", plain(&result.text("Rust")))?;
        strength.rust = Some(result.counts());
    }
    judge::strength::save(&state, &strength)?;
    Ok(OK)
}
