//! `dice compare`: two rolls side by side and against each other.

use std::collections::BTreeSet;
use std::io::Write;

use dice::{Distribution, Number, Odds};
use serde_json::json;

use super::args::{Common, CompareArgs};
use super::language::Language;
use super::odds_of::{self, percent};
use super::{Io, Status};

/// More rows than this are put together.
const ROWS: usize = 60;

/// The length of the longest bar.
const BAR: f64 = 40.0;

/// Compares two texts.
pub fn run(args: &CompareArgs, common: &Common, io: &mut Io) -> anyhow::Result<Status> {
    let language = Language::new(common)?;
    let first = language.parse_argument(&args.first)?;
    let second = language.parse_argument(&args.second)?;
    let options = Odds { limits: language.limits, ..Odds::default() };
    let a = odds_of::patiently(&first, &options, &mut io.err)?;
    let b = odds_of::patiently(&second, &options, &mut io.err)?;
    let versus = a.versus(&b);
    if io.json {
        let side = |notation: String, odds: &Distribution| json!({"notation": notation, "mean": odds.mean(), "sd": odds.sd()});
        let object = json!({
            "v": 1, "a": side(first.to_string(), &a), "b": side(second.to_string(), &b),
            "a_wins": versus.wins, "tie": versus.ties, "b_wins": versus.loses,
        });
        writeln!(io.out, "{object}")?;
        return Ok(Status::Done);
    }
    let (heading_a, heading_b) = (format!("A: {first}"), format!("B: {second}"));
    let width_a = heading_a.chars().count().max(9) + 16;
    let width_b = (heading_b.chars().count() + 3).max(10);
    writeln!(io.out, "{heading_a:>width_a$}   {heading_b}")?;
    let mut row = |name: &str, value_a: String, value_b: String| {
        let width_a = width_a - 18;
        writeln!(io.out, "{name:<18}{value_a:>width_a$}{value_b:>width_b$}")
    };
    row("mean", odds_of::two(a.mean()), odds_of::two(b.mean()))?;
    row("standard deviation", odds_of::two(a.sd()), odds_of::two(b.sd()))?;
    let median =
        |odds: &Distribution| odds.median().map_or_else(|| "-".to_owned(), |median| median.to_string());
    row("median", median(&a), median(&b))?;
    if let Some(target) = args.at_least.or_else(|| odds_of::high(&a)) {
        row(&format!("P(>= {target})"), percent(a.at_least(target)), percent(b.at_least(target)))?;
    }
    writeln!(
        io.out,
        "\nrolled against each other:  A wins {}   tie {}   B wins {}\n",
        percent(versus.wins),
        percent(versus.ties),
        percent(versus.loses)
    )?;
    chart(&a, &b, io)
}

/// Both charts, row by row.
fn chart(a: &Distribution, b: &Distribution, io: &mut Io) -> anyhow::Result<Status> {
    let values: BTreeSet<Number> = a.outcomes().chain(b.outcomes()).map(|(value, _)| value).collect();
    let values: Vec<Number> = values.into_iter().collect();
    let bins: Vec<&[Number]> = values.chunks(values.len().div_ceil(ROWS).max(1)).collect();
    let name = |bin: &[Number]| match bin {
        [only] => only.exact(),
        [low, .., high] => format!("{}..{}", low.exact(), high.exact()),
        [] => String::new(),
    };
    let chances = |odds: &Distribution| {
        let mut chances = vec![0.0; bins.len()];
        let mut bin = 0;
        for (value, chance) in odds.outcomes() {
            while bin + 1 < bins.len() && bins[bin].last().is_some_and(|last| *last < value) {
                bin += 1;
            }
            if let Some(sum) = chances.get_mut(bin) {
                *sum += chance;
            }
        }
        chances
    };
    let (chances_a, chances_b) = (chances(a), chances(b));
    let highest = chances_a.iter().chain(&chances_b).copied().fold(f64::MIN_POSITIVE, f64::max);
    let width = bins.iter().map(|bin| name(bin).chars().count()).max().unwrap_or(0).max(5);
    let [fill_a, fill_b] = if io.unicode { ["█", "░"] } else { ["#", "="] };
    for ((bin, a), b) in bins.iter().zip(chances_a).zip(chances_b) {
        for (label, mark, chance, fill) in [(name(bin).as_str(), "A", a, fill_a), ("", "B", b, fill_b)] {
            let line =
                format!("{label:>width$} {mark} {:>8}  {}", percent(chance), bar(chance / highest, fill));
            writeln!(io.out, "{}", line.trim_end())?;
        }
    }
    if bins.len() < values.len() {
        writeln!(io.out, "{} totals in {} rows", values.len(), bins.len())?;
    }
    Ok(Status::Done)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most the length of a bar")]
fn bar(share: f64, fill: &str) -> String {
    let cells = (share * BAR).round() as usize;
    fill.repeat(if share > 0.0 { cells.max(1) } else { 0 })
}
