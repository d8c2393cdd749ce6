//! Times one whole exact distribution in this crate and in `xdy`, in one run, and prints a line of JSON a case.
//!
//! Both are timed twice: from the parsed text (what is left to do once a text is understood) and from the text itself.

use std::hint::black_box;
use std::time::{Duration, Instant};

use dice::{Expr, Odds, Precision};
use xdy::{Budget, Evaluator, Unobserved, compile};

/// The name of a case, its text here, and its text in xdy if that can say it.
const CASES: [(&str, Option<&str>); 13] = [
    ("3d6", Some("3D6")),
    ("4d6kh3", Some("4D6 drop lowest 1")),
    ("2d20kh1", Some("2D20 drop lowest 1")),
    ("10d10kh5", Some("10D10 drop lowest 5")),
    ("20d10>=8", None),
    ("100d6", Some("100D6")),
    ("100d6kh50", Some("100D6 drop lowest 50")),
    ("40d20kh20", Some("40D20 drop lowest 20")),
    ("{10d6+10d8+10d10}kh10", None),
    ("(1d100)d6", Some("(1D100)D6")),
    ("1000d6", Some("1000D6")),
    ("500d100", Some("500D100")),
    ("1000d6kh500", None),
];

/// The least time of many runs, in microseconds: other work on the machine only ever adds.
fn least(mut run: impl FnMut()) -> f64 {
    let begin = Instant::now();
    run();
    let first = begin.elapsed();
    let mut best = first;
    let mut rounds = 0;
    let until = begin + Duration::from_millis(400).max(first);
    while Instant::now() < until && rounds < 100_000 {
        let start = Instant::now();
        run();
        best = best.min(start.elapsed());
        rounds += 1;
    }
    best.as_secs_f64() * 1e6
}

fn main() {
    let options = Odds { precision: Precision::Exact, ..Odds::default() };
    for (text, theirs) in CASES {
        let expr: Expr = text.parse().expect(text);
        let parsed = least(|| drop(black_box(expr.odds(&options).expect(text))));
        let whole = least(|| drop(black_box(text.parse::<Expr>().expect(text).odds(&options).expect(text))));
        let xdy = theirs.map(|theirs| {
            let build = |evaluator: &Evaluator| {
                let plan = evaluator.plan_distribution([]).expect(theirs);
                drop(black_box(plan.build(Budget::UNLIMITED, &Unobserved).expect(theirs)));
            };
            let evaluator = Evaluator::new(compile(theirs).expect(theirs));
            let parsed = least(|| build(&evaluator));
            let whole = if parsed > 1e6 {
                parsed
            } else {
                least(|| build(&Evaluator::new(compile(theirs).expect(theirs))))
            };
            (parsed, whole)
        });
        let xdy = xdy.map_or("null".to_owned(), |(parsed, whole)| format!("[{parsed},{whole}]"));
        println!("{{\"case\":{text:?},\"dice\":[{parsed},{whole}],\"xdy\":{xdy}}}");
    }
}
