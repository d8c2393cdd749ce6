//! How time and memory grow with the number of dice and with the length of a text.

use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

use dice::{Expr, Limits};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

const DICE: [u64; 6] = [10, 100, 1_000, 10_000, 100_000, 1_000_000];
const BYTES: [usize; 6] = [10, 40, 100, 400, 1_000, 4_000];

/// Shapes of texts with some number of dice.
const ROLLS: [(&str, &str); 8] = [
    ("plain", "{}d6"),
    ("keep half", "{}d6kh{/2}"),
    ("keep half, d1000000", "{}d1000000kh{/2}"),
    ("explode", "{}d6!lim1"),
    ("compound", "{}d6!!"),
    ("reroll", "{}d6r1"),
    ("count", "{}d10c>=8f1"),
    ("sort", "{}d100s"),
];

fn text(shape: &str, dice: u64) -> String {
    shape.replace("{/2}", &(dice / 2).to_string()).replace("{}", &dice.to_string())
}

fn limits() -> Limits {
    Limits { dice: 4_000_000, ..Limits::default() }
}

fn best<T>(rounds: u32, mut run: impl FnMut() -> T) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..rounds {
        let start = Instant::now();
        black_box(run());
        best = best.min(start.elapsed().as_secs_f64());
    }
    best * 1e9
}

/// A text of about so many bytes, by the name of its shape.
fn long(shape: &str, bytes: usize) -> String {
    let grow = |unit: &str, end: &str| {
        let mut text = unit.repeat(bytes.saturating_sub(end.len()) / unit.len());
        text.push_str(end);
        text
    };
    match shape {
        "sum of dice" => grow("1d6+", "1"),
        "sum of brackets" => grow("(1)+", "1"),
        "group" => format!("{{{}}}", grow("1d4,", "1")),
        "faces" => format!("1d{{{}}}", grow("1,", "1")),
        "number" => format!("{}1", "0".repeat(bytes - 1)),
        "blanks" => format!("1{}", " ".repeat(bytes - 1)),
        "comment" => format!("1#{}", "x".repeat(bytes - 2)),
        "names" => grow("a=1;", "a"),
        "wrong at the end" => grow("1d6+", "$"),
        other => other.to_owned(),
    }
}

const SHAPES: [&str; 9] = [
    "sum of dice",
    "sum of brackets",
    "group",
    "faces",
    "number",
    "blanks",
    "comment",
    "names",
    "wrong at the end",
];

pub fn print(rounds: u32) {
    println!("\n## Growth with the number of dice: nanoseconds for each die\n");
    println!("| recorded | {} |", DICE.map(|dice| dice.to_string()).join(" | "));
    println!("|---|{}", "---:|".repeat(DICE.len()));
    for (name, shape) in ROLLS {
        let cells = DICE.map(|dice| {
            let expr = Expr::parse(&text(shape, dice), &limits()).unwrap();
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(harness::SEED);
            let times = rounds * u32::try_from(100_000 / dice).unwrap().clamp(1, 1000);
            let spent = best(times, || expr.roll_within(&mut rng, &limits()).unwrap());
            format!("{:.2}", spent / dice as f64)
        });
        println!("| {name} `{shape}` | {} |", cells.join(" | "));
    }
    println!("\n## Growth with the length of a text: nanoseconds to parse each byte\n");
    println!("| text | {} |", BYTES.map(|bytes| bytes.to_string()).join(" | "));
    println!("|---|{}", "---:|".repeat(BYTES.len()));
    for shape in SHAPES {
        let cells = BYTES.map(|bytes| {
            let text = long(shape, bytes);
            let spent = best(rounds * 20, || text.parse::<Expr>().is_ok());
            format!("{:.1}", spent / text.len() as f64)
        });
        println!("| {shape} | {} |", cells.join(" | "));
    }
    println!(
        "\n## Growth of memory: peak kB of a process of its own, less that of one which rolls nothing\n"
    );
    println!("| recorded | {} |", DICE.map(|dice| dice.to_string()).join(" | "));
    println!("|---|{}", "---:|".repeat(DICE.len()));
    let none = child("roll", "1");
    for (name, shape) in ROLLS {
        let cells = DICE.map(|dice| child("roll", &text(shape, dice)).saturating_sub(none).to_string());
        println!("| {name} `{shape}` | {} |", cells.join(" | "));
    }
    let cells = DICE.map(|dice| child("total", &text("{}d6", dice)).saturating_sub(none).to_string());
    println!("| total only `{{}}d6` | {} |", cells.join(" | "));
    println!("\n| parsed | {} |", BYTES.map(|bytes| bytes.to_string()).join(" | "));
    println!("|---|{}", "---:|".repeat(BYTES.len()));
    for shape in SHAPES {
        let cells = BYTES.map(|bytes| child("parse", &long(shape, bytes)).saturating_sub(none).to_string());
        println!("| {shape} | {} |", cells.join(" | "));
    }
    println!("\nA process that rolls nothing: {none} kB.");
}

fn child(what: &str, text: &str) -> u64 {
    let run = || {
        let output = Command::new(std::env::current_exe().unwrap()).args(["peak", what, text]).output();
        String::from_utf8(output.unwrap().stdout).unwrap().trim().parse().unwrap_or(0)
    };
    (0..3).map(|_| run()).min().unwrap_or(0)
}

/// Does one thing and prints the peak of memory in kB.
pub fn peak(what: &str, text: &str) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(harness::SEED);
    let expr = Expr::parse(text, &limits());
    match (what, &expr) {
        ("roll", Ok(expr)) => drop(black_box(expr.roll_within(&mut rng, &limits()))),
        ("total", Ok(expr)) => drop(black_box(expr.total(&mut rng))),
        _ => {}
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0");
    println!("{}", line.trim().trim_end_matches(" kB"));
}
