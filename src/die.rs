//! A die: its faces and how likely each is. Knows nothing of chance.

use std::borrow::Cow;
use std::sync::Arc;

use crate::test::Test;

/// The kind of a die: which faces it has, and with which weights.
///
/// ```
/// use dice::Die;
/// assert_eq!(Die::plain(6).unwrap().top(), 6);
/// assert_eq!(Die::Fudge.weight(), 3);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Die {
    /// Faces 1 to this number, each equally likely. At least 1 and at most 2^63-1.
    Plain(u64),
    /// The faces -1, 0 and +1.
    Fudge,
    /// Faces written out.
    Listed(Arc<Listed>),
}

/// Faces written out, with their weights.
#[derive(Debug)]
pub struct Listed {
    /// As written.
    entries: Vec<Entry>,
    /// The same as runs of faces, in the order written.
    runs: Vec<Run>,
    /// For each run the sum of the weights up to its end.
    ends: Vec<u64>,
}

impl PartialEq for Listed {
    fn eq(&self, other: &Listed) -> bool {
        self.entries == other.entries && self.runs == other.runs
    }
}

impl Eq for Listed {}

/// One entry of a listed die: a face or a range of faces, each with the same weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The lowest face.
    pub low: i64,
    /// The highest face, at least `low`.
    pub high: i64,
    /// The weight of each face, at least 1.
    pub weight: u64,
}

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
    fn face(self, index: u64) -> i64 {
        self.first.wrapping_add(index.wrapping_mul(u64::from(self.step)) as i64)
    }

    pub(crate) fn last(self) -> i64 {
        self.face(self.count - 1)
    }

    fn has(self, face: i64) -> bool {
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

impl Die {
    /// A die with the faces 1 to `sides`; `None` for 0 sides or more than 2^63-1.
    #[must_use]
    pub fn plain(sides: u64) -> Option<Die> {
        (sides >= 1 && i64::try_from(sides).is_ok()).then_some(Die::Plain(sides))
    }

    /// A die with these faces; `None` if there is none, a range runs backwards, a weight is 0 or the sum of
    /// the weights exceeds 2^63-1.
    #[must_use]
    pub fn listed(entries: Vec<Entry>) -> Option<Die> {
        let mut runs = Vec::with_capacity(entries.len());
        for entry in &entries {
            let count = u64::try_from(i128::from(entry.high) - i128::from(entry.low) + 1).ok()?;
            if count == 0 || entry.weight == 0 {
                return None;
            }
            runs.push(Run { first: entry.low, step: 1, count, weight: entry.weight });
        }
        Die::from_runs(entries, runs)
    }

    fn from_runs(entries: Vec<Entry>, runs: Vec<Run>) -> Option<Die> {
        let mut ends = Vec::with_capacity(runs.len());
        let mut total: u64 = 0;
        for run in &runs {
            total = total.checked_add(run.count.checked_mul(run.weight)?)?;
            ends.push(total);
        }
        i64::try_from(total).ok()?;
        (total > 0).then(|| Die::Listed(Arc::new(Listed { entries, runs, ends })))
    }

    /// The sum of the weights of all faces: the number of equally likely results. At least 1, at most 2^63-1.
    #[must_use]
    #[inline]
    pub fn weight(&self) -> u64 {
        match self {
            Die::Plain(sides) => *sides,
            Die::Fudge => 3,
            Die::Listed(listed) => listed.ends.last().copied().unwrap_or(0),
        }
    }

    /// The face at one of the equally likely results, `index` from 0 to [`Die::weight`] - 1.
    #[must_use]
    #[inline]
    #[expect(clippy::cast_possible_wrap, reason = "sides are at most 2^63-1")]
    pub fn face_at(&self, index: u64) -> i64 {
        match self {
            Die::Plain(_) => index as i64 + 1,
            Die::Fudge => index as i64 - 1,
            Die::Listed(listed) => {
                let place = listed.ends.partition_point(|end| *end <= index);
                let before = if place == 0 { 0 } else { listed.ends[place - 1] };
                let run = listed.runs[place.min(listed.runs.len() - 1)];
                run.face((index - before) / run.weight)
            }
        }
    }

    /// Whether it has this face.
    #[must_use]
    pub fn has(&self, face: i64) -> bool {
        self.runs().iter().any(|run| run.has(face))
    }

    /// The highest face.
    #[must_use]
    pub fn top(&self) -> i64 {
        self.runs().iter().map(|run| run.last()).max().unwrap_or(0)
    }

    /// The lowest face.
    #[must_use]
    pub fn bottom(&self) -> i64 {
        self.runs().iter().map(|run| run.first).min().unwrap_or(0)
    }

    /// The number of its faces, repeated ones counted as often as they stand there.
    #[must_use]
    pub fn faces(&self) -> u64 {
        self.runs().iter().fold(0, |sum, run| sum.saturating_add(run.count))
    }

    /// Every face with its weight, in the order written; repeated faces come repeatedly.
    pub fn iter(&self) -> impl Iterator<Item = (i64, u64)> + use<> {
        let runs = self.runs().into_owned();
        runs.into_iter().flat_map(|run| (0..run.count).map(move |index| (run.face(index), run.weight)))
    }

    /// The entries of a listed die, as written.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        match self {
            Die::Plain(_) | Die::Fudge => &[],
            Die::Listed(listed) => &listed.entries,
        }
    }

    /// The die with only those faces that do (`true`) or do not (`false`) meet a test, with their weights;
    /// `None` if there is no such face.
    pub(crate) fn only(&self, test: &Test, meeting: bool) -> Option<Die> {
        Die::from_runs(Vec::new(), split(&self.runs(), test, meeting))
    }

    pub(crate) fn runs(&self) -> Cow<'_, [Run]> {
        match self {
            Die::Plain(sides) => Cow::Owned(vec![Run { first: 1, step: 1, count: *sides, weight: 1 }]),
            Die::Fudge => Cow::Owned(vec![Run { first: -1, step: 1, count: 3, weight: 1 }]),
            Die::Listed(listed) => Cow::Borrowed(&listed.runs),
        }
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

#[cfg(test)]
mod tests {
    use super::{Die, Entry};
    use crate::ast::Comparison;
    use crate::number::Number;
    use crate::test::Test;

    fn listed() -> Die {
        Die::listed(vec![
            Entry { low: -2, high: 3, weight: 1 },
            Entry { low: 7, high: 7, weight: 4 },
            Entry { low: 3, high: 3, weight: 2 },
        ])
        .unwrap()
    }

    fn all(die: &Die) -> Vec<i64> {
        (0..die.weight()).map(|index| die.face_at(index)).collect()
    }

    #[test]
    fn every_index_has_its_face() {
        assert_eq!(all(&Die::Plain(4)), [1, 2, 3, 4]);
        assert_eq!(all(&Die::Fudge), [-1, 0, 1]);
        assert_eq!(all(&listed()), [-2, -1, 0, 1, 2, 3, 7, 7, 7, 7, 3, 3]);
        assert_eq!((listed().top(), listed().bottom(), listed().faces()), (7, -2, 8));
        assert!(listed().has(0) && !listed().has(4));
    }

    #[test]
    fn a_test_splits_a_die_without_losing_weight() {
        let mut tests = vec![Test::Even, Test::Odd, Test::Set(vec![(-1, 0), (3, 3), (9, 9)])];
        for comparison in [
            Comparison::AtOrAbove,
            Comparison::AtOrBelow,
            Comparison::Above,
            Comparison::Below,
            Comparison::Equal,
            Comparison::Unequal,
        ] {
            for twice in -6..18 {
                tests.push(Test::Compare(comparison, Number::ratio(twice, 2).unwrap()));
            }
        }
        for die in [Die::Plain(1), Die::Plain(9), Die::Fudge, listed()] {
            for test in &tests {
                for first in [true, false] {
                    let part = die.only(test, first);
                    let mut expected: Vec<i64> =
                        all(&die).into_iter().filter(|face| test.meets_whole(*face) == first).collect();
                    let mut got = part.as_ref().map(all).unwrap_or_default();
                    expected.sort_unstable();
                    got.sort_unstable();
                    assert_eq!(got, expected, "{die:?} {test:?} {first}");
                    // And once more, so that runs with step 2 are split too.
                    for second in &tests {
                        let both = part.as_ref().and_then(|part| part.only(second, true));
                        let expected =
                            expected.iter().filter(|face| second.meets_whole(**face)).count() as u64;
                        assert_eq!(
                            both.map_or(0, |both| both.weight()),
                            expected,
                            "{die:?} {test:?} {second:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn refuses_what_is_no_die() {
        let entry = |low, high, weight| Entry { low, high, weight };
        assert_eq!(Die::plain(0), None);
        assert_eq!(Die::plain(1 << 63), None);
        assert_eq!(Die::listed(vec![]), None);
        assert_eq!(Die::listed(vec![entry(3, 1, 1)]), None);
        assert_eq!(Die::listed(vec![entry(1, 1, 0)]), None);
        assert_eq!(Die::listed(vec![entry(1, 2, 1 << 62)]), None);
        assert_eq!(Die::listed(vec![entry(i64::MIN, i64::MAX, 1)]), None);
    }
}
