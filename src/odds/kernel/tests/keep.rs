//! The highest of equal dice, by every way that finds them.

use super::*;

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
        let want = law(&super::super::keep::horner(&faces, n, k, total, Width::Limbs(l)));
        assert_eq!(law(&super::super::keep::by_equation(&faces, n, k, l).unwrap()), want, "{die:?} {n} {k}");
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

/// Where faces add less from rank to rank, they are taken from the other side.
#[test]
fn what_falls_is_kept_as_what_rises() {
    for adds in [[9, 7, 6, 1], [0, -1, -2, -3], [1, 2, 3, 4]] {
        let faces: Vec<_> =
            adds.iter().zip([2, 1, 3, 1]).map(|(&adds, weight)| Ranked { adds, weight }).collect();
        let (n, k, width) = (60, 45, Width::for_bits(7 * 60));
        assert!(has_equation(&faces, k, width));
        let want = super::super::keep::horner(&faces, n, k, 7, width);
        assert_eq!(law(&keep_highest(&faces, n, k, 7, width)), law(&want), "{adds:?}");
    }
    assert!(!has_equation(&[1, 3, 2].map(|adds| Ranked { adds, weight: 1 }), 45, Width::Limbs(4)));
}
