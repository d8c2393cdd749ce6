//! The command line.

use std::io::{stdin, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};

use crate::cards::command::{CardsCmd, ReviewCards};
use crate::cards::store::Store;
use crate::chat::Project;
use crate::chat::command::ChatArgs;
use crate::config::Config;
use crate::replay;
use crate::sandbox::{self, Jail, Unavailable};
use crate::state::State;
use crate::{cards, chat, model};

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
    /// Tries every escape from the sandbox and prints what is refused.
    Doctor,
    /// Lists, shows and checks the cards.
    Cards {
        /// What to do with them.
        #[command(subcommand)]
        command: CardsCmd,
    },
    /// One round of the conversation about the cards.
    Chat(ChatArgs),
    /// A person decides.
    Review {
        /// On what.
        #[command(subcommand)]
        what: ReviewCmd,
    },
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

/// What a person decides on.
#[derive(Debug, Subcommand)]
pub enum ReviewCmd {
    /// Proposals for cards, one by one.
    Cards(ReviewCards),
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
        Cmd::Supervise => sandbox::supervise().map(|()| OK),
        Cmd::Sandbox => sandbox::enter().map(|()| OK),
        Cmd::Probe { name, target } => sandbox::probe(name, target).map(|()| OK),
        Cmd::Without { feature, argv } => sandbox::without(feature, argv).map(|()| OK),
        Cmd::Cards { command } => {
            let well = cards::command::cards(command, &project(cli)?.store, &mut stdout())?;
            Ok(if well { OK } else { ERROR })
        }
        Cmd::Chat(arguments) => {
            let model = || model::from_config(&Config::load(&cli.repo)?.model, &cli.repo);
            let project = project(cli)?;
            chat::command::chat(arguments, &project, model, &mut stdin().lock(), &mut stdout())
                .map(|()| OK)
        }
        Cmd::Review { what: ReviewCmd::Cards(arguments) } => {
            let store = project(cli)?.store;
            cards::command::review(arguments, &store, &mut stdin().lock(), &mut stdout())
                .map(|()| OK)
        }
        Cmd::Replay { run, fixtures, bless } => replay(cli, run, fixtures, *bless),
        Cmd::Doctor => {
            let config = Config::load(&cli.repo)?;
            let helper = helper()?;
            let jail = Jail::new(&config.sandbox, &helper, cli.unsafe_no_sandbox)?;
            let report = sandbox::doctor::examine(&jail, &helper)?;
            print!("{}", report.text());
            Ok(if report.healthy() { OK } else { NO_SANDBOX })
        }
    }
}

/// The repository with its cards and open proposals.
fn project(cli: &Cli) -> Result<Project> {
    let config = Config::load(&cli.repo)?;
    let state = State::for_repo(&cli.repo)?;
    let store = Store::new(cli.repo.join(&config.cards.dir), state.dir.join("proposals.json"));
    Ok(Project { root: cli.repo.clone(), store, source: config.model.source })
}

fn replay(cli: &Cli, wanted: &str, fixtures: &Path, bless: bool) -> Result<u8> {
    let helper = helper()?;
    let jail = Jail::new(&Config::default().sandbox, &helper, cli.unsafe_no_sandbox)?;
    let runs = replay::find(fixtures, wanted)?;
    let mut different = 0;
    let mut fixture = "";
    for run in &runs {
        if fixture != run.fixture {
            fixture = &run.fixture;
            println!("# {fixture}\n");
        }
        let scratch = tempfile::tempdir()?;
        let log = replay::play(run, scratch.path(), &jail)?.log;
        println!("{log}");
        if bless {
            run.bless(&log)?;
        } else if run.expected().as_deref() != Some(log.as_str()) {
            let expected = run.expected().unwrap_or_default();
            let diff = similar::TextDiff::from_lines(expected.as_str(), log.as_str());
            println!(
                "run {} differs:\n{}",
                run.id(),
                diff.unified_diff().header("expected", "now")
            );
            different += 1;
        }
    }
    println!("{} runs, {different} different from the expected log", runs.len());
    Ok(if different == 0 { OK } else { ERROR })
}

/// This program itself, which also is the sandbox.
fn helper() -> Result<PathBuf> {
    let me = std::env::current_exe().context("cannot find this program")?;
    Ok(Path::new(&me).canonicalize()?)
}
