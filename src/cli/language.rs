//! What a text is understood as.

use std::cell::OnceCell;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::Context;
use dice::{Error, Expr, Grammar, Limits};

use super::args::Common;
use super::dirs;
use super::names::Names;
use super::report::Fault;

/// The notation with the limits and the grammar that the arguments set.
#[derive(Default)]
pub struct Language {
    pub limits: Limits,
    /// The grammar from a file, if it is not the one that is compiled in.
    pub grammar: Option<Grammar>,
    /// The file of named rolls, and what it holds once it was needed.
    rolls: Option<PathBuf>,
    names: OnceCell<Names>,
}

/// Grammars that are longer are refused; more of them is not read.
const MOST_BYTES: u64 = 1 << 20;

/// The text of a grammar file.
///
/// # Errors
/// The file cannot be read.
pub fn read_grammar(file: &Path) -> anyhow::Result<String> {
    let open = || -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        std::fs::File::open(file)?.take(MOST_BYTES).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = open().with_context(|| format!("cannot read the grammar {}", file.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

impl Language {
    /// As the arguments ask for.
    ///
    /// # Errors
    /// A limit that does not exist or cannot be so large, or a grammar that is wrong.
    pub fn new(common: &Common) -> anyhow::Result<Language> {
        Language::with_grammar(common, common.grammar.as_deref())
    }

    /// The same with the grammar of this file.
    ///
    /// # Errors
    /// As [`Language::new`].
    pub fn with_grammar(common: &Common, file: Option<&Path>) -> anyhow::Result<Language> {
        let mut limits = Limits::default();
        for (name, value) in &common.limits {
            limits.set(name, *value).map_err(super::report::Usage)?;
        }
        let load = |file: &Path| {
            let notes = vec![format!("the grammar is {}", file.display())];
            let loaded = Grammar::load(&read_grammar(file)?);
            Ok::<_, anyhow::Error>(loaded.map_err(|error| Fault { notes, ..Fault::from(error) })?)
        };
        let rolls = if common.no_config { None } else { dirs::rolls() };
        Ok(Language { limits, grammar: file.map(load).transpose()?, rolls, names: OnceCell::new() })
    }

    /// Understands a text, or says what is wrong with it.
    ///
    /// # Errors
    /// As [`Expr::parse`].
    pub fn parse(&self, text: &str) -> Result<Expr, Error> {
        match &self.grammar {
            Some(grammar) => grammar.parse(text, &self.limits),
            None => Expr::parse(text, &self.limits),
        }
    }

    /// Understands a text, in which named rolls may stand.
    ///
    /// # Errors
    /// As [`Expr::parse`], or the named rolls cannot be read.
    pub fn understand(&self, text: &str) -> anyhow::Result<Expr> {
        let error = match self.parse(text) {
            Ok(expr) => return Ok(expr),
            Err(error) => error,
        };
        let Some(path) = &self.rolls else { return Err(Fault::from(error).into()) };
        // The file is only read for a text that is nothing without it.
        if self.names.get().is_none() {
            let _ = self.names.set(Names::load(path.clone())?);
        }
        match self.names.get() {
            Some(names) => names.understand(text, self),
            None => Err(Fault::from(error).into()),
        }
    }

    /// Understands a text from the command line.
    ///
    /// # Errors
    /// As [`Language::understand`], with advice about shells and commands.
    pub fn parse_argument(&self, text: &str) -> anyhow::Result<Expr> {
        self.understand(text).map_err(|error| match error.downcast::<Fault>() {
            Ok(fault) => super::words::advise(fault, text).into(),
            Err(error) => error,
        })
    }

    /// Understands a line of standard input.
    ///
    /// # Errors
    /// As [`Language::understand`].
    pub fn parse_line(&self, text: &str, line: usize) -> anyhow::Result<Expr> {
        self.understand(text).map_err(|error| match error.downcast::<Fault>() {
            Ok(fault) if fault.file.is_none() => Fault { line: Some(line), ..fault }.into(),
            Ok(fault) => fault.into(),
            Err(error) => error,
        })
    }
}
