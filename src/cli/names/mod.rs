//! Named rolls: `str = 4` holds until the name is set again, also in later sessions.

use std::io;
use std::path::Path;

use dice::{Error, Expr, Number};

use crate::cli::language::Language;
use crate::cli::report::{Fault, Hidden};

/// The names that are set, in the order in which they were, and the last total.
#[derive(Debug, Default)]
pub struct Names {
    list: Vec<(String, String)>,
    pub last: Option<Number>,
}

impl Names {
    /// What a file has kept; lines that are none of ours are skipped.
    pub fn load(path: &Path) -> Names {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let list = text.lines().filter_map(definition).map(|(name, text)| (name, text.to_owned())).collect();
        Names { list, last: None }
    }

    /// Keeps them in a file.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let lines: Vec<String> = self.list.iter().map(|(name, text)| format!("{name} = {text}\n")).collect();
        std::fs::write(path, lines.concat())
    }

    /// All of them, each with what it stands for.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.list.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// Sets a name after a look at whether it can be set; the canonical text.
    pub fn set(&mut self, name: &str, text: &str, language: &Language) -> Result<String, Fault> {
        let text = self.filled(text);
        let name = name.to_lowercase();
        let line = format!("{name} = {text}; {name}");
        // What the text needs stands before it, but never the name itself.
        let others =
            Names { list: self.list.iter().filter(|entry| entry.0 != name).cloned().collect(), last: None };
        let expr = others.understand(&line, language)?;
        let text = expr.definitions().last().map_or(text, |definition| definition.value.to_string());
        self.list = others.list;
        self.list.push((name, text.clone()));
        Ok(text)
    }

    /// Forgets a name; whether there was one.
    pub fn forget(&mut self, name: &str) -> bool {
        let before = self.list.len();
        self.list.retain(|entry| entry.0 != name.to_lowercase());
        self.list.len() < before
    }

    /// Understands a line with the names that it uses.
    pub fn understand(&self, line: &str, language: &Language) -> Result<Expr, Fault> {
        let line = self.filled(line);
        let fault = |error: Error, hidden: Option<Hidden>| Fault { hidden, ..Fault::from(error) };
        let alone = match language.parse(&line) {
            Ok(expr) => return Ok(expr),
            Err(error) => error,
        };
        let used = self.used(&line);
        if used.is_empty() {
            return Err(fault(alone, None));
        }
        let before =
            used.iter().map(|(name, text)| format!("{name} = {text}; ")).collect::<Vec<_>>().concat();
        let at = behind_repeat(&line);
        let mut text = line;
        text.insert_str(at, &before);
        language.parse(&text).map_err(|error| fault(error, Some(Hidden { at, len: before.len() })))
    }

    /// The names that a text uses, and those that these use, in the order in which they were set.
    fn used(&self, text: &str) -> Vec<&(String, String)> {
        let mut wanted: Vec<String> = words(text).map(str::to_lowercase).collect();
        let mut used = Vec::new();
        for entry in self.list.iter().rev() {
            if wanted.contains(&entry.0) {
                wanted.extend(words(&entry.1).map(str::to_lowercase));
                used.push(entry);
            }
        }
        used.reverse();
        used
    }

    /// A text with the last total in the place of `_`.
    fn filled(&self, text: &str) -> String {
        let Some(last) = self.last else { return text.to_owned() };
        let last = match last.as_whole() {
            Some(whole) if whole >= 0 => whole.to_string(),
            Some(_) | None => format!("({})", last.exact()),
        };
        let (notation, comment) = text.split_at(text.find('#').unwrap_or(text.len()));
        let mut filled = String::new();
        let mut before = ' ';
        let mut chars = notation.chars().peekable();
        while let Some(c) = chars.next() {
            let inside = is_word(before) || chars.peek().is_some_and(|next| is_word(*next));
            if c == '_' && !inside {
                filled.push_str(&last);
            } else {
                filled.push(c);
            }
            before = c;
        }
        filled + comment
    }
}

/// The name and the text of a line such as `str = 4`.
pub fn definition(line: &str) -> Option<(String, &str)> {
    let (name, text) = line.split_once('=')?;
    let name = name.trim();
    let proper = name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(is_word);
    let lone = !text.starts_with(['=', '<', '>']) && !text.contains(';') && !text.trim().is_empty();
    (proper && lone).then(|| (name.to_lowercase(), text.trim()))
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The words of a text, without its labels and its comment.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let notation = text.split('#').next().unwrap_or_default();
    let outside = notation.split('[').enumerate().map(|(index, part)| match part.split_once(']') {
        Some((_, rest)) if index > 0 => rest,
        Some(_) | None => part,
    });
    outside.flat_map(|part| part.split(|c| !is_word(c))).filter(|word| !word.is_empty())
}

/// Where the text begins behind `6x`.
fn behind_repeat(text: &str) -> usize {
    let start = text.len() - text.trim_start().len();
    let rest = &text[start..];
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let sign = rest[digits..].trim_start();
    match sign.strip_prefix(['x', 'X']) {
        Some(behind) if digits > 0 => text.len() - behind.len(),
        Some(_) | None => 0,
    }
}

#[cfg(test)]
mod tests {
    use dice::Limits;

    use super::{Names, definition};
    use crate::cli::language::Language;

    #[test]
    fn names_stand_in_later_lines() {
        let language = Language { limits: Limits::default(), grammar: None };
        let mut names = Names::default();
        names.set("str", "4", &language).unwrap();
        names.set("attack", "1d20+STR", &language).unwrap();
        names.last = Some(dice::Number::from(-3));
        let spelled = |line: &str| names.understand(line, &language).map(|expr| expr.to_string()).ok();
        assert_eq!(spelled("str + 1").as_deref(), Some("str = 4; str + 1"));
        assert_eq!(spelled("2x attack").as_deref(), Some("2x str = 4; attack = 1d20 + str; attack"));
        assert_eq!(spelled("_ + 1").as_deref(), Some("(-3) + 1"));
        assert_eq!(spelled("str = 1; str").as_deref(), Some("str = 1; str"));
        assert_eq!(spelled("2d6[str] # str"), Some("2d6[str] # str".to_owned()));
        assert_eq!(spelled("dex + str"), None);
    }

    #[test]
    fn a_definition_is_a_whole_line() {
        assert_eq!(definition("Str = 4"), Some(("str".to_owned(), "4")));
        assert_eq!(definition("a = 1; a"), None);
        assert_eq!(definition("a == 1"), None);
        assert_eq!(definition("2d6 = 7"), None);
    }
}
