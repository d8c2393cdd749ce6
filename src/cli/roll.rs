//! `dice EXPR` and `dice roll`: rolls.

use std::io::{BufRead, Write};

use anyhow::Context;
use dice::{Expr, Number, Roll};

use super::args::{Common, ReplArgs, RollArgs};
use super::faces::Source;
use super::language::Language;
use super::log::Log;
use super::report::{self, Fault, STDIN, Usage};
use super::show::{self, Format, Legend, Style};
use super::{Io, Status, json, odds_of, repl};

/// Rolls what the arguments or the lines of standard input say.
pub fn run(args: &RollArgs, common: &Common, io: &mut Io) -> anyhow::Result<Status> {
    let text = args.text.join(" ");
    if args.text.is_empty() && Io::asks_a_person() {
        let args = ReplArgs { faces: args.faces.clone(), log: args.log.clone() };
        return repl::run(&args, common, io);
    }
    let language = Language::new(common)?;
    // Nothing is begun for a text that is wrong.
    let expr = if args.text.is_empty() || text == "-" { None } else { Some(language.parse_argument(&text)?) };
    let source = Source::new(&args.faces)?;
    let log = args.log.as_deref().map(|path| Log::begin(path, source.seed())).transpose()?;
    let mut rolls = Rolls {
        source,
        log,
        language,
        times: args.times,
        common,
        style: Style { whole: common.verbose, color: io.out_color },
        legend: Legend::default(),
        held: Vec::new(),
        told: Vec::new(),
    };
    let status = match expr {
        Some(expr) => rolls.all(&expr, None, io).map(|()| Status::Done),
        None => rolls.lines(&mut std::io::stdin().lock(), io),
    };
    let ended = rolls.log.take().map_or(Ok(()), Log::end);
    let status = status?;
    ended?;
    rolls.finish(io)?;
    Ok(status)
}

/// The rolls of a run.
struct Rolls<'a> {
    source: Source,
    log: Option<Log>,
    language: Language,
    times: u64,
    common: &'a Common,
    style: Style,
    legend: Legend,
    /// What is rolled with scripted faces is held until all of them are used.
    held: Vec<u8>,
    /// The same of what goes to standard error.
    told: Vec<u8>,
}

impl Rolls<'_> {
    /// Rolls every line; the worst line decides how the program ends.
    fn lines(&mut self, input: &mut dyn BufRead, io: &mut Io) -> anyhow::Result<Status> {
        let mut worst = Status::Done;
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            if input.read_until(b'\n', &mut line).context(STDIN)? == 0 {
                break;
            }
            let text = String::from_utf8_lossy(&line);
            let text = without_mark(text.trim_end_matches(['\n', '\r']), number);
            if text.trim().is_empty() || text.trim_start().starts_with('#') {
                continue;
            }
            let rolled =
                self.language.parse_line(text, number).and_then(|expr| self.all(&expr, Some(number), io));
            if let Err(error) = rolled {
                if !error.is::<Fault>() && !error.is::<Usage>() {
                    return Err(error);
                }
                worst = worst.max(report::report(&error, io));
            }
        }
        Ok(worst)
    }

    /// Rolls one text as often as asked for.
    fn all(&mut self, expr: &Expr, line: Option<usize>, io: &mut Io) -> anyhow::Result<()> {
        let mut summary = Summary::default();
        let mut last = None;
        for _ in 0..self.times {
            let roll = match self.source.roll(expr, last.take(), &self.language.limits) {
                Ok(roll) => roll,
                Err(error) => {
                    self.log.as_mut().map_or(Ok(()), |log| log.failure(expr, &error))?;
                    return Err(Fault { line, ..Fault::from(error) }.into());
                }
            };
            self.log.as_mut().map_or(Ok(()), |log| log.roll(&roll))?;
            match &self.source {
                Source::Seeded(..) => self.write(&roll, &mut io.out)?,
                Source::Scripted(_) => {
                    let mut held = std::mem::take(&mut self.held);
                    self.write(&roll, &mut held)?;
                    self.held = held;
                }
            }
            roll.outcomes().iter().for_each(|outcome| summary.add(outcome.total()));
            last = Some(roll);
        }
        if self.times > 1 && !self.common.quiet && !self.common.json {
            match &self.source {
                Source::Seeded(..) => {
                    io.out.flush()?;
                    summary.tell(expr, &mut io.err)?;
                }
                Source::Scripted(_) => summary.tell(expr, &mut self.told)?,
            }
        }
        Ok(())
    }

    fn write(&mut self, roll: &Roll, out: &mut dyn Write) -> anyhow::Result<()> {
        match Format::of(self.common) {
            Format::Json => json::line(roll, self.source.seed(), out)?,
            Format::Totals => show::totals(roll, out)?,
            Format::Text => {
                show::roll(roll, self.style, out)?;
                if self.common.verbose {
                    self.legend.add(roll);
                    show::details(roll, out)?;
                }
            }
        }
        Ok(())
    }

    /// Ends the run: all scripted faces must have been used.
    fn finish(&mut self, io: &mut Io) -> anyhow::Result<()> {
        self.source.exhausted()?;
        io.out.write_all(&self.held)?;
        if !self.told.is_empty() {
            io.out.flush()?;
            io.err.write_all(&self.told)?;
        }
        if self.common.verbose && !self.common.quiet && !self.common.json {
            self.legend.write(&mut io.out)?;
            if let Some(seed) = self.source.seed() {
                writeln!(io.out, "  seed: {seed}")?;
            }
        }
        Ok(())
    }
}

/// A line without the byte order mark that some editors put before the first.
pub fn without_mark(line: &str, number: usize) -> &str {
    if number == 1 { line.trim_start_matches('\u{FEFF}') } else { line }
}

/// What many rolls come to.
#[derive(Default)]
struct Summary {
    count: u64,
    /// `None` if the sum does not fit.
    sum: Option<Number>,
    ends: Option<(Number, Number)>,
}

impl Summary {
    fn add(&mut self, total: Number) {
        self.sum = if self.count == 0 { Some(total) } else { self.sum.and_then(|sum| sum.plus(total)) };
        self.count += 1;
        let (low, high) = self.ends.unwrap_or((total, total));
        self.ends = Some((low.min(total), high.max(total)));
    }

    #[expect(clippy::cast_precision_loss, reason = "a mean is told with two decimals")]
    fn tell(&self, expr: &Expr, err: &mut dyn Write) -> std::io::Result<()> {
        let (Some(sum), Some((low, high))) = (self.sum, self.ends) else { return Ok(()) };
        let mean = sum.to_f64() / self.count as f64;
        let expected = odds_of::quick_mean(expr)
            .map_or(String::new(), |mean| format!(" (expected {})", odds_of::two(mean)));
        writeln!(
            err,
            "{} rolls: sum {sum}, mean {mean:.2}{expected}, lowest {low}, highest {high}",
            self.count
        )
    }
}
