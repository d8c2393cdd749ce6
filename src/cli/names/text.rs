//! Names in texts, as far as they are seen without the grammar.

/// The name and the text of a line such as `str = 4`.
pub fn definition(line: &str) -> Option<(String, &str)> {
    let (name, text) = notation_of(line).split_once('=')?;
    let name = name.trim();
    let proper = name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(is_word);
    let lone = !text.starts_with(['=', '<', '>']) && !text.contains(';') && !text.trim().is_empty();
    (proper && lone).then(|| (name.to_lowercase(), text.trim()))
}

/// Whether a character can stand in a name.
pub fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// A text without its comment.
pub fn notation_of(text: &str) -> &str {
    let mut label = false;
    let end = text.char_indices().find(|(_, c)| {
        label = (label || *c == '[') && *c != ']';
        *c == '#' && !label
    });
    end.map_or(text, |(at, _)| &text[..at])
}

/// Whether a name stands in a text.
pub fn uses(text: &str, name: &str) -> bool {
    words(text).any(|word| word.eq_ignore_ascii_case(name))
}

/// The words of a text, without its labels and its comment.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let notation = notation_of(text);
    let outside = notation.split('[').enumerate().map(|(index, part)| match part.split_once(']') {
        Some((_, rest)) if index > 0 => rest,
        Some(_) | None => part,
    });
    outside.flat_map(|part| part.split(|c| !is_word(c))).filter(|word| !word.is_empty())
}

/// Where the text begins behind `6x`.
pub fn behind_repeat(text: &str) -> usize {
    let start = text.len() - text.trim_start().len();
    let rest = &text[start..];
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let sign = rest[digits..].trim_start();
    match sign.strip_prefix(['x', 'X']) {
        Some(behind) if digits > 0 => text.len() - behind.len(),
        Some(_) | None => 0,
    }
}
