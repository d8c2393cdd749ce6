//! What is odd about a grammar that can be read: rules that nothing uses or that nothing reaches, texts that change
//! their meaning, and brackets that cost exponential time.

use std::collections::BTreeSet;

use super::loaded::{Grammar, examples, line};
use super::machine::{End, run};
use super::reach::unreachable;
use super::syntax::Kind;
use crate::ast::Expr;
use crate::limits::Limits;
use crate::lower::{Operand, Part, Role};

/// Something about a grammar that may be a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Warning {
    /// The line of the grammar that it is about, counted from 1, if it is about one.
    pub line: Option<usize>,
    /// What it is.
    pub message: String,
}

/// How many texts that change their meaning are named.
const MOST_TEXTS: usize = 10;

/// Texts of the notation, one a line.
const CASES: &str = include_str!("cases.txt");

impl Grammar {
    /// What may be a mistake in this grammar. The examples of its rules and the texts of the notation's own cases are parsed for
    /// that, so it takes some milliseconds.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        self.unused(&mut warnings);
        self.unreached(&mut warnings);
        self.unexplained(&mut warnings);
        self.examples_elsewhere(&mut warnings);
        warnings.sort_by_key(|warning| warning.line);
        self.exponential(&mut warnings);
        self.changed(&mut warnings);
        warnings
    }

    fn warn(&self, at: usize, message: String) -> Warning {
        Warning { line: Some(line(&self.inner.source, at)), message }
    }

    /// The rules that a text can come to.
    fn reachable(&self) -> BTreeSet<usize> {
        let book = &self.inner.book;
        let between = ["WHITESPACE", "COMMENT"].iter().filter_map(|name| book.rule(name));
        let mut open: Vec<usize> = between.chain([book.start]).collect();
        let mut reachable = BTreeSet::new();
        while let Some(rule) = open.pop() {
            if reachable.insert(rule) {
                book.names(&book.rules[rule].body, &mut open);
            }
        }
        reachable
    }

    fn unused(&self, warnings: &mut Vec<Warning>) {
        let reachable = self.reachable();
        for (number, rule) in self.inner.book.rules.iter().enumerate() {
            if !reachable.contains(&number) {
                let hint = if rule.expansion.is_some() { ": put its name into house = _{ … }" } else { "" };
                warnings.push(self.warn(rule.at.start, format!("nothing uses the rule {}{hint}", rule.name)));
            }
        }
    }

    /// Alternatives behind one that takes all their texts.
    fn unreached(&self, warnings: &mut Vec<Warning>) {
        for (rule, earlier, later) in unreachable(&self.inner.book) {
            let text =
                |at: super::syntax::At| self.inner.source.get(at.start..at.end).unwrap_or("").to_owned();
            let (earlier, at, later) = (text(earlier), later.start, text(later));
            let message = format!(
                "in the rule {rule} the alternative {later} is never reached, because {earlier} before it takes its text: \
                 longer words stand first"
            );
            warnings.push(self.warn(at, message));
        }
    }

    fn unexplained(&self, warnings: &mut Vec<Warning>) {
        for (rule, role) in self.inner.book.rules.iter().zip(&self.inner.book.roles) {
            let inner = matches!(
                role,
                Role::Operand(Operand::House)
                    | Role::Part(Part::CommentText | Part::LabelText | Part::HoleKey | Part::HoleDefault)
            );
            if rule.notes.iter().all(String::is_empty) && rule.kind != Kind::Silent && !inner {
                warnings.push(self.warn(
                    rule.at.start,
                    format!("the rule {} has no /// line that says what it is for", rule.name),
                ));
            }
        }
    }

    /// Rules whose examples are parsed without them.
    fn examples_elsewhere(&self, warnings: &mut Vec<Warning>) {
        for (number, rule) in self.inner.book.rules.iter().enumerate() {
            let texts = examples(&rule.notes);
            if rule.kind == Kind::Silent || texts.is_empty() {
                continue;
            }
            let parses: Vec<Option<Vec<u32>>> = texts.iter().map(|text| self.rules_of(text)).collect();
            let uses = |rules: &Option<Vec<u32>>| {
                rules.as_ref().is_some_and(|rules| rules.iter().any(|r| *r as usize == number))
            };
            if parses.iter().any(uses) {
                continue;
            }
            let name = &rule.name;
            let message = match texts
                .iter()
                .zip(&parses)
                .find_map(|(text, rules)| Some((text, rules.as_ref()?)))
            {
                Some((text, rules)) => {
                    let others: BTreeSet<&str> = rules.iter().map(|rule| self.inner.name(*rule)).collect();
                    let others: Vec<&str> =
                        others.into_iter().filter(|other| *other != super::book::START).collect();
                    format!(
                        "the example {text} of the rule {name} is parsed without it, as {}: an alternative before it takes its text",
                        others.join(", ")
                    )
                }
                None => format!("the example {} of the rule {name} does not fit this grammar", texts[0]),
            };
            warnings.push(self.warn(rule.at.start, message));
        }
    }

    /// The rules of all nodes of a text, if it fits.
    fn rules_of(&self, text: &str) -> Option<Vec<u32>> {
        match run(&self.inner.program, text).end {
            End::Fits(tokens) => Some(tokens.iter().map(|token| token.rule).collect()),
            End::Stops(_) | End::Busy => None,
        }
    }

    /// Nests each example in itself and looks whether each level costs a multiple of the one before.
    fn exponential(&self, warnings: &mut Vec<Warning>) {
        for rule in &self.inner.book.rules {
            for text in examples(&rule.notes) {
                if let Some(nested) = self.explodes(&text) {
                    let message = format!(
                        "brackets in {text} cost a multiple with every level, as in {nested}: some rule is tried \
                         again at the same place; begin its alternatives with what they share, as in (a ~ b?) for (a ~ b | a)"
                    );
                    warnings.push(self.warn(rule.at.start, message));
                    return;
                }
            }
        }
    }

    /// The nested text that shows it.
    fn explodes(&self, text: &str) -> Option<String> {
        let start = text.find(|c: char| c.is_ascii_digit())?;
        let length = text[start..].bytes().take_while(u8::is_ascii_digit).count();
        let (before, after) = (&text[..start], &text[start + length..]);
        let mut nested = text.to_owned();
        let mut shown = String::new();
        let mut costs = Vec::new();
        for level in 0..9 {
            let parse = run(&self.inner.program, &nested);
            match parse.end {
                End::Stops(_) => return None,
                End::Busy => return Some(shown),
                End::Fits(_) => costs.push(parse.steps),
            }
            if level <= 2 {
                shown.clone_from(&nested);
            }
            nested = format!("{before}({nested}){after}");
        }
        let extra: Vec<u64> = costs.windows(2).map(|pair| pair[1].saturating_sub(pair[0])).collect();
        let grows = extra.windows(2).skip(4).all(|pair| pair[1] * 2 > pair[0] * 3);
        (grows && extra.len() > 5).then_some(shown)
    }

    /// Texts of the notation that mean something else here.
    fn changed(&self, warnings: &mut Vec<Warning>) {
        let limits = Limits::default();
        let mut changed = Vec::new();
        for text in CASES.lines().filter(|text| !text.is_empty()) {
            let Ok(before) = Expr::parse(text, &limits) else { continue };
            match self.parse(text, &limits) {
                Ok(after) if after == before => {}
                Ok(after) => {
                    changed.push(format!("{text} meant {before} and now means {}", stands_for(&after)));
                }
                Err(error) => changed.push(format!("{text} is no longer understood: {}", error.title())),
            }
        }
        let more = changed.len().saturating_sub(MOST_TEXTS);
        warnings.extend(changed.into_iter().take(MOST_TEXTS).map(|message| Warning { line: None, message }));
        if more > 0 {
            warnings.push(Warning { line: None, message: format!("and {more} more texts of the notation") });
        }
    }
}

/// A text with its house rules written out.
fn stands_for(expr: &Expr) -> String {
    let mut stands = expr.to_string();
    expr.walk(&mut |node| {
        if let crate::ast::Kind::House(house) = &node.kind {
            stands = format!("{stands}, where {} is {}", house.typed, house.notation());
        }
    });
    stands
}
