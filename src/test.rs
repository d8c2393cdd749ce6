//! What a condition asks of one die once its numbers are known: the meaning of conditions, shared by
//! rolling, odds and the checks before a roll.

use crate::ast::Comparison;
use crate::number::Number;

/// A condition whose number has been computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Test {
    Compare(Comparison, Number),
    /// Inclusive ranges.
    Set(Vec<(i64, i64)>),
    Even,
    Odd,
}

impl Test {
    /// The test "shows this face".
    pub(crate) fn face(face: i64) -> Test {
        Test::Compare(Comparison::Equal, Number::from(face))
    }

    /// Whether a worth meets it. Fractions are neither even nor odd.
    pub(crate) fn meets(&self, worth: Number) -> bool {
        match self {
            Test::Compare(comparison, target) => comparison.holds(&worth, target),
            Test::Set(ranges) => worth.as_whole().is_some_and(|worth| {
                ranges.iter().any(|(low, high)| (i128::from(*low)..=i128::from(*high)).contains(&worth))
            }),
            Test::Even => worth.as_whole().is_some_and(|worth| worth.rem_euclid(2) == 0),
            Test::Odd => worth.as_whole().is_some_and(|worth| worth.rem_euclid(2) == 1),
        }
    }

    /// The same for a whole worth.
    pub(crate) fn meets_whole(&self, worth: i64) -> bool {
        match self {
            Test::Compare(comparison, target) => match target.as_i64() {
                Some(target) => comparison.holds(&worth, &target),
                None => comparison.holds(&Number::from(worth), target),
            },
            Test::Set(ranges) => ranges.iter().any(|(low, high)| (*low..=*high).contains(&worth)),
            Test::Even => worth.rem_euclid(2) == 0,
            Test::Odd => worth.rem_euclid(2) == 1,
        }
    }

    /// The whole worths that meet it, as sorted inclusive ranges that do not overlap. Even and odd have none.
    pub(crate) fn ranges(&self) -> Vec<(i128, i128)> {
        const LEAST: i128 = i64::MIN as i128;
        const GREATEST: i128 = i64::MAX as i128;
        match self {
            Test::Compare(comparison, target) => {
                let (floor, ceil) = (target.floor().numerator(), target.ceil().numerator());
                let whole = floor == ceil;
                let ranges = match comparison {
                    Comparison::AtOrAbove => vec![(ceil, GREATEST)],
                    Comparison::Above => vec![(floor.saturating_add(1), GREATEST)],
                    Comparison::AtOrBelow => vec![(LEAST, floor)],
                    Comparison::Below => vec![(LEAST, ceil.saturating_sub(1))],
                    Comparison::Equal if whole => vec![(floor, floor)],
                    Comparison::Equal => vec![],
                    Comparison::Unequal if whole => {
                        vec![(LEAST, floor.saturating_sub(1)), (floor.saturating_add(1), GREATEST)]
                    }
                    Comparison::Unequal => vec![(LEAST, GREATEST)],
                };
                ranges.into_iter().filter(|(low, high)| low <= high).collect()
            }
            Test::Set(ranges) => {
                let mut sorted: Vec<_> =
                    ranges.iter().map(|(low, high)| (i128::from(*low), i128::from(*high))).collect();
                sorted.sort_unstable();
                let mut merged: Vec<(i128, i128)> = Vec::with_capacity(sorted.len());
                for (low, high) in sorted {
                    match merged.last_mut() {
                        Some(last) if low <= last.1 + 1 => last.1 = last.1.max(high),
                        Some(_) | None => merged.push((low, high)),
                    }
                }
                merged
            }
            Test::Even | Test::Odd => Vec::new(),
        }
    }
}
