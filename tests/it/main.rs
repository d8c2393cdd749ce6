//! The tests that see the crate and its program from outside, in one binary.

mod article;
mod cases;
mod cli_files;
mod cli_process;
mod cli_screens;
mod contract;
mod edges;
mod fuzz_seeds;
mod generate;
mod grammar;
mod hostile;
mod hostile_table;
mod limits;
mod naive;
mod odds_cases;
mod odds_edges;
mod odds_facts;
mod odds_texts;
mod plain_pools;
mod properties;
mod reference;
mod rules;
mod shows;
mod source;
mod statistics;
mod survivors;
mod transcript;

use std::path::{Path, PathBuf};

/// A file or folder of the package.
fn path(relative: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(relative)
}

/// The text of a file of the package.
fn read(relative: &str) -> String {
    let path = path(relative);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Whether expectations are to be rewritten instead of compared: `BLESS=1 cargo test`.
fn bless() -> bool {
    std::env::var_os("BLESS").is_some_and(|value| value == "1")
}
