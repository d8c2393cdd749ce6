//! The folder of card files.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::card::Karte;
use super::error::{CardError, CardErrorKind};
use super::parse::parse;
use super::propose::Bestand;
use crate::copy::sha256;

/// One file of the folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardFile {
    /// Name of the file without `.md`.
    pub id: String,
    /// Where it is.
    pub path: PathBuf,
    /// SHA-256 of the file.
    pub basis: String,
    /// What is in it, or the first mistake.
    pub karte: Result<Karte, CardError>,
    /// Whether the file is exactly what would be written.
    pub canonical: bool,
}

/// All card files of a folder, by name. A missing folder has none.
///
/// # Errors
/// When a file cannot be read.
pub fn files(folder: &Path) -> Result<Vec<CardFile>> {
    let mut paths = Vec::new();
    if folder.exists() {
        for entry in
            fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?
        {
            let path = entry?.path();
            let hidden =
                path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
            if path.extension().is_some_and(|extension| extension == "md") && !hidden {
                paths.push(path);
            }
        }
    }
    paths.sort();
    paths.iter().map(|path| file(path)).collect()
}

/// One card file. What is no text file is a card with a mistake.
///
/// # Errors
/// When it cannot be read.
pub fn file(path: &Path) -> Result<CardFile> {
    let shown = path.display();
    let kind = fs::symlink_metadata(path).with_context(|| format!("cannot read {shown}"))?;
    let bytes = if kind.is_file() {
        fs::read(path).with_context(|| format!("cannot read {shown}"))?
    } else {
        Vec::new()
    };
    let basis = sha256(&bytes);
    let no_card = |why: &str| Err(CardErrorKind::NoCard(why.to_string()).into());
    let text = String::from_utf8(bytes);
    let karte = match &text {
        _ if !kind.is_file() => no_card("keine gewöhnliche Datei"),
        Ok(text) => parse(text),
        Err(_) => no_card("kein UTF-8"),
    };
    let canonical =
        karte.as_ref().is_ok_and(|card| card.render().is_ok_and(|again| Ok(again) == text));
    let id = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_string();
    Ok(CardFile { id, path: path.to_path_buf(), basis, karte, canonical })
}

/// All cards of a folder.
///
/// # Errors
/// When a file cannot be read or is not a card, or two cards have the same title.
pub fn cards(folder: &Path) -> Result<Vec<Bestand>> {
    let mut cards: Vec<Bestand> = Vec::new();
    for file in files(folder)? {
        let shown = file.path.display();
        let karte = file.karte.map_err(|error| anyhow::anyhow!("{shown}:{error}"))?;
        let title = karte.titel.to_lowercase();
        if let Some(other) = cards.iter().find(|card| card.karte.titel.to_lowercase() == title) {
            bail!("{shown}: Karte doppelt: {} (auch in {}.md)", karte.titel, other.id);
        }
        cards.push(Bestand { id: file.id, karte, basis: file.basis });
    }
    Ok(cards)
}

/// The path of the card with this id.
///
/// # Errors
/// When the id is not a plain file name.
pub fn path(folder: &Path, id: &str) -> Result<PathBuf> {
    let plain = !id.is_empty() && !id.starts_with('.') && !id.contains(['/', '\\', '\0']);
    if !plain {
        bail!("not the id of a card: {id:?}");
    }
    Ok(folder.join(format!("{id}.md")))
}

/// An id for a new card, from its title: letters, digits and dashes, not yet in the folder.
#[must_use]
pub fn new_id(folder: &Path, title: &str) -> String {
    let mut slug = String::new();
    for c in title.to_lowercase().chars() {
        match c {
            'ä' => slug.push_str("ae"),
            'ö' => slug.push_str("oe"),
            'ü' => slug.push_str("ue"),
            'ß' => slug.push_str("ss"),
            'a'..='z' | '0'..='9' => slug.push(c),
            _ if !slug.is_empty() && !slug.ends_with('-') => slug.push('-'),
            _ => {}
        }
    }
    let slug: String = slug.chars().take(60).collect();
    let slug = slug.trim_matches('-');
    let base = if slug.is_empty() { "karte" } else { slug };
    let free = |id: &String| fs::symlink_metadata(folder.join(format!("{id}.md"))).is_err();
    let numbered = (2..).map(|n| format!("{base}-{n}"));
    std::iter::once(base.to_string()).chain(numbered).find(free).unwrap_or_default()
}
