//! The command line.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::cards::command::{CardsCmd, ReviewCards};
use crate::chat::command::ChatArgs;
use crate::commands::{Desk, people, setup, work};
use crate::review::Decision;
use crate::sandbox::{self, Unavailable};
use crate::session::Kind;

/// Done, or green.
pub const OK: u8 = 0;
/// Wrong use, or an error of the machine.
pub const ERROR: u8 = 1;
/// Judged not acceptable.
pub const NOT_ACCEPTABLE: u8 = 2;
/// Escalated to a person.
pub const ESCALATED: u8 = 3;
/// The sandbox cannot be enforced, so nothing was run.
pub const NO_SANDBOX: u8 = 4;

/// Extends a codebase under test protection.
#[derive(Debug, Parser)]
#[command(version)]
pub struct Cli {
    /// The repository.
    #[arg(long, global = true, default_value = ".")]
    pub repo: PathBuf,
    /// Folder of the hidden cases, instead of the configured one.
    #[arg(long, global = true)]
    pub hidden: Option<PathBuf>,
    /// Runs code unconfined when the configuration says `backend = "off"`.
    #[arg(long, global = true)]
    pub unsafe_no_sandbox: bool,
    /// What to do.
    #[command(subcommand)]
    pub command: Cmd,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Cmd {
    /// Writes `workshop.toml`, proves the sandbox, lists the tests.
    Init,
    /// Tries every escape from the sandbox and prints what is refused.
    Doctor,
    /// Lists, shows or checks the cards.
    #[command(subcommand)]
    Cards(CardsCmd),
    /// One round of conversation about the cards.
    Chat(ChatArgs),
    /// Decides on proposals or on a patch.
    #[command(subcommand)]
    Review(ReviewCmd),
    /// Makes a task from an open function of a card.
    Plan {
        /// Id or title of the card.
        card: String,
        /// Title of the function.
        function: String,
        /// Only prepare the code; nobody may see a difference.
        #[arg(long)]
        refactor: bool,
        /// The function is there and wrong: its results may change.
        #[arg(long, conflicts_with = "refactor")]
        fix: bool,
    },
    /// Measures how many mutants the visible suite catches.
    Strength {
        /// Only mutants of the grammar.
        #[arg(long)]
        grammar: bool,
        /// Only mutants of the Rust code, by cargo-mutants.
        #[arg(long, conflicts_with = "grammar")]
        rust: bool,
    },
    /// Lets an agent work on a task.
    Fix {
        /// Name of a planned task, or a task file.
        task: String,
        /// Red runs before a person is asked.
        #[arg(long)]
        max_red: Option<usize>,
        /// Steps before a person is asked.
        #[arg(long)]
        max_steps: Option<usize>,
        /// Lets this path be edited whatever the policy says; the judge will not take it.
        #[arg(long)]
        unsafe_allow: Vec<String>,
    },
    /// Does one action by hand.
    Tool {
        /// `read_file`, `grep`, `edit_file` or `run_tests`.
        name: String,
        /// Arguments of the form `key=value`.
        args: Vec<String>,
        /// The session; without it, a new one.
        #[arg(long)]
        session: Option<String>,
    },
    /// Judges the patch of a session.
    Judge {
        /// The session.
        session: String,
        /// Also runs the hidden folder's in-process suites, for comparison.
        #[arg(long)]
        inside: bool,
    },
    /// Prints the scorecard.
    Score {
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
    /// Checks the hidden cases.
    #[command(subcommand)]
    Hidden(HiddenCmd),
    /// Plays recorded runs offline and compares their logs with the expected ones.
    Replay {
        /// `all`, a number, a fixture, or `fixture/number`.
        #[arg(default_value = "all")]
        run: String,
        /// Folder of the fixtures.
        #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures"))]
        fixtures: PathBuf,
        /// Records the logs instead of comparing them.
        #[arg(long)]
        bless: bool,
        /// Replays the journal of this session instead.
        #[arg(long)]
        session: Option<String>,
    },
    /// Internal: supervises one confined program.
    #[command(name = sandbox::SUPERVISE, hide = true)]
    Supervise,
    /// Internal: becomes a confined program.
    #[command(name = sandbox::SANDBOX, hide = true)]
    Sandbox,
    /// Internal: tries one escape.
    #[command(name = sandbox::PROBE, hide = true)]
    Probe {
        /// Which escape.
        name: String,
        /// What it aims at.
        #[arg(default_value = "")]
        target: String,
    },
    /// Internal: runs a program as if the kernel lacked a feature.
    #[command(name = sandbox::WITHOUT, hide = true)]
    Without {
        /// `landlock` or `seccomp`.
        feature: String,
        /// The program and its arguments.
        #[arg(last = true)]
        argv: Vec<String>,
    },
}

/// What to review.
#[derive(Debug, Subcommand)]
pub enum ReviewCmd {
    /// Proposals for cards, one at a time.
    Cards(ReviewCards),
    /// The patch of a session, as a whole.
    Patch {
        /// The session.
        session: String,
        /// Accepts without asking.
        #[arg(long, conflicts_with = "reject")]
        accept: bool,
        /// Rejects without asking.
        #[arg(long)]
        reject: bool,
    },
}

/// What to do with the hidden cases.
#[derive(Debug, Clone, Copy, Subcommand)]
pub enum HiddenCmd {
    /// Runs every case on the reference solution.
    Check,
}

/// Runs the program and returns its exit code.
#[must_use]
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            error.print().ok();
            return ExitCode::from(if error.use_stderr() { ERROR } else { OK });
        }
    };
    match run(&cli) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("workshop: {error:#}");
            let unavailable = error.chain().any(|cause| cause.is::<Unavailable>());
            ExitCode::from(if unavailable { NO_SANDBOX } else { ERROR })
        }
    }
}

fn run(cli: &Cli) -> Result<u8> {
    match &cli.command {
        Cmd::Supervise => return sandbox::supervise().map(|()| OK),
        Cmd::Sandbox => return sandbox::enter().map(|()| OK),
        Cmd::Probe { name, target } => return sandbox::probe(name, target).map(|()| OK),
        Cmd::Without { feature, argv } => return sandbox::without(feature, argv).map(|()| OK),
        _ => {}
    }
    // Nobody else may look into this process: a key may be in its memory.
    rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable)?;
    let mut desk = Desk::new(&cli.repo, cli.hidden.as_deref(), cli.unsafe_no_sandbox)?;
    let input = &mut std::io::stdin().lock();
    let out = &mut std::io::stdout().lock();
    match &cli.command {
        Cmd::Init => setup::init(&mut desk, out),
        Cmd::Doctor => setup::doctor(&desk, out),
        Cmd::Cards(command) => people::cards(&desk, command, out),
        Cmd::Chat(arguments) => people::chat(&desk, arguments, input, out),
        Cmd::Review(ReviewCmd::Cards(arguments)) => {
            people::review_cards(&desk, arguments, input, out)
        }
        Cmd::Review(ReviewCmd::Patch { session, accept, reject }) => {
            let decision = match (accept, reject) {
                (true, _) => Some(Decision::Accept),
                (_, true) => Some(Decision::Reject),
                _ => None,
            };
            people::review_patch(&desk, session, decision, input, out)
        }
        Cmd::Plan { card, function, refactor, fix } => {
            let kind = match (refactor, fix) {
                (true, _) => Kind::Refactor,
                (_, true) => Kind::Fix,
                _ => Kind::Feature,
            };
            people::plan(&desk, card, function, kind, out)
        }
        Cmd::Strength { grammar, rust } => work::strength(&desk, *grammar, *rust, out),
        Cmd::Fix { task, max_red, max_steps, unsafe_allow } => {
            let limits = work::Limits { max_red: *max_red, max_steps: *max_steps };
            work::fix(&desk, task, limits, unsafe_allow, out)
        }
        Cmd::Tool { name, args, session } => work::tool(&desk, name, args, session.as_deref(), out),
        Cmd::Judge { session, inside } => work::judge(&desk, session, *inside, out),
        Cmd::Score { json } => work::score(&desk, *json, out),
        Cmd::Hidden(HiddenCmd::Check) => work::hidden_check(&desk, out),
        Cmd::Replay { session: Some(id), .. } => setup::replay_session(&desk, id, out),
        Cmd::Replay { run, fixtures, bless, session: None } => {
            setup::replay(&desk, run, fixtures, *bless, out)
        }
        Cmd::Supervise | Cmd::Sandbox | Cmd::Probe { .. } | Cmd::Without { .. } => Ok(ERROR),
    }
}
