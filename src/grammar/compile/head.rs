//! With which characters a part of a grammar can begin: most alternatives are left out after one look at the next character.

use super::{Look, Place, Writer, inside, traces};
use crate::grammar::class::{Builtin, Class, builtin};
use crate::grammar::code::{Head, Op};
use crate::grammar::syntax::{Expr, Kind, Shape};

/// How a part behaves before a character with which it cannot begin, or at the end of the text.
#[derive(Clone)]
pub(super) struct Beginning {
    /// The characters with which it may begin; none that is missing here can be its first.
    pub class: Class,
    /// Before any other it tries a rule whose failure counts.
    pub marks: bool,
    /// Before any other it succeeds and takes nothing. Otherwise it fails there.
    pub empty: bool,
}

/// Rules that are looked into within each other; where more nest, it is not known with what they begin.
pub(super) const DEPTH: usize = 40;

impl Writer<'_> {
    /// Writes an instruction that skips what cannot begin with the next character. It has yet to be told where it leads.
    pub(super) fn skip(&mut self, expr: &Expr, place: Place) -> Option<usize> {
        let beginning = self.beginning(expr, place, DEPTH).filter(|beginning| !beginning.empty)?;
        self.code.heads.push(Head { class: beginning.class, marks: beginning.marks, to: 0 });
        let head = u32::try_from(self.code.heads.len() - 1).unwrap_or(0);
        Some(self.op(Op::Head(head)))
    }

    /// With what an expression can begin, if that can be said. `depth` is how many rules may yet be looked into.
    pub(super) fn beginning(&mut self, expr: &Expr, place: Place, depth: usize) -> Option<Beginning> {
        if let Some(class) = self.as_class(expr) {
            return Some(Beginning { class, marks: false, empty: false });
        }
        match &expr.shape {
            Shape::Text(text) => text.chars().next().map(|first| Beginning::with(Class::range(first, first))),
            Shape::AnyCase(text) => text.chars().next().map(|first| Beginning::with(Class::any_case(first))),
            Shape::Range(low, high) => Some(Beginning::with(Class::range(*low, *high))),
            Shape::Name(name) => match self.book.rule(name) {
                Some(number) => self.rule_beginning(number, place, depth.checked_sub(1)?),
                None => match builtin(name)? {
                    Builtin::Any => Some(Beginning::with(Class::all())),
                    Builtin::Class(class) => Some(Beginning::with(class)),
                    Builtin::Start | Builtin::End | Builtin::Newline => None,
                },
            },
            Shape::And(inner) => self.beginning(inner, place.ahead(), depth),
            // Before other characters it goes on with what follows.
            Shape::Not(inner) => self.may_be_missing(inner, place.refused(), depth),
            Shape::Optional(inner) | Shape::Star(inner) | Shape::Times(inner, 0, None | Some(1..)) => {
                self.may_be_missing(inner, place, depth)
            }
            Shape::Plus(inner) | Shape::Times(inner, 1.., _) => {
                self.beginning(inner, place, depth).filter(|beginning| !beginning.empty)
            }
            Shape::Times(_, 0, Some(0)) => Some(Beginning::nothing()),
            Shape::Sequence(parts) => {
                let mut whole = Beginning::nothing();
                for part in parts {
                    let part = self.beginning(part, place, depth)?;
                    whole = whole.or(part)?;
                    if !whole.empty {
                        return Some(whole);
                    }
                    if self.has_blanks(place) {
                        return None;
                    }
                }
                Some(whole)
            }
            Shape::Choice(parts) => {
                let mut whole = Beginning { empty: false, ..Beginning::nothing() };
                for part in parts {
                    let part = self.beginning(part, place, depth)?;
                    whole = whole.or(part)?;
                    if whole.empty {
                        break;
                    }
                }
                Some(whole)
            }
        }
    }

    /// Where the rest goes on without it.
    fn may_be_missing(&mut self, inner: &Expr, place: Place, depth: usize) -> Option<Beginning> {
        let beginning = self.beginning(inner, place, depth).filter(|beginning| !beginning.empty)?;
        Some(Beginning { empty: true, ..beginning })
    }

    fn rule_beginning(&mut self, number: usize, place: Place, depth: usize) -> Option<Beginning> {
        if let Some(known) = self.heads.get(&(number, place)) {
            return known.clone();
        }
        // Should the rule begin with itself, that is not known.
        self.heads.insert((number, place), None);
        let rule = &self.book.rules[number];
        let (_, counts) = traces(rule, place);
        let beginning = self.beginning(&rule.body, inside(rule, place), depth).and_then(|body| {
            if rule.kind == Kind::Silent || !counts {
                return Some(body);
            }
            match (place.look, body.empty) {
                (Look::None | Look::Ahead, false) => Some(Beginning { marks: true, ..body }),
                (Look::None | Look::Ahead, true) | (Look::Not, false) => Some(body),
                // Its success counts.
                (Look::Not, true) => None,
            }
        });
        self.heads.insert((number, place), beginning.clone());
        beginning
    }
}

impl Beginning {
    /// It begins with one of these.
    fn with(class: Class) -> Beginning {
        Beginning { class, marks: false, empty: false }
    }

    /// It takes nothing.
    fn nothing() -> Beginning {
        Beginning { class: Class::default(), marks: false, empty: true }
    }

    /// What is tried at the same place, one after the other; the last one decides whether that may be nothing.
    fn or(self, next: Beginning) -> Option<Beginning> {
        let class = self.class.with(next.class)?;
        Some(Beginning { class, marks: self.marks || next.marks, empty: next.empty })
    }
}
