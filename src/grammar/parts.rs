//! The parts that a house rule may have: how many at least and at most, and of which rules. Known before any text is
//! parsed, so that a hole that nothing can fill is a fault of the grammar.

use std::collections::{BTreeMap, HashMap};

use super::book::Book;
use super::syntax::{Expr, Kind, Shape};

/// How many parts there may be: at least, and at most if there is a bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Count {
    pub least: usize,
    pub most: Option<usize>,
}

impl Count {
    const NONE: Count = Count { least: 0, most: Some(0) };
    const ONE: Count = Count { least: 1, most: Some(1) };

    fn and(self, other: Count) -> Count {
        let most = self.most.zip(other.most).map(|(a, b)| a.saturating_add(b));
        Count { least: self.least.saturating_add(other.least), most }
    }

    fn or(self, other: Count) -> Count {
        Count { least: self.least.min(other.least), most: self.most.zip(other.most).map(|(a, b)| a.max(b)) }
    }
}

/// The parts of an expression: all together, and those of each rule.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    pub all: Count,
    pub each: BTreeMap<usize, Count>,
}

impl Default for Parts {
    fn default() -> Parts {
        Parts { all: Count::NONE, each: BTreeMap::new() }
    }
}

impl Parts {
    fn merge(self, other: &Parts, with: fn(Count, Count) -> Count) -> Parts {
        let mut each = BTreeMap::new();
        for rule in self.each.keys().chain(other.each.keys()) {
            let of = |parts: &Parts| parts.each.get(rule).copied().unwrap_or(Count::NONE);
            each.insert(*rule, with(of(&self), of(other)));
        }
        Parts { all: with(self.all, other.all), each }
    }

    fn repeated(mut self, least: usize, most: Option<usize>) -> Parts {
        let times = |count: Count| {
            let bound = if count.most == Some(0) {
                Some(0)
            } else {
                count.most.zip(most).map(|(a, b)| a.saturating_mul(b))
            };
            Count { least: count.least.saturating_mul(least), most: bound }
        };
        self.all = times(self.all);
        self.each.values_mut().for_each(|count| *count = times(*count));
        self
    }
}

/// Finds the parts of rules; each silent rule is looked at once.
pub(super) struct Finder<'b> {
    book: &'b Book,
    silent: HashMap<usize, Parts>,
    depth: usize,
}

impl<'b> Finder<'b> {
    pub(super) fn new(book: &'b Book) -> Finder<'b> {
        Finder { book, silent: HashMap::new(), depth: 0 }
    }

    /// The parts of a house rule.
    pub(super) fn of_house(&mut self, rule: usize) -> Parts {
        let rule = &self.book.rules[rule];
        if rule.kind == Kind::Atomic { Parts::default() } else { self.of(&rule.body) }
    }

    fn of(&mut self, expr: &Expr) -> Parts {
        match &expr.shape {
            Shape::Text(_) | Shape::AnyCase(_) | Shape::Range(..) | Shape::And(_) | Shape::Not(_) => {
                Parts::default()
            }
            Shape::Name(name) => match self.book.rule(name) {
                Some(rule) if self.book.rules[rule].kind == Kind::Silent => self.of_silent(rule),
                Some(rule) => Parts { all: Count::ONE, each: BTreeMap::from([(rule, Count::ONE)]) },
                None => Parts::default(),
            },
            Shape::Sequence(parts) => {
                parts.iter().fold(Parts::default(), |sum, part| sum.merge(&self.of(part), Count::and))
            }
            Shape::Choice(parts) => {
                let mut parts = parts.iter();
                let first = parts.next().map(|part| self.of(part)).unwrap_or_default();
                parts.fold(first, |sum, part| sum.merge(&self.of(part), Count::or))
            }
            Shape::Optional(inner) => self.of(inner).repeated(0, Some(1)),
            Shape::Star(inner) => self.of(inner).repeated(0, None),
            Shape::Plus(inner) => self.of(inner).repeated(1, None),
            Shape::Times(inner, least, most) => {
                self.of(inner).repeated(*least as usize, most.map(|most| most as usize))
            }
        }
    }

    fn of_silent(&mut self, rule: usize) -> Parts {
        if let Some(known) = self.silent.get(&rule) {
            return known.clone();
        }
        // A rule inside itself could have any number of parts; those it has without that are what matters.
        self.silent.insert(rule, Parts { all: Count { least: 0, most: None }, each: BTreeMap::new() });
        if self.depth > 32 {
            return Parts::default();
        }
        self.depth += 1;
        let parts = self.of(&self.book.rules[rule].body);
        self.depth -= 1;
        self.silent.insert(rule, parts.clone());
        parts
    }
}
