//! The dice of a session against what was to be expected.

use std::collections::BTreeMap;
use std::io::{self, Write};

use dice::{Die, Roll};

use crate::cli::chi;

/// Dice with more faces than this are not counted face by face.
const FACES: u64 = 1000;

/// What has been thrown.
#[derive(Debug, Default)]
pub struct Stats {
    rolls: u64,
    dice: BTreeMap<String, (Die, BTreeMap<i64, u64>)>,
}

impl Stats {
    /// Counts the dice of a roll by their natural faces. Those of an unlimited reroll are left out: their faces were never
    /// meant to be even.
    pub fn add(&mut self, roll: &Roll) {
        self.rolls += 1;
        for die in roll.outcomes().iter().flat_map(|outcome| outcome.dice(roll.expr())) {
            let rerolls = die.from().is_some() && !die.exploded() && !die.merged();
            if die.die().faces() <= FACES && !rerolls {
                let entry = self.dice.entry(die.die().to_string());
                let (_, faces) = entry.or_insert_with(|| (die.die().clone(), BTreeMap::new()));
                *faces.entry(die.face()).or_default() += 1;
            }
        }
    }

    /// Tells them.
    #[expect(clippy::cast_precision_loss, reason = "means are told with two decimals")]
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let ending = if self.rolls == 1 { "" } else { "s" };
        writeln!(out, "{} roll{ending} in this session", self.rolls)?;
        for (name, (die, faces)) in &self.dice {
            let count: u64 = faces.values().sum();
            let weight = die.weight() as f64;
            let sum: f64 = faces.iter().map(|(face, times)| *face as f64 * *times as f64).sum();
            let expected: f64 =
                die.iter().map(|(face, times)| face as f64 * times as f64).sum::<f64>() / weight;
            let mean = sum / count as f64;
            write!(out, "{name}: {count} thrown, mean {mean:.2} (expected {expected:.2})")?;
            let mut weights: BTreeMap<i64, u64> = BTreeMap::new();
            die.iter().for_each(|(face, times)| *weights.entry(face).or_default() += times);
            let cells = weights.iter().map(|(face, times)| {
                let seen = faces.get(face).copied().unwrap_or(0);
                (seen as f64, count as f64 * *times as f64 / weight)
            });
            match chi::test(cells) {
                Some(verdict) => writeln!(out, "; chi-square p = {:.2}: {}", verdict.p, verdict.words())?,
                None => writeln!(out, "; too few to judge")?,
            }
        }
        Ok(())
    }
}
