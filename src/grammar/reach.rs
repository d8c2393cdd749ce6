//! Alternatives that are never reached: an earlier one fits wherever they would. Only what can be told for certain from the
//! words with which alternatives begin is told.

use super::book::Book;
use super::syntax::{At, Expr, Shape};

/// A word as the grammar has it.
#[derive(Clone, Debug)]
struct Word {
    text: String,
    any_case: bool,
}

impl Word {
    /// Whether this word fits wherever a text begins with the other.
    fn covers(&self, other: &Word) -> bool {
        if self.any_case {
            let head = other.text.get(..self.text.len());
            head.is_some_and(|head| head.eq_ignore_ascii_case(&self.text))
        } else {
            !other.any_case && other.text.starts_with(&self.text)
        }
    }
}

/// Looks up words within a bounded number of steps.
struct Words<'b> {
    book: &'b Book,
    left: usize,
}

/// The rule, the alternative that takes the text, and the one that is never reached.
pub(super) fn unreachable(book: &Book) -> Vec<(&str, At, At)> {
    let mut words = Words { book, left: 200_000 };
    let mut found = Vec::new();
    for rule in &book.rules {
        words.within(&rule.name, &rule.body, &mut found);
    }
    found
}

impl<'b> Words<'b> {
    fn within(&mut self, rule: &'b str, expr: &'b Expr, found: &mut Vec<(&'b str, At, At)>) {
        if let Shape::Choice(parts) = &expr.shape {
            let mut taken: Vec<(Word, At)> = Vec::new();
            for part in parts {
                if let Some(starts) = self.starts(part, 0)
                    && let Some(first) = starts.first()
                    && let Some((_, at)) = taken.iter().find(|(word, _)| word.covers(first))
                    && starts.iter().all(|start| taken.iter().any(|(word, _)| word.covers(start)))
                {
                    found.push((rule, *at, part.at));
                }
                taken.extend(self.enough(part, 0).into_iter().map(|word| (word, part.at)));
            }
        }
        expr.parts().iter().for_each(|part| self.within(rule, part, found));
    }

    /// One step more, unless there were too many.
    fn step(&mut self, depth: usize) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left > 0 && depth < 12
    }

    /// Words each of which is all that an expression needs in order to fit.
    fn enough(&mut self, expr: &'b Expr, depth: usize) -> Vec<Word> {
        if !self.step(depth) {
            return Vec::new();
        }
        match &expr.shape {
            Shape::Text(text) => vec![Word { text: text.clone(), any_case: false }],
            Shape::AnyCase(text) => vec![Word { text: text.clone(), any_case: true }],
            Shape::Name(name) => match self.book.rule(name) {
                Some(rule) => self.enough(&self.book.rules[rule].body, depth + 1),
                None => Vec::new(),
            },
            Shape::Choice(parts) => parts.iter().flat_map(|part| self.enough(part, depth + 1)).collect(),
            Shape::Sequence(parts) => match parts.split_first() {
                Some((first, rest)) if rest.iter().all(|part| self.may_miss(part, depth)) => {
                    self.enough(first, depth + 1)
                }
                Some(_) | None => Vec::new(),
            },
            Shape::Plus(inner) => self.enough(inner, depth + 1),
            Shape::Range(..)
            | Shape::And(_)
            | Shape::Not(_)
            | Shape::Optional(_)
            | Shape::Star(_)
            | Shape::Times(..) => Vec::new(),
        }
    }

    /// Whether an expression fits anywhere.
    fn may_miss(&mut self, expr: &Expr, depth: usize) -> bool {
        match &expr.shape {
            Shape::Optional(_) | Shape::Star(_) => true,
            Shape::Name(name) => match self.book.rule(name) {
                Some(rule) if self.step(depth) => self.may_miss(&self.book.rules[rule].body, depth + 1),
                Some(_) | None => false,
            },
            Shape::Sequence(parts) => parts.iter().all(|part| self.may_miss(part, depth)),
            Shape::Text(_)
            | Shape::AnyCase(_)
            | Shape::Range(..)
            | Shape::And(_)
            | Shape::Not(_)
            | Shape::Choice(_)
            | Shape::Plus(_)
            | Shape::Times(..) => false,
        }
    }

    /// Words with one of which every text of an expression begins, if that is known.
    fn starts(&mut self, expr: &'b Expr, depth: usize) -> Option<Vec<Word>> {
        if !self.step(depth) {
            return None;
        }
        match &expr.shape {
            Shape::Text(text) => Some(vec![Word { text: text.clone(), any_case: false }]),
            Shape::AnyCase(text) => Some(vec![Word { text: text.clone(), any_case: true }]),
            Shape::Name(name) => {
                let rule = self.book.rule(name)?;
                self.starts(&self.book.rules[rule].body, depth + 1)
            }
            Shape::Choice(parts) => {
                let mut words = Vec::new();
                for part in parts {
                    words.extend(self.starts(part, depth + 1)?);
                }
                (words.len() < 100).then_some(words)
            }
            Shape::Sequence(parts) => {
                let first = parts.iter().find(|part| !matches!(part.shape, Shape::And(_) | Shape::Not(_)))?;
                self.starts(first, depth + 1)
            }
            Shape::Plus(inner) => self.starts(inner, depth + 1),
            Shape::Times(inner, least, _) if *least > 0 => self.starts(inner, depth + 1),
            Shape::Range(..)
            | Shape::And(_)
            | Shape::Not(_)
            | Shape::Optional(_)
            | Shape::Star(_)
            | Shape::Times(..) => None,
        }
    }
}
