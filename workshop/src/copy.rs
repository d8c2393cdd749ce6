//! Copies a repository so that nothing but the workshop can change the original.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail};
use globset::{Glob, GlobSet, GlobSetBuilder};
use sha2::{Digest, Sha256};

use crate::config;
use crate::history;

/// Path relative to the root, with `/`, to the SHA-256 of the file's content.
pub type Hashes = BTreeMap<String, String>;

/// What a copy holds and what it left out on purpose.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Copied {
    /// Every copied file.
    pub files: Hashes,
    /// Links that would have led out of the tree, and files that are neither file nor folder.
    pub skipped: Vec<String>,
}

/// The SHA-256 of `bytes` in hexadecimal.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// One hash for a whole tree.
#[must_use]
pub fn tree_hash(files: &Hashes) -> String {
    let text: String = files.iter().map(|(path, hash)| format!("{hash}  {path}\n")).collect();
    sha256(text.as_bytes())
}

/// Builds one matcher for a list of globs.
///
/// # Errors
/// When a glob is malformed.
pub fn globs(patterns: &[String]) -> Result<GlobSet> {
    let mut builder = GlobSetBuilder::new();
    for pattern in patterns {
        builder.add(Glob::new(pattern).with_context(|| format!("bad glob {pattern}"))?);
    }
    Ok(builder.build()?)
}

/// Copies `from` to the new folder `to`, without version control, build output, the
/// workshop's own files, `hidden`, and what the configuration ignores.
///
/// Hard links become plain files and every copied file has a fresh modification time.
///
/// # Errors
/// When a file cannot be read or written, or its path is not UTF-8.
pub fn copy_tree(
    from: &Path,
    to: &Path,
    rules: &config::Copy,
    hidden: Option<&Path>,
) -> Result<Copied> {
    let root = from.canonicalize().with_context(|| format!("no such folder {}", from.display()))?;
    let hidden = hidden.and_then(|path| path.canonicalize().ok());
    if hidden.as_deref() == Some(root.as_path()) {
        bail!("the hidden folder is the repository itself");
    }
    let ignore = globs(&rules.ignore)?;
    let mut copied = Copied::default();
    fs::create_dir_all(to)?;
    let walk = Walk { root: &root, to, ignore: &ignore, hidden: hidden.as_deref() };
    walk.folder(Path::new(""), &mut copied)?;
    copied.skipped.sort();
    Ok(copied)
}

struct Walk<'a> {
    root: &'a Path,
    to: &'a Path,
    ignore: &'a GlobSet,
    hidden: Option<&'a Path>,
}

impl Walk<'_> {
    fn folder(&self, relative: &Path, copied: &mut Copied) -> Result<()> {
        let folder = self.root.join(relative);
        let is_package = folder.join("Cargo.toml").is_file();
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let path = relative.join(entry.file_name());
            let Some(name) = path.to_str() else {
                bail!("the path {} is not UTF-8", path.display());
            };
            if self.left_out(&entry.file_name().to_string_lossy(), &path, is_package) {
                continue;
            }
            let kind = entry.file_type()?;
            let target = self.to.join(&path);
            if kind.is_dir() {
                fs::create_dir_all(&target)?;
                self.folder(&path, copied)?;
            } else if kind.is_file() {
                let bytes = fs::read(entry.path())?;
                fs::write(&target, &bytes)?;
                fs::set_permissions(&target, entry.metadata()?.permissions())?;
                copied.files.insert(name.to_string(), sha256(&bytes));
            } else if kind.is_symlink() {
                self.link(&path, name, copied)?;
            } else {
                copied.skipped.push(name.to_string());
            }
        }
        Ok(())
    }

    fn left_out(&self, name: &str, path: &Path, beside_manifest: bool) -> bool {
        name == ".git"
            || name == ".chat.json"
            || name.starts_with(".workshop")
            || name.starts_with(history::DATEI)
            || (name == "target" && beside_manifest)
            || self.ignore.is_match(path)
            || self.hidden.is_some_and(|hidden| self.root.join(path) == hidden)
    }

    fn link(&self, path: &Path, name: &str, copied: &mut Copied) -> Result<()> {
        let target = fs::read_link(self.root.join(path))?;
        // By its words, and by where it leads if there is something.
        let real = self.root.join(path).canonicalize();
        let leaves = real.is_ok_and(|real| !real.starts_with(self.root));
        if stays_inside(path, &target) && !leaves {
            std::os::unix::fs::symlink(&target, self.to.join(path))?;
            let hash = sha256(format!("link {}", target.display()).as_bytes());
            copied.files.insert(name.to_string(), hash);
        } else {
            copied.skipped.push(name.to_string());
        }
        Ok(())
    }
}

/// Whether a relative link at `path` to `target` stays in the tree, by its words alone.
fn stays_inside(path: &Path, target: &Path) -> bool {
    let mut depth = path.components().count() - 1;
    for component in target.components() {
        match component {
            Component::Normal(_) => depth += 1,
            Component::CurDir => {}
            Component::ParentDir if depth > 0 => depth -= 1,
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return false,
        }
    }
    true
}

/// The hashes of a copy as it is now, by the same rules as [`copy_tree`].
///
/// # Errors
/// When a file cannot be read.
pub fn hash_tree(root: &Path) -> Result<Hashes> {
    let mut files = Hashes::new();
    let mut open = vec![PathBuf::new()];
    while let Some(relative) = open.pop() {
        for entry in fs::read_dir(root.join(&relative))? {
            let entry = entry?;
            let path = relative.join(entry.file_name());
            let kind = entry.file_type()?;
            if kind.is_dir() {
                open.push(path);
                continue;
            }
            let hash = if kind.is_symlink() {
                sha256(format!("link {}", fs::read_link(entry.path())?.display()).as_bytes())
            } else {
                sha256(&fs::read(entry.path())?)
            };
            files.insert(path.to_string_lossy().into_owned(), hash);
        }
    }
    Ok(files)
}

/// Copies the files named in `files` from one copy to another.
///
/// # Errors
/// When a file is missing or its content is not the recorded one.
pub fn copy_checked(from: &Path, to: &Path, files: &Hashes) -> Result<()> {
    if hash_tree(from)? != *files {
        bail!("the base of this session was changed after it was copied");
    }
    for name in files.keys() {
        let target = to.join(name);
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent)?;
        }
        let source = from.join(name);
        if source.is_symlink() {
            std::os::unix::fs::symlink(fs::read_link(&source)?, &target)?;
        } else {
            let bytes = fs::read(&source)?;
            fs::write(&target, bytes)?;
            fs::set_permissions(&target, fs::metadata(&source)?.permissions())?;
        }
    }
    Ok(())
}
