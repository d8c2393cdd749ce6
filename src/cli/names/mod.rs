//! Named rolls: `str = 4` holds until the name is set again, also in later sessions.

#[cfg(test)]
mod tests;
mod text;

use std::path::PathBuf;

use dice::{Code, Error, Expr, Number};

use super::dirs;
use super::language::Language;
use super::report::{Fault, Hidden, Usage};
use text::{behind_repeat, is_word, uses, words};
pub use text::{definition, notation_of};

/// So many names can be set: each may need the one before, and looking through them recurses.
const MOST: usize = 1000;

/// The names that are set, in the order in which they were, and the last total.
#[derive(Debug, Default)]
pub struct Names {
    list: Vec<Entry>,
    /// Where they are kept.
    file: Option<PathBuf>,
    pub last: Option<Number>,
}

/// A name and what it stands for.
#[derive(Clone, Debug)]
struct Entry {
    name: String,
    text: String,
    /// The line of the file.
    line: Option<usize>,
}

impl Names {
    /// What a file has kept.
    ///
    /// # Errors
    /// The file cannot be read, or a line of it is no named roll.
    pub fn load(path: PathBuf) -> anyhow::Result<Names> {
        let mut names = Names::default();
        for (index, line) in dirs::read(&path)?.unwrap_or_default().lines().enumerate() {
            if line.trim().is_empty() || line.trim_start().starts_with('#') {
                continue;
            }
            let wrong = || {
                let (path, line) = (path.display(), line.trim());
                Usage(format!("{path}:{}: {line:?} is no named roll such as attack = 1d20 + 5", index + 1))
            };
            let (name, text) = definition(line).ok_or_else(wrong)?;
            if let Err(error) = format!("{name} = 1; {name}").parse::<Expr>() {
                return Err(Usage(format!("{}:{}: {}", path.display(), index + 1, error.title())).into());
            }
            names.list.retain(|entry| entry.name != name);
            if names.list.len() == MOST {
                let path = path.display();
                return Err(
                    Usage(format!("{path}:{}: at most {MOST} named rolls can be kept", index + 1)).into()
                );
            }
            names.list.push(Entry { name, text: text.to_owned(), line: Some(index + 1) });
        }
        for entry in &names.list {
            if let Some(why) = names.circle(&entry.text, &entry.name) {
                let line = entry.line.unwrap_or_default();
                return Err(Usage(format!("{}:{line}: {why}", path.display())).into());
            }
        }
        names.file = Some(path);
        Ok(names)
    }

    /// Keeps in the file what a name stands for; every other line of the file stays as it is.
    fn keep(&self, name: &str, text: Option<&str>) -> anyhow::Result<()> {
        let Some(path) = &self.file else { return Ok(()) };
        let before = dirs::read(path)?.unwrap_or_default();
        let others = before.lines().filter(|line| definition(line).is_none_or(|(found, _)| found != name));
        let mut after: String = others.flat_map(|line| [line, "\n"]).collect();
        if let Some(text) = text {
            after.extend([name, " = ", text, "\n"]);
        }
        let write = || {
            path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
            std::fs::write(path, after)
        };
        // The session goes on with the name.
        write().map_err(|error| {
            Usage(format!("this holds for the session only: {}: {error}", path.display())).into()
        })
    }

    /// All of them, each with what it stands for.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.list.iter().map(|entry| (entry.name.as_str(), entry.text.as_str()))
    }

    /// Sets a name after a look at whether it can be set; the canonical text.
    ///
    /// # Errors
    /// The text is wrong or needs the name itself, or the file cannot be written.
    pub fn set(&mut self, name: &str, text: &str, language: &Language) -> anyhow::Result<String> {
        let text = self.filled(text);
        let name = name.to_lowercase();
        if let Some(why) = self.circle(&text, &name) {
            return Err(Usage(why).into());
        }
        let others: Vec<Entry> = self.list.iter().filter(|entry| entry.name != name).cloned().collect();
        if others.len() == MOST {
            return Err(Usage(format!("at most {MOST} named rolls can be kept")).into());
        }
        let others = Names { list: others, ..Names::default() };
        let text = if behind_repeat(&text) > 0 {
            others.understand(&text, language)?;
            text
        } else {
            let call = format!("; {name}");
            let expr =
                others.understand(&format!("{name} = {text}{call}"), language).map_err(
                    |error| match error.downcast::<Fault>() {
                        Ok(mut fault) => {
                            let at = fault.error.text().len().saturating_sub(call.len());
                            fault.hidden.insert(0, Hidden { at, len: call.len() });
                            fault.into()
                        }
                        Err(error) => error,
                    },
                )?;
            expr.definitions().last().map_or(text, |definition| definition.value.to_string())
        };
        self.list = others.list;
        self.list.push(Entry { name: name.clone(), text: text.clone(), line: None });
        self.keep(&name, Some(&text))?;
        Ok(text)
    }

    /// Why a name cannot stand for a text that needs the name itself.
    fn circle(&self, text: &str, name: &str) -> Option<String> {
        if uses(text, name) {
            return Some(format!("{name} would need itself"));
        }
        let used = self.used(text);
        let between = used.iter().find(|entry| entry.name != name && uses(&entry.text, name))?;
        Some(format!("{name} would need itself, through {}", between.name))
    }

    /// Forgets a name; whether there was one.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn forget(&mut self, name: &str) -> anyhow::Result<bool> {
        let name = name.to_lowercase();
        let before = self.list.len();
        self.list.retain(|entry| entry.name != name);
        if self.list.len() == before {
            return Ok(false);
        }
        self.keep(&name, None)?;
        Ok(true)
    }

    /// Understands a line with the names that it uses. A name alone is what it stands for, with the name as its comment.
    ///
    /// # Errors
    /// The line is wrong, or what a name of it stands for.
    pub fn understand(&self, line: &str, language: &Language) -> anyhow::Result<Expr> {
        let line = self.filled(line);
        let fault = |error: Error, hidden: Vec<Hidden>| Fault { hidden, ..Fault::from(error) };
        if let Some(entry) = self.list.iter().find(|entry| entry.name.eq_ignore_ascii_case(line.trim())) {
            return Ok(self.expanded(entry, language)?);
        }
        let alone = match language.parse(&line) {
            Ok(expr) => return Ok(expr),
            Err(error) => error,
        };
        let used = self.used(&line);
        if used.is_empty() {
            if self.last.is_none() && words(&line).any(|word| word == "_") {
                return Err(Usage("_ is the last total, and nothing has been rolled yet".to_owned()).into());
            }
            return Err(self.advised(fault(alone, Vec::new())).into());
        }
        for entry in &used {
            let expr = self.expanded(entry, language)?;
            if expr.repeat().is_some() {
                let Entry { name, text, .. } = entry;
                return Err(
                    Usage(format!("{name} is {text}, which is no single roll: it stands alone")).into()
                );
            }
        }
        let before: String = used.iter().map(|entry| format!("{} = {}; ", entry.name, entry.text)).collect();
        let at = behind_repeat(&line);
        let mut text = line;
        text.insert_str(at, &before);
        let hidden = Hidden { at, len: before.len() };
        Ok(language.parse(&text).map_err(|error| self.advised(fault(error, vec![hidden])))?)
    }

    /// What a name stands for, with the names that this uses.
    fn expanded(&self, entry: &Entry, language: &Language) -> Result<Expr, Fault> {
        let before: String =
            self.used(&entry.text).iter().map(|entry| format!("{} = {}; ", entry.name, entry.text)).collect();
        let at = behind_repeat(&entry.text);
        let comment = format!(" # {}", entry.name);
        let mut text = format!("{}{comment}", entry.text);
        text.insert_str(at, &before);
        let behind = Hidden { at: text.len() - comment.len(), len: comment.len() };
        language.parse(&text).map_err(|error| Fault {
            hidden: vec![behind, Hidden { at, len: before.len() }],
            file: self.file.as_ref().map(|file| file.display().to_string()),
            line: entry.line,
            ..Fault::from(error)
        })
    }

    /// The names that a text uses, and before each those that it uses itself.
    fn used(&self, text: &str) -> Vec<&Entry> {
        let mut used: Vec<&Entry> = Vec::new();
        self.collect(text, &mut Vec::new(), &mut used);
        used
    }

    fn collect<'n>(&'n self, text: &str, open: &mut Vec<&'n str>, used: &mut Vec<&'n Entry>) {
        for word in words(text) {
            let Some(entry) = self.list.iter().find(|entry| entry.name.eq_ignore_ascii_case(word)) else {
                continue;
            };
            // A name that is open needs itself; the parser will say that it is not set.
            if used.iter().any(|found| found.name == entry.name) || open.contains(&entry.name.as_str()) {
                continue;
            }
            open.push(&entry.name);
            self.collect(&entry.text, open, used);
            open.pop();
            used.push(entry);
        }
    }

    /// Adds the name that may have been meant.
    fn advised(&self, mut fault: Fault) -> Fault {
        if fault.error.code() == Code::UnknownName
            && let Some(typed) = fault.error.text().get(fault.error.span().range())
        {
            let typed = typed.to_lowercase();
            let near =
                self.list.iter().map(|entry| (strsim::damerau_levenshtein(&typed, &entry.name), entry));
            let most = if typed.len() <= 4 { 1 } else { 2 };
            if let Some((1.., entry)) = near.filter(|near| near.0 <= most).min_by_key(|near| near.0) {
                fault.notes.push(format!("did you mean the named roll `{}`?", entry.name));
            }
        }
        fault
    }

    /// A text with the last total in the place of `_`.
    fn filled(&self, text: &str) -> String {
        let Some(last) = self.last else { return text.to_owned() };
        let last = match last.as_whole() {
            Some(whole) if whole >= 0 => whole.to_string(),
            Some(_) | None => format!("({})", last.exact()),
        };
        let (notation, comment) = text.split_at(notation_of(text).len());
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
