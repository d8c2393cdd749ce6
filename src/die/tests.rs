//! Faces by their index, and dice split by tests, against faces written out one by one.

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
                    let expected = expected.iter().filter(|face| second.meets_whole(**face)).count() as u64;
                    assert_eq!(both.map_or(0, |both| both.weight()), expected, "{die:?} {test:?} {second:?}");
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
