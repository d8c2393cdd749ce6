//! Numbers at their edges: rounding, order, overflow and spelling.

use super::Number;

fn ratio(n: i128, d: i128) -> Number {
    Number::ratio(n, d).unwrap()
}

#[test]
fn rounds_every_way() {
    let table = [
        ((5, 2), [2, 3, 3, 2]),
        ((-5, 2), [-3, -2, -3, -2]),
        ((7, 3), [2, 3, 2, 2]),
        ((-7, 3), [-3, -2, -2, -2]),
        ((4, 1), [4, 4, 4, 4]),
        ((0, 1), [0, 0, 0, 0]),
    ];
    for ((n, d), [floor, ceil, round, trunc]) in table {
        let x = ratio(n, d);
        let all = [x.floor(), x.ceil(), x.round(), x.trunc()];
        assert_eq!(all, [floor, ceil, round, trunc].map(Number::whole), "{n}/{d}");
    }
}

#[test]
fn orders_without_overflow() {
    let big = i128::MAX;
    assert!(ratio(big - 1, big) < Number::ONE);
    assert!(ratio(big - 2, big - 1) < ratio(big - 1, big));
    assert!(ratio(-1, 3) < ratio(-1, 4));
    assert!(ratio(1, 3) < ratio(1, 2));
    assert_eq!(ratio(2, 4).cmp(&ratio(1, 2)), std::cmp::Ordering::Equal);
}

#[test]
fn order_agrees_with_cross_multiplication() {
    for a in -7..7 {
        for b in 1..7 {
            for c in -7..7 {
                for d in 1..7 {
                    assert_eq!(ratio(a, b).cmp(&ratio(c, d)), (a * d).cmp(&(c * b)), "{a}/{b} {c}/{d}");
                }
            }
        }
    }
}

#[test]
fn refuses_what_does_not_fit() {
    let big = Number::whole(i128::MAX);
    assert_eq!(big.plus(Number::ONE), None);
    assert_eq!(big.times(Number::whole(2)), None);
    assert_eq!(Number::whole(10).power(39), None);
    assert_eq!(Number::whole(i128::MIN).negated(), None);
    assert_eq!(Number::ONE.over(Number::ZERO), None);
    assert_eq!(Number::ratio(1, 0), None);
}

#[test]
fn spells_decimals_only_where_exact() {
    assert_eq!(ratio(7, 2).to_string(), "3.5");
    assert_eq!(ratio(-1, 8).to_string(), "-0.125");
    assert_eq!(ratio(10, 3).to_string(), "10/3 (about 3.333)");
    assert_eq!(ratio(1, 128).to_string(), "1/128 (about 0.008)");
    assert_eq!(ratio(1, 64).to_string(), "0.015625");
}

#[test]
fn powers() {
    assert_eq!(Number::ZERO.power(0), Some(Number::ONE));
    assert_eq!(Number::whole(-1).power(u64::MAX), Some(Number::whole(-1)));
    assert_eq!(ratio(-2, 3).power(3), Some(ratio(-8, 27)));
}
