//! The screens and the contract of the program: `tests/screens/*.txt`, compared whole.

use std::fs;

use crate::transcript::{self, Errors};
use crate::{bless, path};

#[test]
fn the_program_prints_what_the_screens_say() {
    let mut wrong = Vec::new();
    let mut files: Vec<_> =
        fs::read_dir(path("tests/screens")).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let actual = transcript::run(&text, Errors::Marked);
        if bless() {
            fs::write(&file, &actual).unwrap();
        } else if actual != text {
            wrong.push(format!("{}\n{actual}", file.display()));
        }
    }
    assert!(wrong.is_empty(), "BLESS=1 cargo test rewrites them\n{}", wrong.join("\n"));
}
