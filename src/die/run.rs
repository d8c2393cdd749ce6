//! Faces at equal distances, by which a die of any size takes the room of a few numbers, and what a test leaves of them.

use crate::test::Test;

/// Faces at equal distances: `first`, `first + step`, …
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub first: i64,
    /// 1 or 2.
    pub step: u8,
    /// How many, at least 1.
    pub count: u64,
    /// The weight of each.
    pub weight: u64,
}

impl Run {
    /// The face at an index below `count`.
    #[expect(clippy::cast_possible_wrap, reason = "wrapping arithmetic is exact when the result fits")]
    pub(super) fn face(self, index: u64) -> i64 {
        self.first.wrapping_add(index.wrapping_mul(u64::from(self.step)) as i64)
    }

    pub(crate) fn last(self) -> i64 {
        self.face(self.count - 1)
    }

    pub(super) fn has(self, face: i64) -> bool {
        face >= self.first
            && face <= self.last()
            && face.wrapping_sub(self.first).cast_unsigned().is_multiple_of(u64::from(self.step))
    }

    /// The part of the run from `low` to `high`, both included.
    fn within(self, low: i128, high: i128) -> Option<Run> {
        let (first, last, step) = (i128::from(self.first), i128::from(self.last()), i128::from(self.step));
        let start = low.max(first);
        let start = start + (first - start).rem_euclid(step);
        let end = high.min(last);
        if start > end {
            return None;
        }
        let count = (end - start) / step + 1;
        Some(Run { first: i64::try_from(start).ok()?, count: u64::try_from(count).ok()?, ..self })
    }

    /// The even or the odd faces of the run.
    fn with_parity(self, parity: i64) -> Option<Run> {
        let matches = self.first.rem_euclid(2) == parity;
        if self.step == 2 || self.count == 1 {
            return matches.then_some(self);
        }
        let skip = u64::from(!matches);
        let count = (self.count - skip).div_ceil(2);
        (count > 0).then(|| Run { first: self.face(skip), step: 2, count, ..self })
    }
}

/// The parts of the runs that do (`true`) or do not (`false`) meet a test.
pub(crate) fn split(runs: &[Run], test: &Test, meeting: bool) -> Vec<Run> {
    let parity = match test {
        Test::Even => Some(0),
        Test::Odd => Some(1),
        Test::Compare(..) | Test::Set(_) => None,
    };
    if let Some(parity) = parity {
        let parity = if meeting { parity } else { 1 - parity };
        return runs.iter().filter_map(|run| run.with_parity(parity)).collect();
    }
    let ranges = if meeting { test.ranges() } else { complement(&test.ranges()) };
    runs.iter().flat_map(|run| ranges.iter().filter_map(|(low, high)| run.within(*low, *high))).collect()
}

/// What lies between and around sorted ranges that do not touch.
fn complement(ranges: &[(i128, i128)]) -> Vec<(i128, i128)> {
    let mut rest = Vec::with_capacity(ranges.len() + 1);
    let mut next = i128::from(i64::MIN);
    for (low, high) in ranges {
        if next < *low {
            rest.push((next, low - 1));
        }
        next = next.max(high.saturating_add(1));
    }
    if next <= i128::from(i64::MAX) {
        rest.push((next, i128::from(i64::MAX)));
    }
    rest
}
