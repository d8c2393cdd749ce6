//! Options that several commands share: those of every command, and where faces come from.
//!
//! Apart from the commands, each of which is a list of its own options with these flattened into it.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::values::{faces, limit, plain_minus};

/// The heading of the options of [`Common`].
const EVERY: &str = "Options of every command";

/// What every command takes.
#[derive(Clone, Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct Common {
    /// Print one JSON object a line
    #[arg(long, global = true, help_heading = EVERY)]
    pub json: bool,
    /// Print totals only
    #[arg(short, long, global = true, help_heading = EVERY)]
    pub quiet: bool,
    /// Show all dice, what the signs mean, and the seed
    #[arg(short, long, global = true, help_heading = EVERY)]
    pub verbose: bool,
    /// When to use colour [default: auto]
    #[arg(long, global = true, help_heading = EVERY, value_name = "WHEN")]
    pub color: Option<Color>,
    /// How to print errors: drawn, or plainly on one line [default: drawn]
    #[arg(long, global = true, help_heading = EVERY, value_name = "HOW")]
    pub errors: Option<Errors>,
    /// Draw with ASCII characters only
    #[arg(long, global = true, help_heading = EVERY)]
    pub ascii: bool,
    /// Use this grammar file instead of the built-in grammar (see `dice grammar`)
    #[arg(long, global = true, help_heading = EVERY, value_name = "FILE")]
    pub grammar: Option<PathBuf>,
    /// Do not read defaults and named rolls
    #[arg(long, global = true, help_heading = EVERY)]
    pub no_config: bool,
    /// Change a limit: text, depth, dice, repeats, faces or steps
    #[arg(long = "limit", global = true, help_heading = EVERY, value_name = "NAME=VALUE", value_parser = limit)]
    pub limits: Vec<(String, u64)>,
}

/// Where the faces come from.
#[derive(Clone, Debug, Args)]
pub struct FacesArgs {
    /// Replay the dice of a seed, as -v shows it
    #[arg(long, value_name = "TEXT", value_parser = plain_minus)]
    pub seed: Option<String>,
    /// Use these faces instead of chance, as real dice have shown them
    #[arg(long, value_name = "6,5,3", value_parser = faces, conflicts_with = "seed")]
    pub faces: Option<FaceList>,
}

/// Scripted faces.
#[derive(Clone, Debug)]
pub struct FaceList(pub Vec<i64>);

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` or `TERM=dumb` is set
    Auto,
    /// Also in a pipe or a file
    Always,
    /// Not at all
    Never,
}

/// How to print errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Errors {
    /// With the text, marks under it and fixes
    Drawn,
    /// On one line, for screen readers and editors
    Plain,
}
