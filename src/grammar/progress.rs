//! Does a grammar come to an end? Rules that begin with themselves, repetitions of nothing, and alternatives that
//! nothing can reach. All of it is linear in the size of the grammar, times the rules that a rule uses.

use super::book::Book;
use super::class::{Builtin, builtin};
use super::syntax::{Expr, Fault, Shape};

/// What is known of each rule.
struct Facts {
    /// It can match without taking any text.
    empty: Vec<bool>,
    /// It never fails.
    certain: Vec<bool>,
}

pub(super) fn faults(book: &Book) -> Vec<Fault> {
    let facts = Facts::of(book);
    let mut faults = Vec::new();
    for (number, rule) in book.rules.iter().enumerate() {
        if facts.empty[number] && (rule.name == "WHITESPACE" || rule.name == "COMMENT") {
            faults.push(Fault::new(
                rule.at,
                format!("{} can match nothing, so it would repeat forever", rule.name),
            ));
        }
        facts.within(book, &rule.body, &mut faults);
    }
    left_recursion(book, &facts, &mut faults);
    faults
}

impl Facts {
    fn of(book: &Book) -> Facts {
        let count = book.rules.len();
        let mut users = vec![Vec::new(); count];
        for (number, rule) in book.rules.iter().enumerate() {
            let mut names = Vec::new();
            book.names(&rule.body, &mut names);
            names.sort_unstable();
            names.dedup();
            for used in names {
                users[used].push(number);
            }
        }
        let mut facts = Facts { empty: vec![false; count], certain: vec![false; count] };
        let mut open: Vec<usize> = (0..count).collect();
        while let Some(number) = open.pop() {
            let body = &book.rules[number].body;
            let empty = facts.empty[number] || facts.empty(book, body);
            let certain = facts.certain[number] || facts.certain(book, body);
            if (empty, certain) != (facts.empty[number], facts.certain[number]) {
                (facts.empty[number], facts.certain[number]) = (empty, certain);
                open.extend(&users[number]);
            }
        }
        facts
    }

    fn empty(&self, book: &Book, expr: &Expr) -> bool {
        match &expr.shape {
            Shape::Text(text) | Shape::AnyCase(text) => text.is_empty(),
            Shape::Range(..) => false,
            Shape::Name(name) => match book.rule(name) {
                Some(rule) => self.empty[rule],
                None => matches!(builtin_end(name), Some(Builtin::Start | Builtin::End)),
            },
            Shape::And(_) | Shape::Not(_) | Shape::Optional(_) | Shape::Star(_) => true,
            Shape::Sequence(parts) => parts.iter().all(|part| self.empty(book, part)),
            Shape::Choice(parts) => parts.iter().any(|part| self.empty(book, part)),
            Shape::Plus(inner) => self.empty(book, inner),
            Shape::Times(inner, least, _) => *least == 0 || self.empty(book, inner),
        }
    }

    fn certain(&self, book: &Book, expr: &Expr) -> bool {
        match &expr.shape {
            Shape::Text(text) | Shape::AnyCase(text) => text.is_empty(),
            Shape::Range(..) | Shape::Not(_) => false,
            Shape::Name(name) => book.rule(name).is_some_and(|rule| self.certain[rule]),
            Shape::Optional(_) | Shape::Star(_) => true,
            Shape::Sequence(parts) => parts.iter().all(|part| self.certain(book, part)),
            Shape::Choice(parts) => parts.iter().any(|part| self.certain(book, part)),
            Shape::And(inner) | Shape::Plus(inner) => self.certain(book, inner),
            Shape::Times(inner, least, _) => *least == 0 || self.certain(book, inner),
        }
    }

    /// Faults of the expressions within one.
    fn within(&self, book: &Book, expr: &Expr, faults: &mut Vec<Fault>) {
        match &expr.shape {
            Shape::Star(inner) | Shape::Plus(inner) | Shape::Times(inner, _, None)
                if self.empty(book, inner) =>
            {
                faults.push(Fault::new(
                    expr.at,
                    "what repeats here can match nothing, so it would repeat forever",
                ));
            }
            Shape::Choice(parts) => {
                let last = parts.len() - 1;
                if let Some(part) = parts[..last].iter().find(|part| self.certain(book, part)) {
                    faults.push(Fault::new(
                        part.at,
                        "this always fits, so the alternatives behind it are never reached",
                    ));
                }
            }
            Shape::Range(low, high) if low > high => {
                faults.push(Fault::new(expr.at, "this range runs backwards"));
            }
            Shape::Text(_)
            | Shape::AnyCase(_)
            | Shape::Range(..)
            | Shape::Name(_)
            | Shape::And(_)
            | Shape::Not(_)
            | Shape::Sequence(_)
            | Shape::Optional(_)
            | Shape::Star(_)
            | Shape::Plus(_)
            | Shape::Times(..) => {}
        }
        expr.parts().iter().for_each(|part| self.within(book, part, faults));
    }

    /// The rules that an expression may begin with.
    fn first(&self, book: &Book, expr: &Expr, into: &mut Vec<usize>) {
        match &expr.shape {
            Shape::Name(name) => into.extend(book.rule(name)),
            Shape::Sequence(parts) => {
                for part in parts {
                    self.first(book, part, into);
                    if !self.empty(book, part) {
                        break;
                    }
                }
            }
            Shape::Text(_) | Shape::AnyCase(_) | Shape::Range(..) => {}
            Shape::And(_)
            | Shape::Not(_)
            | Shape::Choice(_)
            | Shape::Optional(_)
            | Shape::Star(_)
            | Shape::Plus(_)
            | Shape::Times(..) => expr.parts().iter().for_each(|part| self.first(book, part, into)),
        }
    }
}

/// The builtins that take no text; the sets of characters are not needed for that.
fn builtin_end(name: &str) -> Option<Builtin> {
    if name == "SOI" || name == "EOI" { builtin(name) } else { None }
}

/// Rules that come back to themselves before they have taken any text. The search keeps its own stack.
fn left_recursion(book: &Book, facts: &Facts, faults: &mut Vec<Fault>) {
    let first: Vec<Vec<usize>> = book
        .rules
        .iter()
        .map(|rule| {
            let mut first = Vec::new();
            facts.first(book, &rule.body, &mut first);
            first.sort_unstable();
            first.dedup();
            first
        })
        .collect();
    let mut done = vec![false; first.len()];
    let mut on_path = vec![false; first.len()];
    for root in 0..first.len() {
        let mut path: Vec<(usize, usize)> = Vec::new();
        if !done[root] {
            path.push((root, 0));
            on_path[root] = true;
        }
        while let Some((rule, next)) = path.last_mut() {
            let Some(target) = first[*rule].get(*next).copied() else {
                (done[*rule], on_path[*rule]) = (true, false);
                path.pop();
                continue;
            };
            *next += 1;
            if on_path[target] {
                let from = path.iter().position(|(rule, _)| *rule == target).unwrap_or(0);
                let names: Vec<&str> =
                    path[from..].iter().map(|(rule, _)| &*book.rules[*rule].name).take(8).collect();
                let name = &book.rules[target].name;
                let what = format!("the rule {name} begins with itself: {} → {name}", names.join(" → "));
                faults.push(Fault::new(book.rules[target].at, what)
                    .hint("a rule takes some text before it comes to itself: write a list as part ~ (operator ~ part)*"));
            } else if !done[target] {
                on_path[target] = true;
                path.push((target, 0));
            }
        }
    }
}
