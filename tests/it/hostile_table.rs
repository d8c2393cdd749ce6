//! Hostile texts made by the thousand: whatever is repeated, a text ends in a result or in a short error, soon, and
//! within a stack of two mebibytes.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use dice::{Code, Error, Expr, Grammar, Limits, Odds, Script};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

/// What no single text may take, on a busy machine and without optimisation. Most take a thousandth of it.
const PATIENCE: Duration = Duration::from_secs(20);

/// The length of a text by default.
const LENGTH: usize = 4096;

/// The least and the greatest that every limit can be.
fn extremes() -> [Limits; 2] {
    let least = Limits { text: 0, depth: 0, dice: 0, repeats: 0, faces: 0, steps: 0 };
    // Values beyond what can be allowed count as the most that can.
    [
        least,
        Limits {
            text: usize::MAX,
            depth: usize::MAX,
            dice: u64::MAX,
            repeats: u64::MAX,
            faces: u64::MAX,
            steps: u64::MAX,
        },
    ]
}

/// Errors are short, name a place in the text and are no fault of this crate.
fn decent(error: &Error, text: &str) -> Code {
    let shown = error.to_string();
    assert!(shown.len() < 2_000, "{} bytes of error for {}", shown.len(), shortened(text));
    assert!(error.text().get(error.span().range()).is_some(), "{}", shortened(text));
    assert_ne!(error.code(), Code::Internal, "{}: {shown}", shortened(text));
    error.code()
}

fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}

/// Parses, prints, bounds and rolls a text; gives the code of what failed.
fn attempt(text: &str, limits: &Limits) -> Option<Code> {
    let expr = match Expr::parse(text, limits) {
        Ok(expr) => expr,
        Err(error) => return Some(decent(&error, text)),
    };
    let printed = expr.to_string();
    assert!(!printed.is_empty());
    let _ = expr.bounds();
    match expr.roll_within(&mut ChaCha8Rng::seed_from_u64(3), limits) {
        Ok(roll) => {
            let _ = roll.to_string();
            None
        }
        Err(error) => Some(decent(&error, text)),
    }
}

/// Does some work for each text on a stack of two mebibytes. Fails with the text's beginning as soon as one takes too
/// long, without waiting for its end.
#[expect(clippy::needless_pass_by_value, reason = "every caller has made the texts for this")]
fn each<T: Send + 'static>(texts: Vec<String>, work: impl Fn(&str) -> T + Send + 'static) -> Vec<T> {
    let (sender, receiver) = mpsc::channel();
    let all = texts.clone();
    let worker = std::thread::Builder::new().stack_size(2 << 20).spawn(move || {
        for text in &all {
            let start = Instant::now();
            if sender.send((work(text), start.elapsed())).is_err() {
                return;
            }
        }
    });
    let worker = worker.unwrap();
    let mut slowest = (Duration::ZERO, "");
    let mut ends = Vec::with_capacity(texts.len());
    for text in &texts {
        match receiver.recv_timeout(PATIENCE) {
            Ok((end, spent)) => {
                ends.push(end);
                if spent > slowest.0 {
                    slowest = (spent, text);
                }
            }
            Err(RecvTimeoutError::Timeout) => {
                panic!("{} bytes of {} take too long", text.len(), shortened(text))
            }
            Err(RecvTimeoutError::Disconnected) => panic!("{}: {:?}", shortened(text), worker.join().is_ok()),
        }
    }
    println!("{} texts, the slowest {:?}: {}", texts.len(), slowest.0, shortened(slowest.1));
    ends
}

/// Attempts texts one after the other.
fn attempt_all(texts: Vec<String>, limits: Limits) -> Vec<Option<Code>> {
    each(texts, move |text| attempt(text, &limits))
}

/// Some words again and again, up to the length of a text.
fn filled(word: &str) -> String {
    word.repeat(LENGTH / word.len())
}

#[test]
fn every_single_character() {
    let characters: Vec<char> =
        (0..128_u8).map(char::from).chain("−×·÷—２ｄ　\u{a0}\u{200b}é🎲".chars()).collect();
    let texts: Vec<String> = characters.iter().map(|character| filled(&character.to_string())).collect();
    let ends = attempt_all(texts, Limits::default());
    let rolled: Vec<char> =
        characters.iter().zip(&ends).filter(|(_, end)| end.is_none()).map(|(c, _)| *c).collect();
    // Nothing but zeros is a text that can be rolled.
    assert_eq!(rolled, ['0']);
}

#[test]
fn every_single_character_after_and_before_dice() {
    let characters = || (0..128_u8).map(char::from).chain("−×·÷—".chars());
    let around = |character: char| {
        let run = character.to_string().repeat(LENGTH - 8);
        [format!("2d6{run}"), format!("{run}2d6"), format!("2d6{run}2d6")]
    };
    let ends = attempt_all(characters().flat_map(around).collect(), Limits::default());
    assert!(ends.iter().filter(|end| end.is_none()).count() >= 10, "blanks and comments do no harm");
}

/// What opens, nests or chains.
const WORDS: [&str; 36] = [
    "(", "-", "{", "^", "?", "!", "d", "1?", "(1", "1", "+", "**", "1d6", "1d(", "d{", "{1,", "abs(",
    "max(1,", "1^", "1?1:", ":", "a=", "a=1;", ";", "1d6c>=(", "1d6kh(", "c{", ",", "[", "#", "3x ", "!!",
    ")", "}", ">=", "r",
];

#[test]
fn every_pair_of_words_that_nest() {
    let mut texts = Vec::new();
    for first in WORDS {
        for second in WORDS {
            texts.push(filled(&format!("{first}{second}")));
        }
    }
    let few = texts.clone().into_iter().step_by(5).collect();
    let ends = attempt_all(texts, Limits::default());
    assert!(ends.contains(&Some(Code::Limit)) && ends.contains(&Some(Code::Unexpected)));
    attempt_all(few, extremes()[1]);
}

#[test]
fn pairs_of_words_that_are_closed_again() {
    let close = |opened: &str| -> String {
        opened
            .chars()
            .rev()
            .filter_map(|character| match character {
                '(' => Some(')'),
                '{' => Some('}'),
                _ => None,
            })
            .collect()
    };
    let mut texts = Vec::new();
    for first in WORDS {
        for second in WORDS {
            for times in [3, 60, Limits::MAX_DEPTH, 600] {
                let unit = format!("{first}{second}");
                texts.push(format!("{}1{}", unit.repeat(times), close(&unit).repeat(times)));
            }
        }
    }
    let long = Limits { text: 1 << 20, depth: Limits::MAX_DEPTH, ..Limits::default() };
    let ends = attempt_all(texts, long);
    assert!(ends.iter().filter(|end| end.is_none()).count() > 20, "some of them can be rolled");
}

/// What is tried as one thing and then again as another, level by level.
#[test]
fn what_is_tried_twice_at_each_level() {
    let units = [
        ("4d6!>=${A:-", "}"),
        ("p=4d6!>=${A:--", "}"),
        ("d6f=(1=", ")"),
        ("d6f=${A:-1=", "}"),
        ("d6f=max(1,1=", ")"),
        ("1d6!>=${A:-1?", "}"),
    ];
    let mut texts = Vec::new();
    for (open, close) in units {
        for times in [3, 8, 9, 30, 100] {
            for inside in ["1", "", "at2", "1]"] {
                texts.push(open.repeat(times) + inside);
                texts.push([&open.repeat(times), inside, &close.repeat(times)].concat());
            }
        }
    }
    let of_rules = texts.clone();
    let limits = Limits { text: 1 << 20, depth: Limits::MAX_DEPTH, ..Limits::default() };
    let ends = attempt_all(texts, limits);
    assert!(ends.iter().filter(|end| **end == Some(Code::Limit)).count() > 10, "{ends:?}");
    let known = each(of_rules, |text| dice::rules_in(text).is_some());
    assert!(known.contains(&true) && known.contains(&false));
}

/// Texts of every kind with the limits at nothing and at their most. What would throw a billion dice is left out.
#[test]
fn limits_at_nothing_and_at_their_most() {
    let texts = || {
        let mut texts: Vec<String> = ["language", "reports", "peers"]
            .iter()
            .flat_map(|name| {
                crate::read(&format!("fuzz/seeds/{name}.txt")).lines().map(str::to_owned).collect::<Vec<_>>()
            })
            .filter(|text| {
                !text.bytes().collect::<Vec<u8>>().windows(6).any(|six| six.iter().all(u8::is_ascii_digit))
            })
            .filter(|text| !text.contains("x "))
            .collect();
        texts.push(String::new());
        texts
    };
    let [least, most] = extremes();
    let ends = attempt_all(texts(), least);
    assert!(ends.iter().all(|end| matches!(end, Some(Code::Limit | Code::Nothing))), "{ends:?}");
    let ends = attempt_all(texts(), most);
    assert!(ends.iter().filter(|end| end.is_none()).count() > 300, "most of them roll");
}

/// What large numbers are refused for, with limits as they are and at their most.
#[test]
fn large_numbers() {
    let greatest = i64::MAX;
    for (text, default, most) in [
        ("1d9223372036854775807", None, None),
        ("1d9223372036854775808", Some(Code::NumberTooLarge), Some(Code::NumberTooLarge)),
        ("9223372036854775807d1", Some(Code::Limit), Some(Code::Limit)),
        ("2147483649d1", Some(Code::Limit), Some(Code::Limit)),
        ("(2^62)d6", Some(Code::Limit), Some(Code::Limit)),
        ("(2^100)d6", Some(Code::Limit), Some(Code::Limit)),
        ("1d(2^62)", None, None),
        ("1d(2^63)", Some(Code::NumberTooLarge), Some(Code::NumberTooLarge)),
        ("0d9223372036854775807", None, None),
        ("2^126", None, None),
        ("2^127", Some(Code::Overflow), Some(Code::Overflow)),
        ("2^9223372036854775807", Some(Code::Overflow), Some(Code::Overflow)),
        ("1^9223372036854775807", None, None),
        ("0^9223372036854775807", None, None),
        ("(-1)^9223372036854775807", None, None),
        ("(1/3)^9223372036854775807", Some(Code::Overflow), Some(Code::Overflow)),
        ("9^9^9^9", Some(Code::Overflow), Some(Code::Overflow)),
        ("255^255^255", Some(Code::Overflow), Some(Code::Overflow)),
        ("9223372036854775807*9223372036854775807", None, None),
        ("9223372036854775807*9223372036854775807*9", Some(Code::Overflow), Some(Code::Overflow)),
        ("1d{9223372036854775807}", None, None),
        ("1d{-9223372036854775807}", None, None),
        ("1d{1:9223372036854775807}", None, None),
        ("1d{1:9223372036854775806,2}", None, None),
        ("1d{1:9223372036854775807,2}", Some(Code::Faces), Some(Code::Faces)),
        ("1d{1..1000000}", None, None),
        ("1d{1..1000001}", Some(Code::Limit), None),
        ("1d{1..9223372036854775807}", Some(Code::Limit), None),
        ("1d{-9223372036854775807..9223372036854775807}", Some(Code::Limit), Some(Code::Faces)),
        ("1d6c{-9223372036854775807..9223372036854775807}", None, None),
        ("1d6mi9223372036854775807", None, None),
        ("2d6mi9223372036854775807*9223372036854775807", None, None),
        ("1d6kh9223372036854775807", Some(Code::TooFewDice), Some(Code::TooFewDice)),
        ("1d6!lim9223372036854775807", None, None),
        ("1d6r1lim9223372036854775807", None, None),
        ("9223372036854775807x 1", Some(Code::Limit), Some(Code::Limit)),
        ("1d6c>=(2^100)", None, None),
        ("1d6>=9223372036854775807-9223372036854775806", None, None),
    ] {
        let ends = attempt_all(vec![text.to_owned()], Limits::default());
        assert_eq!(ends, [default], "{text}");
        let ends = attempt_all(vec![text.to_owned()], extremes()[1]);
        assert_eq!(ends, [most], "{text} with wide limits");
    }
    assert_eq!(attempt(&format!("{greatest}+{greatest}"), &Limits::default()), None);
}

/// Mistakes that players and programs have made elsewhere: each is refused, while parsing or while rolling, or leaves
/// faces over.
#[test]
fn reported_mistakes() {
    for (text, faces, code) in [
        ("1d", &[][..], Code::MissingSides),
        ("4d6-L", &[], Code::UnknownName),
        ("3d6c=<2", &[], Code::Unexpected),
        ("1d6/0", &[], Code::DivisionByZero),
        ("5%0", &[], Code::DivisionByZero),
        ("1/(1d1-1)", &[], Code::DivisionByZero),
        ("2147483647d2147483647", &[], Code::Limit),
        ("4d0", &[], Code::Sides),
        ("9999999d999999999", &[], Code::Limit),
        ("100000000d20", &[], Code::Limit),
        ("1d1!", &[], Code::Endless),
        ("1d6!>=1", &[], Code::Endless),
        ("2d6r<=6", &[], Code::Endless),
        ("9^9^9^9", &[], Code::Overflow),
        ("255^255^255", &[], Code::Overflow),
        ("1001x 1000d100", &[], Code::Limit),
        ("２ｄ６＋１", &[], Code::Character),
        ("1d20—5", &[], Code::Character),
        ("2T6+1", &[], Code::NoDie),
        ("1,5+1", &[], Code::Unexpected),
        ("4d6zz1", &[], Code::UnknownStep),
        ("4d6kh3x", &[], Code::UnknownStep),
        ("2d6", &[3], Code::Script),
    ] {
        let error = match text.parse::<Expr>() {
            Ok(expr) if faces.is_empty() => expr.roll(&mut ChaCha8Rng::seed_from_u64(1)).unwrap_err(),
            Ok(expr) => expr.roll(&mut Script::new(faces.iter().copied())).unwrap_err(),
            Err(error) => error,
        };
        assert_eq!(decent(&error, text), code, "{text}: {error}");
    }
    for (text, faces) in [("1d6!lim2", &[6, 6, 6, 1][..]), ("1d6!", &[6, 1, 4])] {
        let mut script = Script::new(faces.iter().copied());
        text.parse::<Expr>().unwrap().roll(&mut script).unwrap();
        assert_eq!(script.exhausted().unwrap_err().to_string(), "one scripted face is left over", "{text}");
    }
}

/// Comments and labels do not reach beyond their line.
#[test]
fn comments_and_labels_end_with_their_line() {
    for (text, rolls) in [
        ("1 # a\n", true),
        ("1 # a\r\n ", true),
        ("1 # a\nb", false),
        ("1 # a\rb", false),
        ("1d6[a\nb]", false),
        ("1d6[a\rb]", false),
        ("1\n+\r\n2", true),
    ] {
        assert_eq!(attempt(text, &Limits::default()).is_none(), rolls, "{text:?}");
    }
}

/// Texts that are wrong at their innermost place. Where a part is tried twice in the same place, each more level
/// takes twice as long, and these never end.
#[test]
fn mistakes_deep_inside_are_found_as_soon_as_others() {
    let mut texts = Vec::new();
    for unit in [
        "1+1*(",
        "1=1+1*(",
        "1+1*1^(",
        "1=1+1*1^(",
        "1*1^(",
        "1^1^(",
        "1+-1*(",
        "1=1*(",
        "-1^(",
        "--1*-1^(",
        "2*{1+1*",
        "1d6!>=(",
        "1d6!!p>=abs(",
        "1d6!o<>max(1,",
        "1d6!c>=(",
        "1d6kh(",
        "1d6d(",
        "1d6r1r>(",
        "1d6c>=(1f<(",
        "{1d6,1+2*",
        "1?1?1:",
        "1?1:1?",
        "(1?1?1:",
        "1<1<1<(",
        "1[a][b]^(",
        "(1)d6kh(",
        "(1)d(",
        "a=1;(",
        "max(1+1*",
        "1d6!lim(",
        "1d6ro1lim(",
        "1d{1..(",
        "1+1?(",
    ] {
        for times in [3, 12, 30, 60] {
            let text = unit.repeat(times);
            texts.extend(["", "1", "1d6)", "x", ")", "1:", "}"].map(|tail| format!("{text}{tail}")));
        }
    }
    let limits = Limits { depth: Limits::MAX_DEPTH, ..Limits::default() };
    let ends = attempt_all(texts.clone(), limits);
    assert!(ends.iter().all(Option::is_some), "all of them are wrong");
    let grammar = Grammar::built_in();
    let same = each(texts, move |text| grammar.parse(text, &limits).err().map(|error| decent(&error, text)));
    assert_eq!(same, ends, "a grammar that is read says the same");
}

/// A grammar that is read has its own way through a text; it must be as safe.
#[test]
fn a_grammar_that_is_read_is_as_safe() {
    let limits = Limits { depth: Limits::MAX_DEPTH, ..Limits::default() };
    let grammar = Grammar::built_in();
    let mut texts = Vec::new();
    for first in WORDS {
        texts.extend(WORDS.iter().step_by(3).map(|second| filled(&format!("{first}{second}"))));
    }
    let again = grammar.clone();
    each(texts, move |text| again.parse(text, &limits).err().map(|error| decent(&error, text)));
    let deepest = [("(", ")"), ("{1,", "}"), ("-", ""), ("1^", ""), ("abs(", ")"), ("1?2:", "")].map(
        |(open, close)| {
            let times = Limits::MAX_DEPTH;
            format!("{}1{}", open.repeat(times), close.repeat(times))
        },
    );
    let ends = each(deepest.into(), move |text| grammar.parse(text, &limits).is_ok());
    assert_eq!(ends, [true; 6]);
}

/// Odds of hostile texts: within a small budget there is an answer or a refusal, on a small stack.
#[test]
fn odds_end_within_their_budget() {
    let limits = Limits { steps: 20_000_000, ..extremes()[1] };
    let options = Odds { limits, ..Odds::default() };
    let depth = Limits::MAX_DEPTH;
    let mut texts: Vec<String> = [
        "1000000d6",
        "1000000d1000000",
        "1d9223372036854775807",
        "2d9223372036854775807",
        "1000d1000kh500",
        "100d100!!kh50",
        "1d1000000!>=2",
        "2147483648d6",
        "100d{1..1000000}",
        "(1d1000)d(1d1000)",
        "(1d1000)d20!",
        "5000d(1d20)",
        "{4d6r1lim390001}>d91",
        "2d6r1lim31000001/242d6!lim0",
        "24d6!khd2r2d2r3kr1",
        "d2666!dd!213",
        "{0d6+1d6!d!64}>52d2",
        "{2d6+0d10004}!6d6!>54d6",
        "2d6mi9223372036854775807*9223372036854775807",
        "(0>=-1)d6",
        "4d5r<=3kh3d(3d6!p6)>(2<48)d6",
        "1d7!<>5 d1!6",
        "3d6−{d15!>=5dl}",
        "d1!p9kh2233207",
        "d1!p9kh22337203fail775807",
        "min(21d%d7!6!d62)",
        "44d6kh3!d6kh3!",
        "22d7roDDDd7roDDD",
        "4d6!!>=3kh3",
        "-d61=d36d(d1/27)",
        "242d10^16+0--6+0-4",
        "{1d6,d8161+2}kh1",
        "{2d4,11**5d610}k1",
        "2d11000!112k",
        "{1d4,10**(1d18)}kh2",
        "{1d{1,9000000000},1d4}",
        "50d{1,900000000000}",
        "20d{1,20000000}kh3",
        "3d{1,900000000000}!!kl2",
        "{1d6/7,1d{1,900000000000}}kh1",
        "(1d20)d(1d20)kh1",
        "1d6^1d6^1d6",
        "(1d100)^(1d20)",
        "1/(1d1000)+1/(1d999)",
        "a=100d100; b=a+1d100; a*b+a",
        "p=50d20; (p kh10)*(p kl10)",
        "10000d6c>=5f1",
        "{100d6,100d6,100d6,100d6}kh2",
        "1d{1:9223372036854775806,2}",
        "99d99r<=98!>1",
        "1000d6!p",
        "1000d6!!p>=2kl500",
        "1d2!>=2",
        "100d6s",
        "1000000d6ro<=5",
        "9223372036854775807*1d9",
        "2^(1d126)",
        "2^(1d127)",
    ]
    .map(str::to_owned)
    .into();
    for (open, inside, close) in [
        ("(", "1d6", ")"),
        ("-", "1d6", ""),
        ("{1,", "1d4", "}"),
        ("abs(", "1d6", ")"),
        ("1?2:", "1d6", ""),
        ("(1d6>3?", "1", ":2)"),
    ] {
        texts.push(format!("{}{inside}{}", open.repeat(depth / 3), close.repeat(depth / 3)));
    }
    texts.push(format!("1d6{}", "+1d6".repeat(1000)));
    texts.push(format!("1d6{}", "*1d6".repeat(40)));
    texts.push(format!("max(1d6{})", ",1d6".repeat(1000)));
    let ends =
        each(texts, move |text| match Expr::parse(text, &limits).and_then(|expr| expr.odds(&options)) {
            Ok(odds) => {
                let sum: f64 = odds.outcomes().map(|(_, chance)| chance).sum();
                assert!((sum + odds.tail_mass() - 1.0).abs() < 1e-6, "{}: {sum}", shortened(text));
                None
            }
            Err(error) => Some(decent(&error, text)),
        });
    assert!(ends.iter().filter(|end| end.is_none()).count() > 5, "{ends:?}");
    assert!(ends.iter().filter(|end| **end == Some(Code::Budget)).count() > 5, "{ends:?}");
}
