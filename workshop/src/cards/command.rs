//! The commands `cards` and `review cards`.

use std::fs;
use std::io::{BufRead, Write};

use anyhow::{Result, bail};
use clap::{Args, Subcommand};

use super::check;
use super::files::{self, CardFile};
use super::review;
use super::show;
use super::store::Store;

/// What to do with the cards.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum CardsCmd {
    /// Lists cards and functions with their status.
    List,
    /// Prints one card.
    Show {
        /// Its id or its title.
        card: String,
    },
    /// Checks the form of every card.
    Check,
}

/// How to decide on proposals.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub struct ReviewCards {
    /// Accepts this proposal.
    #[arg(long, value_name = "ID")]
    pub accept: Vec<String>,
    /// Rejects this proposal.
    #[arg(long, value_name = "ID")]
    pub reject: Vec<String>,
    /// Prints the open proposals as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Runs `cards`; says whether all is well.
///
/// # Errors
/// When files cannot be read, or there is no such card.
pub fn cards(command: &CardsCmd, store: &Store, out: &mut dyn Write) -> Result<bool> {
    match command {
        CardsCmd::List => {
            write!(out, "{}", show::list(&files::files(store.folder())?))?;
            Ok(true)
        }
        CardsCmd::Show { card } => {
            let file = find(&files::files(store.folder())?, card)?;
            write!(out, "{}", show::plain(&fs::read_to_string(&file.path)?))?;
            Ok(true)
        }
        CardsCmd::Check => {
            let findings = check::check(store.folder())?;
            for mistake in &findings.mistakes {
                writeln!(out, "{}", show::plain(mistake))?;
            }
            for note in &findings.notes {
                writeln!(out, "note: {}", show::plain(note))?;
            }
            writeln!(out, "{} mistakes, {} notes", findings.mistakes.len(), findings.notes.len())?;
            Ok(findings.mistakes.is_empty())
        }
    }
}

fn find(files: &[CardFile], card: &str) -> Result<CardFile> {
    let title = card.to_lowercase();
    let named = |file: &&CardFile| {
        file.id == card || file.karte.as_ref().is_ok_and(|card| card.titel.to_lowercase() == title)
    };
    match files.iter().find(named) {
        Some(file) => Ok(file.clone()),
        None => bail!("there is no card {card}"),
    }
}

/// Runs `review cards`: with ids it decides on them, else it asks one by one.
///
/// # Errors
/// When a proposal cannot be decided or a file cannot be read or written.
pub fn review(
    arguments: &ReviewCards,
    store: &Store,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<()> {
    let decided = !arguments.accept.is_empty() || !arguments.reject.is_empty();
    if decided {
        review::decide(store, &arguments.accept, &arguments.reject, out)?;
    }
    match (arguments.json, decided) {
        (true, _) => review::json(store, out),
        (false, true) => Ok(()),
        (false, false) => review::dialogue(store, input, out),
    }
}
