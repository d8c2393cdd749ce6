//! The catalogues that say how cards and functions are written.

/// How a card is written.
pub const KARTEN: &str = include_str!("../../style/karten.md");

/// How a function is written.
pub const FUNKTIONEN: &str = include_str!("../../style/funktionen.md");

/// Both catalogues: the conversation writes cards and functions.
#[must_use]
pub fn catalogues() -> String {
    format!("{}\n\n{}", KARTEN.trim(), FUNKTIONEN.trim())
}
