//! Text that somebody else wrote, made short.

use std::borrow::Cow;

/// The first `limit` characters, with a sign where something was left out.
#[must_use]
pub fn clip(text: &str, limit: usize) -> Cow<'_, str> {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}
