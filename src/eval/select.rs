//! Keep and drop: which of some worths a selection takes, shared by rolling and by odds over single pools.

use crate::ast::{End, Take};

/// Marks what a selection of `count` takes from one end. Of equal worths the earlier are kept and the later dropped.
///
/// Linear in time on average: a partial sort finds the last worth that is taken.
pub(crate) fn selected<W: Ord + Copy>(worths: &[W], take: Take, end: End, count: usize) -> Vec<bool> {
    let count = count.min(worths.len());
    let mut chosen = vec![false; worths.len()];
    let Some(last) = count.checked_sub(1) else { return chosen };
    let mut sorted = worths.to_vec();
    let order = |a: &W, b: &W| match end {
        End::Highest => b.cmp(a),
        End::Lowest => a.cmp(b),
    };
    let (before, edge, _) = sorted.select_nth_unstable_by(last, order);
    let edge = *edge;
    // How many of those that equal the last one are taken.
    let mut ties = 1 + before.iter().filter(|worth| **worth == edge).count();
    let mut choose = |place: usize| {
        let worth = worths[place];
        let beyond = match end {
            End::Highest => worth > edge,
            End::Lowest => worth < edge,
        };
        if beyond {
            chosen[place] = true;
        } else if worth == edge && ties > 0 {
            ties -= 1;
            chosen[place] = true;
        }
    };
    match take {
        Take::Keep => (0..worths.len()).for_each(&mut choose),
        Take::Drop => (0..worths.len()).rev().for_each(&mut choose),
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::selected;
    use crate::ast::{End, Take};

    /// The same by a stable sort of places.
    fn sorted(worths: &[i64], take: Take, end: End, count: usize) -> Vec<bool> {
        let mut places: Vec<usize> = (0..worths.len()).collect();
        places.sort_by_key(|place| {
            let worth = match end {
                End::Highest => -worths[*place],
                End::Lowest => worths[*place],
            };
            let place = i64::try_from(*place).unwrap();
            (worth, if take == Take::Keep { place } else { -place })
        });
        let mut chosen = vec![false; worths.len()];
        places.iter().take(count).for_each(|place| chosen[*place] = true);
        chosen
    }

    #[test]
    fn agrees_with_a_stable_sort() {
        let mut state: u64 = 1;
        for round in 0..2000 {
            let worths: Vec<i64> = (0..round % 12)
                .map(|_| {
                    state =
                        state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    i64::try_from(state >> 61).unwrap() - 3
                })
                .collect();
            for take in [Take::Keep, Take::Drop] {
                for end in [End::Highest, End::Lowest] {
                    for count in 0..worths.len() + 2 {
                        assert_eq!(
                            selected(&worths, take, end, count),
                            sorted(&worths, take, end, count),
                            "{worths:?} {take:?} {end:?} {count}"
                        );
                    }
                }
            }
        }
    }
}
