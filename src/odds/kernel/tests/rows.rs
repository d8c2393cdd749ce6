//! Operations on rows: windows and runs of equal weights.

use super::*;

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

#[test]
fn a_number_of_outcomes_has_room_for_itself() {
    for k in [1, 31, 62, 63, 64, 127, 128, 1000] {
        assert_eq!(Denom::power(2, k).bits(), u64::from(k) + 1);
    }
    for (base, n) in [(3, 40), (6, 24), (10, 300), (20, 29)] {
        assert_eq!(Denom::power(base, n).bits(), BigUint::from(base).pow(n).bits(), "{base}^{n}");
    }
}
