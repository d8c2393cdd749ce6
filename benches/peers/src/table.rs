//! Rounds over all benches, and the table of the best times.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{cell::RefCell, rc::Rc};

use harness::{Bench, Best, CASES, Task};

/// The benches of the executable beside this one, if it has been built.
fn caith() -> Vec<Bench> {
    let path = std::env::current_exe().unwrap().with_file_name("caith-peer");
    let Ok(child) = Command::new(path).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn() else {
        eprintln!("caith is left out: cargo build --release -p caith-peer builds it");
        return Vec::new();
    };
    let mut lines = BufReader::new(child.stdout.unwrap()).lines();
    let mut list = Vec::new();
    while let Some(Ok(line)) = lines.next().filter(|line| line.as_ref().is_ok_and(|line| !line.is_empty())) {
        list.push(line);
    }
    let pipe = Rc::new(RefCell::new((child.stdin.unwrap(), lines)));
    list.iter()
        .enumerate()
        .map(|(index, line)| {
            let mut words = line.splitn(3, ' ');
            let mut number = || words.next().unwrap().parse::<usize>().unwrap();
            let (task, case) = (Task::ALL[number()], number());
            let pipe = Rc::clone(&pipe);
            let sample = Box::new(move |times: u32| {
                let (stdin, lines) = &mut *pipe.borrow_mut();
                writeln!(stdin, "{index} {times}").unwrap();
                stdin.flush().unwrap();
                Duration::from_nanos(lines.next().unwrap().unwrap().parse().unwrap())
            });
            Bench { task, case, peer: words.next().unwrap().to_owned(), sample }
        })
        .collect()
}

pub fn print(rounds: u32) {
    let mut benches = crate::peers::all();
    benches.extend(caith());
    let mut best: Vec<Best> = benches.iter_mut().map(Best::new).collect();
    for _ in 0..rounds {
        for (bench, best) in benches.iter_mut().zip(&mut best) {
            best.round(bench);
        }
    }
    println!(
        "Nanoseconds, best of {rounds} interleaved rounds; `—`: cannot be expressed or is the same as another."
    );
    println!("In brackets: how many times slower than the best of `dice`, `dice, reused` and `dice, engine`.");
    for task in Task::ALL {
        let mut peers: Vec<&str> = Vec::new();
        for bench in benches.iter().filter(|bench| bench.task == task) {
            if !peers.contains(&&*bench.peer) {
                peers.push(&bench.peer);
            }
        }
        println!("\n## {}\n\n| case | {} |", task.title(), peers.join(" | "));
        println!("|---|{}", "---:|".repeat(peers.len()));
        for (case, text) in CASES.iter().enumerate() {
            let time = |peer: &str| {
                benches
                    .iter()
                    .zip(&best)
                    .find(|(bench, _)| bench.task == task && bench.case == case && bench.peer == peer)
                    .map(|(_, best)| best.nanos)
            };
            let ours = ["dice", "dice, reused", "dice, engine"].into_iter().filter_map(time).fold(f64::INFINITY, f64::min);
            let cells: Vec<String> = peers
                .iter()
                .map(|peer| match time(peer) {
                    Some(nanos)
                        if *peer == "dice" || peer.starts_with("dice,") || peer.starts_with("dice.") =>
                    {
                        show(nanos)
                    }
                    Some(nanos) => format!("{} ({:.2})", show(nanos), nanos / ours),
                    None => "—".to_owned(),
                })
                .collect();
            println!("| `{text}` | {} |", cells.join(" | "));
        }
    }
}

/// Nanoseconds for people.
pub fn show(nanos: f64) -> String {
    if nanos < 100.0 { format!("{nanos:.1}") } else { format!("{nanos:.0}") }
}
