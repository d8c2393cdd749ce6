//! Commands for talking, planning and deciding.

use std::io::{BufRead, Write};

use anyhow::{Result, bail};

use super::Desk;
use crate::cards::check;
use crate::cards::command::{self as cards, CardsCmd, ReviewCards};
use crate::cards::show::plain;
use crate::chat::{self, Project};
use crate::cli::{ERROR, NOT_ACCEPTABLE, OK};
use crate::copy::{copy_checked, copy_tree};
use crate::judge::cases::{self, Case, Want};
use crate::runner::{self, Site, Status};
use crate::session::{Kind, hidden_dir};
use crate::{model, plan, review, words};

/// `chat`.
///
/// # Errors
/// When no answer could be had.
pub fn chat(
    desk: &Desk,
    arguments: &chat::command::ChatArgs,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<u8> {
    let project = Project {
        root: desk.repo.clone(),
        store: desk.store()?,
        source: desk.config.model.source.clone(),
    };
    let ask = || model::from_config(&desk.config.model, &desk.repo);
    chat::command::chat(arguments, &project, ask, input, out)?;
    Ok(OK)
}

/// `cards`; `check` also tries the cases of built functions and opens those that fail.
///
/// # Errors
/// When cards cannot be read, or nothing can be run confined.
pub fn cards(desk: &Desk, command: &CardsCmd, out: &mut dyn Write) -> Result<u8> {
    let store = desk.store()?;
    let well = cards::cards(command, &store, out)?;
    if *command != CardsCmd::Check || !well {
        return Ok(if well { OK } else { ERROR });
    }
    let mut trial: Option<Trial> = None;
    let reopened = check::reopen(&store, |fall| {
        let trial = match &mut trial {
            Some(trial) => trial,
            none => none.insert(Trial::new(desk)?),
        };
        trial.holds(&fall.kommando, &fall.ausgabe)
    })?;
    for (card, function) in &reopened {
        writeln!(out, "open again: {function} on {card}")?;
    }
    Ok(if reopened.is_empty() { OK } else { NOT_ACCEPTABLE })
}

/// A copy of the repository as it is, to run command lines in.
struct Trial {
    _keep: tempfile::TempDir,
    site: Site,
    runner: Box<dyn runner::Runner>,
    jail: crate::sandbox::Jail,
    timeout_s: u64,
}

impl Trial {
    fn new(desk: &Desk) -> Result<Trial> {
        let jail = desk.jail()?;
        let keep = tempfile::tempdir()?;
        let root = keep.path().canonicalize()?;
        let hidden = hidden_dir(&desk.repo, &desk.config);
        let base = root.join("base");
        let copied = copy_tree(&desk.repo, &base, &desk.config.copy, hidden.as_deref())?;
        let site = Site::in_folder(&root, &root)?;
        copy_checked(&base, &site.repo, &copied.files)?;
        let runner = runner::new(&desk.config.runner, &jail, &desk.repo)?;
        Ok(Trial { _keep: keep, site, runner, jail, timeout_s: desk.config.runner.timeout_s })
    }

    fn holds(&self, command: &str, output: &str) -> Result<bool> {
        let Some(argv) = words::split(command) else { return Ok(true) };
        let case = Case {
            name: command.to_string(),
            argv,
            stdin: String::new(),
            want: Want { stdout: format!("{output}\n"), code: 0 },
        };
        let program = case.argv.first().map_or("", String::as_str);
        Ok(match self.runner.program(&self.site, program)? {
            Ok(probe) => {
                let result = cases::run(&self.jail, &probe, &case, self.timeout_s)?;
                result.status == Status::Pass
            }
            Err(_) => false,
        })
    }
}

/// `plan`.
///
/// # Errors
/// When the function cannot be planned.
pub fn plan(
    desk: &Desk,
    card: &str,
    function: &str,
    kind: Kind,
    out: &mut dyn Write,
) -> Result<u8> {
    let plan = plan::plan(&desk.state()?, &desk.store()?, card, function, kind)?;
    writeln!(out, "task {}", plan.task.id)?;
    write!(out, "{}", plain(&plan.task.text))?;
    for case in &plan.task.cases {
        let line = format!("{} -> {}", case.argv.join(" "), case.want.stdout.trim_end());
        writeln!(out, "case {}: {}", case.name, plain(&line))?;
    }
    for line in &plan.prose {
        writeln!(out, "not executable: {}", plain(line))?;
    }
    writeln!(out, "next: workshop fix {}", plan.task.id)?;
    Ok(OK)
}

/// `review cards`.
///
/// # Errors
/// When a proposal cannot be decided.
pub fn review_cards(
    desk: &Desk,
    arguments: &ReviewCards,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<u8> {
    cards::review(arguments, &desk.store()?, input, out)?;
    Ok(OK)
}

/// `review patch`; `decision` is one given on the command line.
///
/// # Errors
/// When the patch cannot be shown or decided.
pub fn review_patch(
    desk: &Desk,
    id: &str,
    decision: Option<review::Decision>,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<u8> {
    let session = desk.session(id)?;
    if session.repo != desk.repo {
        bail!("session {id} belongs to {}", session.repo.display());
    }
    let score = review::show(&session, out)?;
    let decision = match decision {
        Some(decision) => decision,
        None if !score.acceptable => {
            writeln!(out, "This patch cannot be accepted.")?;
            return Ok(NOT_ACCEPTABLE);
        }
        None => {
            review::undecided(&session)?;
            review::ask(input, out)?
        }
    };
    match decision {
        review::Decision::Accept if !score.acceptable => {
            writeln!(out, "This patch cannot be accepted.")?;
            return Ok(NOT_ACCEPTABLE);
        }
        review::Decision::Accept => review::accept(&session, &desk.store()?, out)?,
        review::Decision::Reject => {
            review::reject(&session)?;
            writeln!(out, "rejected, nothing was changed")?;
        }
        review::Decision::Later => writeln!(out, "not decided")?,
    }
    Ok(OK)
}
