//! Selections of a random number of dice.

use super::*;

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

/// A power by its recurrence divides by the count of what is not marked, over and over: powers of two in it must not spoil the
/// next rows. Against the product, one unit after the other.
#[test]
fn powers_whose_unmarked_count_is_even() {
    for twos in [0, 1, 40, 63, 64, 90, 130, 200] {
        for (n, most) in [(3u32, 3), (4, 3), (5, 5), (6, 4)] {
            let unmarked = BigUint::from(3u32).pow(200) << twos;
            let total: BigUint = &unmarked * 7u32;
            let width = Width::for_bits(total.pow(n).bits());
            let caps = Caps { marked: most, ties: 0 };
            let count = |k: u32| {
                let mut row = Mass::zeros(width, 2);
                row.set_big(0, &(&unmarked * k));
                row.set_big(1, &(&unmarked - 1u32));
                Poly::exact(1, row)
            };
            let mut first = Mass::zeros(width, 1);
            first.set_big(0, &unmarked);
            let mut unit = Marks::of(Poly::exact(0, first), 0, 0, caps);
            unit.add_small(&Marks::of(count(1), 1, 0, caps), 1);
            unit.add_small(&Marks::of(count(2), 2, 0, caps), 1);
            let by_recurrence = unit.pow(n, None, width);
            let one_by_one = (1..n).fold(unit.clone(), |all, _| all.times(&unit, None, width));
            for marked in 0..most {
                let cell = |of: &Marks| of.cell(marked, 0).map(law);
                assert_eq!(cell(&by_recurrence), cell(&one_by_one), "2^{twos}, {n} units, {marked} marked");
            }
        }
    }
}
