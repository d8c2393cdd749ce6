//! What the workshop asks of a language model, and the backends that answer.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::config::{self, ModelKind};

pub mod command;
pub mod http;
pub mod script;

/// One question to a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The rules of the conversation.
    pub system: String,
    /// The message to answer.
    pub message: String,
    /// JSON schema the answer must follow, for backends that can enforce one.
    pub schema: Option<serde_json::Value>,
    /// Upper bound for the length of the answer, in tokens.
    pub max_tokens: u32,
    /// Directory the backend works in, when it may see the source.
    pub cwd: Option<PathBuf>,
    /// Whether the backend may use its own reading tools in `cwd`.
    pub tools: bool,
}

/// The answer to a [`Request`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The text of the answer.
    pub text: String,
    /// Tokens read, 0 when the backend does not say.
    pub tokens_in: u64,
    /// Tokens written, 0 when the backend does not say.
    pub tokens_out: u64,
}

/// Something that answers questions.
pub trait Model {
    /// Asks once and waits for the answer.
    ///
    /// # Errors
    /// When no answer could be had.
    fn ask(&mut self, request: &Request) -> Result<Reply>;

    /// Whether it can read source code in a directory it is given.
    fn reads_source(&self) -> bool {
        false
    }
}

/// The backend that the configuration names; relative paths start at `root`.
///
/// # Errors
/// When something it needs is missing from the configuration or cannot be read.
pub fn from_config(config: &config::Model, root: &Path) -> Result<Box<dyn Model>> {
    Ok(match config.kind {
        ModelKind::Script => {
            let file = config.script.as_ref().context("model.script is missing")?;
            Box::new(script::Script::load(&root.join(file))?)
        }
        ModelKind::Command => Box::new(command::Command::new(config)?),
        ModelKind::Http => Box::new(http::Http::new(config, root)?),
    })
}
