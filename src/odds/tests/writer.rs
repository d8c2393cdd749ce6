//! A writer of random texts of every kind, small enough that all their rolls can be enumerated.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

/// Writes random texts whose rolls can be enumerated.
pub(super) struct Writer {
    pub(super) rng: ChaCha8Rng,
}

impl Writer {
    fn pick<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.rng.random_range(0..of.len())]
    }

    fn number(&mut self, from: i64, to: i64) -> String {
        self.rng.random_range(from..=to).to_string()
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.rng.random_range(0..100) < percent
    }

    fn die(&mut self) -> String {
        match self.rng.random_range(0..8) {
            0 => "dF".into(),
            1 => self.pick(&["d{1,1,3}", "d{0..2,4:2}", "d{-1,2}", "d{3,1}"]).into(),
            2 => format!("d({})", self.pick(&["1d3", "1d2+1", "4//2", "1d2"])),
            _ => format!("d{}", self.rng.random_range(1..5)),
        }
    }

    fn amount(&mut self, most: i64) -> String {
        if self.chance(15) {
            return format!("({})", self.pick(&["1d2", "1d3-1", "1d2-1", "0"]));
        }
        self.number(0, most)
    }

    fn condition(&mut self) -> String {
        match self.rng.random_range(0..9) {
            0 => "even".into(),
            1 => "odd".into(),
            2 => "{1,3}".into(),
            3 => format!("<={}", self.number(0, 2)),
            4 => format!(">{}", self.number(1, 4)),
            5 => format!("<>{}", self.number(1, 3)),
            6 => format!(">={}", if self.chance(50) { "(1d3)".into() } else { self.number(1, 4) }),
            7 => format!("<{}", self.number(1, 3)),
            _ => self.number(1, 4),
        }
    }

    fn step(&mut self, size: i64, throws: bool) -> String {
        match self.rng.random_range(0..if throws { 12 } else { 7 }) {
            0 => format!("kh{}", self.amount(size)),
            1 => format!("kl{}", self.amount(size)),
            2 => format!("dh{}", self.amount(size)),
            3 => format!("dl{}", self.amount(size)),
            4 => format!("mi{}", self.pick(&["2", "3", "(5/2)", "(1d3)"])),
            5 => format!("ma{}", self.pick(&["2", "3", "(5/2)", "1"])),
            6 => self.pick(&["s", "sd"]).into(),
            7 => format!("!o{}", self.condition()),
            8 => format!(
                "{}{}lim{}",
                self.pick(&["!", "!!", "!p", "!!p"]),
                self.condition(),
                self.pick(&["0", "1", "2"])
            ),
            9 => format!("ro{}", self.condition()),
            10 => format!("rb{}", self.condition()),
            _ => match self.rng.random_range(0..3) {
                0 => format!("r{}lim{}", self.condition(), self.pick(&["0", "1", "2"])),
                1 => format!("!{}lim1", self.condition()),
                _ => format!("r{}", self.condition()),
            },
        }
    }

    fn pool(&mut self, throws: bool) -> String {
        let count = self.rng.random_range(1..4);
        let written = match self.rng.random_range(0..8) {
            0 => format!("(1d{count})"),
            1 => "(1d3-1)".into(),
            _ => count.to_string(),
        };
        let mut text = format!("{written}{}", self.die());
        for _ in 0..self.rng.random_range(0..4) {
            text += " ";
            text += &self.step(count, throws);
        }
        self.counted(text)
    }

    fn counted(&mut self, mut text: String) -> String {
        if self.chance(30) {
            for _ in 0..self.rng.random_range(1..3) {
                text += if self.chance(60) { " c" } else { " f" };
                text += &self.condition();
            }
        }
        text
    }

    fn group(&mut self) -> String {
        if self.chance(40) {
            let mut parts = Vec::new();
            for _ in 0..self.rng.random_range(1..3) {
                let mut part = format!("{}d{}", self.rng.random_range(1..3), self.rng.random_range(1..4));
                if self.chance(40) {
                    part += " ";
                    part += &self.step(1, true);
                }
                parts.push(part);
            }
            let mut text = format!("{{{}}}", parts.join("+"));
            for _ in 0..self.rng.random_range(0..3) {
                text += " ";
                text += &self.step(2, true);
            }
            return self.counted(text);
        }
        let members: Vec<String> = (0..self.rng.random_range(2..4)).map(|_| self.term(1)).collect();
        let mut text = format!("{{{}}}", members.join(", "));
        for _ in 0..self.rng.random_range(0..3) {
            text += " ";
            text += &self.step(2, false);
        }
        self.counted(text)
    }

    fn term(&mut self, depth: u32) -> String {
        match self.rng.random_range(0..if depth == 0 { 5 } else { 12 }) {
            0 => self.number(0, 3),
            1 | 2 => self.pool(true),
            3 => format!("1d{}", self.rng.random_range(1..5)),
            4 => self.pick(&["1.5", "1dF", "0d4", "2d2"]).into(),
            5 => format!("({})", self.sum(depth - 1)),
            6 => {
                let name = self.pick(&["floor", "ceil", "round", "trunc", "abs", "sign"]);
                format!("{name}({})", self.sum(depth - 1))
            }
            7 => format!("{}({}, {})", self.pick(&["min", "max"]), self.sum(depth - 1), self.sum(depth - 1)),
            8 => format!("-{}", self.term(depth - 1)),
            9 => format!("({})^({})", self.term(0), self.pick(&["1d3", "2", "1d3-1", "0"])),
            10 => self.group(),
            _ => format!(
                "(({}) {} ({}))",
                self.sum(depth - 1),
                self.pick(&[">=", "<", "=", "<>", ">", "<="]),
                self.sum(0)
            ),
        }
    }

    fn sum(&mut self, depth: u32) -> String {
        let mut text = self.term(depth);
        for _ in 0..self.rng.random_range(0..3) {
            let operator = self.pick(&["+", "-", "*", "/", "//", "%"]);
            let operand = self.term(depth.saturating_sub(1));
            text.extend([" ", operator, " ", &operand]);
        }
        text
    }

    pub(super) fn text(&mut self) -> String {
        match self.rng.random_range(0..10) {
            0 => self.pool(true),
            1 => self.group(),
            2 => format!("({}) ? {} : {}", self.sum(0), self.sum(1), self.sum(1)),
            3 => format!("a = {}; a {} {}", self.sum(1), self.pick(&["+", "*", "-", ">="]), self.sum(0)),
            4 => format!("a = {}; a {} a", self.sum(1), self.pick(&["+", "*", "-", "/"])),
            5 => format!("a = 1d3; b = a+{}; (a)d2 + b * a", self.term(0)),
            6 | 7 => {
                let pool = if self.chance(70) { self.pool(true) } else { self.group() };
                let mut uses = Vec::new();
                for _ in 0..self.rng.random_range(1..4) {
                    let step = self.step(1, false);
                    let step = self.counted(format!("p {step}"));
                    uses.push(if self.chance(20) { "p".into() } else { step });
                }
                format!("p = {pool}; {}", uses.join(self.pick(&[" + ", " - ", " * "])))
            }
            _ => self.sum(2),
        }
    }
}
