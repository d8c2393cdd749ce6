//! The log of `--log FILE`: one JSON object a line, each with the hash of the line before.
//!
//! A session begins with a commitment to its seed, which is the hash of `dice seed ` and the seed, and ends with the seed
//! itself: who has seen the first line before the dice fell knows that the seed was not chosen afterwards.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::Context;
use dice::{Error, Expr, Roll};
use serde_json::{Value, json};

use super::json::Whole;
use super::seed;

/// What stands for the line before the first.
pub const NO_LINE: &str = "";

/// A log that is being written.
pub struct Log {
    file: BufWriter<File>,
    /// The hash of the last line.
    last: String,
    seed: Option<String>,
}

impl Log {
    /// Begins a session at the end of a file.
    ///
    /// # Errors
    /// The file cannot be read and written.
    pub fn begin(path: &Path, seed: Option<&str>) -> anyhow::Result<Log> {
        let open = || -> std::io::Result<(File, Vec<u8>)> {
            let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
            if !file.metadata()?.is_file() {
                return Err(std::io::Error::other("it is no file"));
            }
            let end = ending(&mut file)?;
            Ok((file, end))
        };
        let (file, text) = open().with_context(|| format!("the log {} cannot be opened", path.display()))?;
        let whole = text.strip_suffix(b"\n").unwrap_or(&text);
        let last = whole.rsplit(|byte| *byte == b'\n').next().filter(|line| !line.is_empty());
        let last = last.map_or_else(|| NO_LINE.to_owned(), seed::hash);
        let mut log = Log { file: BufWriter::new(file), last, seed: seed.map(str::to_owned) };
        if !text.is_empty() && !text.ends_with(b"\n") {
            log.file.write_all(b"\n")?;
        }
        log.line(json!({
            "v": 1,
            "kind": "begin",
            "program": concat!("dice ", env!("CARGO_PKG_VERSION")),
            "algorithm": seed.map(|_| seed::ALGORITHM),
            "commitment": seed.map(commitment),
        }))?;
        Ok(log)
    }

    /// Writes down a roll.
    pub fn roll(&mut self, roll: &Roll) -> anyhow::Result<()> {
        let result = serde_json::to_value(Whole { roll, seed: None })?;
        self.line(json!({"v": 1, "kind": "roll", "text": roll.expr().text(), "result": result}))
    }

    /// Writes down a roll that failed: it may have used random words.
    pub fn failure(&mut self, expr: &Expr, error: &Error) -> anyhow::Result<()> {
        let code = error.code().number();
        self.line(json!({"v": 1, "kind": "failure", "text": expr.text(), "code": code}))
    }

    /// Ends the session and reveals its seed.
    pub fn end(mut self) -> anyhow::Result<()> {
        let seed = self.seed.take();
        self.line(json!({"v": 1, "kind": "end", "seed": seed}))?;
        Ok(self.file.flush()?)
    }

    fn line(&mut self, mut entry: Value) -> anyhow::Result<()> {
        entry["previous"] = Value::from(std::mem::take(&mut self.last));
        let text = entry.to_string();
        self.last = seed::hash(text.as_bytes());
        writeln!(self.file, "{text}")?;
        Ok(())
    }
}

/// The end of a file with its last line: all of a short file, little of a long one.
fn ending(file: &mut File) -> std::io::Result<Vec<u8>> {
    let length = file.metadata()?.len();
    let mut wanted = 1 << 16;
    loop {
        let mut text = Vec::new();
        file.seek(SeekFrom::Start(length.saturating_sub(wanted)))?;
        file.read_to_end(&mut text)?;
        let whole = text.strip_suffix(b"\n").unwrap_or(&text);
        if wanted >= length || whole.contains(&b'\n') {
            return Ok(text);
        }
        wanted *= 2;
    }
}

/// What binds to a seed without telling it.
pub fn commitment(seed: &str) -> String {
    seed::hash(format!("dice seed {seed}").as_bytes())
}
