//! A person accepts or rejects a patch as a whole; accepting changes the repository by
//! exactly the judged diff and marks the card's function built.

use std::fs;
use std::io::{BufRead, ErrorKind, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::cards::atomic::Lock;
use crate::cards::parse::parse_open_function;
use crate::cards::show::plain;
use crate::cards::store::Store;
use crate::copy::{copy_tree, sha256};
use crate::diff::Changed;
use crate::journal;
use crate::score::Score;
use crate::session::{Kind, Session, hidden_dir};
use crate::state::write_atomically;
use crate::tools::call_text;

/// What a person decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Take the patch over.
    Accept,
    /// Leave the repository as it is.
    Reject,
    /// Ask again another time.
    Later,
}

/// Shows everything about a session's patch.
///
/// # Errors
/// When the session was never judged, or its files are damaged.
pub fn show(session: &Session, out: &mut dyn Write) -> Result<Score> {
    let score = score(session)?;
    let (diff, _) = session.diff()?;
    writeln!(out, "{}", plain(&session.task.text))?;
    let path = session.dir.join("journal.jsonl");
    if path.exists() {
        for step in journal::read(&path)?.1.iter().filter(|step| step.tool == "run_tests") {
            let first = step.observation.lines().next().unwrap_or("");
            let call = call_text(&step.tool, &step.args);
            writeln!(out, "step {}: {} -> {}", step.n, plain(&call), plain(first))?;
        }
    }
    writeln!(out)?;
    write!(out, "{}", plain(&diff))?;
    writeln!(out)?;
    write!(out, "{}", plain(&score.details()))?;
    Ok(score)
}

/// Asks for a decision on one line.
///
/// # Errors
/// When the answer cannot be read.
pub fn ask(input: &mut dyn BufRead, out: &mut dyn Write) -> Result<Decision> {
    loop {
        write!(out, "Accept this patch? [y,n,q] ")?;
        out.flush()?;
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Ok(Decision::Later);
        }
        match line.trim() {
            "y" => return Ok(Decision::Accept),
            "n" => return Ok(Decision::Reject),
            "q" => return Ok(Decision::Later),
            _ => {}
        }
    }
}

/// Accepts the patch of a session. Where that was cut off, the next try finishes it.
///
/// # Errors
/// When it is not acceptable, was changed after it was judged, was decided already, or the
/// repository has changed since the session began. Nothing is written then.
pub fn accept(session: &Session, store: &Store, out: &mut dyn Write) -> Result<()> {
    // Two patches must not be taken over at once: each was judged on the base alone.
    let _lock = Lock::folder(session.dir.parent().context("the session is in no folder")?)?;
    let begun = undecided(session)?;
    let score = score(session)?;
    if !score.acceptable {
        bail!("the judge did not find this patch acceptable");
    }
    let (diff, _) = session.diff()?;
    if sha256(diff.as_bytes()) != score.patch {
        bail!("the patch was changed after it was judged");
    }
    let changed = session.changed();
    if changed.is_empty() {
        bail!("there is no patch");
    }
    let done: &[Changed] = if begun { &changed } else { &[] };
    still_the_base(session, done)?;
    let planned = match &session.task.card {
        Some(card) if session.task.kind != Kind::Refactor => {
            Some((card, parse_open_function(&card.funktion)?))
        }
        _ => None,
    };
    if let Some((card, planned)) = &planned {
        store.check_planned(&card.card, planned)?;
    }
    decide(session, BEGUN)?;
    for file in &changed {
        let path = session.repo.join(&file.path);
        let mode = fs::metadata(&path)?.permissions();
        write_atomically(&path, file.new.as_bytes())?;
        fs::set_permissions(&path, mode)?;
        writeln!(out, "changed {}", file.path)?;
    }
    if let Some((card, planned)) = planned {
        store.mark_built(&card.card, &planned)?;
        writeln!(out, "built: {} on {}", planned.titel, card.card)?;
    }
    decide(session, "accepted")
}

/// Rejects the patch of a session; nothing but the session remembers it.
///
/// # Errors
/// When it was decided already.
pub fn reject(session: &Session) -> Result<()> {
    let _lock = Lock::folder(session.dir.parent().context("the session is in no folder")?)?;
    if undecided(session)? {
        bail!("this patch was accepted in part: accept it once more to finish that");
    }
    decide(session, "rejected")
}

/// The decision while files are being changed.
const BEGUN: &str = "accepting";

/// Whether an earlier acceptance was cut off.
///
/// # Errors
/// When there is a decision.
pub fn undecided(session: &Session) -> Result<bool> {
    match fs::read_to_string(session.dir.join("decision")) {
        Ok(text) if text.trim() == BEGUN => Ok(true),
        Ok(text) => bail!("this patch was {} already", text.trim()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error).context("cannot read the decision"),
    }
}

fn decide(session: &Session, word: &str) -> Result<()> {
    write_atomically(&session.dir.join("decision"), format!("{word}\n").as_bytes())
}

fn score(session: &Session) -> Result<Score> {
    match fs::read(session.dir.join("score.json")) {
        Ok(bytes) => Ok(serde_json::from_slice(&bytes)?),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            bail!("not judged yet: workshop judge {}", session.id)
        }
        Err(error) => Err(error).context("cannot read score.json"),
    }
}

/// The verdict is about the base: it says nothing once the repository is another one. Cards
/// may change meanwhile, and the files in `done` may be patched already.
fn still_the_base(session: &Session, done: &[Changed]) -> Result<()> {
    let scratch = tempfile::tempdir()?;
    let hidden = hidden_dir(&session.repo, &session.config);
    let now = copy_tree(
        &session.repo,
        &scratch.path().join("now"),
        &session.config.copy,
        hidden.as_deref(),
    )?;
    let card = |path: &String| Path::new(path).starts_with(&session.config.cards.dir);
    let patched = |path: &String| {
        let hash = |file: &Changed| sha256(file.new.as_bytes());
        done.iter().any(|file| file.path == *path && now.files.get(path) == Some(&hash(file)))
    };
    let differs = session
        .files
        .iter()
        .filter(|(path, hash)| now.files.get(*path) != Some(hash))
        .map(|(path, _)| path)
        .chain(now.files.keys().filter(|path| !session.files.contains_key(*path)))
        .find(|path| !card(path) && !patched(path));
    match differs {
        Some(path) => bail!("the repository has changed since this session began: {path}"),
        None => Ok(()),
    }
}
