//! `dice completions`: from the same definition as the help.

use std::io::Write;

use clap::CommandFactory;

use super::args::{Cli, CompletionsArgs};
use super::{Io, Status};

/// Prints a completion script for a shell.
pub fn run(args: &CompletionsArgs, io: &mut Io) -> anyhow::Result<Status> {
    // Writing the script straight out would panic where the reader has gone.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "dice", &mut script);
    io.out.write_all(&script)?;
    Ok(Status::Done)
}
