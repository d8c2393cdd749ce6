//! Faces come up as often as they should, on every way to draw them: chi-square over a million faces and more.
//!
//! Generators are seeded, so a test passes always or never. A correct source fails with a chance of two in a million
//! for each of some hundred figures; a source that favours a face a little fails for certain, which is shown too.

#![expect(clippy::cast_precision_loss, reason = "chances need no more than a dozen digits")]

use dice::{Die, Entry, Expr, Faces, Limits, State};
use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

/// How many faces are drawn on each way.
const FACES: usize = 1_000_000;

/// The least chance that is believed, on either side.
const DOUBT: f64 = 1e-6;

/// Large cells of a large die.
const CELLS: u64 = 500;

fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

fn plain(sides: u64) -> Die {
    Die::plain(sides).unwrap()
}

fn listed(entries: &[(i64, i64, u64)]) -> Die {
    Die::listed(entries.iter().map(|&(low, high, weight)| Entry { low, high, weight }).collect()).unwrap()
}

fn dice() -> Vec<Die> {
    let mut dice: Vec<Die> = [2, 3, 6, 20, 100, 255, 256, 1000, 1_000_000_007].map(plain).into();
    dice.push(Die::Fudge);
    dice.push(listed(&[(1, 3, 1), (5, 5, 2)]));
    dice.push(listed(&[
        (-2, -2, 1_000_000_000_000_003),
        (0, 9, 700_000_000_000_001),
        (1000, 1000, 30_000_000_000_000_001),
    ]));
    dice
}

/// The chance of a chi-square of at least so much with so many degrees of freedom: the regularised upper
/// incomplete gamma function of half of both, by its series or its continued fraction.
pub fn tail(chi_square: f64, degrees: u32) -> f64 {
    let (a, x) = (f64::from(degrees) / 2.0, chi_square / 2.0);
    // The logarithm of gamma(a), by its recurrence from gamma(1) or gamma(1/2).
    let odd = degrees % 2 == 1;
    let mut log_gamma = if odd { std::f64::consts::PI.sqrt().ln() } else { 0.0 };
    let mut next = if odd { 0.5 } else { 1.0 };
    while next < a - 0.1 {
        log_gamma += f64::ln(next);
        next += 1.0;
    }
    let front = (a * x.ln() - x - log_gamma).exp();
    if x < a + 1.0 {
        let (mut term, mut sum, mut n) = (1.0 / a, 1.0 / a, a);
        while term > sum * 1e-15 {
            n += 1.0;
            term *= x / n;
            sum += term;
        }
        return 1.0 - front * sum;
    }
    // The continued fraction from its 500th level up.
    let mut fraction = 0.0;
    for k in (1..500).rev() {
        let k = f64::from(k);
        fraction = k * (k - a) / (x + 2.0 * k + 1.0 - a - fraction);
    }
    front / (x + 1.0 - a - fraction)
}

/// Counts in cells of known chance.
struct Histogram {
    what: String,
    counts: Vec<u64>,
    chances: Vec<f64>,
}

impl Histogram {
    fn new(what: impl Into<String>, chances: Vec<f64>) -> Histogram {
        let sum: f64 = chances.iter().sum();
        assert!((sum - 1.0).abs() < 1e-9, "the chances sum to {sum}");
        Histogram { what: what.into(), counts: vec![0; chances.len()], chances }
    }

    /// How likely it is to be at least as far off, and how many were counted.
    fn chance(&self) -> (f64, u64) {
        let count = self.counts.iter().sum::<u64>();
        let mut chi_square = 0.0;
        for (seen, chance) in self.counts.iter().zip(&self.chances) {
            let expected = count as f64 * chance;
            assert!(expected > 20.0, "{}: a cell is too small", self.what);
            chi_square += (*seen as f64 - expected).powi(2) / expected;
        }
        (tail(chi_square, u32::try_from(self.counts.len() - 1).unwrap()), count)
    }

    fn check(&self) {
        let (chance, count) = self.chance();
        assert!(count >= FACES as u64, "{}: only {count}", self.what);
        assert!(chance > DOUBT && chance < 1.0 - DOUBT, "{}: {chance}", self.what);
    }
}

/// The cells of a die: a face each, or stretches of many faces.
struct Cells {
    die: Die,
    /// For listed dice the faces in order.
    faces: Vec<i64>,
}

impl Cells {
    fn new(die: &Die) -> Cells {
        let faces = if die.faces() > 1000 { Vec::new() } else { die.iter().map(|(face, _)| face).collect() };
        Cells { die: die.clone(), faces }
    }

    fn of(&self, face: i64) -> usize {
        if self.faces.is_empty() {
            let index = u64::try_from(face - 1).unwrap();
            assert!(index < self.die.weight());
            usize::try_from(u128::from(index) * u128::from(CELLS) / u128::from(self.die.weight())).unwrap()
        } else {
            self.faces.binary_search(&face).unwrap_or_else(|_| panic!("a {} has no face {face}", self.die))
        }
    }

    fn chances(&self) -> Vec<f64> {
        let weight = self.die.weight();
        if self.faces.is_empty() {
            let start = |cell: u64| (u128::from(cell) * u128::from(weight)).div_ceil(u128::from(CELLS));
            return (0..CELLS).map(|cell| (start(cell + 1) - start(cell)) as f64 / weight as f64).collect();
        }
        self.die.iter().map(|(_, times)| times as f64 / weight as f64).collect()
    }

    fn histogram(&self, what: &str) -> Histogram {
        Histogram::new(format!("{what} of {}", self.die), self.chances())
    }

    /// How often each cell came up.
    fn count(&self, what: &str, faces: impl IntoIterator<Item = i64>) -> Histogram {
        let mut histogram = self.histogram(what);
        for face in faces {
            histogram.counts[self.of(face)] += 1;
        }
        histogram
    }
}

#[test]
fn the_tail_of_chi_square() {
    // From tables of the distribution, and for 3 degrees from its closed form.
    for (chi_square, degrees, chance) in [
        (3.841_458_820_694, 1, 0.05),
        (5.991_464_547_108, 2, 0.05),
        (0.103, 3, 0.991_474_997_9),
        (29.588_298_445_074, 10, 0.001),
        (77.929_465_165, 100, 0.95),
        (149.449_252_779, 100, 0.001),
        (1_142.848_196_487, 999, 0.000_999_985_4),
    ] {
        let found = tail(chi_square, degrees);
        assert!((found - chance).abs() < chance * 1e-5, "{chi_square} with {degrees}: {found}, not {chance}");
    }
}

#[test]
fn single_draws() {
    for die in dice() {
        let mut rng = rng(1);
        let cells = Cells::new(&die);
        cells.count("single", (0..FACES).map(|_| rng.face(&die).unwrap())).check();
    }
}

/// Throws of several sizes: full groups, groups that are not full, and both.
fn throws() -> impl Iterator<Item = usize> {
    [1, 2, 3, 5, 7, 11, 18, 19, 48, 100, 1000].into_iter().cycle()
}

#[test]
fn faces_side_by_side() {
    for die in dice() {
        let mut rng = rng(2);
        let mut faces = Vec::new();
        for size in throws() {
            let start = faces.len();
            faces.resize(start + size, 0);
            rng.fill(&die, &mut faces[start..]).unwrap();
            if faces.len() >= FACES {
                break;
            }
        }
        let cells = Cells::new(&die);
        cells.count("batched", faces.iter().copied()).check();
        // Neighbours do not depend on each other, though they come from one random word.
        let single = cells.chances();
        if single.len() <= 20 && die.weight() < 1000 {
            let chances = single.iter().flat_map(|first| single.iter().map(move |second| first * second));
            let mut pairs = Histogram::new(format!("neighbours of {die}"), chances.collect());
            for pair in faces.chunks_exact(2) {
                pairs.counts[cells.of(pair[0]) * single.len() + cells.of(pair[1])] += 1;
            }
            let (chance, _) = pairs.chance();
            assert!(chance > DOUBT && chance < 1.0 - DOUBT, "{}: {chance}", pairs.what);
        }
    }
}

#[test]
fn faces_of_one_byte() {
    for die in dice().into_iter().filter(|die| matches!(die, Die::Plain(2..=255))) {
        let mut rng = rng(3);
        let cells = Cells::new(&die);
        let mut histogram = cells.histogram("bytes");
        let mut drawn = 0;
        for size in throws() {
            let mut faces = vec![0; size];
            rng.fill_small(&die, &mut faces).unwrap();
            for face in faces {
                histogram.counts[cells.of(i64::from(face))] += 1;
            }
            drawn += size;
            if drawn >= FACES {
                break;
            }
        }
        histogram.check();
    }
}

/// The chances of the sums of some dice, from the least sum on.
fn convolved(die: &Die, count: u64) -> Vec<f64> {
    let span = usize::try_from(die.top() - die.bottom()).unwrap();
    let mut single = vec![0.0; span + 1];
    for (face, times) in die.iter() {
        single[usize::try_from(face - die.bottom()).unwrap()] = times as f64 / die.weight() as f64;
    }
    let mut sums = vec![1.0];
    for _ in 0..count {
        let mut next = vec![0.0; sums.len() + span];
        for (at, chance) in sums.iter().enumerate() {
            for (face, more) in single.iter().enumerate() {
                next[at + face] += chance * more;
            }
        }
        sums = next;
    }
    sums
}

#[test]
fn sums_of_many_dice() {
    for sides in [2, 3, 6, 20, 100] {
        let die = plain(sides);
        for count in [2, 7, 20] {
            let mut rng = rng(4);
            // Sums that hardly ever come up share a cell with their neighbours.
            let throws = FACES as u64 / count + 1;
            let chances = convolved(&die, count);
            let mut cell_of = Vec::new();
            let mut cells: Vec<f64> = vec![0.0];
            for chance in &chances {
                if cells.last().is_some_and(|sum| sum * throws as f64 > 30.0) {
                    cells.push(0.0);
                }
                *cells.last_mut().unwrap() += chance;
                cell_of.push(cells.len() - 1);
            }
            let last = cells.pop().unwrap();
            *cells.last_mut().unwrap() += last;
            let most = cells.len() - 1;
            let mut histogram = Histogram::new(format!("sums of {count}d{sides}"), cells);
            for _ in 0..throws {
                let sum = Faces::sum(&mut rng, &die, count).unwrap();
                histogram.counts[cell_of[usize::try_from(sum - i128::from(count)).unwrap()].min(most)] += 1;
            }
            let (chance, counted) = histogram.chance();
            assert!(counted * count >= FACES as u64);
            assert!(chance > DOUBT && chance < 1.0 - DOUBT, "{}: {chance}", histogram.what);
        }
    }
}

/// The dice of a text, again and again, until a million of them were wanted.
fn gather(text: &str, want: impl Fn(&dice::DieView<'_>) -> bool) -> Vec<i64> {
    let limits = Limits { dice: 10_000_000, ..Limits::default() };
    let expr = Expr::parse(text, &limits).unwrap();
    let mut rng = rng(5);
    let mut roll = expr.roll_within(&mut rng, &limits).unwrap();
    let mut faces = Vec::new();
    while faces.len() < FACES {
        expr.roll_into(&mut roll, &mut rng, &limits).unwrap();
        let before = faces.len();
        faces.extend(roll.dice().filter(|die| want(die)).map(|die| die.face()));
        assert!(faces.len() > before, "{text} has dice to count");
    }
    faces
}

#[test]
fn thrown_dice_of_a_text() {
    for (text, die) in [
        ("100000d6", plain(6)),
        ("100000d1000", plain(1000)),
        ("100000d1000000007", plain(1_000_000_007)),
        ("100000dF", Die::Fudge),
        ("100000d{1..3,5:2}", listed(&[(1, 3, 1), (5, 5, 2)])),
    ] {
        Cells::new(&die).count(text, gather(text, |_| true)).check();
    }
}

#[test]
fn dice_that_stay_after_a_reroll() {
    for (text, rest) in [
        ("100000d2r1", None),
        ("100000d3r1", Some(listed(&[(2, 3, 1)]))),
        ("100000d6r<=2", Some(listed(&[(3, 6, 1)]))),
        ("100000d20r{3,5..9,20}", Some(listed(&[(1, 2, 1), (4, 4, 1), (10, 19, 1)]))),
        ("100000d100r>1", None),
        ("100000d{1:2,2:3,7,9:4}r{1,7}", Some(listed(&[(2, 2, 3), (9, 9, 4)]))),
    ] {
        let faces = gather(text, |die| die.state() == State::Kept);
        match rest {
            Some(rest) => Cells::new(&rest).count(text, faces).check(),
            None => assert!(faces.iter().all(|face| *face == faces[0]), "{text} leaves one face"),
        }
    }
}

#[test]
fn rerolls_and_extras_show_every_face() {
    for (text, die) in [
        ("200000d2!lim1", plain(2)),
        ("400000d6!lim1", plain(6)),
        ("300000d6!>=3lim2", plain(6)),
        ("400000d20!>=11lim1", plain(20)),
        ("200000d100!>1lim1", plain(100)),
        ("200000d1000000007!>1lim1", plain(1_000_000_007)),
        ("400000d{1..3,5:2}!>=3lim1", listed(&[(1, 3, 1), (5, 5, 2)])),
        ("400000d6ro<=3", plain(6)),
        ("400000d20rb<=10", plain(20)),
        ("400000d6!!>=4lim1", plain(6)),
        ("400000d6!p>=4lim1", plain(6)),
        ("400000d6!o>=4", plain(6)),
    ] {
        let faces = gather(text, |die| die.from().is_some());
        Cells::new(&die).count(text, faces).check();
    }
}

#[test]
fn replacements_come_from_the_remaining_faces() {
    let die = plain(1000);
    for rest in [listed(&[(2, 3, 1)]), listed(&[(10, 12, 1), (40, 80, 1), (1000, 1000, 1)]), die.clone()] {
        let mut rng = rng(6);
        let cells = Cells::new(&rest);
        cells.count("rest", (0..FACES).map(|_| rng.replacement(&die, &rest).unwrap())).check();
    }
}

/// Shows the least face a little too often.
struct Loaded(ChaCha8Rng);

impl Loaded {
    fn face(&mut self, die: &Die) -> i64 {
        let favours = self.0.next_u32().is_multiple_of(64);
        if favours { die.bottom() } else { self.0.face(die).unwrap() }
    }
}

#[test]
fn a_loaded_die_is_found_out() {
    for die in dice() {
        let mut loaded = Loaded(rng(7));
        let histogram = Cells::new(&die).count("loaded", (0..FACES).map(|_| loaded.face(&die)));
        let (chance, _) = histogram.chance();
        assert!(chance < DOUBT, "{} passes: {chance}", histogram.what);
    }
}

#[test]
fn the_remainder_of_a_short_word_is_found_out() {
    for (sides, bits) in [(3, 7), (6, 8), (20, 9), (100, 10), (1000, 12), (1_000_000_007, 32)] {
        let mut rng = rng(8);
        let mut biased = || i64::try_from((rng.next_u64() >> (64 - bits)) % sides).unwrap() + 1;
        let histogram = Cells::new(&plain(sides)).count("remainder", (0..FACES).map(|_| biased()));
        let (chance, _) = histogram.chance();
        assert!(chance < DOUBT, "{} passes: {chance}", histogram.what);
    }
}
