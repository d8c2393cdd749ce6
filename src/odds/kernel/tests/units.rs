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
