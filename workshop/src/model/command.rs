//! Any program that reads a prompt on standard input and prints an answer.

use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process_group};

use super::{Model, Reply, Request};
use crate::config;

/// What is asked for when the configuration names no program: no tools at all.
pub const DEFAULT: [&str; 8] =
    ["claude", "-p", "--output-format", "text", "--system-prompt", "{system}", "--tools", ""];

/// The same with tools that read and search the working directory, and no others.
pub const DEFAULT_WITH_SOURCE: [&str; 10] = [
    "claude",
    "-p",
    "--output-format",
    "text",
    "--system-prompt",
    "{system}",
    "--tools",
    "Read,Grep,Glob",
    "--allowedTools",
    "Read,Grep,Glob",
];

/// Most bytes of an answer.
const MAX_OUTPUT: u64 = 4 * 1024 * 1024;

/// Most bytes of a system prompt given as an argument; the kernel allows 128 KiB.
const MAX_ARGUMENT: usize = 120 * 1024;

/// A program that answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    plain: Vec<String>,
    with_source: Vec<String>,
    timeout: Duration,
}

impl Command {
    /// The programs of the configuration. `{system}` in an argument is replaced by the
    /// system prompt; without it the system prompt comes first on standard input.
    ///
    /// # Errors
    /// When only the program that reads source code is named.
    pub fn new(config: &config::Model) -> Result<Command> {
        let own = |list: &[&str]| list.iter().map(ToString::to_string).collect();
        let (plain, with_source) = match (&config.command[..], &config.command_with_source[..]) {
            ([], []) => (own(&DEFAULT), own(&DEFAULT_WITH_SOURCE)),
            ([], _) => bail!("model.command_with_source needs model.command beside it"),
            (plain, with_source) => (plain.to_vec(), with_source.to_vec()),
        };
        Ok(Command { plain, with_source, timeout: Duration::from_secs(config.timeout_s) })
    }
}

impl Model for Command {
    fn ask(&mut self, request: &Request) -> Result<Reply> {
        let template = if request.tools { &self.with_source } else { &self.plain };
        let [program, arguments @ ..] = template.as_slice() else {
            bail!("model.command_with_source is missing");
        };
        let in_argv = arguments.iter().any(|argument| argument.contains("{system}"));
        if in_argv && request.system.len() > MAX_ARGUMENT {
            bail!(
                "the system prompt is too long for an argument; leave {{system}} out of \
                 model.command, then it comes on standard input"
            );
        }
        let arguments =
            arguments.iter().map(|argument| argument.replace("{system}", &request.system));
        let input = if in_argv {
            request.message.clone()
        } else {
            format!("{}\n\n{}", request.system, request.message)
        };
        // Without source code the program works where there is none.
        let empty = tempfile::tempdir().context("cannot make an empty folder")?;
        let folder = match &request.cwd {
            Some(cwd) if request.tools => cwd.as_path(),
            _ => empty.path(),
        };
        let child = std::process::Command::new(program)
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .with_context(|| format!("cannot start the model command {program}"))?;
        let text = finish(child, input, program, self.timeout)?;
        Ok(Reply { text, tokens_in: 0, tokens_out: 0 })
    }

    fn reads_source(&self) -> bool {
        !self.with_source.is_empty()
    }
}

fn finish(mut child: Child, input: String, program: &str, timeout: Duration) -> Result<String> {
    if let Some(mut stdin) = child.stdin.take() {
        // A program that does not read its input to the end is no mistake.
        thread::spawn(move || stdin.write_all(input.as_bytes()).ok());
    }
    let stdout = collect(child.stdout.take());
    let stderr = collect(child.stderr.take());
    let ended = wait(&mut child, timeout);
    // What the program left running goes with it.
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        kill_process_group(group, Signal::KILL).ok();
    }
    let Some(status) = ended? else {
        child.wait().ok();
        bail!("the model command {program} gave no answer within {} s", timeout.as_secs());
    };
    let drained = Duration::from_secs(5);
    let output = stdout.recv_timeout(drained).context("the answer does not end")?;
    if !status.success() {
        let errors = stderr.recv_timeout(drained).unwrap_or_default();
        let errors = String::from_utf8_lossy(&errors);
        let last = errors.trim().lines().last().unwrap_or("it said nothing");
        let last: String = last.chars().filter(|c| !c.is_control()).take(300).collect();
        bail!("the model command {program} failed ({status}): {last}");
    }
    if output.len() as u64 > MAX_OUTPUT {
        bail!("the answer of the model command {program} is longer than {MAX_OUTPUT} bytes");
    }
    String::from_utf8(output)
        .with_context(|| format!("the answer of the model command {program} is not UTF-8"))
}

/// Reads a stream in the background; what is beyond the limit is read and dropped.
fn collect<R: Read + Send + 'static>(stream: Option<R>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            stream.by_ref().take(MAX_OUTPUT + 1).read_to_end(&mut bytes).ok();
            std::io::copy(&mut stream, &mut std::io::sink()).ok();
        }
        sender.send(bytes).ok();
    });
    receiver
}

fn wait(child: &mut Child, timeout: Duration) -> Result<Option<ExitStatus>> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() >= timeout {
            return Ok(None);
        }
        thread::sleep(Duration::from_millis(10));
    }
}
