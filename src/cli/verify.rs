//! `dice verify`: replays a log.

use std::io::{Read, Write};
use std::path::Path;

use anyhow::Context;
use dice::Script;
use rand::rngs::ChaCha8Rng;
use serde_json::Value;

use super::args::{Common, VerifyArgs};
use super::json::Whole;
use super::language::Language;
use super::{Io, Status, log, seed};

/// Of what is no file, such as a pipe, more is not read.
const MOST_BYTES: u64 = 1 << 24;

/// Replays a log and says whether it is what its seeds give.
pub fn run(args: &VerifyArgs, common: &Common, io: &mut Io) -> anyhow::Result<Status> {
    let text = read(&args.file)?;
    let lines: Vec<&str> = text.lines().collect();
    let language = Language::new(common)?;
    let mut verifier = Verifier { given: args.seed.as_deref(), language, ..Verifier::default() };
    for (index, line) in lines.iter().enumerate() {
        if let Err(fault) = verifier.line(line, &lines[index..]) {
            verifier.faults.push((index + 1, fault));
        }
    }
    if lines.is_empty() {
        verifier.faults.push((1, "the log is empty".to_owned()));
    } else if verifier.open {
        verifier.faults.push((lines.len(), "the last session does not end: lines may be missing".to_owned()));
    }
    let (rolls, sessions) = (verifier.rolls, verifier.sessions);
    if io.json {
        let faults: Vec<Value> = verifier
            .faults
            .iter()
            .map(|(line, fault)| serde_json::json!({"line": line, "message": fault}))
            .collect();
        let verified = faults.is_empty();
        let report = serde_json::json!({
            "v": 1, "verified": verified, "rolls": rolls, "sessions": sessions, "faults": faults,
        });
        writeln!(io.out, "{report}")?;
    } else {
        for (line, fault) in &verifier.faults {
            writeln!(io.out, "{}:{line}: {fault}", args.file.display())?;
        }
        if verifier.faults.is_empty() {
            let (roll, session) = (plural(rolls, "roll"), plural(sessions, "session"));
            writeln!(io.out, "{}: {roll} in {session}: verified", args.file.display())?;
        }
    }
    Ok(if verifier.faults.is_empty() { Status::Done } else { Status::Failed })
}

fn read(path: &Path) -> anyhow::Result<String> {
    let open = || -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let file = std::fs::File::open(path)?;
        // What is no file may have no end.
        let most = if file.metadata()?.is_file() { u64::MAX } else { MOST_BYTES };
        file.take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = open().with_context(|| format!("the log {} cannot be read", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn plural(count: u64, word: &str) -> String {
    if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
}

/// What has been read so far.
#[derive(Default)]
struct Verifier<'a> {
    given: Option<&'a str>,
    /// The grammar of the texts and the limits of a replay: a log is not to be trusted.
    language: Language,
    last: String,
    /// Whether a session has begun and not ended.
    open: bool,
    generator: Option<ChaCha8Rng>,
    rolls: u64,
    sessions: u64,
    faults: Vec<(usize, String)>,
}

impl Verifier<'_> {
    /// Checks a line; `rest` are the lines from it on.
    fn line(&mut self, line: &str, rest: &[&str]) -> Result<(), String> {
        let previous = std::mem::replace(&mut self.last, seed::hash(line.as_bytes()));
        let entry: Value = serde_json::from_str(line).map_err(|_| "this is no line of a log".to_owned())?;
        let kind = entry["kind"].as_str().unwrap_or_default();
        let chained = entry["previous"].as_str() == Some(&previous);
        let held = match kind {
            "begin" => self.begin(&entry, rest),
            "end" if !self.open => Err("a session ends that did not begin".to_owned()),
            "end" => {
                self.open = false;
                Ok(())
            }
            "roll" | "failure" if !self.open => Err("a roll stands outside of a session".to_owned()),
            "roll" | "failure" => self.roll(&entry),
            other => Err(format!("a line of the unknown kind {other:?}")),
        };
        if !chained {
            return Err("the line before was changed, added or removed".to_owned());
        }
        held
    }

    /// Begins a session with the seed that its end reveals.
    fn begin(&mut self, entry: &Value, rest: &[&str]) -> Result<(), String> {
        self.sessions += 1;
        self.generator = None;
        let unfinished = std::mem::replace(&mut self.open, true);
        if let Some(commitment) = entry["commitment"].as_str() {
            let known = entry["algorithm"].as_str().unwrap_or_default();
            if known != seed::ALGORITHM {
                return Err(format!("the algorithm {known:?} is not known here"));
            }
            let later = rest.iter().skip(1).filter_map(|line| serde_json::from_str::<Value>(line).ok());
            let mut session = later.take_while(|entry| entry["kind"] != "begin");
            let end = session.find(|entry| entry["kind"] == "end");
            let revealed = end.as_ref().and_then(|end| end["seed"].as_str()).or(self.given);
            let Some(seed) = revealed else {
                return Err("the seed of this session is not revealed; give it with --seed".to_owned());
            };
            if log::commitment(seed) != commitment {
                return Err(format!("the seed {seed} is not the one that was committed to"));
            }
            self.generator = Some(seed::generator(seed));
        }
        if unfinished {
            Err("the session before does not end: lines may be missing".to_owned())
        } else {
            Ok(())
        }
    }

    /// Rolls once more and compares.
    fn roll(&mut self, entry: &Value) -> Result<(), String> {
        self.rolls += 1;
        let text = entry["text"].as_str().unwrap_or_default();
        let (parsed, limits) = (self.language.parse(text), &self.language.limits);
        let expr = parsed.map_err(|error| format!("{text:?} is no roll here: {}", error.title()))?;
        let rolled = match &mut self.generator {
            Some(generator) => expr.roll_within(generator, limits),
            None => expr.roll_within(&mut Script::new(faces(&entry["result"])), limits),
        };
        match (rolled, entry["code"].as_str()) {
            // Which limit was met is not written down.
            (_, Some(code)) if code == dice::Code::Limit.number() => {
                Err("a limit was met here: what follows in this session cannot be replayed".to_owned())
            }
            (Err(error), Some(code)) if error.code().number() == code => Ok(()),
            (Err(error), _) => Err(format!("{text:?} fails: {}", error.title())),
            (Ok(_), Some(code)) => Err(format!("{text:?} does not fail with {code}")),
            (Ok(roll), None) => {
                let again = serde_json::to_value(Whole { roll: &roll, seed: None })
                    .map_err(|error| error.to_string())?;
                let written = &entry["result"];
                let said = ["notation", "total", "dice", "results"];
                if holds(written, &again)
                    && said.iter().all(|key| written[key].is_null() == again[key].is_null())
                {
                    Ok(())
                } else {
                    Err(format!("the dice of {text:?} are not those of the seed: it gives {roll}"))
                }
            }
        }
    }
}

/// Whether everything that was written down is so; a later version may say more.
fn holds(written: &Value, again: &Value) -> bool {
    match (written, again) {
        (Value::Object(written), Value::Object(again)) => {
            written.iter().all(|(key, value)| again.get(key).is_some_and(|now| holds(value, now)))
        }
        (Value::Array(written), Value::Array(again)) => {
            written.len() == again.len() && written.iter().zip(again).all(|(value, now)| holds(value, now))
        }
        (written, again) => written == again,
    }
}

/// The faces of a result that was rolled without a seed.
fn faces(result: &Value) -> Vec<i64> {
    let single = std::slice::from_ref(result);
    let results = result["results"].as_array().map_or(single, Vec::as_slice);
    let dice = results.iter().filter_map(|result| result["dice"].as_array()).flatten();
    let face = |die: &Value| die["face"].as_i64().or_else(|| die["face"].as_str()?.parse().ok());
    dice.filter_map(face).collect()
}
