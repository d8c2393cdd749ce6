//! What small changes of the engine would have left unnoticed: for each such change a text, or a throw, that it gets wrong.

use std::convert::Infallible;

use dice::ast::Kind;
use dice::{Code, Die, Entry, Expr, Faces, Grammar, Limits, Script, State, grammar_source};
use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng, TryRng};

/// The code with which a text is refused before anything is rolled.
fn refused(text: &str) -> Option<Code> {
    text.parse::<Expr>().err().map(|error| error.code())
}

/// The total with these faces, all of which have to be used, or the code of the error.
fn total<const N: usize>(text: &str, faces: [i64; N]) -> Result<String, Code> {
    let mut script = Script::new(faces);
    let roll = text.parse::<Expr>().and_then(|expr| expr.roll(&mut script)).map_err(|error| error.code())?;
    assert_eq!(script.exhausted(), Ok(()), "{text}");
    Ok(roll.total().to_string())
}

/// Constants are computed through names, functions, powers and choices: what always divides by zero is refused at once, and
/// nothing else is.
#[test]
fn constants_are_known_before_the_roll() {
    for (text, zero) in [
        ("a=0; 1d6/a", true),
        ("a=2; 1d6/a", false),
        ("1d6/floor(0.5)", true),
        ("1d6/floor(2.5)", false),
        ("1d6/min(3,0)", true),
        // The greater of a die and 0 is never 0.
        ("1d6/max(1d6,0)", false),
        ("1d6/(1-2^0)", true),
        ("1d6/(1?0:1)", true),
        ("1d6/(1?2:3)", false),
        ("0?1/0:2", false),
        ("1?1/0:2", true),
        // The dice decide whether this branch is reached.
        ("1d2=1?1/0:5", false),
        ("1d2=1?5:1/0", false),
    ] {
        assert_eq!(refused(text), zero.then_some(Code::DivisionByZero), "{text}");
    }
    assert_eq!(total("1d2=1?1/0:5", [2]).as_deref(), Ok("5"));
    assert_eq!(total("1d2=1?1/0:5", [1]), Err(Code::DivisionByZero));
}

/// A constant on the right of dice is not tried with another number on its left: 1 more than this does not fit, 1 less does.
#[test]
fn a_constant_behind_dice_is_only_tried_where_it_is_zero() {
    let most = 2_i128.pow(126) - 1 + 2_i128.pow(126);
    assert_eq!(total("-1d6+(2^126-1+2^126)", [4]), Ok((most - 4).to_string()));
}

/// What never ends is refused before anything is rolled, and only that.
#[test]
fn endless_steps_are_refused_at_once() {
    for (text, endless) in [
        ("2d6!>=1", true),
        ("2d6!!>=1", true),
        ("2d6!>=1lim3", false),
        ("1d1!", true),
        ("2d6r<=6", true),
        ("2d6r<=6lim2", false),
        ("2d6rb<=6", false),
        ("1d6!<=3!>=4", true),
        ("1d6!<=3!>=5", false),
        ("1d2r1r2", true),
    ] {
        assert_eq!(refused(text), endless.then_some(Code::Endless), "{text}");
    }
    // Known only while it is rolled: not every computed die explodes without end.
    assert_eq!(total("2d(1d1+5)!", [1, 6, 2, 3]).as_deref(), Ok("11"));
    assert_eq!(total("1d(1d1+1)r1", [1, 1, 2]).as_deref(), Ok("2"));
    // So many times is more than a roll may throw dice, but it is an end.
    assert_eq!(total("1d(1d1)!lim(2^64)", [1; 2]), Err(Code::Script));
}

/// A bare comparison that says the same of every die is refused: steps change which worths a die can have.
#[test]
fn bare_comparisons_know_what_steps_leave() {
    for (text, pointless) in [
        // Rerolls.
        ("2d6r<=2<=2", true),
        ("2d6r<=2>=3", true),
        ("2d6r<=2<=3", false),
        ("2d6r<=2lim1<=2", false),
        ("2d6rb<=2<=2", false),
        ("2d6mi2r2lim0<=1", true),
        ("2d6mi2r2lim1<=1", false),
        ("2d6mi2r7lim3<=1", true),
        // Clamps.
        ("2d6mi3<=2", true),
        ("2d6mi3<=3", false),
        ("2d6ma4>=5", true),
        ("2d6ma4>=4", false),
        ("2d6mi(1d2)<=0", false),
        // Explosions that never happen add nothing.
        ("2d6!p lim0<=0", true),
        ("2d6!p7<=0", true),
        ("2d6!p6<=0", false),
        // Behind a clamp to a fraction an extra still shows any face.
        ("2d6mi2.5!p<=0", false),
        ("2d6ma2.5!1>=3", false),
        ("2d6ma2.5!6>=3", true),
        ("2d6mi2.5r>=5lim1<=2", false),
        // One pool of several kinds of dice, some of which explode.
        ("{2d6!+1d4}>=1", true),
        ("{2d6!+1d4}>=2", false),
        ("{2d6!+1d4}>=5", false),
    ] {
        assert_eq!(refused(text), pointless.then_some(Code::Pointless), "{text}");
    }
}

/// The same for the members of a group, each of which is worth its total.
#[test]
fn bare_comparisons_know_the_bounds_of_members() {
    for (text, pointless) in [
        ("{1d6,1d4}<=0", true),
        ("{1d6,1d4}<=1", false),
        ("{1d6,1d4}<1", true),
        ("{1d6,1d4}<2", false),
        ("{1d6,1d4}>6", true),
        ("{1d6,1d4}>5", false),
        ("{1d6,1d4}>=7", true),
        ("{1d6,1d4}>=6", false),
        ("{1d6,1d4}=7", true),
        ("{1d6,1d4}=0", true),
        ("{1d6,1d4}=1", false),
        ("{1d6,1d4}=6", false),
        ("{1d6,1d4}<>1", false),
        ("{1d6,1d6}<>6", false),
        ("{1d6,1d4}<>7", true),
        ("{3,3}<>3", true),
        ("{3,3}=3", true),
    ] {
        assert_eq!(refused(text), pointless.then_some(Code::Pointless), "{text}");
    }
}

/// Depth is what stands inside each other, not what stands side by side.
#[test]
fn brackets_side_by_side_do_not_nest() {
    for part in ["(1)", "floor(1)", "{1d1,1d1}kh1", "(1d1)d1"] {
        let text = vec![part; 200].join("+");
        let limits = Limits { depth: 4, ..Limits::default() };
        let total = Expr::parse(&text, &limits).unwrap().total(&mut ChaCha8Rng::seed_from_u64(1)).unwrap();
        assert_eq!(total, 200.into(), "{part}");
    }
}

/// The same in a grammar that is read, where brackets alone do not bound how deep terms are in each other.
#[test]
fn terms_side_by_side_do_not_nest_in_a_grammar_that_is_read() {
    let grammar = Grammar::built_in();
    let parsed = |text: &str, depth| grammar.parse(text, &Limits { depth, ..Limits::default() });
    for part in ["1", "(1)", "1d1"] {
        let text = vec![part; 900].join("+");
        assert_eq!(parsed(&text, 128).unwrap(), text.parse().unwrap(), "{part}");
    }
    for depth in [0, 1, 2] {
        assert_eq!(parsed("1d6+2*3", depth).unwrap(), "1d6+2*3".parse().unwrap(), "{depth}");
    }
}

/// The built-in grammar with these house rules.
fn with_rules(rules: &str, names: &str) -> Grammar {
    let house = format!("{rules}\nhouse = _{{ {names} }}");
    Grammar::load(&grammar_source().replace("house = _{ !ANY ~ ANY }", &house)).unwrap()
}

/// A house rule is told as it was typed, with the parts that were typed inside it.
#[test]
fn house_rules_are_told_with_their_parts() {
    let rules = "\
/// => 1d20 + $1
plus = { ^\"plus\" ~ whole }
/// => ($1)d6
many = { ^\"many\" ~ (number | bracket) }
/// => many (${1:-3}) + 1
more = { ^\"more\" ~ number? }
/// => 2d20kh($1)
best = { ^\"best\" ~ number }";
    let grammar = with_rules(rules, "plus | many | more | best");
    let parse = |text: &str| grammar.parse(text, &Limits::default());
    for (text, notation) in [
        ("plus 0", "1d20 + 0"),
        ("plus -2", "1d20 + (-2)"),
        ("more 5", "many (5) + 1"),
        ("more", "many (3) + 1"),
    ] {
        let expr = parse(text).unwrap();
        let Kind::House(house) = &expr.body().kind else { panic!("{text}") };
        assert_eq!(house.notation(), notation);
        assert_eq!(parse(notation).unwrap().body(), &house.body, "{notation}");
    }
    // What is wrong is shown where it was typed; with a house rule that is one place for both.
    assert_eq!(refused("2d20kh3"), Some(Code::TooFewDice));
    assert_eq!("2d20kh3".parse::<Expr>().unwrap_err().secondary().len(), 1);
    let error = parse("1 + best 3").unwrap_err();
    assert_eq!((error.code(), error.secondary()), (Code::TooFewDice, &[][..]));
}

#[test]
fn lists_of_faces_may_have_ranges_of_one() {
    assert_eq!(total("1d{3..3}", [3]).as_deref(), Ok("3"));
    assert_eq!(refused("1d{3..2}"), Some(Code::Faces));
}

#[test]
fn what_is_no_pool_is_no_part_of_one() {
    for text in ["{5d10c>=7+2d6}", "{2d6+5d10c>=7}", "{2d6*2d4}", "{2d6-2d4}", "{2d6//2d4}"] {
        assert_eq!(refused(text), Some(Code::Member), "{text}");
    }
}

/// A limit or a condition ends an explosion, so that a comparison behind it can only be one of totals.
#[test]
fn an_explosion_that_is_complete_takes_no_comparison() {
    assert_eq!(refused("5+2d6!>d20"), Some(Code::Ambiguous));
    assert_eq!(total("5+2d6!lim1>d20", [6, 1, 3, 14]).as_deref(), Ok("1"));
    assert_eq!(total("5+2d6!5>d20", [6, 1, 12]).as_deref(), Ok("0"));
}

/// Each labelled part of one pool has its own subtotal, of the dice that are kept.
#[test]
fn labels_inside_one_pool_stay_apart() {
    let expr: Expr = "{1d6[a]+1d4[b]+2d8[a]}kh3".parse().unwrap();
    let roll = expr.roll(&mut Script::new([5, 3, 7, 1])).unwrap();
    let labels: Vec<String> =
        roll.outcomes()[0].labels().iter().map(|(label, value)| format!("{label} {value}")).collect();
    assert_eq!(labels, ["a 12", "b 3"]);
    // An extra belongs to the part whose die threw it.
    let expr: Expr = "{1d6[a]+1d6[b]}!".parse().unwrap();
    let roll = expr.roll(&mut Script::new([6, 1, 3])).unwrap();
    let labels: Vec<String> =
        roll.outcomes()[0].labels().iter().map(|(label, value)| format!("{label} {value}")).collect();
    assert_eq!(labels, ["a 9", "b 1"]);
}

/// What is written after a group takes its successes and labels from the members that are kept.
#[test]
fn members_that_are_dropped_take_their_successes_and_labels_along() {
    let expr: Expr = "{2d6c>=5f1[a], 2d6c>=4f2[b]}kh1 + 3d6c6f1".parse().unwrap();
    let roll = expr.roll(&mut Script::new([5, 1, 4, 6, 6, 1, 1])).unwrap();
    let outcome = &roll.outcomes()[0];
    let tally = outcome.tally().unwrap();
    assert_eq!((roll.total(), tally.successes, tally.failures), (1.into(), 3, 2));
    let labels: Vec<String> =
        outcome.labels().iter().map(|(label, value)| format!("{label} {value}")).collect();
    assert_eq!(labels, ["b 2"]);
    let states: Vec<State> = roll.dice().map(|die| die.state()).collect();
    assert_eq!(states[..2], [State::Dropped; 2]);
    assert!(states[2..].iter().all(|state| *state == State::Kept));
}

/// A member that goes takes along what is inside it, also the members of a group in it.
#[test]
fn groups_inside_a_dropped_member_are_shown_as_dropped() {
    let roll = "{{1d6,1d6}kh1,1d6}kl1".parse::<Expr>().unwrap().roll(&mut Script::new([5, 3, 1])).unwrap();
    assert_eq!(roll.to_string(), "{{1d6 [(5)], 1d6 [(3)]}kh1 [(5) (3)], 1d6 [1]}kl1 [(5) 1] = 1");
}

#[test]
fn a_reroll_that_is_no_better_leaves_the_old_die() {
    for (face, states) in [
        (3, [State::Kept, State::Rerolled]),
        (2, [State::Kept, State::Rerolled]),
        (4, [State::Rerolled, State::Kept]),
    ] {
        let roll = "1d6rb3".parse::<Expr>().unwrap().roll(&mut Script::new([3, face])).unwrap();
        let found: Vec<State> = roll.dice().map(|die| die.state()).collect();
        assert_eq!(found, states, "{face}");
    }
}

#[test]
fn dice_with_other_faces_are_other_dice() {
    let entry = |low, high, weight| Entry { low, high, weight };
    let die = |entries: &[Entry]| Die::listed(entries.to_vec());
    assert_eq!(die(&[entry(1, 2, 1)]), die(&[entry(1, 2, 1)]));
    assert_ne!(die(&[entry(1, 2, 1)]), die(&[entry(1, 3, 1)]));
    assert_ne!(die(&[entry(1, 2, 1)]), die(&[entry(1, 2, 2)]));
    // A face of weight 0 and a range that runs backwards make no die, whatever stands beside them.
    assert_eq!(die(&[entry(1, 1, 1), entry(2, 2, 0)]), None);
    assert_eq!(die(&[entry(1, 1, 1), entry(3, 2, 1)]), None);
}

/// One face after the other, as `docs/reference.md` says: a word is drawn anew where it is not fair for all dice that it serves.
fn documented(rng: &mut dyn Rng, weight: u64, count: usize) -> Vec<i64> {
    let wide = u128::from(weight);
    let mut size = 1;
    while wide.pow(size + 1) <= 1 << 48 {
        size += 1;
    }
    let mut faces = Vec::new();
    while faces.len() < count {
        let throw = (size as usize).min(count - faces.len());
        let all = wide.pow(u32::try_from(throw).unwrap());
        let mut word = loop {
            let word = u128::from(rng.next_u64());
            if (word * all) % (1 << 64) >= (1 << 64) % all {
                break word;
            }
        };
        for _ in 0..throw {
            faces.push(i64::try_from((word * wide) >> 64).unwrap() + 1);
            word = (word * wide) % (1 << 64);
        }
    }
    faces
}

/// Many small dice are thrown in pairs; where one word serves an odd number of them, the last one has no partner.
#[test]
fn many_small_dice_show_the_documented_faces() {
    for sides in 2..=17 {
        let die = Die::plain(sides).unwrap();
        for count in [255, 256, 257, 300, 1000] {
            let rng = || ChaCha8Rng::seed_from_u64(sides);
            let expected = documented(&mut rng(), sides, count);
            let (mut small, mut wide) = (vec![0; count], vec![0; count]);
            rng().fill_small(&die, &mut small).unwrap();
            rng().fill(&die, &mut wide).unwrap();
            assert_eq!(small.into_iter().map(i64::from).collect::<Vec<_>>(), expected, "{count}d{sides}");
            assert_eq!(wide, expected, "{count}d{sides}");
            let sum = rng().sum(&die, count as u64).unwrap();
            assert_eq!(sum, expected.iter().copied().map(i128::from).sum(), "{count}d{sides}");
        }
    }
}

/// A quarter of all words is unfair for this die.
#[test]
fn unfair_words_are_drawn_anew() {
    let sides = 3 << 61;
    let die = Die::plain(sides).unwrap();
    let rng = || ChaCha8Rng::seed_from_u64(1);
    let expected = documented(&mut rng(), sides, 100);
    let mut faces = vec![0; 100];
    rng().fill(&die, &mut faces).unwrap();
    assert_eq!(faces, expected);
    let mut one = rng();
    assert_eq!((0..100).map(|_| one.face(&die).unwrap()).collect::<Vec<_>>(), expected);
}

/// Gives these words.
struct Words(std::vec::IntoIter<u64>);

impl TryRng for Words {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        panic!("faces are taken from words of 64 bits")
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.0.next().expect("another word"))
    }

    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Infallible> {
        panic!("faces are taken from words of 64 bits")
    }
}

/// The dice that are left over share a word that is fair for just so many: this one is unfair for one six-sided die, though not
/// for 18 of them.
#[test]
fn dice_that_are_left_over_have_a_fair_word_of_their_own() {
    let unfair = u64::MAX / 6 + 1;
    // Four of six, and then next to nothing is left of the word.
    let fair = (1 << 63) + 1;
    let words = |first: &[u64]| Words([first, &[unfair, fair]].concat().into_iter());
    let (plain, listed) =
        (Die::plain(6).unwrap(), Die::listed(vec![Entry { low: 1, high: 6, weight: 1 }]).unwrap());
    // 18 dice of the first word, each of which shows a 4 and then only 1s.
    let mut faces = [0; 19];
    let mut small = [0; 19];
    words(&[fair]).fill(&plain, &mut faces).unwrap();
    words(&[fair]).fill_small(&plain, &mut small).unwrap();
    let expected = [4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 4];
    assert_eq!(faces, expected);
    assert_eq!(small.map(i64::from), expected);
    assert_eq!(words(&[fair]).sum(&plain, 19), Ok(25));
    assert_eq!(words(&[fair]).sum(&listed, 19), Ok(25));
    assert_eq!(words(&[]).sum(&listed, 1), Ok(4));
    let five = Die::listed(vec![Entry { low: 5, high: 5, weight: 1 }]).unwrap();
    assert_eq!(words(&[]).sum(&five, 3), Ok(15));
}
