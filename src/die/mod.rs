//! A die: its faces and how likely each is. Knows nothing of chance.

mod run;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::sync::Arc;

use crate::test::Test;

pub(crate) use run::{Run, split};

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
