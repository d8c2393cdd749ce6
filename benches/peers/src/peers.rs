//! One function for each crate: its benches for all cases that it can express.

use dice::{Expr, Limits};
use harness::{Bench, CASES, SEED, Task, repeat, repeat_on};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

/// The generator of all crates on rand 0.10. `SmallRng` of rand 0.8 and 0.9 is the same algorithm.
fn rng() -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(SEED)
}

struct Peer {
    name: &'static str,
    benches: Vec<Bench>,
}

impl Peer {
    fn new(name: &'static str) -> Peer {
        Peer { name, benches: Vec::new() }
    }

    fn add(&mut self, task: Task, case: usize, sample: Box<dyn FnMut(u32) -> std::time::Duration>) {
        self.benches.push(Bench { task, case, peer: self.name.to_owned(), sample });
    }
}

pub fn all() -> Vec<Bench> {
    [
        dice_fresh(),
        dice_reused(),
        dice_engine(),
        dice_loaded(),
        pest_alone(),
        tyche(),
        xdy(),
        xdy_unoptimized(),
        rpg(),
        rollkit(),
        dice_parser(),
    ]
    .into_iter()
    .flat_map(|peer| peer.benches)
    .collect()
}

fn dice_fresh() -> Peer {
    let mut peer = Peer::new("dice");
    for (case, text) in CASES.into_iter().enumerate() {
        let expr: Expr = text.parse().unwrap();
        let again = expr.clone();
        let (mut roll_rng, mut total_rng, mut both_rng) = (rng(), rng(), rng());
        peer.add(Task::Parse, case, repeat(move || text.parse::<Expr>().unwrap()));
        peer.add(Task::Roll, case, repeat(move || expr.roll(&mut roll_rng).unwrap()));
        peer.add(Task::Total, case, repeat(move || again.total(&mut total_rng).unwrap()));
        peer.add(
            Task::Both,
            case,
            repeat(move || text.parse::<Expr>().unwrap().roll(&mut both_rng).unwrap()),
        );
    }
    peer
}

fn dice_reused() -> Peer {
    let mut peer = Peer::new("dice, reused");
    for (case, text) in CASES.into_iter().enumerate() {
        let expr: Expr = text.parse().unwrap();
        let mut rng = rng();
        let mut roll = expr.roll(&mut rng).unwrap();
        let limits = Limits::default();
        peer.add(
            Task::Roll,
            case,
            repeat(move || {
                expr.roll_into(&mut roll, &mut rng, &limits).unwrap();
                roll.total()
            }),
        );
    }
    peer
}

/// An engine that has seen the text before.
fn dice_engine() -> Peer {
    let mut peer = Peer::new("dice, engine");
    for (case, text) in CASES.into_iter().enumerate() {
        let mut engine = dice::Engine::new();
        let mut rng = rng();
        peer.add(Task::Both, case, repeat(move || engine.roll(text, &mut rng).unwrap().total()));
    }
    peer
}

/// The same grammar file read at run time, and parsed with the machine that does so instead of with pest, as an engine does
/// with a text that it has not seen before.
fn dice_loaded() -> Peer {
    let mut peer = Peer::new("dice, loaded");
    for (case, text) in CASES.into_iter().enumerate() {
        let grammar = dice::Grammar::built_in();
        let limits = Limits::default();
        let mut engine = dice::Engine::new().with_capacity(0);
        let mut rng = rng();
        peer.add(Task::Parse, case, repeat(move || grammar.parse(text, &limits).unwrap()));
        peer.add(Task::Both, case, repeat(move || engine.roll(text, &mut rng).unwrap().total()));
    }
    peer
}

/// What pest takes for this grammar and these texts: the floor of `dice`.
fn pest_alone() -> Peer {
    use pest::Parser;
    let mut peer = Peer::new("dice.pest alone");
    for (case, text) in CASES.into_iter().enumerate() {
        peer.add(Task::Parse, case, repeat(move || floor::Grammar::parse(floor::Rule::roll, text).unwrap()));
    }
    peer
}

mod floor {
    #[derive(pest_derive::Parser)]
    #[grammar = "../../dice.pest"]
    pub struct Grammar;
}

/// Counts and sides are bytes, so 1000d6 cannot be written.
fn tyche() -> Peer {
    use tyche::Expr;
    use tyche::dice::roller::FastRand;
    let mut peer = Peer::new("tyche");
    for (case, text) in ["1d20", "4d6kh3", "2d6+1d4+3", "10d10x>8", "100d6kh50"].into_iter().enumerate() {
        let expr: Expr = text.parse().unwrap();
        assert!(expr.eval(&mut FastRand::with_seed(SEED)).unwrap().calc().unwrap() > 0);
        let rng = || FastRand::with_seed(SEED);
        let (mut roll_rng, mut total_rng, mut both_rng) = (rng(), rng(), rng());
        let again = expr.clone();
        peer.add(Task::Parse, case, repeat(move || text.parse::<Expr>().unwrap()));
        peer.add(
            Task::Roll,
            case,
            repeat(move || {
                let rolled = expr.eval(&mut roll_rng).unwrap();
                let total = rolled.calc().unwrap();
                std::hint::black_box(rolled);
                total
            }),
        );
        peer.add(Task::Total, case, repeat(move || again.eval(&mut total_rng).unwrap().calc().unwrap()));
        peer.add(
            Task::Both,
            case,
            repeat(move || {
                let expr: Expr = text.parse().unwrap();
                expr.eval(&mut both_rng).unwrap().calc().unwrap()
            }),
        );
    }
    peer
}

/// Has no explosions; keeping is written as dropping.
const XDY: [(usize, &str); 6] = [
    (0, "1d20"),
    (1, "4d6 drop lowest 1"),
    (2, "2d6+1d4+3"),
    (4, "100d6 drop lowest 50"),
    (5, "1000d6"),
    (6, "100000d6"),
];

fn xdy() -> Peer {
    let mut peer = Peer::new("xdy");
    for (case, text) in XDY {
        let mut evaluator = xdy::Evaluator::new(xdy::compile(text).unwrap());
        let mut again = xdy::Evaluator::new(xdy::compile(text).unwrap());
        assert!(again.evaluate([], &mut rng()).unwrap().result > 0);
        let (mut roll_rng, mut total_rng, mut both_rng) = (rng(), rng(), rng());
        peer.add(Task::Parse, case, repeat(move || xdy::Parser::parse(text).unwrap()));
        peer.add(Task::Roll, case, repeat(move || evaluator.evaluate([], &mut roll_rng).unwrap()));
        peer.add(Task::Total, case, repeat(move || again.evaluate([], &mut total_rng).unwrap().result));
        peer.add(Task::Both, case, repeat(move || xdy::evaluate(text, [], [], &mut both_rng).unwrap()));
    }
    peer
}

/// The quicker way to roll a text once.
fn xdy_unoptimized() -> Peer {
    let mut peer = Peer::new("xdy, unoptimized");
    for (case, text) in XDY {
        let mut rng = rng();
        peer.add(
            Task::Both,
            case,
            repeat(move || xdy::evaluate_unoptimized(text, [], [], &mut rng).unwrap()),
        );
    }
    peer
}

/// A roll uses up the tree; the copies are made before the clock starts. Throws at most 999 dice, whatever the
/// text says, so the last two cases are left out.
fn rpg() -> Peer {
    use rand08::SeedableRng;
    use rand08::rngs::SmallRng;
    use rpg_dice_roller::{parse, roll_with};
    let mut peer = Peer::new("rpg-dice-roller");
    for (case, text) in CASES.into_iter().enumerate() {
        peer.add(Task::Parse, case, repeat(move || parse(text).unwrap()));
        if text.starts_with("1000") {
            continue;
        }
        let rng = || SmallRng::seed_from_u64(SEED);
        let expr = parse(text).unwrap();
        assert!(expr.clone().roll(&mut rng()).value() > 0.0);
        let again = expr.clone();
        let (mut roll_rng, mut total_rng, mut both_rng) = (rng(), rng(), rng());
        peer.add(
            Task::Roll,
            case,
            repeat_on(
                move || expr.clone(),
                move |expr| {
                    let rolled = expr.roll(&mut roll_rng);
                    let total = rolled.value();
                    std::hint::black_box(rolled);
                    total
                },
            ),
        );
        peer.add(
            Task::Total,
            case,
            repeat_on(move || again.clone(), move |expr| expr.roll(&mut total_rng).value()),
        );
        peer.add(Task::Both, case, repeat(move || roll_with(text, &mut both_rng).unwrap().value()));
    }
    peer
}

/// Has no explosions; the result holds the dice that are kept, not those that are dropped.
fn rollkit() -> Peer {
    use rand09::SeedableRng;
    use rand09::rngs::SmallRng;
    use rollkit::{eval_with, parse};
    let mut peer = Peer::new("rollkit");
    for (case, text) in CASES.into_iter().enumerate().filter(|(_, text)| !text.contains('!')) {
        let rng = || SmallRng::seed_from_u64(SEED);
        let expr = parse(text).unwrap();
        assert!(eval_with(&expr, &mut rng()).unwrap().sum() > 0);
        let again = expr.clone();
        let (mut roll_rng, mut total_rng, mut both_rng) = (rng(), rng(), rng());
        peer.add(Task::Parse, case, repeat(move || parse(text).unwrap()));
        peer.add(
            Task::Roll,
            case,
            repeat(move || {
                let rolled = eval_with(&expr, &mut roll_rng).unwrap();
                let total = rolled.sum();
                std::hint::black_box(rolled);
                total
            }),
        );
        peer.add(Task::Total, case, repeat(move || eval_with(&again, &mut total_rng).unwrap().sum()));
        peer.add(
            Task::Both,
            case,
            repeat(move || eval_with(&parse(text).unwrap(), &mut both_rng).unwrap().sum()),
        );
    }
    peer
}

/// Cannot write keep or explode; trees with keep can be built by hand.
fn dice_parser() -> Peer {
    use dice_parser::{DiceExpr, Keep, RollSpec};
    use rand09::SeedableRng;
    use rand09::rngs::SmallRng;
    let mut peer = Peer::new("dice-parser");
    for (case, text) in CASES.into_iter().enumerate() {
        let rng = || SmallRng::seed_from_u64(SEED);
        let (mut roll_rng, mut total_rng, mut both_rng) = (rng(), rng(), rng());
        let expr = match text {
            "4d6kh3" => DiceExpr::Roll(RollSpec::new(4, 6, Some(Keep::Highest(3)))),
            "100d6kh50" => DiceExpr::Roll(RollSpec::new(100, 6, Some(Keep::Highest(50)))),
            "10d10!>8" => continue,
            plain => {
                peer.add(Task::Parse, case, repeat(move || DiceExpr::parse(plain).unwrap()));
                peer.add(
                    Task::Both,
                    case,
                    repeat(move || DiceExpr::parse(plain).unwrap().roll_with_rng(&mut both_rng).unwrap()),
                );
                DiceExpr::parse(plain).unwrap()
            }
        };
        assert!(expr.roll_with_rng(rng()).unwrap().total > 0);
        let again = expr.clone();
        peer.add(Task::Roll, case, repeat(move || expr.roll_with_rng(&mut roll_rng).unwrap()));
        peer.add(Task::Total, case, repeat(move || again.roll_with_rng(&mut total_rng).unwrap().total));
    }
    peer
}
