//! The program: its commands, one file each, and what they share.
//!
//! Nothing here prints by itself or ends the process: commands write to an [`Io`] and return a [`Status`], or an error that
//! [`finish`] reports.

mod args;
mod chart;
mod check;
mod chi;
mod compare;
mod completions;
mod defaults;
mod dirs;
mod explain;
mod faces;
mod grammar;
mod interrupt;
mod io;
mod json;
mod language;
mod log;
mod man;
mod names;
mod odds;
mod odds_of;
mod plot;
mod repl;
mod report;
mod roll;
mod seed;
mod show;
mod simulate;
mod status;
mod verify;
mod words;

use std::ffi::OsString;

use clap::Parser;

use args::{Cli, Command};
pub use io::Io;
pub use status::Status;

/// Runs the program with these arguments, the first being its name.
///
/// # Errors
/// Whatever went wrong; [`finish`] reports it.
pub fn run(args: impl Iterator<Item = OsString>, io: &mut Io) -> anyhow::Result<Status> {
    let args = words::arrange(args.collect());
    io.settle_before_parsing(&args);
    let mut cli = Cli::try_parse_from(args).inspect_err(|_| {
        // A wrong argument is told as the defaults say, if these are not wrong too.
        if let Some(defaults) = dirs::defaults().and_then(|path| defaults::Defaults::load(&path).ok()) {
            io.settle_after_failure(defaults.color, defaults.errors);
        }
    })?;
    io.settle(&cli.common);
    let helps = matches!(cli.command, Some(Command::Completions(_) | Command::Man));
    if let Some(path) = dirs::defaults().filter(|_| !helps && !cli.common.no_config) {
        defaults::Defaults::load(&path)?.fill(&mut cli);
        io.settle(&cli.common);
    }
    let status = match cli.command {
        None => roll::run(&cli.roll, &cli.common, io),
        Some(Command::Roll(args)) => roll::run(&args, &cli.common, io),
        Some(Command::Explain(args)) => explain::run(&args, &cli.common, io),
        Some(Command::Grammar(args)) => grammar::run(&args, &cli.common, io),
        Some(Command::Completions(args)) => completions::run(&args, io),
        Some(Command::Man) => man::man(io),
        Some(Command::Check(args)) => check::run(&args, &cli.common, io),
        Some(Command::Compare(args)) => compare::run(&args, &cli.common, io),
        Some(Command::Simulate(args)) => simulate::run(&args, &cli.common, io),
        Some(Command::Repl(args)) => repl::run(&args, &cli.common, io),
        Some(Command::Odds(args)) => odds::run(&args, &cli.common, io),
        Some(Command::Verify(args)) => verify::run(&args, &cli.common, io),
    }?;
    io.out.flush()?;
    Ok(status)
}

/// Reports what went wrong, if anything did, and says how the program ends.
pub fn finish(result: anyhow::Result<Status>, io: &mut Io) -> Status {
    let status = match result {
        Ok(status) => status,
        Err(error) => report::report(&error, io),
    };
    // Nothing is left to tell it to when this fails.
    let _ = io.err.flush();
    status
}
