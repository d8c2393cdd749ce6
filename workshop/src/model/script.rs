//! Replies from a file, for tests, demonstrations and replays.

use std::collections::VecDeque;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde_json::Value;

use super::{Model, Reply, Request};

/// One line of a script.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The answer; JSON that is not a text is answered as it is.
    pub reply: Value,
    /// A text that the system prompt or the message must contain.
    #[serde(default)]
    pub expect: Option<String>,
    /// Tokens it is said to have read.
    #[serde(default)]
    pub tokens_in: u64,
    /// Tokens it is said to have written.
    #[serde(default)]
    pub tokens_out: u64,
}

/// Answers with the lines of a script, one a question, and keeps the questions.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Script {
    lines: VecDeque<Line>,
    source: bool,
    requests: Vec<Request>,
}

impl Script {
    /// Reads a script: JSON objects, one a line; blank lines do not count.
    ///
    /// # Errors
    /// When a line is not a [`Line`].
    pub fn parse(text: &str) -> Result<Script> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let lines = lines.map(|(n, line)| {
            serde_json::from_str(line).with_context(|| format!("line {} of the script", n + 1))
        });
        Ok(Script { lines: lines.collect::<Result<_>>()?, ..Script::default() })
    }

    /// Reads a script from a file.
    ///
    /// # Errors
    /// When the file cannot be read or a line is wrong.
    pub fn load(path: &Path) -> Result<Script> {
        let shown = path.display();
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
        Script::parse(&text).with_context(|| format!("{shown} is wrong"))
    }

    /// Gives these answers.
    #[must_use]
    pub fn replies<T: Into<String>>(replies: impl IntoIterator<Item = T>) -> Script {
        let line = |reply: T| Line {
            reply: Value::String(reply.into()),
            expect: None,
            tokens_in: 0,
            tokens_out: 0,
        };
        Script { lines: replies.into_iter().map(line).collect(), ..Script::default() }
    }

    /// The same script, said to be able to read source code.
    #[must_use]
    pub fn with_source(self) -> Script {
        Script { source: true, ..self }
    }

    /// The questions so far.
    #[must_use]
    pub fn requests(&self) -> &[Request] {
        &self.requests
    }

    /// How many answers are left.
    #[must_use]
    pub fn left(&self) -> usize {
        self.lines.len()
    }
}

impl Model for Script {
    fn ask(&mut self, request: &Request) -> Result<Reply> {
        self.requests.push(request.clone());
        let question = self.requests.len();
        let Some(line) = self.lines.pop_front() else {
            bail!("the script has no answer to question {question}");
        };
        if let Some(expect) = &line.expect
            && !request.system.contains(expect)
            && !request.message.contains(expect)
        {
            bail!("question {question} does not contain {expect:?}");
        }
        let text = match line.reply {
            Value::String(text) => text,
            other => other.to_string(),
        };
        Ok(Reply { text, tokens_in: line.tokens_in, tokens_out: line.tokens_out })
    }

    fn reads_source(&self) -> bool {
        self.source
    }
}
