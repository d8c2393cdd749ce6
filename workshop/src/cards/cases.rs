//! Which lines of `testen` a program can run.

use super::card::Funktion;

/// A line of the form `` `KOMMANDO` ergibt `AUSGABE` ``.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fall {
    /// What is typed.
    pub kommando: String,
    /// What must come out.
    pub ausgabe: String,
}

/// The lines of `testen` that can be run, and those that stay prose for the reviewer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Faelle {
    /// Can be run.
    pub ausfuehrbar: Vec<Fall>,
    /// Cannot be run.
    pub prosa: Vec<String>,
}

/// Reads the whole line; a full stop at its end is allowed, anything else makes it prose.
#[must_use]
pub fn case(line: &str) -> Option<Fall> {
    let line = line.trim();
    let line = line.strip_suffix('.').unwrap_or(line);
    let (command, output) = line.strip_prefix('`')?.strip_suffix('`')?.split_once("` ergibt `")?;
    let clean = !command.trim().is_empty() && !command.contains('`') && !output.contains('`');
    clean.then(|| Fall { kommando: command.trim().to_string(), ausgabe: output.to_string() })
}

/// Sorts the lines of a function's `testen`.
#[must_use]
pub fn cases(function: &Funktion) -> Faelle {
    let mut result = Faelle::default();
    for line in &function.testen {
        match case(line) {
            Some(case) => result.ausfuehrbar.push(case),
            None => result.prosa.push(line.clone()),
        }
    }
    result
}
