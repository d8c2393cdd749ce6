//! Inputs from a grammar: what it accepts, and near misses.

use std::collections::BTreeMap;

use anyhow::{Result, anyhow, bail};
use pest_meta::ast::{Expr, Rule as AstRule};
use pest_meta::parser::{Rule, consume_rules, parse};

/// How deep rules may call rules before the shortest way out is taken.
const DEPTH: usize = 4;
/// Longest input kept, in characters.
const LONGEST: usize = 60;

/// `count` different one-line inputs for the rule `start`, the same for the same seed. If
/// the grammar has fewer, as many as were found.
///
/// # Errors
/// When the text is not a pest grammar or has no such rule.
pub fn inputs(grammar: &str, start: &str, count: usize, seed: u64) -> Result<Vec<String>> {
    let pairs = parse(Rule::grammar_rules, grammar).map_err(|error| anyhow!("{error}"))?;
    let rules = consume_rules(pairs).map_err(|errors| {
        anyhow!("{}", errors.first().map_or("bad grammar".to_string(), ToString::to_string))
    })?;
    let rules: BTreeMap<String, AstRule> =
        rules.into_iter().map(|rule| (rule.name.clone(), rule)).collect();
    if !rules.contains_key(start) {
        bail!("the grammar has no rule {start}");
    }
    let mut maker = Maker { blank: rules.contains_key("WHITESPACE"), rules, dice: Dice(seed | 1) };
    let mut found = std::collections::BTreeSet::new();
    let mut list = Vec::new();
    for _ in 0..count.saturating_mul(20) {
        if list.len() == count {
            break;
        }
        let mut text = String::new();
        maker.rule(start, 0, &mut text);
        if maker.dice.one_in(5) {
            text = maker.spoil(&text);
        }
        let plain = !text.chars().any(char::is_control) && text.chars().count() <= LONGEST;
        if plain && found.insert(text.clone()) {
            list.push(text);
        }
    }
    Ok(list)
}

/// A small generator of numbers, the same on every machine.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 11
    }

    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next()).unwrap_or(0) % n.max(1)
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

struct Maker {
    rules: BTreeMap<String, AstRule>,
    blank: bool,
    dice: Dice,
}

impl Maker {
    fn rule(&mut self, name: &str, depth: usize, out: &mut String) {
        match self.rules.get(name) {
            // Far below any honest depth: a grammar without a way out.
            Some(_) if depth > 4 * DEPTH => {}
            Some(rule) => {
                let expr = rule.expr.clone();
                self.expr(&expr, depth + 1, out);
            }
            None => out.push_str(&self.builtin(name)),
        }
    }

    fn builtin(&mut self, name: &str) -> String {
        let one = |dice: &mut Dice, letters: &str| {
            let letters: Vec<char> = letters.chars().collect();
            letters.get(dice.below(letters.len())).copied().unwrap_or('0').to_string()
        };
        match name {
            "ASCII_DIGIT" => one(&mut self.dice, "0123456789"),
            "ASCII_NONZERO_DIGIT" => one(&mut self.dice, "123456789"),
            "ASCII_BIN_DIGIT" => one(&mut self.dice, "01"),
            "ASCII_HEX_DIGIT" => one(&mut self.dice, "09afAF"),
            "ASCII_ALPHA_LOWER" => one(&mut self.dice, "abkdx"),
            "ASCII_ALPHA_UPPER" => one(&mut self.dice, "ABKDX"),
            "ASCII_ALPHA" | "ASCII_ALPHANUMERIC" | "LETTER" | "XID_START" | "XID_CONTINUE" => {
                one(&mut self.dice, "abkdxAD")
            }
            "ANY" | "ASCII" => one(&mut self.dice, "a1+d "),
            _ => String::new(),
        }
    }

    fn expr(&mut self, expr: &Expr, depth: usize, out: &mut String) {
        match expr {
            Expr::Str(text) | Expr::Insens(text) => out.push_str(text),
            Expr::Range(from, to) => {
                let first = from.chars().next().map_or(0, u32::from);
                let last = to.chars().next().map_or(first, u32::from);
                let span = usize::try_from(last.saturating_sub(first)).unwrap_or(0) + 1;
                let at = first + u32::try_from(self.dice.below(span)).unwrap_or(0);
                out.extend(char::from_u32(at));
            }
            Expr::Ident(name) => self.rule(name, depth, out),
            Expr::Seq(a, b) => {
                self.expr(a, depth, out);
                if self.blank && self.dice.one_in(12) {
                    out.push(' ');
                }
                self.expr(b, depth, out);
            }
            Expr::Choice(..) => {
                let mut ways = Vec::new();
                alternatives(expr, &mut ways);
                let way = if depth > DEPTH {
                    ways.iter().min_by_key(|way| weight(way)).copied()
                } else {
                    ways.get(self.dice.below(ways.len())).copied()
                };
                if let Some(way) = way {
                    self.expr(way, depth, out);
                }
            }
            Expr::Opt(e) => self.times(e, 0, 1, depth, out),
            Expr::Rep(e) => self.times(e, 0, 2, depth, out),
            Expr::RepOnce(e) => self.times(e, 1, 2, depth, out),
            Expr::RepExact(e, n) => self.times(e, *n, *n, depth, out),
            Expr::RepMin(e, n) => self.times(e, *n, n + 1, depth, out),
            Expr::RepMax(e, n) => self.times(e, 0, *n, depth, out),
            Expr::RepMinMax(e, n, m) => self.times(e, *n, *m, depth, out),
            Expr::Push(e) => self.expr(e, depth, out),
            Expr::PosPred(_) | Expr::NegPred(_) | Expr::PeekSlice(..) | Expr::Skip(_) => {}
        }
    }

    fn times(&mut self, expr: &Expr, low: u32, high: u32, depth: usize, out: &mut String) {
        let more = high.min(low + 4) - low;
        let room = if depth > DEPTH { 0 } else { usize::try_from(more).unwrap_or(0) };
        let extra = self.dice.below(room + 1);
        for _ in 0..usize::try_from(low).unwrap_or(0) + extra {
            self.expr(expr, depth, out);
        }
    }

    /// One character too few, too many or another.
    fn spoil(&mut self, text: &str) -> String {
        let mut letters: Vec<char> = text.chars().collect();
        if letters.is_empty() {
            return text.to_string();
        }
        let at = self.dice.below(letters.len());
        match self.dice.below(3) {
            0 => drop(letters.remove(at)),
            1 => letters.insert(at, letters.get(at).copied().unwrap_or('0')),
            _ => {
                let other = self.dice.below(letters.len());
                letters.swap(at, other);
            }
        }
        letters.into_iter().collect()
    }
}

fn alternatives<'e>(expr: &'e Expr, into: &mut Vec<&'e Expr>) {
    if let Expr::Choice(a, b) = expr {
        alternatives(a, into);
        alternatives(b, into);
    } else {
        into.push(expr);
    }
}

/// How much an expression may grow: literals are short, rules are not.
fn weight(expr: &Expr) -> usize {
    expr.iter_top_down().map(|one| if matches!(one, Expr::Ident(_)) { 10 } else { 1 }).sum()
}
