//! The mapping against its documentation and against golden vectors, and scripts.

use rand::rngs::{ChaCha8Rng, Xoshiro256PlusPlus};
use rand::{Rng, SeedableRng};

use super::draw::group;
use super::{FaceError, Faces, Script};
use crate::die::{Die, Entry};

#[test]
fn groups_are_as_documented() {
    assert_eq!(
        [2, 6, 20, 100, 1 << 48, 1 << 49, u64::MAX >> 1].map(|w| group(w, 100).0),
        [48, 18, 11, 7, 1, 1, 1]
    );
}

/// The mapping once more, in the words of the documentation, one die after the other.
fn documented(rng: &mut dyn Rng, die: &Die, count: usize) -> Vec<i64> {
    let weight = u128::from(die.weight());
    let mut faces = Vec::new();
    while faces.len() < count && weight > 1 {
        let mut size = 1;
        while weight.pow(size + 1) <= 1 << 48 {
            size += 1;
        }
        let size = (size as usize).min(count - faces.len());
        let power = weight.pow(u32::try_from(size).unwrap());
        let mut x = u128::from(rng.next_u64());
        while (x * power) % (1 << 64) < (1 << 64) % power {
            x = u128::from(rng.next_u64());
        }
        for _ in 0..size {
            faces.push(die.face_at(u64::try_from((x * weight) >> 64).unwrap()));
            x = (x * weight) % (1 << 64);
        }
    }
    faces.resize(count, die.face_at(0));
    faces
}

#[test]
fn every_way_to_draw_follows_the_documented_mapping() {
    let weighted = Die::listed(vec![Entry { low: 0, high: 9, weight: 3 }]).unwrap();
    for die in [1, 2, 3, 6, 10, 13, 16, 17, 20, 100, 255, 256, 1_000_000_007, (1 << 48) + 1, u64::MAX >> 1]
        .map(Die::Plain)
        .into_iter()
        .chain([Die::Fudge, weighted])
    {
        for count in [0, 1, 2, 17, 18, 19, 100, 255, 256, 1000] {
            let rng = || Xoshiro256PlusPlus::seed_from_u64(count as u64);
            let expected = documented(&mut rng(), &die, count);
            let mut wide = vec![0; count];
            rng().fill(&die, &mut wide).unwrap();
            assert_eq!(wide, expected, "{die:?}");
            let sum: i128 = expected.iter().map(|face| i128::from(*face)).sum();
            assert_eq!(Faces::sum(&mut rng(), &die, count as u64).unwrap(), sum, "{die:?}");
            if matches!(die, Die::Plain(..=255)) {
                let mut small = vec![0; count];
                rng().fill_small(&die, &mut small).unwrap();
                assert_eq!(small.into_iter().map(i64::from).collect::<Vec<_>>(), expected);
            }
            if count == 1 {
                assert_eq!(rng().face(&die).unwrap(), expected[0]);
            }
        }
    }
}

#[test]
fn golden_vectors() {
    // Recomputed outside the crate from the definitions of ChaCha with 8 rounds and of the mapping.
    let mut faces = vec![0; 12];
    let mut rng = ChaCha8Rng::from_seed([7; 32]);
    rng.fill(&Die::Plain(6), &mut faces).unwrap();
    let d6 = faces.clone();
    rng.fill(&Die::Plain(20), &mut faces).unwrap();
    let singles: Vec<i64> = (0..6).map(|_| rng.face(&Die::Plain(100)).unwrap()).collect();
    assert_eq!(
        format!("{d6:?} {faces:?} {singles:?}"),
        "[2, 3, 1, 2, 2, 1, 1, 5, 5, 2, 5, 1] [17, 13, 15, 19, 14, 10, 15, 2, 19, 13, 15, 6] [36, 71, 12, 65, 59, 59]"
    );
}

#[test]
fn a_script_gives_values_and_counts_them() {
    let mut script = Script::new([-1, 6]);
    assert_eq!(script.face(&Die::Fudge), Ok(-1));
    assert_eq!(script.exhausted(), Err(FaceError::TooMany { left: 1 }));
    assert_eq!(script.face(&Die::Plain(4)), Err(FaceError::Impossible { face: 6, die: Die::Plain(4) }));
    assert_eq!(script.face(&Die::Plain(4)), Err(FaceError::TooFew { given: 2 }));
    let mut script = Script::with_sides([(20, 7), (20, 19)]);
    assert_eq!(script.face(&Die::Plain(20)), Ok(7));
    assert_eq!(script.face(&Die::Plain(6)), Err(FaceError::OtherSides { expected: 20, die: Die::Plain(6) }));
}
