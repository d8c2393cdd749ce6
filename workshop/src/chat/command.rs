//! The command `chat`.

use std::io::{BufRead, Write};

use anyhow::Result;
use clap::Args;

use super::{Project, ask, clear};
use crate::cards::{review, show};
use crate::model::Model;

/// How to speak.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub struct ChatArgs {
    /// The message; without it, standard input is read.
    pub text: Option<String>,
    /// Forgets the conversation so far; alone, nothing is asked.
    #[arg(long)]
    pub clear: bool,
    /// Prints the round as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Runs `chat`: one round, then the answer and the numbered proposals.
///
/// # Errors
/// When no answer could be had or used, or a file cannot be read or written.
pub fn chat(
    arguments: &ChatArgs,
    project: &Project,
    model: impl FnOnce() -> Result<Box<dyn Model>>,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<()> {
    if arguments.clear {
        clear(&project.root)?;
        if arguments.text.is_none() {
            writeln!(out, "The conversation is forgotten.")?;
            return Ok(());
        }
    }
    let mut text = arguments.text.clone().unwrap_or_default();
    if arguments.text.is_none() {
        input.read_to_string(&mut text)?;
    }
    let round = ask(project, model()?.as_mut(), &text)?;
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&round)?)?;
        return Ok(());
    }
    writeln!(out, "{}", show::plain(&round.antwort))?;
    if round.probleme.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    review::print(&project.store, &round.probleme, out)?;
    writeln!(out, "\nDecide with: workshop review cards")?;
    Ok(())
}
