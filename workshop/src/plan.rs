//! Makes a task from an open function of a card: its `testen` lines become visible cases.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::cards::atomic::Lock;
use crate::cards::card::{Funktion, Karte, Stand};
use crate::cards::cases::cases;
use crate::cards::store::Store;
use crate::judge::cases::{Case, Want};
use crate::session::{CardRef, Kind, Task};
use crate::state::{State, write_atomically};
use crate::words;

/// A task and what a person should know about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The task.
    pub task: Task,
    /// Lines of `testen` that no program can run.
    pub prose: Vec<String>,
}

/// Plans the function `title` of the card with the id or title `card`.
///
/// # Errors
/// When there is no such function, it is built already, it has no `testen`, or a file
/// cannot be read or written.
pub fn plan(state: &State, store: &Store, card: &str, title: &str, kind: Kind) -> Result<Plan> {
    let lower = card.to_lowercase();
    let found = store
        .cards()?
        .into_iter()
        .find(|one| one.id == card || one.karte.titel.to_lowercase() == lower)
        .with_context(|| format!("there is no card {card}"))?;
    let function = found
        .karte
        .function(title)
        .with_context(|| format!("the card {} has no function {title}", found.karte.titel))?;
    if function.stand == Stand::Gebaut {
        bail!("{title} is built already");
    }
    if function.testen.is_empty() {
        bail!("{title} has no testen: nobody could tell whether it is built");
    }
    let mut plan = Plan {
        task: Task {
            id: String::new(),
            text: text(&found.karte, function, kind),
            kind,
            cases: Vec::new(),
            card: Some(CardRef { card: found.id.clone(), funktion: function.render()? }),
        },
        prose: Vec::new(),
    };
    let sorted = cases(function);
    plan.prose = sorted.prosa;
    if kind != Kind::Refactor {
        for fall in sorted.ausfuehrbar {
            match words::split(&fall.kommando) {
                Some(argv) => plan.task.cases.push(Case {
                    name: format!("testen_{}", plan.task.cases.len() + 1),
                    argv,
                    stdin: String::new(),
                    want: Want { stdout: format!("{}\n", fall.ausgabe), code: 0 },
                }),
                None => plan.prose.push(format!("`{}` ergibt `{}`", fall.kommando, fall.ausgabe)),
            }
        }
    }
    save(state, &mut plan.task)?;
    Ok(plan)
}

/// The task with the given name, or in the given file.
///
/// # Errors
/// When there is no such task or the file is damaged.
pub fn load(state: &State, name: &str) -> Result<Task> {
    let file = Path::new(name);
    let path = if file.extension().is_some() { file.to_path_buf() } else { path(state, name) };
    if !path.exists() {
        bail!("there is no task {name}");
    }
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {name}"))?;
    serde_json::from_str(&text).with_context(|| format!("the task {name} is damaged"))
}

fn path(state: &State, id: &str) -> PathBuf {
    state.dir.join("tasks").join(format!("{id}.json"))
}

/// Gives a task the next free name and writes its file.
fn save(state: &State, task: &mut Task) -> Result<()> {
    let _lock = Lock::folder(&state.dir.join("tasks"))?;
    let free = (1..100_000).map(|n| format!("t{n:03}")).find(|id| !path(state, id).exists());
    task.id = free.context("there are too many tasks")?;
    let mut bytes = serde_json::to_vec_pretty(task)?;
    bytes.push(b'\n');
    write_atomically(&path(state, &task.id), &bytes)
}

/// What the agent is told.
fn text(card: &Karte, function: &Funktion, kind: Kind) -> String {
    let (title, card_title) = (&function.titel, &card.titel);
    let mut text = match kind {
        Kind::Refactor => format!(
            "Prepare the code for the function \"{title}\" without changing what anybody can \
             see: no new behaviour, every test stays green.\n"
        ),
        Kind::Feature => {
            format!("Build the function \"{title}\" of the card \"{card_title}\".\n")
        }
        Kind::Fix => {
            format!("Repair the function \"{title}\" of the card \"{card_title}\".\n")
        }
    };
    let mut part = |name: &str, lines: &[String]| {
        if !lines.is_empty() {
            text.push_str(&format!("{name}:\n"));
            for line in lines {
                text.push_str(&format!("- {line}\n"));
            }
        }
    };
    let lines = |text: &str| text.lines().map(String::from).collect::<Vec<_>>();
    part("Purpose of the card", &lines(&card.ziel));
    part("Rules of the card", &card.regeln);
    part("Purpose of the function", &lines(&function.ziel));
    part("Rules of the function", &function.regeln);
    part("How it is tried", &function.testen);
    text
}
