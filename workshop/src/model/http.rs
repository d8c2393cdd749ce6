//! An address that speaks the Messages API.

use std::fmt;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use rustix::process::DumpableBehavior;
use serde::Deserialize;
use serde_json::{Value, json};
use ureq::Agent;
use ureq::http::Uri;

use super::{Model, Reply, Request};
use crate::config;

/// How often an overloaded address is asked.
const TRIES: u32 = 3;

/// The longest wait between two tries, whatever the address asks for.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// A model behind an address.
pub struct Http {
    agent: Agent,
    address: String,
    name: String,
    key: String,
    timeout: Duration,
    wait: fn(Duration),
}

impl fmt::Debug for Http {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Http").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Http {
    /// The address, name and key of the configuration.
    ///
    /// # Errors
    /// When one of them is missing or wrong, or the key would travel unencrypted.
    pub fn new(config: &config::Model, root: &Path) -> Result<Http> {
        let base = config.base.trim_end_matches('/');
        let local = check_base(base)?;
        if config.name.is_empty() {
            bail!("model.name is missing");
        }
        let mut settings = Agent::config_builder()
            .timeout_global(Some(Duration::from_secs(config.timeout_s)))
            .http_status_as_error(false)
            // A redirect would carry the key to another address.
            .max_redirects(0)
            .max_redirects_will_error(false);
        if local {
            settings = settings.proxy(None);
        }
        Ok(Http {
            agent: settings.build().new_agent(),
            address: format!("{base}/v1/messages"),
            name: config.name.clone(),
            key: key(config, root)?,
            timeout: Duration::from_secs(config.timeout_s),
            wait: thread::sleep,
        })
    }

    /// The same, waiting between tries as given.
    #[must_use]
    pub fn with_wait(self, wait: fn(Duration)) -> Http {
        Http { wait, ..self }
    }

    fn body(&self, request: &Request) -> Value {
        let mut body = json!({
            "model": self.name,
            "max_tokens": request.max_tokens,
            "system": request.system,
            "messages": [{"role": "user", "content": request.message}],
        });
        if let Some(schema) = &request.schema {
            body["output_config"] = json!({"format": {"type": "json_schema", "schema": schema}});
        }
        body
    }

    /// The text of an error, in which the key never stands.
    fn failed(&self, text: &str) -> anyhow::Error {
        anyhow!("{}", text.replace(&self.key, "***"))
    }

    /// One try: the reply, or how long to wait before the next.
    fn once(&self, body: &str, max_tokens: u32) -> Result<Result<Reply, (u16, Option<Duration>)>> {
        let sent = self
            .agent
            .post(&self.address)
            .header("content-type", "application/json")
            .header("x-api-key", &self.key)
            .header("anthropic-version", "2023-06-01")
            .send(body);
        let mut response = sent.map_err(|error| match error {
            ureq::Error::Timeout(_) => self.late(),
            other => self.failed(&format!("cannot ask {}: {other}", self.address)),
        })?;
        let status = response.status().as_u16();
        let after = response.headers().get("retry-after").and_then(|value| value.to_str().ok());
        let after = after.and_then(|text| text.trim().parse().ok()).map(Duration::from_secs);
        let text = response.body_mut().read_to_string().map_err(|error| match error {
            ureq::Error::Timeout(_) => self.late(),
            other => self.failed(&format!("the answer of {} breaks off: {other}", self.address)),
        })?;
        match status {
            200 => read(&text, max_tokens).map(Ok).map_err(|error| self.failed(&error.to_string())),
            429 | 529 => Ok(Err((status, after))),
            _ => {
                Err(self.failed(&format!("{} answered {status}: {}", self.address, reason(&text))))
            }
        }
    }

    fn late(&self) -> anyhow::Error {
        anyhow!("{} gave no answer within {} s", self.address, self.timeout.as_secs())
    }
}

impl Model for Http {
    fn ask(&mut self, request: &Request) -> Result<Reply> {
        let body = self.body(request).to_string();
        let mut last = 0;
        for attempt in 0..TRIES {
            match self.once(&body, request.max_tokens)? {
                Ok(reply) => return Ok(reply),
                Err((status, after)) => {
                    last = status;
                    if attempt + 1 < TRIES {
                        let wait = after.unwrap_or(Duration::from_secs(1 << attempt));
                        (self.wait)(wait.min(LONGEST_WAIT));
                    }
                }
            }
        }
        bail!("{} is overloaded: it answered {last} to {TRIES} tries", self.address)
    }
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    content: Vec<Block>,
    #[serde(default)]
    stop_reason: Option<String>,
    #[serde(default)]
    usage: Usage,
}

#[derive(Deserialize)]
struct Block {
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    text: String,
}

#[derive(Deserialize, Default)]
struct Usage {
    #[serde(default)]
    input_tokens: u64,
    #[serde(default)]
    output_tokens: u64,
}

fn read(text: &str, max_tokens: u32) -> Result<Reply> {
    let message: Message = serde_json::from_str(text)
        .map_err(|error| anyhow!("the answer is not a message: {error}"))?;
    match message.stop_reason.as_deref() {
        Some("max_tokens") => bail!("the answer was cut off after {max_tokens} tokens"),
        Some("refusal") => bail!("the model refused to answer"),
        _ => {}
    }
    let block = message.content.into_iter().find(|block| block.kind == "text");
    let block = block.context("the answer holds no text")?;
    Ok(Reply {
        text: block.text,
        tokens_in: message.usage.input_tokens,
        tokens_out: message.usage.output_tokens,
    })
}

/// What an error answer says, in one line.
fn reason(text: &str) -> String {
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    let said = match (value["error"]["type"].as_str(), value["error"]["message"].as_str()) {
        (Some(kind), Some(message)) => format!("{kind}: {message}"),
        _ => text.trim().to_string(),
    };
    said.chars().map(|c| if c.is_control() { ' ' } else { c }).take(300).collect()
}

/// Checks the base address and says whether it is on this machine.
fn check_base(base: &str) -> Result<bool> {
    let uri: Uri = base.parse().map_err(|_| anyhow!("model.base is not an address: {base}"))?;
    let host = uri.host().unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let local = bare == "localhost"
        || bare.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
    match uri.scheme_str() {
        Some("https") => Ok(local),
        Some("http") if local => Ok(true),
        Some("http") => {
            bail!("model.base must be https: the key would travel unencrypted to {host}")
        }
        _ => bail!("model.base is not an address: {base}"),
    }
}

/// Reads the key and closes this process to other ones that might read its memory.
fn key(config: &config::Model, root: &Path) -> Result<String> {
    let key = if let Some(file) = &config.key_file {
        let path = root.join(file);
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?
    } else {
        let name = &config.key_env;
        std::env::var(name)
            .map_err(|_| anyhow!("the environment variable {name} with the key is missing"))?
    };
    rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    let key = key.trim().to_string();
    let plain = !key.is_empty() && key.chars().all(|c| c.is_ascii_graphic());
    if !plain {
        bail!("the key is empty or holds characters that a header cannot carry");
    }
    Ok(key)
}
