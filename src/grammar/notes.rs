//! The `///` lines of a grammar: what a rule is for, an example, and for a house rule what it stands for.
//!
//! pest reads these lines and throws them away, so they are collected from the text. Used by the build script
//! too, hence without anything from the rest of the crate.

/// What the `///` lines above a rule say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The rule's name.
    pub rule: String,
    /// The line of the rule in the grammar, counted from 1.
    pub line: usize,
    /// The lines without the one that begins with `=>`.
    pub text: Vec<String>,
    /// For a house rule: the notation it stands for, and the byte of the grammar at which that begins.
    pub expansion: Option<(String, usize)>,
}

/// The notes of all rules of a grammar, in order. A rule without `///` lines has an empty note.
pub fn notes(grammar: &str) -> Vec<Note> {
    let mut notes = Vec::new();
    let mut text = Vec::new();
    let mut expansion = None;
    let mut offset = 0;
    let mut depth: usize = 0;
    for (index, whole) in grammar.split_inclusive('\n').enumerate() {
        let line = whole.trim();
        if depth == 0 {
            if let Some(note) = line.strip_prefix("///") {
                match note.trim_start().strip_prefix("=>") {
                    Some(notation) => {
                        let notation = notation.trim();
                        let at = whole.find("=>").unwrap_or(0) + 2;
                        let blanks = whole[at..].len() - whole[at..].trim_start().len();
                        expansion = Some((notation.to_owned(), offset + at + blanks));
                    }
                    None => text.push(note.trim().to_owned()),
                }
            } else if let Some(rule) = rule_name(line) {
                notes.push(Note {
                    rule: rule.to_owned(),
                    line: index + 1,
                    text: std::mem::take(&mut text),
                    expansion: expansion.take(),
                });
            }
        }
        depth = braces(line, depth);
        offset += whole.len();
    }
    notes
}

/// The name at the start of a line of the form `name = …`.
fn rule_name(line: &str) -> Option<&str> {
    let (name, rest) = line.split_once('=')?;
    let name = name.trim();
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let begins = rest.trim_start().chars().next().is_none_or(|c| "{_@$!".contains(c));
    (is_name && !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit()) && begins).then_some(name)
}

/// How deep in braces a line ends that began at `depth`; strings and comments do not count.
fn braces(line: &str, mut depth: usize) -> usize {
    let mut chars = line.chars().peekable();
    let mut quote = None;
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(_), '\\') => {
                chars.next();
            }
            (Some(open), close) if open == close => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '/') if chars.peek() == Some(&'/') => break,
            (None, '{') => depth += 1,
            (None, '}') => depth = depth.saturating_sub(1),
            (None, _) => {}
        }
    }
    depth
}
