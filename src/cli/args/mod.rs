//! The arguments of the program; help, completions and the man page come from here.

mod shared;
mod values;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

pub use shared::{Color, Common, Errors, FaceList, FacesArgs};
pub use values::limit;
use values::{plain_minus, times, total};

/// What people type first.
pub const EXAMPLES: &str = "\
Examples:
  dice '4d6kh3'              keep the highest 3 of 4 six-sided dice
  dice '2d20kh1 + 5'         roll with advantage, plus 5
  dice 2d6 + 3               blanks do no harm; * ! ( ) > < { } ; # need quotes
  dice -n 6 4d6 keep highest 3
  dice odds '3d6'            the chance of every total
  dice check '1d20+7 >= 15'  exit status 1 if the check fails
  dice                       ask for one roll after the other";

const ODDS: &str = "\
Examples:
  dice odds '4d6kh3'                  the whole table
  dice odds --at-least 15 '4d6kh3'    one number
  dice odds --svg odds.svg '4d6kh3'   a picture";

/// How the program ends.
pub const AFTER: &str = "\
Exit status: 0 done; 1 a check failed or a log does not verify; 2 usage or notation; 3 evaluation failed or a limit was met; \
4 input or output.";

/// Rolls dice notation and tells its exact odds.
#[derive(Debug, Parser)]
#[command(name = "dice", version, before_help = EXAMPLES, after_help = AFTER, max_term_width = 80)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
pub struct Cli {
    #[command(flatten)]
    pub roll: RollArgs,
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Roll (the same as no command)
    Roll(RollArgs),
    /// Say in words what a text means, without rolling it
    #[command(before_help = "Example: dice explain '4d6!kh3 + 2'")]
    Explain(TextArgs),
    /// Ask for one roll after the other
    Repl(ReplArgs),
    /// Tell the exact chance of every total
    #[command(visible_alias = "dist", before_help = ODDS)]
    Odds(OddsArgs),
    /// Show the grammar in use, or check one of your own
    Grammar(GrammarArgs),
    /// Roll a test; exit status 1 if it fails
    #[command(before_help = "Example: dice check '2d20kh1+7 >= 15'")]
    Check(CheckArgs),
    /// Tell two rolls apart: side by side and against each other
    #[command(before_help = "Example: dice compare '4d6kh3' '3d6'")]
    Compare(CompareArgs),
    /// Roll often and compare with the exact odds
    #[command(before_help = "Example: dice simulate -n 1000000 --seed 1 '4d6kh3'")]
    Simulate(SimulateArgs),
    /// Replay a log and check it
    #[command(before_help = "Example: dice --log rolls.log '4d6kh3' && dice verify rolls.log")]
    Verify(VerifyArgs),
    /// Print a completion script for a shell
    #[command(
        before_help = "Example: dice completions bash > ~/.local/share/bash-completion/completions/dice"
    )]
    Completions(CompletionsArgs),
    /// Print the man page
    Man,
}

/// A text and nothing else.
#[derive(Clone, Debug, Args)]
pub struct TextArgs {
    /// The text; several arguments are joined with blanks
    #[arg(value_name = "EXPR", required = true, value_parser = plain_minus)]
    text: Vec<String>,
}

impl TextArgs {
    /// The arguments as one text.
    pub fn text(&self) -> String {
        self.text.join(" ")
    }
}

/// What `grammar` takes.
#[derive(Clone, Debug, Args)]
pub struct GrammarArgs {
    #[command(subcommand)]
    pub command: Option<GrammarCommand>,
}

/// The commands below `grammar`.
#[derive(Clone, Debug, Subcommand)]
pub enum GrammarCommand {
    /// List the rules with what they are for
    Rules,
    /// Say what is wrong or odd about a grammar file; exit status 1 if it is wrong
    Check {
        /// The grammar file
        file: PathBuf,
    },
    /// Show how a grammar file takes a text apart, and what the text means
    Try {
        /// The grammar file
        file: PathBuf,
        /// The text; several arguments are joined with blanks
        #[arg(value_name = "EXPR", required = true, value_parser = plain_minus)]
        text: Vec<String>,
    },
    /// Draw the rules as railroad diagrams, in SVG
    Diagram {
        /// Only this rule
        rule: Option<String>,
    },
}

/// What `check` takes.
#[derive(Clone, Debug, Args)]
pub struct CheckArgs {
    #[command(flatten)]
    pub text: TextArgs,
    #[command(flatten)]
    pub faces: FacesArgs,
}

/// What `compare` takes.
#[derive(Clone, Debug, Args)]
pub struct CompareArgs {
    /// The first roll
    #[arg(value_name = "A", value_parser = plain_minus)]
    pub first: String,
    /// The second roll
    #[arg(value_name = "B", value_parser = plain_minus)]
    pub second: String,
    /// Compare the chances of this total or more
    #[arg(long, value_name = "N", value_parser = total)]
    pub at_least: Option<dice::Number>,
}

/// What `simulate` takes.
#[derive(Clone, Debug, Args)]
pub struct SimulateArgs {
    #[command(flatten)]
    pub text: TextArgs,
    /// How many rolls
    #[arg(short = 'n', long = "times", value_name = "N", default_value_t = 100_000, value_parser = times)]
    pub times: u64,
    #[command(flatten)]
    pub faces: FacesArgs,
    /// Compare the chance of this total or more
    #[arg(long, value_name = "N", value_parser = total)]
    pub at_least: Option<dice::Number>,
}

/// What `repl` takes.
#[derive(Clone, Debug, Args)]
pub struct ReplArgs {
    #[command(flatten)]
    pub faces: FacesArgs,
    /// Append every roll to a log that `dice verify` can replay
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
}

/// What `completions` takes.
#[derive(Clone, Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: clap_complete::Shell,
}

/// What `verify` takes.
#[derive(Clone, Debug, Args)]
pub struct VerifyArgs {
    /// A log that --log has written
    pub file: PathBuf,
    /// The seed of sessions that do not reveal theirs
    #[arg(long, value_name = "TEXT", value_parser = plain_minus)]
    pub seed: Option<String>,
}

/// What `odds` takes.
#[derive(Clone, Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct OddsArgs {
    /// What to analyse; several arguments are joined with blanks, `-` is standard input
    #[arg(value_name = "EXPR", value_parser = plain_minus)]
    pub text: Vec<String>,
    /// Show probabilities as fractions
    #[arg(long, conflicts_with_all = ["digits", "samples"])]
    pub fractions: bool,
    /// Decimals of the percentages [default: 2]
    #[arg(long, value_name = "N")]
    pub digits: Option<u8>,
    /// Print only the probability of this total or more
    #[arg(long, value_name = "N", value_parser = total, conflicts_with_all = ["at_most", "csv"])]
    pub at_least: Option<dice::Number>,
    /// Print only the probability of this total or less
    #[arg(long, value_name = "N", value_parser = total, conflicts_with = "csv")]
    pub at_most: Option<dice::Number>,
    /// Print comma-separated values
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    /// Print a Markdown table
    #[arg(long, conflicts_with_all = ["json", "csv"])]
    pub markdown: bool,
    /// Draw a picture into an SVG file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Draw a picture into a PNG file, where that is built in
    #[arg(long, value_name = "FILE")]
    pub png: Option<PathBuf>,
    /// Estimate the odds from so many rolls instead of computing them
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub samples: Option<u64>,
    /// The seed of the rolls that are sampled
    #[arg(long, value_name = "TEXT", value_parser = plain_minus, requires = "samples")]
    pub seed: Option<String>,
    /// Give the odds of the rolls that do not fail
    #[arg(long)]
    pub given_success: bool,
    /// Compute in floating point, with a bound on the error
    #[arg(long, conflicts_with = "fractions")]
    pub float: bool,
}

/// What a roll takes.
#[derive(Clone, Debug, Args)]
pub struct RollArgs {
    /// What to roll; several arguments are joined with blanks, `-` is standard input
    #[arg(value_name = "EXPR", value_parser = plain_minus)]
    pub text: Vec<String>,
    /// Roll so many times, one line each
    #[arg(short = 'n', long = "times", value_name = "N", default_value_t = 1, value_parser = times)]
    pub times: u64,
    #[command(flatten)]
    pub faces: FacesArgs,
    /// Append every roll to a log that `dice verify` can replay
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
}
