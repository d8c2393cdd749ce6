//! The section `model`.

use std::path::PathBuf;

use serde::Deserialize;

/// Which backend answers questions.
#[derive(Debug, Clone, Copy, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum ModelKind {
    /// Replies from a file, for tests and replays.
    Script,
    /// A program that reads a prompt and prints an answer.
    #[default]
    Command,
    /// An HTTP address that speaks the Messages API.
    Http,
}

/// Who answers questions.
#[derive(Debug, Clone, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields, default)]
pub struct Model {
    /// The backend.
    pub kind: ModelKind,
    /// Script backend: JSONL file of replies.
    pub script: Option<PathBuf>,
    /// Command backend: argv; `{system}` is replaced by the system prompt.
    pub command: Vec<String>,
    /// Command backend: argv when the model may read the source in the working directory.
    pub command_with_source: Vec<String>,
    /// Seconds one answer may take.
    pub timeout_s: u64,
    /// HTTP backend: base address.
    pub base: String,
    /// HTTP backend: name of the model.
    pub name: String,
    /// HTTP backend: environment variable that holds the key.
    pub key_env: String,
    /// HTTP backend: file that holds the key, instead of the variable.
    pub key_file: Option<PathBuf>,
    /// The directory with the source that the conversation may read; none means no source.
    pub source: Option<PathBuf>,
}

impl Default for Model {
    fn default() -> Self {
        Model {
            kind: ModelKind::Command,
            script: None,
            command: Vec::new(),
            command_with_source: Vec::new(),
            timeout_s: 300,
            base: "https://api.anthropic.com".to_string(),
            name: String::new(),
            key_env: "ANTHROPIC_API_KEY".to_string(),
            key_file: None,
            source: None,
        }
    }
}
