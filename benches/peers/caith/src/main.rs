//! Samples of caith, on demand; and of this crate in a build where pest has its default features.

use caith::Roller;
use dice::Expr;
use harness::{Bench, CASES, SEED, Task, repeat, serve};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand08::SeedableRng as _;
use rand08::rngs::SmallRng;

fn main() -> std::io::Result<()> {
    let mut benches = Vec::new();
    // caith refuses more than 5000 dice. It has no tree: it looks at pest's pairs again at each roll.
    let texts = ["1d20", "4d6K3", "2d6+1d4+3", "10d10!9", "100d6K50", "1000d6"];
    for (case, text) in texts.into_iter().enumerate() {
        let mut rng = SmallRng::seed_from_u64(SEED);
        let roller = Roller::new(text).unwrap();
        assert!(roller.roll_with(&mut rng).unwrap().as_single().unwrap().get_total() > 0);
        let mut add = |task, sample| benches.push(Bench { task, case, peer: "caith".into(), sample });
        add(Task::Parse, repeat(move || roller.dices().is_ok()));
        add(Task::Both, repeat(move || Roller::new(text).unwrap().roll_with(&mut rng).unwrap()));
    }
    for (case, text) in CASES.into_iter().enumerate() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(SEED);
        let mut add =
            |task, sample| benches.push(Bench { task, case, peer: "dice, pest/std".into(), sample });
        add(Task::Parse, repeat(move || text.parse::<Expr>().unwrap()));
        add(Task::Both, repeat(move || text.parse::<Expr>().unwrap().roll(&mut rng).unwrap()));
    }
    serve(benches)
}
