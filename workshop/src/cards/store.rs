//! Cards and open proposals on disk: every change under a lock, every file whole.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};

use super::apply::{self, Refusal};
use super::atomic::{self, Lock};
use super::card::{Funktion, Stand};
use super::files;
use super::pending::{Laufend, Pending};
use super::proposal::{Feld, Vorschlag};
use super::propose::Bestand;
use super::refresh::{Refreshed, refresh};
use crate::copy::sha256;

/// A step before a file is renamed into its place; an error stops the change there.
pub type Hook = Box<dyn Fn(&Path) -> io::Result<()>>;

/// The cards of a project and the proposals a person has not decided on.
pub struct Store {
    cards: PathBuf,
    pending: PathBuf,
    hook: Hook,
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("cards", &self.cards).field("pending", &self.pending).finish()
    }
}

/// What taking over a proposal changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    /// The proposal.
    pub vorschlag: Vorschlag,
    /// Id of the card.
    pub feature: String,
}

impl Store {
    /// The cards in the folder `cards`, the open proposals in the file `pending`.
    #[must_use]
    pub fn new(cards: impl Into<PathBuf>, pending: impl Into<PathBuf>) -> Store {
        Store { cards: cards.into(), pending: pending.into(), hook: Box::new(|_| Ok(())) }
    }

    /// The same store with a step before every rename, for tests of crashes.
    #[must_use]
    pub fn with_hook(self, hook: Hook) -> Store {
        Store { hook, ..self }
    }

    /// The folder of the cards.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.cards
    }

    /// All cards.
    ///
    /// # Errors
    /// When a file cannot be read or is not a card.
    pub fn cards(&self) -> Result<Vec<Bestand>> {
        files::cards(&self.cards)
    }

    /// The proposals that are open.
    ///
    /// # Errors
    /// When their file cannot be read.
    pub fn open(&self) -> Result<Vec<Vorschlag>> {
        let _lock = self.lock()?;
        Ok(self.load()?.vorschlaege)
    }

    /// Adds proposals. Earlier ones for the same cards go: they came from an older draft.
    ///
    /// # Errors
    /// When their file cannot be read or written.
    pub fn propose(&self, proposals: &[Vorschlag]) -> Result<()> {
        if proposals.is_empty() {
            return Ok(());
        }
        let _lock = self.lock()?;
        let mut pending = self.load()?;
        pending.vorschlaege.retain(|old| proposals.iter().all(|new| !old.same_card(new)));
        pending.vorschlaege.extend_from_slice(proposals);
        self.save(&pending)
    }

    /// Takes one proposal over, with `edited` in place of its text if given.
    ///
    /// # Errors
    /// When there is no such proposal, when the card has changed so that it no longer fits
    /// (`Vorschlag veraltet: …`; the list then holds it anew if it can be recomputed), or
    /// when a file cannot be read or written.
    pub fn accept(&self, id: &str, edited: Option<&str>) -> Result<Accepted> {
        let _locks = (self.lock()?, Lock::folder(&self.cards)?);
        let mut pending = self.load()?;
        let proposal = pending.find(id)?;
        let proposal = match proposal.feld {
            Feld::NeueKarte => proposal,
            _ => self.current(&mut pending, proposal)?,
        };
        let wanted = match edited {
            Some(text) => proposal.with_text(text)?,
            None => proposal.clone(),
        };
        let (feature, content) = self.target(&wanted)?;
        pending.laufend = Some(Laufend {
            vorschlag: wanted.clone(),
            feature: feature.clone(),
            nachher: content.as_ref().map(|text| sha256(text.as_bytes())),
        });
        self.save(&pending)?;
        let path = files::path(&self.cards, &feature)?;
        match content {
            Some(text) => self.write(&path, &text)?,
            None => {
                (self.hook)(&path)?;
                atomic::remove(&path)?;
            }
        }
        pending.finish();
        self.save(&pending)?;
        Ok(Accepted { vorschlag: wanted, feature })
    }

    /// Drops one proposal; no card changes.
    ///
    /// # Errors
    /// When there is no such proposal, or a file cannot be read or written.
    pub fn reject(&self, id: &str) -> Result<Vorschlag> {
        let _lock = self.lock()?;
        let mut pending = self.load()?;
        let proposal = pending.find(id)?;
        pending.vorschlaege.retain(|other| other.id != id);
        self.save(&pending)?;
        Ok(proposal)
    }

    /// Marks a function built: after a judge found its patch acceptable and a person took it.
    /// `planned` is the function the patch was made for; it must still say the same.
    ///
    /// # Errors
    /// When the card or the function is gone or says something else by now, or a file cannot
    /// be read or written.
    pub fn mark_built(&self, feature: &str, planned: &Funktion) -> Result<()> {
        self.set_status(feature, &planned.titel, Stand::Gebaut, Some(planned))
    }

    /// Checks that [`Store::mark_built`] would find the function as it was planned.
    ///
    /// # Errors
    /// When the card or the function is gone or says something else by now.
    pub fn check_planned(&self, feature: &str, planned: &Funktion) -> Result<()> {
        let card = self.card(feature)?;
        match card.karte.function(&planned.titel) {
            None => bail!("{feature}: funktion {} gibt es nicht", planned.titel),
            Some(now) if !planned.same_body(now) => {
                bail!("{feature}: funktion {} sagt inzwischen etwas anderes", planned.titel)
            }
            Some(_) => Ok(()),
        }
    }

    /// Marks a function open: its visible cases are red, or a person says so.
    ///
    /// # Errors
    /// When the card or the function is gone, or a file cannot be read or written.
    pub fn mark_open(&self, feature: &str, title: &str) -> Result<()> {
        self.set_status(feature, title, Stand::Offen, None)
    }

    fn set_status(
        &self,
        id: &str,
        title: &str,
        status: Stand,
        planned: Option<&Funktion>,
    ) -> Result<()> {
        let _locks = (self.lock()?, Lock::folder(&self.cards)?);
        let mut pending = self.load()?;
        if let Some(planned) = planned {
            self.check_planned(id, planned)?;
        }
        let mut card = self.card(id)?;
        let found = card.karte.funktionen.iter_mut().find(|function| function.titel == title);
        let Some(function) = found else {
            bail!("{id}: funktion {title} gibt es nicht");
        };
        if function.stand == status {
            return Ok(());
        }
        function.stand = status;
        let text = card.karte.render()?;
        self.write(&files::path(&self.cards, id)?, &text)?;
        pending.refresh(id, &card.karte, &sha256(text.as_bytes()));
        self.save(&pending)
    }

    /// Keeps others from the open proposals. Whoever needs both locks takes this one first.
    fn lock(&self) -> Result<Lock> {
        let folder = self.pending.parent().context("the open proposals are in no folder")?;
        Ok(Lock::folder(folder)?)
    }

    fn card(&self, id: &str) -> Result<Bestand> {
        let file = files::file(&files::path(&self.cards, id)?)?;
        let karte = file.karte.map_err(|error| anyhow!("{}:{error}", file.path.display()))?;
        Ok(Bestand { id: file.id, karte, basis: file.basis })
    }

    /// The proposal as it fits the card now.
    fn current(&self, pending: &mut Pending, proposal: Vorschlag) -> Result<Vorschlag> {
        let path = files::path(&self.cards, &proposal.feature)?;
        if fs::symlink_metadata(&path).is_err() {
            pending.vorschlaege.retain(|other| other.feature != proposal.feature);
            self.save(pending)?;
            bail!(Refusal::Stale(format!("die Karte {} gibt es nicht mehr", proposal.feature)));
        }
        let card = self.card(&proposal.feature)?;
        if card.basis == proposal.basis {
            return Ok(proposal);
        }
        let outcome = refresh(&proposal, &card.karte, &card.basis);
        pending.refresh(&card.id, &card.karte, &card.basis);
        self.save(pending)?;
        match outcome {
            Refreshed::Same(proposal) => Ok(proposal),
            Refreshed::Recomputed(_, reason) | Refreshed::Gone(reason) => bail!(reason),
            Refreshed::Done => bail!(Refusal::Stale("das steht schon auf der Karte".to_string())),
        }
    }

    /// The file that a proposal writes: its id and its text, none when it is removed.
    fn target(&self, proposal: &Vorschlag) -> Result<(String, Option<String>)> {
        let (id, card) = match proposal.feld {
            Feld::NeueKarte => {
                let card = apply::new_card(proposal)?;
                (files::new_id(&self.cards, &card.titel), card)
            }
            Feld::KarteWeg => return Ok((proposal.feature.clone(), None)),
            _ => {
                let card = self.card(&proposal.feature)?;
                (card.id, apply::apply(&card.karte, proposal)?)
            }
        };
        let title = card.titel.to_lowercase();
        let twin = |other: &Bestand| other.id != id && other.karte.titel.to_lowercase() == title;
        if matches!(proposal.feld, Feld::NeueKarte | Feld::Titel) && self.cards()?.iter().any(twin)
        {
            bail!(Refusal::Stale(format!("die Karte {} gibt es schon", card.titel)));
        }
        Ok((id, Some(card.render()?)))
    }

    fn load(&self) -> Result<Pending> {
        let mut pending = Pending::load(&self.pending)?;
        let Some(running) = pending.laufend.clone() else { return Ok(pending) };
        let path = files::path(&self.cards, &running.feature)?;
        let now = match fs::read(&path) {
            Ok(bytes) => Some(sha256(&bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error.into()),
        };
        if now == running.nachher {
            pending.finish();
        } else {
            pending.laufend = None;
        }
        Ok(pending)
    }

    fn save(&self, pending: &Pending) -> Result<()> {
        self.write(&self.pending, &pending.text()?)
    }

    fn write(&self, path: &Path, text: &str) -> Result<()> {
        atomic::replace_with(path, text.as_bytes(), &self.hook)?;
        Ok(())
    }
}
