//! The program `dice`: rolls dice notation and tells its odds.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable, clippy::todo)
)]

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut io = cli::Io::of_process();
    let result = cli::run(std::env::args_os(), &mut io);
    ExitCode::from(cli::finish(result, &mut io).code())
}
