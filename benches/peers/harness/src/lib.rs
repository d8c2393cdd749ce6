//! What is measured, and how: shared by the executables of this comparison.

use std::hint::black_box;
use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

/// The seed of every generator.
pub const SEED: u64 = 42;

/// The texts, in this crate's notation.
pub const CASES: [&str; 7] = ["1d20", "4d6kh3", "2d6+1d4+3", "10d10!>8", "100d6kh50", "1000d6", "100000d6"];

/// What is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Task {
    /// A text to its tree.
    Parse,
    /// A parsed text to a result that holds every die.
    Roll,
    /// A parsed text to its total.
    Total,
    /// A text to a result that holds every die.
    Both,
}

impl Task {
    pub const ALL: [Task; 4] = [Task::Parse, Task::Roll, Task::Total, Task::Both];

    pub fn title(self) -> &'static str {
        match self {
            Task::Parse => "parse to a tree",
            Task::Roll => "roll a parsed text, every die recorded",
            Task::Total => "roll a parsed text, total only",
            Task::Both => "parse and roll, every die recorded",
        }
    }
}

/// Something that can be run so many times and says how long that took.
pub struct Bench {
    pub task: Task,
    pub case: usize,
    pub peer: String,
    pub sample: Box<dyn FnMut(u32) -> Duration>,
}

/// The best of many samples.
pub struct Best {
    pub nanos: f64,
    times: u32,
}

impl Best {
    pub fn new(bench: &mut Bench) -> Best {
        // A sample lasts about 80 us, so that many fall between two interruptions.
        let mut times = 1;
        loop {
            let spent = (0..3).map(|_| (bench.sample)(times)).min().unwrap_or_default();
            if spent > Duration::from_micros(80) || times >= 1 << 16 {
                return Best { nanos: f64::INFINITY, times };
            }
            times *= 2;
        }
    }

    pub fn round(&mut self, bench: &mut Bench) {
        (bench.sample)(self.times / 2); // brings code and data back into the caches
        let spent = (bench.sample)(self.times).as_secs_f64() * 1e9 / f64::from(self.times);
        self.nanos = self.nanos.min(spent);
    }
}

/// Times a closure; its result is dropped within the time.
pub fn repeat<T>(mut run: impl FnMut() -> T + 'static) -> Box<dyn FnMut(u32) -> Duration> {
    Box::new(move |times| {
        let start = Instant::now();
        for _ in 0..times {
            black_box(run());
        }
        start.elapsed()
    })
}

/// Times a closure that uses up its input; the inputs are made before the clock starts.
pub fn repeat_on<I: 'static, T>(
    mut make: impl FnMut() -> I + 'static,
    mut run: impl FnMut(I) -> T + 'static,
) -> Box<dyn FnMut(u32) -> Duration> {
    Box::new(move |times| {
        let inputs: Vec<I> = (0..times).map(|_| make()).collect();
        let start = Instant::now();
        for input in inputs {
            black_box(run(input));
        }
        start.elapsed()
    })
}

/// Lists the benches on standard output, then answers each line `index times` with nanoseconds.
pub fn serve(mut benches: Vec<Bench>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for bench in &benches {
        let task = Task::ALL.iter().position(|task| *task == bench.task).unwrap_or(0);
        writeln!(out, "{task} {} {}", bench.case, bench.peer)?;
    }
    writeln!(out)?;
    out.flush()?;
    for line in io::stdin().lock().lines() {
        let line = line?;
        let mut words = line.split(' ').filter_map(|word| word.parse::<u32>().ok());
        let (Some(index), Some(times)) = (words.next(), words.next()) else { continue };
        let spent = (benches[index as usize].sample)(times);
        writeln!(out, "{}", spent.as_nanos())?;
        out.flush()?;
    }
    Ok(())
}
