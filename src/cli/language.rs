//! What a text is understood as.

use dice::{Error, Expr, Limits};

use super::args::Common;

/// The notation with the limits that the arguments set.
pub struct Language {
    pub limits: Limits,
}

impl Language {
    /// As the arguments ask for.
    ///
    /// # Errors
    /// A limit that does not exist or cannot be so large.
    pub fn new(common: &Common) -> anyhow::Result<Language> {
        let mut limits = Limits::default();
        for (name, value) in &common.limits {
            limits.set(name, *value).map_err(super::report::Usage)?;
        }
        Ok(Language { limits })
    }

    /// Understands a text, or says what is wrong with it.
    ///
    /// # Errors
    /// As [`Expr::parse`].
    pub fn parse(&self, text: &str) -> Result<Expr, Error> {
        Expr::parse(text, &self.limits)
    }

    /// Understands a text from the command line.
    ///
    /// # Errors
    /// As [`Expr::parse`], with advice about shells and commands.
    pub fn parse_argument(&self, text: &str) -> anyhow::Result<Expr> {
        Ok(self.parse(text).map_err(|error| super::words::advise(error, text))?)
    }
}
