//! Rolls as people read them.

use std::io::{self, Write};

use dice::ast::{RerollMode, StepKind};
use dice::{Outcome, Roll};

use super::args::Common;

/// Bold, dim, and neither.
const BOLD: &str = "\x1b[1m";
const DIM: &str = "\x1b[2m";
const RESET: &str = "\x1b[0m";

/// What is told of a roll.
#[derive(Clone, Copy, Debug)]
pub enum Format {
    /// Every die, as people read it.
    Text,
    /// The totals.
    Totals,
    /// Everything, as JSON.
    Json,
}

impl Format {
    /// As the arguments ask for.
    pub fn of(common: &Common) -> Format {
        match (common.json, common.quiet) {
            (true, _) => Format::Json,
            (false, true) => Format::Totals,
            (false, false) => Format::Text,
        }
    }
}

/// Writes the totals of a roll, one line each.
pub fn totals(roll: &Roll, out: &mut dyn Write) -> io::Result<()> {
    roll.outcomes().iter().try_for_each(|outcome| writeln!(out, "{}", outcome.total().exact()))
}

/// How a roll is shown.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// All dice of large pools.
    pub whole: bool,
    /// In colour.
    pub color: bool,
}

/// Writes a roll, one line for each result.
pub fn roll(roll: &Roll, style: Style, out: &mut dyn Write) -> io::Result<()> {
    if !style.color {
        return if style.whole { writeln!(out, "{roll:#}") } else { writeln!(out, "{roll}") };
    }
    let text = if style.whole { format!("{roll:#}") } else { roll.to_string() };
    text.lines().try_for_each(|line| writeln!(out, "{}", painted(line)))
}

/// A line with the total bold and what is not kept dim.
fn painted(line: &str) -> String {
    let (dice, total) = line.rsplit_once(" = ").unwrap_or(("", line));
    let mut text = String::new();
    let mut depth = 0_usize;
    let mut before = ' ';
    let mut open = false;
    for c in dice.chars() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            '(' if depth > 0 && matches!(before, '[' | ' ') => {
                open = true;
                text.push_str(DIM);
            }
            _ => {}
        }
        text.push(c);
        if c == ')' && open {
            open = false;
            text.push_str(RESET);
        }
        before = c;
    }
    let equals = if dice.is_empty() { "" } else { " = " };
    format!("{text}{equals}{BOLD}{total}{RESET}")
}

/// What -v adds to a roll: counts and subtotals.
pub fn details(roll: &Roll, out: &mut dyn Write) -> io::Result<()> {
    for outcome in roll.outcomes() {
        if let Some(tally) = outcome.tally() {
            writeln!(out, "  successes {}, failures {}", tally.successes, tally.failures)?;
        }
        if !outcome.labels().is_empty() {
            let subtotals: Vec<String> =
                outcome.labels().iter().map(|(label, value)| format!("{label} {value}")).collect();
            writeln!(out, "  {}", subtotals.join(", "))?;
        }
    }
    Ok(())
}

/// The signs that have a meaning in every roll.
const LEGEND: &str = "  ( ) not counted   a>b rerolled   n! exploded   * success";

/// Signs that are rarer, as the rolls so far have used them.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each sign was used or not")]
pub struct Legend {
    better: bool,
    grown: bool,
    worth: bool,
    failure: bool,
}

impl Legend {
    /// Notes which signs a roll uses.
    pub fn add(&mut self, roll: &Roll) {
        for die in roll.outcomes().iter().flat_map(|outcome: &Outcome| outcome.dice(roll.expr())) {
            self.grown |= die.merged();
            self.failure |= die.failure();
            self.worth |= !die.merged() && die.worth() != dice::Number::from(die.face());
            self.better |= die.by().is_some_and(|step| match &step.kind {
                StepKind::Reroll(reroll) => reroll.mode == RerollMode::Better,
                StepKind::Select(..)
                | StepKind::Explode(_)
                | StepKind::AtLeast(_)
                | StepKind::AtMost(_)
                | StepKind::Count(_)
                | StepKind::Fail(_)
                | StepKind::Sort(_) => false,
            });
        }
    }

    /// Writes what the signs mean.
    pub fn write(self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{LEGEND}")?;
        let rare = [
            (self.better, "a<b a stands, b was lower"),
            (self.grown, "a+b one die"),
            (self.worth, "a=b counts as b"),
            (self.failure, "nx failure"),
        ];
        let used: Vec<&str> = rare.iter().filter(|(used, _)| *used).map(|(_, text)| *text).collect();
        if used.is_empty() { Ok(()) } else { writeln!(out, "  {}", used.join("   ")) }
    }
}
