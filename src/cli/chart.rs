//! Distributions as tables with bars.

use std::io::Write;

use dice::{Expr, Method, Number};

use super::odds::Law;

/// How a table looks.
pub struct Style {
    pub fractions: bool,
    /// Decimals of percentages.
    pub digits: u8,
    /// Whether bars are drawn in eighths of a character.
    pub unicode: bool,
}

/// More rows than this are put together.
const ROWS: usize = 120;

/// The length of the longest bar in characters, where there is room for it.
const BAR: usize = 40;

/// What a screen is wide, and what is between two columns of the table.
const WIDTH: usize = 80;
const GAP: usize = 3;

/// The probabilities of at least and of at most each total, each summed from its own end.
pub fn running(outcomes: &[(Number, f64)]) -> (Vec<f64>, Vec<f64>) {
    let mut most = Vec::with_capacity(outcomes.len());
    let mut sum = 0.0;
    for outcome in outcomes {
        sum += outcome.1;
        most.push(sum);
    }
    let mut least = vec![0.0; outcomes.len()];
    sum = 0.0;
    for (place, outcome) in least.iter_mut().zip(outcomes).rev() {
        sum += outcome.1;
        *place = sum;
    }
    (least, most)
}

/// The odds as a heading and a table.
pub fn table(expr: &Expr, law: &Law, style: &Style, out: &mut dyn Write) -> anyhow::Result<()> {
    heading(expr, law, out)?;
    let rows = binned(&law.outcomes);
    let (least, most) = running(&law.outcomes);
    let highest = rows.iter().map(|row| row.chance).fold(0.0, f64::max);
    let names: Vec<String> = rows.iter().map(|row| row.name(&law.outcomes)).collect();
    let first = names.iter().map(String::len).max().unwrap_or(0).max(5);
    let cells: Vec<[String; 3]> = rows
        .iter()
        .map(|row| {
            let (low, high) = (law.outcomes[row.from].0, law.outcomes[row.to].0);
            let exact = law.exact.as_ref().filter(|_| style.fractions);
            let fraction = |pass: &dyn Fn(Number) -> bool| {
                exact.and_then(|exact| exact.fraction_of(pass)).map(|fraction| fraction.to_string())
            };
            [
                fraction(&|x| x >= low && x <= high).unwrap_or_else(|| percent(row.chance, style.digits)),
                fraction(&|x| x >= low).unwrap_or_else(|| percent(least[row.from], style.digits)),
                fraction(&|x| x <= high).unwrap_or_else(|| percent(most[row.to], style.digits)),
            ]
        })
        .collect();
    // As wide as the widest percentage, or as the headings.
    let decimals = if style.digits == 0 { 1 } else { usize::from(style.digits.min(17)) + 1 };
    let width =
        |i: usize| cells.iter().map(|row| row[i].len()).max().unwrap_or(0).max("100%".len() + decimals);
    let widths = [width(0), width(1), width(2)];
    writeln!(
        out,
        "{:<first$}   {:>w0$}   {:>w1$}   {:>w2$}",
        "value",
        "P(=)",
        "P(>=)",
        "P(<=)",
        w0 = widths[0],
        w1 = widths[1],
        w2 = widths[2]
    )?;
    let room = WIDTH.saturating_sub(first + 3 * GAP + widths.iter().sum::<usize>() + 2).clamp(10, BAR);
    for ((row, name), cell) in rows.iter().zip(&names).zip(&cells) {
        let bar = bar(if highest > 0.0 { row.chance / highest } else { 0.0 }, room, style.unicode);
        let line = format!(
            "{name:>first$}   {:>w0$}   {:>w1$}   {:>w2$}  {bar}",
            cell[0],
            cell[1],
            cell[2],
            w0 = widths[0],
            w1 = widths[1],
            w2 = widths[2]
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    if rows.len() < law.outcomes.len() {
        writeln!(
            out,
            "{} totals in {} rows; --csv and --json list every one",
            law.outcomes.len(),
            rows.len()
        )?;
    }
    Ok(())
}

/// The odds as a Markdown table.
pub fn markdown(expr: &Expr, law: &Law, digits: u8, out: &mut dyn Write) -> std::io::Result<()> {
    let (least, most) = running(&law.outcomes);
    writeln!(out, "| `{expr}` | P(=) | P(>=) | P(<=) |\n|---:|---:|---:|---:|")?;
    for (i, (value, chance)) in law.outcomes.iter().enumerate() {
        let [equal, least, most] = [*chance, least[i], most[i]].map(|chance| percent(chance, digits));
        writeln!(out, "| {} | {equal} | {least} | {most} |", value.exact())?;
    }
    Ok(())
}

fn heading(expr: &Expr, law: &Law, out: &mut dyn Write) -> anyhow::Result<()> {
    let quantile = |wanted: f64| {
        let whole: f64 = law.outcomes.iter().map(|o| o.1).sum();
        let mut sum = 0.0;
        let found = law.outcomes.iter().find(|outcome| {
            sum += outcome.1;
            sum >= wanted * whole * (1.0 - 1e-12)
        });
        found.or(law.outcomes.last()).map(|outcome| outcome.0)
    };
    let (median, mode) = if let Some(exact) = &law.exact {
        (exact.median(), exact.mode())
    } else {
        let mut best: Option<(Number, f64)> = None;
        for outcome in &law.outcomes {
            if best.is_none_or(|best| outcome.1 > best.1) {
                best = Some(*outcome);
            }
        }
        (quantile(0.5), best.map(|best| best.0))
    };
    let show = |value: Option<Number>| value.map_or_else(|| "-".to_owned(), |value| value.to_string());
    write!(
        out,
        "{expr}   mean {:.2}   sd {:.2}   median {}   mode {}   ",
        law.mean,
        law.sd,
        show(median),
        show(mode)
    )?;
    match (&law.exact, &law.sampled) {
        (Some(exact), _) => {
            match exact.method() {
                Method::Exact | Method::CutOff => {
                    write!(out, "exact")?;
                    if let Some(total) = exact.total().filter(|total| total.bits() < 64) {
                        let ending = if total == 1u32.into() { "" } else { "s" };
                        let likely = if ending.is_empty() { "" } else { "equally likely " };
                        write!(out, ", {total} {likely}outcome{ending}")?;
                    }
                }
                Method::Float => {
                    write!(out, "floating point, within {:.0e} of each probability", exact.relative_error())?;
                }
            }
            if exact.tail_mass() > 0.0 {
                write!(
                    out,
                    "\nexplosions without end are cut off: at most {:.0e} is missing",
                    exact.tail_mass()
                )?;
            }
        }
        (None, Some(sampled)) => write!(
            out,
            "estimated from {} rolls\nwith 95% confidence every P(>=) and P(<=) is within {:.2}% and the mean within {:.3}",
            sampled.samples(),
            sampled.band(0.95) * 100.0,
            sampled.mean_error(0.95)
        )?,
        (None, None) => {}
    }
    writeln!(out)?;
    if let Some(repeat) = expr.repeat() {
        writeln!(out, "these are the odds of each of the {} repetitions", repeat.times)?;
    }
    writeln!(out)?;
    Ok(())
}

/// One or several totals.
struct Row {
    from: usize,
    to: usize,
    chance: f64,
}

impl Row {
    fn name(&self, outcomes: &[(Number, f64)]) -> String {
        let name = |i: usize| {
            let value: Number = outcomes[i].0;
            value.decimal(6).unwrap_or_else(|| value.exact())
        };
        if self.from == self.to { name(self.from) } else { format!("{}..{}", name(self.from), name(self.to)) }
    }
}

/// The totals, put together where there are too many, and without the ends that are too unlikely to be seen.
fn binned(outcomes: &[(Number, f64)]) -> Vec<Row> {
    let size = outcomes.len().div_ceil(ROWS).max(1);
    let rows = outcomes.chunks(size).enumerate().map(|(i, chunk)| Row {
        from: i * size,
        to: i * size + chunk.len() - 1,
        chance: chunk.iter().map(|o| o.1).sum(),
    });
    rows.collect()
}

/// A probability in percent; what is too small for the digits is shown with an exponent.
fn percent(chance: f64, digits: u8) -> String {
    let digits = usize::from(digits.min(17));
    let shown = format!("{:.digits$}%", chance * 100.0);
    let zero = format!("{:.digits$}%", 0.0);
    if chance > 0.0 && shown == zero { format!("{:.1e}%", chance * 100.0) } else { shown }
}

/// A bar for a share of the longest.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 320 eighths")]
#[expect(clippy::cast_precision_loss, reason = "the length of a bar is at most 40")]
fn bar(share: f64, length: usize, unicode: bool) -> String {
    let length = length as f64;
    if !unicode {
        return "#".repeat((share * length).round() as usize);
    }
    let eighths = (share * length * 8.0).round() as usize;
    let eighths = if share > 0.0 { eighths.max(1) } else { eighths };
    let mut bar = "█".repeat(eighths / 8);
    bar.push_str(["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]);
    bar
}
