//! `dice check`: rolls a test and says whether it is passed, also by the exit status.

use std::io::Write;

use dice::ast::{Compare, Comparison, Kind, StepKind};
use dice::{Error, Expr, Number, Roll};
use serde_json::json;

use super::args::{CheckArgs, Common};
use super::faces::Source;
use super::json::{Exact, Whole};
use super::language::Language;
use super::report::Fault;
use super::show::{self, Style};
use super::{Io, Status, odds_of};

/// Rolls a test.
pub fn run(args: &CheckArgs, common: &Common, io: &mut Io) -> anyhow::Result<Status> {
    let language = Language::new(common)?;
    let expr = language.parse_argument(&args.text.text())?;
    let mut source = Source::new(&args.faces)?;
    let result = roll(&expr, &language, &mut source).map_err(Fault::from)?;
    source.exhausted()?;
    let chance =
        odds_of::distribution(&expr, &language.limits).ok().map(|odds| 1.0 - odds.exactly(Number::ZERO));
    // Every repetition has to pass.
    let times = expr.repeat().map_or(1, |repeat| i32::try_from(repeat.times).unwrap_or(i32::MAX));
    let chance = chance.map(|chance| chance.powi(times));
    if !compares(&expr) {
        writeln!(io.err, "note: nothing is compared here; every total but 0 passes")?;
    }
    if io.json {
        let object = json!({
            "v": 1,
            "notation": expr.to_string(),
            "passed": result.passed,
            "total": Exact(result.roll.total()),
            "needed": result.sides.map(|sides| Exact(sides.right)),
            "margin": result.sides.and_then(|sides| sides.left.minus(sides.right)).map(Exact),
            "chance": chance,
            "roll": Whole { roll: &result.roll, seed: source.seed() },
            "seed": source.seed(),
        });
        writeln!(io.out, "{object}")?;
    } else if common.quiet {
        writeln!(io.out, "{}", if result.passed { "passed" } else { "failed" })?;
    } else {
        let mut line = Vec::new();
        show::roll(&result.roll, Style { whole: common.verbose, color: io.out_color }, &mut line)?;
        let chance = chance
            .map_or(String::new(), |chance| format!("   (chance of success {})", odds_of::percent(chance)));
        writeln!(io.out, "{}{}{chance}", String::from_utf8_lossy(&line).trim_end(), result.verdict())?;
        if common.verbose
            && let Some(seed) = source.seed()
        {
            writeln!(io.out, "  seed: {seed}")?;
        }
    }
    Ok(if result.passed { Status::Done } else { Status::Failed })
}

/// Whether a text compares or counts anything.
fn compares(expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |node| {
        let steps = match &node.kind {
            Kind::Compare(_) | Kind::Choice(_) | Kind::House(_) => return found = true,
            Kind::Dice(dice) => &dice.steps,
            Kind::Group(group) => &group.steps,
            Kind::Named(named) => &named.steps,
            Kind::Number(_)
            | Kind::Call(_)
            | Kind::Bracket(_)
            | Kind::Signed(..)
            | Kind::Chain(_)
            | Kind::Power(_)
            | Kind::Label(_) => return,
        };
        found |= steps.iter().any(|step| match &step.kind {
            StepKind::Count(_) | StepKind::Fail(_) => true,
            StepKind::Select(..)
            | StepKind::Explode(_)
            | StepKind::Reroll(_)
            | StepKind::AtLeast(_)
            | StepKind::AtMost(_)
            | StepKind::Sort(_) => false,
        });
    });
    found
}

/// The two sides of a comparison.
#[derive(Clone, Copy)]
struct Sides {
    left: Number,
    comparison: Comparison,
    right: Number,
}

/// A test that was rolled.
struct Tested {
    /// The left side where there is one, else the whole.
    roll: Roll,
    sides: Option<Sides>,
    passed: bool,
}

impl Tested {
    /// `, needed 15: failed by 5`.
    fn verdict(&self) -> String {
        let word = if self.passed { "passed" } else { "failed" };
        let Some(Sides { left, comparison, right }) = self.sides else { return format!(": {word}") };
        let (needed, measured) = match comparison {
            Comparison::AtOrAbove => ("", true),
            Comparison::AtOrBelow => ("at most ", true),
            Comparison::Above => ("more than ", true),
            Comparison::Below => ("less than ", true),
            Comparison::Equal => ("exactly ", false),
            Comparison::Unequal => ("anything but ", false),
        };
        let margin = left.minus(right).and_then(Number::absolute);
        let by = margin.filter(|margin| measured && !margin.is_zero()).map(|margin| format!(" by {margin}"));
        format!(", needed {needed}{right}: {word}{}", by.unwrap_or_default())
    }
}

/// Rolls the left side and then the right side of a comparison, as the whole would be; or the whole, where a name joins
/// the two sides or nothing is compared. Any total but 0 passes.
fn roll(expr: &Expr, language: &Language, source: &mut Source) -> Result<Tested, Error> {
    if let (Kind::Compare(compare), None) = (&expr.body().kind, expr.repeat())
        && let Some((left, right)) = sides(expr, compare, language)
    {
        let roll = source.roll(&left, None, &language.limits)?;
        let right = source.roll(&right, None, &language.limits)?.total();
        let passed = compare.comparison.holds(&roll.total(), &right);
        let sides = Sides { left: roll.total(), comparison: compare.comparison, right };
        return Ok(Tested { roll, sides: Some(sides), passed });
    }
    let roll = source.roll(expr, None, &language.limits)?;
    let passed = roll.outcomes().iter().all(|outcome| !outcome.total().is_zero());
    Ok(Tested { roll, sides: None, passed })
}

/// Both sides as texts of their own, the left one with the names; `None` if they cannot be parted.
fn sides(expr: &Expr, compare: &Compare, language: &Language) -> Option<(Expr, Expr)> {
    let names: String = expr.definitions().iter().map(ToString::to_string).collect();
    let left = language.parse(&format!("{names}{}", compare.left)).ok()?;
    let right = language.parse(&compare.right.to_string()).ok()?;
    Some((left, right))
}
