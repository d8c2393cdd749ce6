//! Pools of different dice: the highest of them, and any choice of ranks.

use super::*;

fn random_groups(rng: &mut ChaCha8Rng) -> (Vec<Group>, Vec<Vec<(i64, u64)>>) {
    let mut groups = Vec::new();
    let mut dice = Vec::new();
    for _ in 0..rng.random_range(1..4) {
        let f = rng.random_range(1..4);
        let die = random_die(rng, f);
        let count = rng.random_range(1..3u32);
        dice.extend(std::iter::repeat_n(die.clone(), count as usize));
        groups.push(Group { total: die.iter().map(|f| f.1).sum::<u64>() + 1, faces: die, count });
    }
    (groups, dice)
}

#[test]
fn keeping_of_mixed_dice() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    for _ in 0..200 {
        let (groups, dice) = random_groups(&mut rng);
        let k = rng.random_range(0..=dice.len());
        let adds = |r: i64| r * 2 - 1;
        let want = brute(&dice, |s| {
            let mut s = s.to_vec();
            s.sort_unstable();
            s.iter().rev().take(k).map(|&x| adds(x)).sum()
        });
        for width in widths(60) {
            let got = keep_mixed(&groups, k as u32, &adds, width);
            assert_eq!(law(&got), want, "{groups:?} {k}");
        }
        let float = keep_mixed(&groups, k as u32, &adds, Width::F64);
        let all: f64 = groups.iter().map(|g| (g.total as f64).powi(g.count as i32)).product();
        for (x, i) in cells(&float) {
            let w = want.get(&x).map_or(0.0, |c| num_traits::ToPrimitive::to_f64(c).unwrap() / all);
            assert!((float.mass.scaled(i).0 - w).abs() <= w * ((float.roundings * f64::EPSILON) + 1e-15));
        }
    }
}

#[test]
fn keeping_of_ordinary_dice_of_several_sizes() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    for round in 0..300 {
        let low = rng.random_range(-2..3i64);
        let kinds = rng.random_range(1..4);
        let (mut groups, mut dice) = (Vec::new(), Vec::new());
        for _ in 0..kinds {
            let (sides, count) = (rng.random_range(1..6), rng.random_range(1..4u32));
            let faces: Vec<_> = (low..low + sides).map(|f| (f, 1)).collect();
            dice.extend(vec![faces.clone(); count as usize]);
            groups.push(Group { faces, total: sides as u64, count });
        }
        dice.truncate(6);
        let mut left = 6;
        for group in &mut groups {
            group.count = group.count.min(left);
            left -= group.count;
        }
        groups.retain(|group| group.count > 0);
        let k = rng.random_range(1..=dice.len());
        let adds = |r: i64| r + round % 3;
        let want = brute(&dice, |s| {
            let mut s = s.to_vec();
            s.sort_unstable();
            s.iter().rev().take(k).map(|&x| adds(x)).sum()
        });
        for width in widths(60) {
            assert_eq!(law(&keep_mixed(&groups, k as u32, &adds, width)), want, "{groups:?} {k} {width:?}");
        }
    }
}

#[test]
fn any_choice_of_ranks() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for round in 0..150 {
        let (groups, dice) = random_groups(&mut rng);
        let kept: Vec<bool> = (0..dice.len()).map(|_| rng.random_range(0..2) == 1).collect();
        let want = brute(&dice, |s| {
            let mut s = s.to_vec();
            s.sort_unstable();
            s.iter().zip(&kept).filter(|x| *x.1).map(|x| *x.0).sum()
        });
        let got = keep_ranks(&groups, &kept, |v| Poly::point(Width::U64, v, 1), &[], Width::U128);
        assert_eq!(law(&got), want, "{groups:?} {kept:?}");
        // What a kept die adds may be a distribution: here v or v + 1 in 1 of 2 outcomes each.
        let doubled = keep_ranks(
            &groups,
            &kept,
            |v| Poly::from_terms(Width::U64, &[(v, 1), (v + 1, 1)]),
            &[2],
            [Width::U128, Width::Limbs(3)][round % 2],
        );
        let coin = Factor::new(&[(0, 1), (1, 1)]).unwrap();
        let extra = sum_of(&coin, kept.iter().filter(|k| **k).count() as u32, 2, Width::U128);
        let plain = got.times(&extra, Width::U128);
        let plain = super::super::mixed::scaled_by(plain, &vec![2; kept.iter().filter(|k| !**k).count()]);
        assert_eq!(law(&doubled), law(&plain));
    }
}

/// That nothing is kept is one number, for which all cells are added up: as many roundings more, in floating rows alone.
#[test]
fn keeping_none_rounds_once_a_cell() {
    let groups = [Group { faces: vec![(1, 1), (2, 1), (4, 1)], total: 3, count: 2 }];
    let (all, none) =
        (|width| keep_mixed(&groups, 2, &|r| r, width), |width| keep_mixed(&groups, 0, &|r| r, width));
    let (before, after) = (all(Width::F64), none(Width::F64));
    assert!(after.roundings >= before.roundings + before.mass.len() as f64, "{}", after.roundings);
    assert_eq!(none(Width::U64), Poly::exact(0, Mass::one(Width::U64, 9)));
}
