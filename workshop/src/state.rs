//! Where the workshop keeps its own files: outside the repository.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::copy::sha256;

/// The workshop's folder for one repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// The folder; it exists.
    pub dir: PathBuf,
}

impl State {
    /// Finds and makes the folder for the repository at `repo`: below `$WORKSHOP_STATE`,
    /// else `$XDG_STATE_HOME/workshop`, else `~/.local/state/workshop`.
    ///
    /// # Errors
    /// When no such variable is set, the folder cannot be made, or it would lie in the
    /// repository.
    pub fn for_repo(repo: &Path) -> Result<State> {
        let set = |name: &str| {
            std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
        };
        let base = set("WORKSHOP_STATE")
            .or_else(|| set("XDG_STATE_HOME").map(|dir| dir.join("workshop")))
            .or_else(|| set("HOME").map(|dir| dir.join(".local/state/workshop")))
            .context("set WORKSHOP_STATE to a folder for the workshop's own files")?;
        State::below(&base, repo)
    }

    /// The same below the given folder.
    ///
    /// # Errors
    /// When the folder cannot be made or would lie in the repository.
    pub fn below(base: &Path, repo: &Path) -> Result<State> {
        let repo =
            repo.canonicalize().with_context(|| format!("no such folder {}", repo.display()))?;
        let name = repo.file_name().map_or("root".into(), |name| name.to_string_lossy());
        let id = &sha256(repo.as_os_str().as_encoded_bytes())[..12];
        let dir = base.join(format!("{name}-{id}"));
        fs::create_dir_all(&dir)
            .with_context(|| format!("cannot make the folder {}", dir.display()))?;
        let dir = dir.canonicalize()?;
        if dir.starts_with(&repo) {
            fs::remove_dir(&dir).ok();
            bail!("the workshop's files would lie inside the repository; set WORKSHOP_STATE");
        }
        Ok(State { dir })
    }

    /// The folder of the sessions.
    #[must_use]
    pub fn sessions(&self) -> PathBuf {
        self.dir.join("sessions")
    }

    /// Makes the folder of a new session and returns its name.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn new_session(&self) -> Result<String> {
        let sessions = self.sessions();
        fs::create_dir_all(&sessions)?;
        for n in 1..100_000 {
            let id = format!("s{n:03}");
            match fs::create_dir(sessions.join(&id)) {
                Ok(()) => return Ok(id),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error.into()),
            }
        }
        bail!("there are too many sessions in {}", sessions.display())
    }

    /// The names of all sessions in order.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn session_ids(&self) -> Result<Vec<String>> {
        let mut ids = Vec::new();
        if self.sessions().is_dir() {
            for entry in fs::read_dir(self.sessions())? {
                ids.push(entry?.file_name().to_string_lossy().into_owned());
            }
        }
        ids.sort();
        Ok(ids)
    }

    /// The folder of an existing session.
    ///
    /// # Errors
    /// When there is no such session.
    pub fn session(&self, id: &str) -> Result<PathBuf> {
        let plain = !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric());
        let dir = self.sessions().join(id);
        if !plain || !dir.is_dir() {
            bail!("no session {id}");
        }
        Ok(dir)
    }
}

/// Writes a file so that a crash leaves either the old or the new content: temporary file
/// beside it, fsync, rename.
///
/// # Errors
/// When the folder cannot be written.
pub fn write_atomically(path: &Path, content: &[u8]) -> Result<()> {
    use std::io::Write;
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)
        .with_context(|| format!("cannot write in {}", folder.display()))?;
    file.write_all(content)?;
    file.as_file().sync_all()?;
    file.persist(path).with_context(|| format!("cannot write {}", path.display()))?;
    fs::File::open(folder)?.sync_all()?;
    Ok(())
}
