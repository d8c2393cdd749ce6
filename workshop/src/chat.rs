//! The conversation in which cards are developed. The person says what they intend; the
//! model answers and describes the cards as they would be; what would change is computed and
//! laid before the person, one place at a time. A round writes no card.

pub mod command;
pub mod prompt;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use serde::Serialize;

use crate::cards::answer::Antwort;
use crate::cards::proposal::Vorschlag;
use crate::cards::propose::propose;
use crate::cards::store::Store;
use crate::history::{self, Eintrag, Rolle};
use crate::model::{Model, Request};

/// How often an answer is asked for before the round is given up.
pub const TRIES: usize = 3;

/// What a silent answer says.
pub const VERSTANDEN: &str = "Verstanden.";

/// Longest answer of a model, in tokens.
const MAX_TOKENS: u32 = 4096;

/// Where a conversation takes place.
#[derive(Debug)]
pub struct Project {
    /// Root of the project; the history is kept here.
    pub root: PathBuf,
    /// Its cards and open proposals.
    pub store: Store,
    /// The directory with the source code, relative to the root, if one is set.
    pub source: Option<PathBuf>,
}

/// One round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Runde {
    /// What the model says.
    pub antwort: String,
    /// What would change.
    pub probleme: Vec<Vorschlag>,
    /// The conversation so far, this round included.
    pub verlauf: Vec<Eintrag>,
}

impl Project {
    /// The directory with the source code, if there is one that can be worked in. A dead
    /// path counts as none.
    #[must_use]
    pub fn usable_source(&self) -> Option<PathBuf> {
        let path = self.root.join(self.source.as_ref()?).canonicalize().ok()?;
        fs::read_dir(&path).ok().map(|_| path)
    }
}

/// One round: a message in, an answer and proposals out.
///
/// # Errors
/// When the message is empty, a card cannot be read, the model gives no answer or three that
/// cannot be used. Nothing of the round is kept then.
pub fn ask(project: &Project, model: &mut dyn Model, text: &str) -> Result<Runde> {
    let text = text.trim();
    if text.is_empty() {
        bail!("Nachricht ist leer");
    }
    let cards = project.store.cards()?;
    // One switch decides what the prompt offers and what the backend may do.
    let source = if model.reads_source() { project.usable_source() } else { None };
    let mut request = Request {
        system: prompt::system(source.is_some(), &cards),
        message: prompt::message(&history::load(&project.root), text),
        schema: Some(Antwort::schema()),
        max_tokens: MAX_TOKENS,
        tools: source.is_some(),
        cwd: source,
    };
    for _ in 0..TRIES {
        let reply = model.ask(&request)?;
        let usable = Antwort::read(&reply.text)
            .and_then(|answer| propose(&cards, &answer).map(|proposals| (answer, proposals)));
        match usable {
            Ok((answer, proposals)) => return keep(project, text, &answer, proposals),
            Err(reason) => {
                request.message = prompt::again(&request.message, &reply.text, &reason);
            }
        }
    }
    bail!("Antwort war nicht lesbar — bitte noch einmal senden")
}

fn keep(
    project: &Project,
    text: &str,
    answer: &Antwort,
    probleme: Vec<Vorschlag>,
) -> Result<Runde> {
    let said = answer.antwort.as_deref().map(str::trim).filter(|said| !said.is_empty());
    let antwort = said.unwrap_or(VERSTANDEN).to_string();
    project.store.propose(&probleme)?;
    let entries = [Eintrag::new(Rolle::Person, text), Eintrag::new(Rolle::Ki, antwort.as_str())];
    let verlauf = history::append(&project.root, &entries)?;
    Ok(Runde { antwort, probleme, verlauf })
}

/// Forgets the conversation; cards and open proposals stay.
///
/// # Errors
/// When the history cannot be removed.
pub fn clear(root: &Path) -> Result<()> {
    Ok(history::clear(root)?)
}
