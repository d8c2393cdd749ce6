//! The program `workshop`; everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    workshop::cli::main()
}
