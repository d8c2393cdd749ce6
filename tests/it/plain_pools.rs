//! Plain pools are rolled in a quicker way than others: both ways must throw and decide the same. A count in brackets, `(4)d6`, is
//! never plain.

use dice::{Expr, Limits, Roll, Script};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// Everything that a roll tells, but for the numbers of its pools.
fn told(roll: &Roll) -> String {
    let outcome = &roll.outcomes()[0];
    let dice: Vec<_> = roll
        .dice()
        .map(|die| {
            let by = die.by().map(ToString::to_string);
            let marks = (die.exploded(), die.merged(), die.success(), die.failure());
            (die.index(), die.die().clone(), die.face(), die.worth(), die.state(), by, die.from(), marks)
        })
        .collect();
    format!("{} {:?} {:?} {dice:?}", roll.total(), outcome.tally(), outcome.labels())
}

/// Rolls both texts with the same chance, three times in the same memory, and for the total only.
fn compare(plain: &str, general: &str) {
    let parse = |text: &str| Expr::parse(text, &Limits::default()).unwrap_or_else(|error| panic!("{error}"));
    let (plain, general) = (parse(plain), parse(general));
    let limits = Limits::default();
    let (mut left, mut right) = (rng(7), rng(7));
    let mut reused = plain.roll(&mut rng(1)).unwrap();
    for _ in 0..3 {
        plain.roll_into(&mut reused, &mut left, &limits).unwrap();
        let expected = general.roll(&mut right).unwrap();
        assert_eq!(told(&reused), told(&expected), "{} and {}", plain.text(), general.text());
        let (mut total, mut again) = (left.clone(), left.clone());
        assert_eq!(
            plain.total(&mut total).unwrap(),
            plain.roll(&mut again).unwrap().total(),
            "{}",
            plain.text()
        );
        assert_eq!(total.next_u64(), again.next_u64(), "{}: other words are used up", plain.text());
    }
    assert_eq!(left.next_u64(), right.next_u64(), "{}: other words are used up", plain.text());
}

/// Steps that make a pool plain, and some that do not.
fn steps(count: u64, sides: u64) -> Vec<String> {
    let mut steps = vec![String::new()];
    for amount in [0, 1, count / 2, count.saturating_sub(1), count] {
        let amount = amount.min(count);
        steps.extend(["kh", "kl", "dh", "dl"].map(|step| format!("{step}{amount}")));
    }
    for face in [1, 2, sides / 2, sides.saturating_sub(1), sides, sides + 1] {
        steps.extend(["=", ">=", "<=", ">", "<", "<>"].map(|sign| format!("c{sign}{face}")));
        steps.extend(["=", ">", "<="].map(|sign| format!("!{sign}{face}")));
    }
    steps.extend(["!", "!!", "!p", "!o", "r1lim1", "c(1,3)", "c even", "f1", "min2"].map(str::to_owned));
    steps
}

#[test]
fn both_ways_throw_and_decide_the_same() {
    let mut compared = 0;
    for count in [0, 1, 2, 3, 4, 5, 8, 9, 63, 64, 65, 130, 300] {
        for sides in [1, 2, 3, 6, 20, 31, 32, 100, 255, 256] {
            for step in steps(count, sides) {
                let plain = format!("{count}d{sides}{step}");
                // Where every face explodes, both are refused; where most do, a roll may be too long.
                let explodes = step.contains('!');
                if Expr::parse(&plain, &Limits::default()).is_err()
                    || (explodes && (sides < 3 || step.contains("<=")))
                {
                    continue;
                }
                compare(&plain, &format!("({count})d{sides}{step}"));
                compared += 1;
            }
        }
    }
    assert!(compared > 5_000, "{compared}");
}

#[test]
fn in_sums_and_beside_other_dice() {
    compare("4d6kh3+2", "(4)d6kh3+2");
    compare("2d6+1d4-3", "(2)d6+(1)d4-3");
    compare("8-10d10!>8+2d20kh1-4", "8-(10)d10!>8+(2)d20kh1-4");
    compare("1d1000+4d6kh3", "(1)d1000+(4)d6kh3");
    compare("4d6kh3+1d1000+4d6!", "(4)d6kh3+(1)d1000+(4)d6!");
    compare("2*4d6kh3", "2*(4)d6kh3");
    compare("{4d6kh3, 2d8!, 10d10c>7}kh2", "{(4)d6kh3, (2)d8!, (10)d10c>7}kh2");
    compare("{4d6kh3, {2d20kl1, 1d6}kh1}kl1", "{(4)d6kh3, {(2)d20kl1, (1)d6}kh1}kl1");
    compare("a=4d6; a kh1 + 4d6kh1", "a=(4)d6; a kh1 + (4)d6kh1");
    compare("4d6kh3[fire]+2d6[ice]", "(4)d6kh3[fire]+(2)d6[ice]");
    compare("max(4d6kh3, 10d10c>7)", "max((4)d6kh3, (10)d10c>7)");
    compare("9223372036854775807+1d6", "9223372036854775807+(1)d6");
}

#[test]
fn a_step_is_named_for_each_die_that_it_drops() {
    let expr: Expr = "{4d6kh3, 3d6dl1}kl1".parse().unwrap();
    let roll = expr.roll(&mut Script::new([6, 5, 4, 1, 2, 3, 1])).unwrap();
    let by: Vec<_> = roll.dice().map(|die| die.by().map(ToString::to_string).unwrap_or_default()).collect();
    assert_eq!(by, ["kl1", "kl1", "kl1", "kh3", "kl1", "kl1", "dl1"]);
}

#[test]
fn both_ways_fail_the_same() {
    let fails = |text: &str, faces: &[i64], dice: u64| {
        let limits = Limits { dice, ..Limits::default() };
        let expr = Expr::parse(text, &Limits::default()).unwrap();
        let error = expr.roll_within(&mut Script::new(faces.to_vec()), &limits).unwrap_err();
        (error.code(), error.to_string().lines().next().unwrap_or_default().replace(['(', ')'], ""))
    };
    for (count, step, faces, dice) in [
        (3, "", &[1, 2][..], 10),
        (3, "", &[1, 2, 7], 10),
        (3, "", &[1, 0, 2], 10),
        (3, "", &[1, -300, 2], 10),
        (3, "", &[1, 2, 3], 2),
        (1, "", &[7], 10),
        (1, "", &[], 10),
        (2, "!", &[6, 6, 6, 6], 3),
        (2, "!", &[6, 6, 6], 10),
        (2, "!", &[6, 6, 9], 10),
        (2, "!", &[6, 6, 300], 10),
        (2, "kh1", &[1], 10),
    ] {
        let (plain, general) = (format!("{count}d6{step}"), format!("({count})d6{step}"));
        assert_eq!(fails(&plain, faces, dice), fails(&general, faces, dice), "{plain} with {faces:?}");
    }
}
