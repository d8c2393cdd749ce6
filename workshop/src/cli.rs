//! The command line.

use std::process::ExitCode;

/// Runs the program and returns its exit code.
#[must_use]
pub fn main() -> ExitCode {
    ExitCode::SUCCESS
}
