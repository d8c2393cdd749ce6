//! `dice simulate`: rolls often and compares with the exact odds.

use std::collections::BTreeMap;
use std::io::Write;

use dice::{Distribution, Expr, Number, Odds, Roll};
use serde_json::json;

use super::args::{Common, SimulateArgs};
use super::chi::{self, Verdict};
use super::faces::Source;
use super::interrupt::Work;
use super::json::Exact;
use super::language::Language;
use super::report::{Fault, Stopped};
use super::{Io, Status, odds_of};

/// So many rolls are made between two looks at the clock.
const BATCH: u64 = 1000;

/// Rolls often.
pub fn run(args: &SimulateArgs, common: &Common, io: &mut Io) -> anyhow::Result<Status> {
    let language = Language::new(common)?;
    let expr = language.parse_argument(&args.text.text())?;
    let options = Odds { limits: language.limits, ..Odds::default() };
    let odds = match odds_of::patiently(&expr, &options, &mut io.err) {
        Ok(odds) => Some(odds),
        Err(error) if error.is::<Stopped>() => return Err(error),
        Err(_) => None,
    };
    let mut source = Source::new(&args.faces)?;
    let mut seen = Seen::default();
    let mut work = Work::begin();
    let mut last: Option<Roll> = None;
    while seen.count < args.times {
        if seen.count % BATCH == 0 && work.stop(seen.count, args.times, &mut io.err)? {
            break;
        }
        let roll = source.roll(&expr, last.take(), &language.limits).map_err(Fault::from)?;
        seen.add(roll.total());
        last = Some(roll);
    }
    work.end(&mut io.err)?;
    if seen.count == args.times {
        source.exhausted()?;
    } else {
        writeln!(io.err, "stopped after {} of {} rolls", seen.count, args.times)?;
    }
    if seen.count == 0 {
        return Ok(Status::Done);
    }
    let target = args.at_least.or_else(|| odds.as_ref().and_then(odds_of::high));
    let verdict = odds.as_ref().and_then(|odds| seen.verdict(odds));
    if io.json {
        let outcomes: Vec<_> = seen
            .totals
            .iter()
            .map(|(value, count)| json!({"value": Exact(*value), "count": count}))
            .collect();
        let object = json!({
            "v": 1, "notation": expr.to_string(), "rolls": seen.count, "seed": source.seed(), "mean": seen.mean(),
            "expected_mean": odds.as_ref().map(Distribution::mean), "outcomes": outcomes,
            "chi_square": verdict.map(|verdict| verdict.statistic),
            "degrees_of_freedom": verdict.map(|verdict| verdict.freedom), "p": verdict.map(|verdict| verdict.p),
        });
        writeln!(io.out, "{object}")?;
    } else {
        show(&expr, &seen, odds.as_ref(), target, verdict, &mut io.out)?;
        if common.verbose
            && let Some(seed) = source.seed()
        {
            writeln!(io.out, "  seed: {seed}")?;
        }
    }
    Ok(Status::Done)
}

fn show(
    expr: &Expr,
    seen: &Seen,
    odds: Option<&Distribution>,
    target: Option<Number>,
    verdict: Option<Verdict>,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let title = format!("{} rolls of {expr}", seen.count);
    writeln!(out, "{title:<40}observed{}", if odds.is_some() { "   exact" } else { "" })?;
    let mut row = |name: &str, observed: String, exact: Option<String>| {
        let line = format!("{name:<35}{observed:>12}{:>10}", exact.unwrap_or_default());
        writeln!(out, "{}", line.trim_end())
    };
    row("mean", format!("{:.2}", seen.mean()), odds.map(|odds| odds_of::two(odds.mean())))?;
    if let Some(target) = target {
        let exact = odds.map(|odds| odds_of::percent(odds.at_least(target)));
        row(&format!("P(>= {target})"), odds_of::percent(seen.at_least(target)), exact)?;
    }
    match (verdict, odds) {
        (Some(verdict), _) => {
            let freedom = match verdict.freedom {
                1 => "1 degree".to_owned(),
                more => format!("{more} degrees"),
            };
            let (statistic, p) = (verdict.statistic, verdict.p);
            let words = verdict.words();
            writeln!(out, "chi-square {statistic:.2} with {freedom} of freedom, p = {p:.2}: {words}")
        }
        (None, Some(_)) => writeln!(out, "too few rolls or totals for a chi-square test"),
        (None, None) => writeln!(out, "the exact odds are not known"),
    }
}

/// The totals so far.
#[derive(Default)]
struct Seen {
    count: u64,
    totals: BTreeMap<Number, u64>,
}

#[expect(clippy::cast_precision_loss, reason = "counts of rolls are far below 2^53")]
impl Seen {
    fn add(&mut self, total: Number) {
        self.count += 1;
        *self.totals.entry(total).or_default() += 1;
    }

    fn mean(&self) -> f64 {
        self.totals.iter().map(|(value, times)| value.to_f64() * *times as f64).sum::<f64>()
            / self.count as f64
    }

    fn at_least(&self, target: Number) -> f64 {
        self.totals.range(target..).map(|(_, times)| *times as f64).sum::<f64>() / self.count as f64
    }

    fn verdict(&self, odds: &Distribution) -> Option<Verdict> {
        let count = self.count as f64;
        let mut unlisted = count;
        let mut left = 1.0;
        let mut cells: Vec<(f64, f64)> = Vec::new();
        for (value, chance) in odds.outcomes() {
            let times = self.totals.get(&value).map_or(0.0, |times| *times as f64);
            unlisted -= times;
            left -= chance;
            cells.push((times, chance * count));
        }
        // What an endless explosion was cut off at, and what should be impossible.
        cells.push((unlisted, f64::max(left, 0.0) * count));
        chi::test(cells)
    }
}
