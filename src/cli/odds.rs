//! `dice odds EXPR`: the exact chance of every total.

use std::io::{BufRead, Write};
use std::path::Path;

use anyhow::Context;
use dice::{Distribution, Expr, Method, Number, Odds, Precision, Sampled};
use serde_json::json;

use super::args::{Common, OddsArgs};
use super::interrupt::Work;
use super::language::Language;
use super::report::{self, Fault, STDIN, Usage};
use super::{Io, Status, chart, json, odds_of, plot, roll, seed};

/// The seed of samples where none is given: the same text gives the same estimate.
const SEED: &str = "odds";

/// So many rolls are made between two looks at the clock.
const BATCH: u64 = 1000;

/// How sure the stated intervals are.
const CONFIDENCE: f64 = 0.95;

/// Tells the odds of what the arguments or the lines of standard input say.
pub fn run(args: &OddsArgs, common: &Common, io: &mut Io) -> anyhow::Result<Status> {
    let text = args.text.join(" ");
    if args.text.is_empty() && Io::asks_a_person() {
        return Err(Usage("write what to analyse, such as dice odds '4d6kh3'".to_owned()).into());
    }
    let language = Language::new(common)?;
    let screen = Screen { args, common, language };
    if args.text.is_empty() || text == "-" {
        return screen.lines(&mut std::io::stdin().lock(), io);
    }
    let expr = screen.language.parse_argument(&text)?;
    screen.one(&expr, None, io)?;
    Ok(Status::Done)
}

/// What is shown, and how.
struct Screen<'a> {
    args: &'a OddsArgs,
    common: &'a Common,
    language: Language,
}

/// A distribution, computed or sampled: what all screens need of either.
pub struct Law {
    /// Every total with its probability, ascending.
    pub outcomes: Vec<(Number, f64)>,
    pub mean: f64,
    pub sd: f64,
    /// The exact distribution; `None` where it was sampled.
    pub exact: Option<Distribution>,
    pub sampled: Option<Sampled>,
}

impl Law {
    pub fn computed(odds: Distribution) -> Law {
        Law {
            outcomes: odds.outcomes().collect(),
            mean: odds.mean(),
            sd: odds.sd(),
            exact: Some(odds),
            sampled: None,
        }
    }

    fn estimated(sampled: Sampled) -> Law {
        Law {
            outcomes: sampled.outcomes().collect(),
            mean: sampled.mean(),
            sd: sampled.sd(),
            exact: None,
            sampled: Some(sampled),
        }
    }

    /// What is below the totals that are listed, or beyond them: not known where.
    fn method(&self) -> &'static str {
        match self.exact.as_ref().map(Distribution::method) {
            Some(Method::Exact | Method::CutOff) => "exact",
            Some(Method::Float) => "float",
            None => "sampled",
        }
    }
}

impl Screen<'_> {
    /// Every line of standard input; the worst line decides how the program ends.
    fn lines(&self, input: &mut dyn BufRead, io: &mut Io) -> anyhow::Result<Status> {
        let mut worst = Status::Done;
        for (number, line) in input.lines().enumerate() {
            let number = number + 1;
            let line = line.context(STDIN)?;
            let line = roll::without_mark(&line, number);
            if line.trim().is_empty() || line.trim_start().starts_with('#') {
                continue;
            }
            let told =
                self.language.parse_line(line, number).and_then(|expr| self.one(&expr, Some(number), io));
            if let Err(error) = told {
                if !error.is::<Fault>() && !error.is::<Usage>() {
                    return Err(error);
                }
                worst = worst.max(report::report(&error, io));
            }
        }
        Ok(worst)
    }

    /// The odds of one text.
    fn one(&self, expr: &Expr, line: Option<usize>, io: &mut Io) -> anyhow::Result<()> {
        let fault = |error| Fault { line, ..Fault::from(error) };
        let law = if let Some(samples) = self.args.samples {
            let sampled = self.sampled(expr, samples, io)?.map_err(fault)?;
            if sampled.failed() > 0 && !self.args.given_success {
                let (failed, samples) = (sampled.failed(), sampled.samples());
                writeln!(io.err, "note: {failed} of {samples} rolls failed and are left out")?;
            }
            Law::estimated(sampled)
        } else {
            let precision = if self.args.float { Precision::Float } else { Precision::Auto };
            let options = Odds {
                precision,
                given_success: self.args.given_success,
                limits: self.language.limits,
                ..Odds::default()
            };
            Law::computed(odds_of::patiently(expr, &options, &mut io.err).map_err(|error| {
                match error.downcast::<Fault>() {
                    Ok(found) => fault(found.error).into(),
                    Err(error) => error,
                }
            })?)
        };
        if let Some(bound) = self.args.at_least {
            return self.number(&law, &|value| value >= bound, io);
        }
        if let Some(bound) = self.args.at_most {
            return self.number(&law, &|value| value <= bound, io);
        }
        if self.args.svg.is_some() || self.args.png.is_some() {
            return self.pictures(expr, &law);
        }
        if self.common.json {
            return as_json(expr, &law, self.args, io);
        }
        if self.args.markdown {
            chart::markdown(expr, &law, self.digits(), &mut io.out)?;
            return Ok(());
        }
        if self.args.csv {
            return self.csv(&law, io);
        }
        let style =
            chart::Style { fractions: self.args.fractions, digits: self.digits(), unicode: io.unicode };
        chart::table(expr, &law, &style, &mut io.out)?;
        Ok(())
    }

    /// An estimate, of fewer rolls if it is stopped.
    fn sampled(
        &self,
        expr: &Expr,
        samples: u64,
        io: &mut Io,
    ) -> std::io::Result<Result<Sampled, dice::Error>> {
        let mut generator = seed::generator(self.args.seed.as_deref().unwrap_or(SEED));
        let mut work = Work::begin();
        let mut sampled = match expr.sample_odds(samples.min(BATCH), &mut generator) {
            Ok(sampled) => sampled,
            Err(error) => return Ok(Err(error)),
        };
        while sampled.samples() < samples {
            if work.stop(sampled.samples(), samples, &mut io.err)? {
                work.end(&mut io.err)?;
                writeln!(io.err, "stopped after {} of {samples} rolls", sampled.samples())?;
                break;
            }
            match expr.sample_odds((samples - sampled.samples()).min(BATCH), &mut generator) {
                Ok(more) => sampled.add(more),
                Err(error) => return Ok(Err(error)),
            }
        }
        work.end(&mut io.err)?;
        Ok(Ok(sampled))
    }

    /// Decimals of percentages.
    fn digits(&self) -> u8 {
        self.args.digits.unwrap_or(2)
    }

    /// One probability, for scripts.
    fn number(&self, law: &Law, pass: &dyn Fn(Number) -> bool, io: &mut Io) -> anyhow::Result<()> {
        if let Some(exact) = law.exact.as_ref().filter(|_| self.args.fractions)
            && let Some(fraction) = exact.fraction_of(pass)
        {
            writeln!(io.out, "{fraction}")?;
            return Ok(());
        }
        let chance: f64 =
            law.outcomes.iter().filter(|outcome| pass(outcome.0)).map(|outcome| outcome.1).sum();
        if self.common.json {
            writeln!(io.out, "{}", json!({"v": 1, "probability": chance}))?;
        } else {
            writeln!(io.out, "{chance}")?;
        }
        Ok(())
    }

    /// Draws into files.
    fn pictures(&self, expr: &Expr, law: &Law) -> anyhow::Result<()> {
        let subtitle =
            format!("mean {}, standard deviation {}", odds_of::two(law.mean), odds_of::two(law.sd));
        let svg = plot::svg(&expr.to_string(), &subtitle, &law.outcomes);
        let write = |path: &Path, bytes: &[u8]| {
            std::fs::write(path, bytes).with_context(|| format!("{} cannot be written", path.display()))
        };
        // Nothing is written where one of the pictures cannot be drawn.
        let png = self
            .args
            .png
            .as_deref()
            .map(|path| Ok::<_, anyhow::Error>((path, plot::png(&svg)?)))
            .transpose()?;
        if let Some(path) = &self.args.svg {
            write(path, svg.as_bytes())?;
        }
        png.map_or(Ok(()), |(path, bytes)| write(path, &bytes))
    }

    /// One line a total.
    fn csv(&self, law: &Law, io: &mut Io) -> anyhow::Result<()> {
        let (least, most) = chart::running(&law.outcomes);
        let exact = law.exact.as_ref().filter(|_| self.args.fractions);
        writeln!(
            io.out,
            "value,probability,at_least,at_most{}",
            if exact.is_some() { ",exact" } else { "" }
        )?;
        for (i, (value, chance)) in law.outcomes.iter().enumerate() {
            write!(io.out, "{},{chance},{},{}", value.exact(), least[i], most[i])?;
            match exact.and_then(|exact| exact.fraction(*value)) {
                Some(fraction) => writeln!(io.out, ",{fraction}")?,
                None => writeln!(io.out)?,
            }
        }
        Ok(())
    }
}

/// Fractions with more digits than this are left out of JSON unless asked for: they would dwarf everything else.
const DIGITS: u64 = 700;

/// One object.
fn as_json(expr: &Expr, law: &Law, args: &OddsArgs, io: &mut Io) -> anyhow::Result<()> {
    let number = |value: Option<Number>| serde_json::to_value(value.map(json::Exact));
    let out = &mut io.out;
    write!(out, "{{\"v\":1,\"notation\":{},", serde_json::to_string(&expr.to_string())?)?;
    write!(out, "\"mean\":{},\"sd\":{},", json!(law.mean), json!(law.sd))?;
    if let Some(mean) =
        law.exact.as_ref().and_then(Distribution::mean_exact).filter(|m| m.denom().bits() < DIGITS)
    {
        write!(out, "\"mean_exact\":\"{mean}\",")?;
    }
    let (low, high) = (law.outcomes.first().map(|o| o.0), law.outcomes.last().map(|o| o.0));
    write!(out, "\"min\":{},\"max\":{},\"outcomes\":[", number(low)?, number(high)?)?;
    let short = law.exact.as_ref().and_then(Distribution::total).is_some_and(|total| total.bits() < DIGITS);
    for (i, (value, chance)) in law.outcomes.iter().enumerate() {
        let comma = if i > 0 { "," } else { "" };
        write!(out, "{comma}{{\"value\":{},\"probability\":{}", number(Some(*value))?, json!(chance))?;
        if let Some(exact) = law.exact.as_ref().filter(|_| short || args.fractions)
            && let Some(fraction) = exact.fraction(*value)
        {
            write!(out, ",\"exact\":\"{fraction}\"")?;
        }
        write!(out, "}}")?;
    }
    let tail = law.exact.as_ref().map_or(0.0, Distribution::tail_mass);
    write!(out, "],\"tail_mass\":{},\"method\":\"{}\"", json!(tail), law.method())?;
    if let Some(exact) = law.exact.as_ref() {
        write!(out, ",\"relative_error\":{}", json!(exact.relative_error()))?;
    }
    if let Some(sampled) = &law.sampled {
        let seed = args.seed.as_deref().unwrap_or(SEED);
        let (samples, failed, band) = (sampled.samples(), sampled.failed(), sampled.band(CONFIDENCE));
        let mean_error = sampled.mean_error(CONFIDENCE);
        let more = json!({"samples": samples, "failed": failed, "seed": seed, "confidence": CONFIDENCE,
            "band": band, "mean_error": mean_error});
        write!(out, ",\"sample\":{more}")?;
    }
    if let Some(repeat) = expr.repeat() {
        write!(out, ",\"repetitions\":{}", repeat.times)?;
    }
    writeln!(out, "}}")?;
    Ok(())
}
