//! Brute force against every algorithm, seeded.

use super::*;
use num_bigint::BigUint;
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
use std::collections::BTreeMap;

type Law = BTreeMap<i64, BigUint>;

fn law(poly: &Poly) -> Law {
    cells(poly).map(|(x, i)| (x, poly.mass.big(i))).filter(|(_, c)| *c != BigUint::default()).collect()
}

/// Every outcome of the dice with its weight, folded into a law.
fn brute(dice: &[Vec<(i64, u64)>], total: impl Fn(&[i64]) -> i64) -> Law {
    let mut out = Law::new();
    let mut shown = vec![0; dice.len()];
    fn walk(
        dice: &[Vec<(i64, u64)>],
        at: usize,
        weight: u64,
        shown: &mut [i64],
        total: &impl Fn(&[i64]) -> i64,
        out: &mut Law,
    ) {
        if at == dice.len() {
            *out.entry(total(shown)).or_default() += weight;
            return;
        }
        for &(face, w) in &dice[at] {
            shown[at] = face;
            walk(dice, at + 1, weight * w, shown, total, out);
        }
    }
    walk(dice, 0, 1, &mut shown, &total, &mut out);
    out
}

fn random_die(rng: &mut ChaCha8Rng, faces: usize) -> Vec<(i64, u64)> {
    let mut die = BTreeMap::new();
    while die.len() < faces {
        die.insert(rng.random_range(-3..8i64), rng.random_range(1..4u64));
    }
    die.into_iter().collect()
}

fn widths(bits: u64) -> [Width; 3] {
    [Width::for_bits(bits), Width::U128, Width::Limbs(2)]
}

#[test]
fn sums_of_equal_dice() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..200 {
        let f = rng.random_range(1..6);
        let die = random_die(&mut rng, f);
        let n = rng.random_range(0..6u32);
        let total: u64 = die.iter().map(|f| f.1).sum::<u64>() + 2;
        let want = brute(&vec![die.clone(); n as usize], |s| s.iter().sum());
        let factor = Factor::new(&die).unwrap();
        for width in widths(60) {
            assert_eq!(law(&sum_of(&factor, n, total, width)), want, "{die:?} {n} {width:?}");
        }
        let float = sum_of(&factor, n, total, Width::F64);
        close(&float, &want, total, n);
    }
}

fn close(float: &Poly, want: &Law, total: u64, n: u32) {
    let all = (total as f64).powi(n as i32);
    for (x, i) in cells(float) {
        let w = want.get(&x).map_or(0.0, |c| num_traits::ToPrimitive::to_f64(c).unwrap() / all);
        let (got, _) = float.mass.scaled(i);
        assert!(
            (got - w).abs() <= w * ((float.roundings * f64::EPSILON) + 1e-15),
            "{x}: {got} {w} {}",
            (float.roundings * f64::EPSILON)
        );
    }
}

#[test]
fn uniform_dice_in_limbs() {
    for n in 1..30u32 {
        for s in 1..12i64 {
            let die = Factor::new(&(1..=s).map(|f| (f, 1)).collect::<Vec<_>>()).unwrap();
            let narrow = law(&sum_of(&die, n, s as u64, Width::U128));
            assert_eq!(law(&sum_of(&die, n, s as u64, Width::Limbs(2))), narrow, "{n}d{s}");
        }
    }
}

#[test]
fn keeping_the_highest() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for round in 0..400 {
        let f = rng.random_range(1..6);
        let die = random_die(&mut rng, f);
        let n = rng.random_range(1..6u32);
        let k = rng.random_range(0..=n);
        let total: u64 = die.iter().map(|f| f.1).sum::<u64>() + round % 3;
        // What a kept die adds: its rank itself, or any map of it.
        let adds: Vec<i64> =
            die.iter().map(|f| if round % 2 == 0 { f.0 } else { rng.random_range(-2..3) }).collect();
        let worth: BTreeMap<i64, i64> = die.iter().map(|f| f.0).zip(adds.iter().copied()).collect();
        let want = brute(&vec![die.clone(); n as usize], |s| {
            let mut s = s.to_vec();
            s.sort_unstable();
            s.iter().rev().take(k as usize).map(|x| worth[x]).sum()
        });
        let faces: Vec<Ranked> =
            die.iter().zip(&adds).map(|(f, &adds)| Ranked { adds, weight: f.1 }).collect();
        for width in widths(60) {
            assert_eq!(law(&keep_highest(&faces, n, k, total, width)), want, "{die:?} {n} {k} {width:?}");
        }
        close(&keep_highest(&faces, n, k, total, Width::F64), &want, total, n);
    }
}

#[test]
fn the_equation_agrees_with_horner() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for round in 0..60 {
        let f = rng.random_range(2..7);
        let die =
            if round % 2 == 0 { (1..=f as i64).map(|x| (x, 1)).collect() } else { random_die(&mut rng, f) };
        let n = rng.random_range(3..40u32);
        let k = rng.random_range(2..n);
        let total = die.iter().map(|f| f.1).sum();
        let bits = Denom::power(total, n).bits();
        let l = (bits / 64 + 1) as usize;
        let faces: Vec<Ranked> = die.iter().map(|f| Ranked { adds: f.0, weight: f.1 }).collect();
        let want = law(&keep::horner(&faces, n, k, total, Width::Limbs(l)));
        assert_eq!(law(&keep::by_equation(&faces, n, k, l).unwrap()), want, "{die:?} {n} {k}");
    }
}

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
        let plain = mixed::scaled_by(plain, &vec![2; kept.iter().filter(|k| !**k).count()]);
        assert_eq!(law(&doubled), law(&plain));
    }
}

/// A unit: one die which, on its last face, brings a second one.
fn unit_at(
    die: &[(i64, u64)],
    leaf: &dyn Fn(i64) -> Marks,
    zero: &Marks,
    over: Option<&Poly>,
    width: Width,
) -> Marks {
    let total: u64 = die.iter().map(|f| f.1).sum();
    let mut second = zero.clone();
    for &(f, w) in die {
        second.add_small(&leaf(f), w);
    }
    let mut out = zero.clone();
    for (i, &(f, w)) in die.iter().enumerate() {
        if i + 1 == die.len() {
            out.add_small(&leaf(f).times(&second, over, width), w);
        } else {
            let mut one = leaf(f);
            one.scale(&[total]);
            out.add_small(&one, w);
        }
    }
    out
}

#[test]
fn keeping_of_units() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for _ in 0..80 {
        let f = rng.random_range(2..4);
        let die = random_die(&mut rng, f);
        let total: u64 = die.iter().map(|f| f.1).sum();
        let n = rng.random_range(1..4u32);
        let k = rng.random_range(1..4usize);
        let width = Width::U128;
        let top = die.last().unwrap().0;
        // Brute force over pairs of throws, the second of each pair used only after the last face.
        let pairs = vec![die.clone(); 2 * n as usize];
        let live = |s: &[i64]| {
            let mut live: Vec<i64> = Vec::new();
            for pair in s.chunks(2) {
                live.push(pair[0]);
                if pair[0] == top {
                    live.push(pair[1]);
                }
            }
            live.sort_unstable();
            live
        };
        let point = |v: i64| Poly::point(width, v, 1);
        for positive in [false, true] {
            let caps = Caps { marked: k, ties: if positive { k } else { 0 } };
            let zero = Marks::zero(caps, width);
            let build = |leaf: &dyn Fn(i64) -> Marks, over: Option<&Poly>| {
                unit_at(&die, leaf, &zero, over, width).pow(n, over, width)
            };
            if positive {
                let want = brute(&pairs, |s| live(s).iter().skip(k).sum());
                let none = build(&|_| Marks::of(point(0), 1, 0, caps), None);
                let levels = die.iter().map(|&(v, _)| Level {
                    adds: point(v),
                    pool: build(
                        &|f| {
                            let (z, t) = (usize::from(f < v), usize::from(f == v));
                            Marks::of(if f > v { point(f) } else { point(0) }, z, t, caps)
                        },
                        Some(&point(v)),
                    ),
                });
                assert_eq!(law(&drop_from_levels(&none, levels, k, width)), want, "{die:?} {n} {k}");
            } else {
                let want = brute(&pairs, |s| live(s).iter().rev().take(k).sum());
                let all = build(&|f| Marks::of(point(f), 1, 0, caps), None);
                let levels = die.iter().map(|&(v, _)| Level {
                    adds: point(v),
                    pool: build(
                        &|f| Marks::of(if f > v { point(f) } else { point(0) }, usize::from(f > v), 0, caps),
                        None,
                    ),
                });
                assert_eq!(law(&keep_from_levels(&all, levels, k, &[], width)), want, "{die:?} {n} {k}");
            }
            assert!(total > 0);
        }
    }
}

#[test]
fn ordinary_dice_keep_in_every_width() {
    for s in 1..6i64 {
        for n in 1..6u32 {
            for k in 1..=n {
                for weight in 1..3 {
                    let die: Vec<_> = (1..=s).map(|f| (f, weight)).collect();
                    let want = brute(&vec![die.clone(); n as usize], |t| {
                        let mut t = t.to_vec();
                        t.sort_unstable();
                        t.iter().rev().take(k as usize).sum()
                    });
                    let faces: Vec<_> = die.iter().map(|f| Ranked { adds: f.0, weight: f.1 }).collect();
                    for width in widths(40) {
                        assert_eq!(law(&keep_highest(&faces, n, k, s as u64 * weight, width)), want);
                    }
                }
            }
        }
    }
}

#[test]
fn computed_counts() {
    let die = Factor::new(&[(1, 1), (2, 1), (3, 1)]).unwrap();
    let counts = [1u64, 0, 2, 1];
    let mut want = Law::new();
    for (n, &p) in counts.iter().enumerate() {
        for (x, c) in law(&sum_of(&die, n as u32, 3, Width::U64)) {
            if p > 0 {
                *want.entry(x).or_default() += c * p * 3u64.pow(3 - n as u32);
            }
        }
    }
    for width in widths(20) {
        assert_eq!(law(&mixture_of_counts(&die, &counts, 4, 3, width)), want);
    }
    let chances = counts.map(|p| p as f64 / 4.0);
    let float = mixture_of_chances(&die, &chances, 1.0, 3);
    for (at, cell) in cells(&float) {
        let count = want.get(&at).and_then(num_traits::ToPrimitive::to_f64);
        let exact = count.unwrap_or(0.0) / (4.0 * 27.0);
        let Mass::F64(row) = &float.mass else { panic!("a floating row") };
        assert!((row[cell] - exact).abs() <= exact * float.roundings * f64::EPSILON, "{at}");
    }
}

/// Chains of explosions have weights of nearly 63 bits; their sums go by the recurrence as well.
#[test]
fn recurrences_take_wide_weights() {
    for weights in [vec![(1 << 61) + 9, 5], vec![7, (1 << 62) - 3, (1 << 61) + 1], vec![1 << 61; 4]] {
        let die = Factor::from_weights(-1, weights);
        for n in [2, 7, 40] {
            let l = n as usize + 1;
            let got = super::sum::by_recurrence(&die, n, &BigUint::from(1u32), l).expect("it fits");
            assert_eq!(law(&got), law(&die.poly(Width::Limbs(l)).pow(n, Width::Limbs(l))), "{die:?} {n}");
        }
    }
}

/// A window is the product with a row of ones, in every width, for rows shorter and longer than it.
#[test]
fn windows_are_products_with_ones() {
    for width in widths(20) {
        for n in [1usize, 2, 5, 9] {
            let row: Vec<u64> = (0..n as u64).map(|i| i * i + 3).collect();
            for m in [1usize, 2, 4, 9, 12] {
                for lead in [0, 2] {
                    let got = Mass::from_small(width, &row).window(m, lead);
                    assert_eq!(got.len(), lead + n + m - 1);
                    for i in 0..got.len() {
                        let want: u64 =
                            (0..n).filter(|j| (lead + j..lead + j + m).contains(&i)).map(|j| row[j]).sum();
                        assert_eq!(got.big(i), BigUint::from(want), "{width:?} {n} {m} {lead} {i}");
                    }
                }
            }
        }
    }
}

/// Floating rows are multiplied by runs of equal weights at once.
#[test]
fn floating_rows_go_by_runs() {
    let weights: Vec<u64> = [vec![7; 20], vec![0; 3], vec![2; 30], vec![9]].concat();
    let die = Factor::from_weights(2, weights);
    assert!(die.cost(Width::F64) < die.weights().len(), "{}", die.cost(Width::F64));
    let row = [0.5, 0.0, 2.0, 4.0];
    let Mass::F64(got) = die.multiply(&Mass::F64(row.to_vec()), 1) else { panic!("a floating row") };
    for (i, got) in got.iter().enumerate() {
        let terms = row.iter().enumerate().filter_map(|(j, x)| {
            let weight = die.weights().get(i.checked_sub(j + 1)?)?;
            Some(x * *weight as f64)
        });
        let want: f64 = terms.sum();
        assert!((got - want).abs() < 1e-12 * want.max(1.0), "{i}: {got} {want}");
    }
}

/// Where faces add less from rank to rank, they are taken from the other side.
#[test]
fn what_falls_is_kept_as_what_rises() {
    for adds in [[9, 7, 6, 1], [0, -1, -2, -3], [1, 2, 3, 4]] {
        let faces: Vec<_> =
            adds.iter().zip([2, 1, 3, 1]).map(|(&adds, weight)| Ranked { adds, weight }).collect();
        let (n, k, width) = (60, 45, Width::for_bits(7 * 60));
        assert!(has_equation(&faces, k, width));
        let want = super::keep::horner(&faces, n, k, 7, width);
        assert_eq!(law(&keep_highest(&faces, n, k, 7, width)), law(&want), "{adds:?}");
    }
    assert!(!has_equation(&[1, 3, 2].map(|adds| Ranked { adds, weight: 1 }), 45, Width::Limbs(4)));
}
