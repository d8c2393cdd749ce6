//! Texts of many brackets, looked at with the machine before the generated parser sees them.
//!
//! Apart from both: a parser without a memory may try the inside of a bracket again in another place, which costs twice as much
//! with each level. The machine counts its steps and gives up; the generated parser would go on.

use std::sync::LazyLock;

use super::book::Book;
use super::code::Code as Program;
use super::compile::compile;
use super::machine::{End, run};
use super::{SOURCE, span_of, syntax};
use crate::error::{Code, Error};

/// So many levels cost little, even where each doubles the work.
const FEW: usize = 8;

/// The machine's code of the built-in grammar.
static PROGRAM: LazyLock<Option<Program>> = LazyLock::new(|| {
    let book = Book::new(syntax::read(SOURCE).ok()?).ok()?;
    compile(&book).ok()
});

/// Refuses a text that takes too long to parse.
pub(super) fn untangled(text: &str) -> Result<(), Error> {
    let brackets = text.bytes().filter(|byte| matches!(byte, b'(' | b'{')).count();
    if brackets <= FEW {
        return Ok(());
    }
    match PROGRAM.as_ref().map(|program| run(program, text).end) {
        Some(End::Busy) => Err(too_long(text)),
        Some(End::Fits(_) | End::Stops(_)) | None => Ok(()),
    }
}

/// The refusal of a text that takes too long.
pub(super) fn too_long(text: &str) -> Error {
    Error::new(Code::Limit, span_of(0, text.len()), "this grammar takes too long on this text")
        .hint("to find what is wrong: write it with fewer brackets inside each other")
        .hint("a rule that is tried again and again at the same place costs twice as much with each level of brackets; dice grammar check FILE names it")
}
