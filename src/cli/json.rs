//! Results as JSON. Keys are only ever added.

use dice::ast::Kind;
use dice::{Die, DieView, Expr, Number, Outcome, Roll, State};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// The largest whole number that every reader of JSON takes exactly.
const EXACT: i64 = 1 << 53;

/// A number: a JSON number if it is whole and within 2^53, else its exact spelling as a string.
pub struct Exact(pub Number);

impl Serialize for Exact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.as_i64() {
            Some(whole) if (-EXACT..=EXACT).contains(&whole) => serializer.serialize_i64(whole),
            Some(_) | None => serializer.serialize_str(&self.0.exact()),
        }
    }
}

/// One object for a roll.
pub struct Whole<'r> {
    pub roll: &'r Roll,
    pub seed: Option<&'r str>,
}

impl Serialize for Whole<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let expr = self.roll.expr();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("v", &1)?;
        map.serialize_entry("notation", &expr.to_string())?;
        let (min, max) = self.roll.bounds();
        match (expr.repeat(), self.roll.outcomes()) {
            (None, [outcome]) => entries(&mut map, expr, outcome)?,
            (_, outcomes) => {
                let results: Vec<Single<'_>> =
                    outcomes.iter().map(|outcome| Single { expr, outcome }).collect();
                map.serialize_entry("results", &results)?;
            }
        }
        map.serialize_entry("min", &min.map(Exact))?;
        map.serialize_entry("max", &max.map(Exact))?;
        map.serialize_entry("seed", &self.seed)?;
        map.serialize_entry("comment", &expr.comment())?;
        let house = house(expr);
        if !house.is_empty() {
            map.serialize_entry("house", &house)?;
        }
        map.end()
    }
}

/// Writes a roll as a line.
pub fn line(roll: &Roll, seed: Option<&str>, mut out: &mut dyn std::io::Write) -> std::io::Result<()> {
    serde_json::to_writer(&mut out, &Whole { roll, seed })?;
    out.write_all(b"\n")
}

/// A house rule, as typed, with the notation that it stands for.
#[derive(serde::Serialize)]
struct House {
    rule: String,
    typed: String,
    notation: String,
}

/// The house rules of a text.
fn house(expr: &Expr) -> Vec<House> {
    let mut found = Vec::new();
    expr.walk(&mut |node| {
        if let Kind::House(house) = &node.kind {
            let (rule, typed) = (house.rule.to_string(), house.typed.to_string());
            found.push(House { rule, typed, notation: house.notation() });
        }
    });
    found
}

/// One repetition.
struct Single<'r> {
    expr: &'r Expr,
    outcome: &'r Outcome,
}

impl Serialize for Single<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        entries(&mut map, self.expr, self.outcome)?;
        map.end()
    }
}

fn entries<M: SerializeMap>(map: &mut M, expr: &Expr, outcome: &Outcome) -> Result<(), M::Error> {
    map.serialize_entry("total", &Exact(outcome.total()))?;
    map.serialize_entry("dice", &Dice { expr, outcome })?;
    let tally = outcome.tally();
    map.serialize_entry("successes", &tally.map(|tally| tally.successes))?;
    map.serialize_entry("failures", &tally.map(|tally| tally.failures))?;
    map.serialize_entry("labels", &Labels(outcome))
}

/// Subtotals by label.
struct Labels<'r>(&'r Outcome);

impl Serialize for Labels<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.labels().iter().map(|(label, value)| (&**label, Exact(*value))))
    }
}

/// Every die in the order of the throw.
struct Dice<'r> {
    expr: &'r Expr,
    outcome: &'r Outcome,
}

impl Serialize for Dice<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.outcome.dice(self.expr).map(One))
    }
}

/// One die.
struct One<'r>(DieView<'r>);

impl Serialize for One<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let One(die) = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("sides", &Sides(die.die()))?;
        map.serialize_entry("face", &Exact(Number::from(die.face())))?;
        map.serialize_entry("worth", &Exact(die.worth()))?;
        let state = match die.state() {
            State::Kept => "kept",
            State::Dropped => "dropped",
            State::Rerolled => "rerolled",
        };
        map.serialize_entry("state", state)?;
        map.serialize_entry("pool", &die.pool())?;
        map.serialize_entry("by", &die.by().map(ToString::to_string))?;
        map.serialize_entry("from", &die.from())?;
        map.end()
    }
}

/// The number of sides, or what stands behind `d`.
struct Sides<'r>(&'r Die);

impl Serialize for Sides<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Die::Plain(sides) => match i64::try_from(*sides) {
                Ok(sides) => Exact(Number::from(sides)).serialize(serializer),
                Err(_) => serializer.serialize_str(&sides.to_string()),
            },
            Die::Fudge | Die::Listed(_) => {
                let spelling = self.0.to_string();
                serializer.serialize_str(spelling.strip_prefix('d').unwrap_or(&spelling))
            }
        }
    }
}
