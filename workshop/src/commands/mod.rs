//! The commands of the program, one function each.

pub mod people;
pub mod setup;
pub mod work;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::cards::store::Store;
use crate::config::Config;
use crate::sandbox::Jail;
use crate::session::Session;
use crate::state::State;

/// What every command works with.
#[derive(Debug, Clone)]
pub struct Desk {
    /// The repository.
    pub repo: PathBuf,
    /// Its configuration.
    pub config: Config,
    /// This program itself, which also is the sandbox.
    pub helper: PathBuf,
    /// The hidden folder from the command line.
    pub hidden: Option<PathBuf>,
    /// Whether `backend = "off"` was allowed on the command line.
    pub allow_off: bool,
}

impl Desk {
    /// Reads the configuration of the repository at `repo`.
    ///
    /// # Errors
    /// When there is no such folder or the configuration is wrong.
    pub fn new(repo: &Path, hidden: Option<&Path>, allow_off: bool) -> Result<Desk> {
        let repo =
            repo.canonicalize().with_context(|| format!("no such folder {}", repo.display()))?;
        let mut config = Config::load(&repo)?;
        let hidden = match hidden {
            Some(dir) => Some(
                dir.canonicalize().with_context(|| format!("no such folder {}", dir.display()))?,
            ),
            None => None,
        };
        if hidden.is_some() {
            config.hidden.dir.clone_from(&hidden);
        }
        let helper = std::env::current_exe().context("cannot find this program")?;
        Ok(Desk { repo, config, helper: helper.canonicalize()?, hidden, allow_off })
    }

    /// Where the workshop keeps its own files for this repository.
    ///
    /// # Errors
    /// When there is no place for them.
    pub fn state(&self) -> Result<State> {
        State::for_repo(&self.repo)
    }

    /// Where code is run.
    ///
    /// # Errors
    /// When it cannot be confined.
    pub fn jail(&self) -> Result<Jail> {
        Jail::new(&self.config.sandbox, &self.helper, self.allow_off)
    }

    /// The cards and open proposals.
    ///
    /// # Errors
    /// When there is no place for the proposals.
    pub fn store(&self) -> Result<Store> {
        let pending = self.state()?.dir.join("proposals.json");
        Ok(Store::new(self.repo.join(&self.config.cards.dir), pending))
    }

    /// An existing session.
    ///
    /// # Errors
    /// When there is no such session.
    pub fn session(&self, id: &str) -> Result<Session> {
        let hidden = self.hidden.clone();
        let overlay = |config: &mut Config| {
            if hidden.is_some() {
                config.hidden.dir.clone_from(&hidden);
            }
        };
        Session::open(&self.state()?, id, &overlay, &self.jail()?)
    }
}
