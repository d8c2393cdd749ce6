//! Sums of equal dice, and of computed numbers of them.

use super::*;

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
            let got = super::super::sum::by_recurrence(&die, n, &BigUint::from(1u32), l).expect("it fits");
            assert_eq!(law(&got), law(&die.poly(Width::Limbs(l)).pow(n, Width::Limbs(l))), "{die:?} {n}");
        }
    }
}
