//! `dice repl`: one roll after the other, with names, history and help while typing.

mod helper;
mod paint;
mod stats;
#[cfg(test)]
mod tests;
mod vocabulary;

use std::cell::RefCell;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use dice::{Expr, Odds};
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{CompletionType, Config, Editor};

use super::args::{Common, FacesArgs, ReplArgs};
use super::faces::Source;
use super::language::Language;
use super::log::Log;
use super::names::{Names, definition};
use super::odds::Law;
use super::report::{self, Fault, Stopped, Usage};
use super::show::{self, Format, Style};
use super::{Io, Status, chart, dirs, explain, json, odds_of};
use helper::Help;
use stats::Stats;

/// What stands before each line.
const PROMPT: &str = "dice> ";

/// Asks for one roll after the other until the input ends.
pub fn run(args: &ReplArgs, common: &Common, io: &mut Io) -> anyhow::Result<Status> {
    let language = Rc::new(Language::new(common)?);
    let rolls = if common.no_config { None } else { dirs::rolls() };
    let names = Rc::new(RefCell::new(rolls.map_or_else(|| Ok(Names::default()), Names::load)?));
    let config = Config::builder().completion_type(CompletionType::List).history_ignore_dups(true)?.build();
    let mut editor: Editor<Help, DefaultHistory> = Editor::with_config(config)?;
    editor.set_helper(Some(Help {
        language: Rc::clone(&language),
        names: Rc::clone(&names),
        color: io.out_color,
    }));
    // Only what a person types is worth remembering.
    let person = Io::asks_a_person();
    let mut history = dirs::history().filter(|_| person);
    if let Some(path) = &history {
        // There is none before the first session.
        let _ = editor.load_history(path);
    }
    let source = Source::new(&args.faces)?;
    let log = args.log.as_deref().map(|path| Log::begin(path, source.seed())).transpose()?;
    let mut session = Session {
        source,
        log,
        log_path: args.log.clone(),
        language,
        names,
        style: Style { whole: common.verbose, color: io.out_color },
        format: Format::of(common),
        stats: Stats::default(),
        last: None,
    };
    if person {
        writeln!(io.out, "Type a roll such as 4d6kh3. :help lists what else there is, Ctrl-D leaves.")?;
    }
    let prompt = if person { PROMPT } else { "" };
    let mut worst = Status::Done;
    loop {
        io.out.flush()?;
        match editor.readline(prompt) {
            Ok(line) => {
                if person && !line.trim().is_empty() {
                    editor.add_history_entry(&line)?;
                    history = history.filter(|path| remember(&mut editor, path, io));
                }
                match session.line(line.trim(), io) {
                    Ok(true) => {}
                    Ok(false) => break,
                    Err(error) if error.is::<Fault>() || error.is::<Usage>() || error.is::<Stopped>() => {
                        worst = worst.max(report::report(&error, io));
                    }
                    Err(error) => return Err(error),
                }
            }
            Err(ReadlineError::Interrupted) => {}
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(error.into()),
        }
    }
    session.log.take().map_or(Ok(()), Log::end)?;
    // A person has seen what went wrong; a script has only this.
    Ok(if person { Status::Done } else { worst })
}

/// Keeps what was typed at once, so that a terminal that is closed loses nothing; whether that can be done.
fn remember(editor: &mut Editor<Help, DefaultHistory>, path: &Path, io: &mut Io) -> bool {
    let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    let kept = folder.map_err(Into::into).and_then(|()| editor.append_history(path));
    if let Err(error) = &kept {
        // Nobody is there to tell if this fails.
        let _ = writeln!(io.err, "note: what you type is not remembered: {}: {error}", path.display());
    }
    kept.is_ok()
}

/// What a session knows.
struct Session {
    source: Source,
    log: Option<Log>,
    log_path: Option<PathBuf>,
    language: Rc<Language>,
    names: Rc<RefCell<Names>>,
    style: Style,
    format: Format,
    stats: Stats,
    /// The last text that was rolled.
    last: Option<Expr>,
}

impl Session {
    /// Does what a line says; whether to go on.
    fn line(&mut self, line: &str, io: &mut Io) -> anyhow::Result<bool> {
        if line.is_empty() || line.starts_with('#') {
            return Ok(true);
        }
        if let Some(command) = line.strip_prefix(':') {
            let (command, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
            return self.command(command, rest.trim(), io);
        }
        // What somebody types who looks for the way out; a name that is set goes before.
        let asks = ["help", "?", "quit", "exit"].contains(&line);
        if asks && !self.names.borrow().iter().any(|(name, _)| name == line) {
            return self.command(line, "", io);
        }
        if let Some((name, text)) = definition(line) {
            let text = self.names.borrow_mut().set(&name, text, &self.language)?;
            writeln!(io.out, "{name} = {text}")?;
            return Ok(true);
        }
        let expr = self.names.borrow().understand(line, &self.language)?;
        self.roll(&expr, io)?;
        self.last = Some(expr);
        Ok(true)
    }

    fn roll(&mut self, expr: &Expr, io: &mut Io) -> anyhow::Result<()> {
        let roll = match self.source.roll(expr, None, &self.language.limits) {
            Ok(roll) => roll,
            Err(error) => {
                self.log.as_mut().map_or(Ok(()), |log| log.failure(expr, &error))?;
                return Err(Fault::from(error).into());
            }
        };
        self.log.as_mut().map_or(Ok(()), |log| log.roll(&roll))?;
        match self.format {
            Format::Json => json::line(&roll, self.source.seed(), &mut io.out)?,
            Format::Totals => show::totals(&roll, &mut io.out)?,
            Format::Text => show::roll(&roll, self.style, &mut io.out)?,
        }
        self.stats.add(&roll);
        self.names.borrow_mut().last = roll.outcomes().last().map(dice::Outcome::total);
        Ok(())
    }

    fn command(&mut self, command: &str, rest: &str, io: &mut Io) -> anyhow::Result<bool> {
        match command {
            "help" | "h" | "?" => help(io)?,
            "quit" | "q" | "exit" => return Ok(false),
            "stats" => self.stats.write(&mut io.out)?,
            "seed" if rest.is_empty() => match self.source.seed() {
                Some(seed) => writeln!(io.out, "seed: {seed}")?,
                None => writeln!(io.out, "the dice are scripted")?,
            },
            "seed" => {
                let args = FacesArgs { seed: Some(rest.to_owned()), faces: None };
                self.source = Source::new(&args)?;
                self.log.take().map_or(Ok(()), Log::end)?;
                self.log =
                    self.log_path.as_deref().map(|path| Log::begin(path, self.source.seed())).transpose()?;
                writeln!(io.out, "seed: {rest}")?;
            }
            "names" => {
                for (name, text) in self.names.borrow().iter() {
                    writeln!(io.out, "{name} = {text}")?;
                }
            }
            "forget" => {
                if !self.names.borrow_mut().forget(rest)? {
                    return Err(Usage(format!("the name {rest:?} is not set")).into());
                }
            }
            "explain" => explain::explain(&self.meant(rest)?, io)?,
            "odds" => {
                let expr = self.meant(rest)?;
                let options = Odds { limits: self.language.limits, ..Odds::default() };
                let odds = odds_of::patiently(&expr, &options, &mut io.err)?;
                let style = chart::Style { fractions: false, digits: 2, unicode: io.unicode };
                chart::table(&expr, &Law::computed(odds), &style, &mut io.out)?;
            }
            unknown => {
                return Err(Usage(format!("there is no command :{unknown}; :help lists them")).into());
            }
        }
        Ok(true)
    }

    /// The text behind a command, or the last one that was rolled.
    fn meant(&self, text: &str) -> anyhow::Result<Expr> {
        if text.is_empty() {
            let nothing = || Usage("nothing has been rolled yet; write a roll behind the command".to_owned());
            return Ok(self.last.clone().ok_or_else(nothing)?);
        }
        self.names.borrow().understand(text, &self.language)
    }
}

fn help(io: &mut Io) -> std::io::Result<()> {
    writeln!(io.out, "4d6kh3          roll; an open bracket goes on in the next line, Tab completes")?;
    writeln!(
        io.out,
        "str = 4         set a name, also for later sessions; a roll is rolled anew at each use"
    )?;
    writeln!(io.out, "_ + 2           the last total")?;
    for (command, meaning) in vocabulary::COMMANDS {
        writeln!(io.out, "{command:<15} {meaning}")?;
    }
    Ok(())
}
