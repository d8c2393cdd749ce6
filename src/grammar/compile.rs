//! Writes a grammar as instructions.
//!
//! Whether blanks may stand between two parts, whether a rule leaves a node and whether its failure counts depend on where
//! it is called from. Each rule is therefore written out once for each kind of place it is called from, and nothing of
//! that is decided while parsing.

use std::collections::HashMap;

use super::book::Book;
use super::class::{Builtin, Class, Sets, builtin};
use super::code::{Code, Entry, Op};
use super::syntax::{Expr, Fault, Kind, Rule, Shape};

/// The most instructions that a grammar may become.
const MAX_OPS: usize = 400_000;

/// What the place of a call decides.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Place {
    blanks: Blanks,
    look: Look,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Blanks {
    /// May stand between two parts.
    Free,
    /// May not, and rules leave nodes.
    Compound,
    /// May not, and rules leave no nodes.
    Atomic,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Look {
    None,
    Ahead,
    Not,
}

/// Writes a grammar as instructions.
///
/// # Errors
/// The grammar would become too large.
pub(crate) fn compile(book: &Book) -> Result<Code, Fault> {
    let mut writer =
        Writer { book, code: Code::default(), at: HashMap::new(), open: Vec::new(), sets: Sets::default() };
    writer.op(Op::Done);
    writer.call(book.start, Place { blanks: Blanks::Free, look: Look::None });
    writer.op(Op::Done);
    while let Some((number, place, entry)) = writer.open.pop() {
        let start = writer.here();
        match entry {
            Some(entry) => writer.code.entries[entry as usize].code = start,
            None => {
                writer.at.insert((number, place), start);
            }
        }
        writer.body(&book.rules[number], place)?;
        writer.op(Op::Return);
    }
    writer.link();
    Ok(writer.code)
}

struct Writer<'b> {
    book: &'b Book,
    code: Code,
    /// Where the code of a silent rule begins, or the entry of another, by rule and place.
    at: HashMap<(usize, Place), u32>,
    /// Rules that are yet to be written, with their entries.
    open: Vec<(usize, Place, Option<u32>)>,
    /// The silent rules that are sets of characters.
    sets: Sets,
}

/// The place of a rule that is not written yet; [`Writer::link`] puts in the real one.
const SILENT: u32 = 1 << 31;

impl Writer<'_> {
    fn here(&self) -> u32 {
        u32::try_from(self.code.ops.len()).unwrap_or(u32::MAX)
    }

    fn op(&mut self, op: Op) -> usize {
        self.code.ops.push(op);
        self.code.ops.len() - 1
    }

    /// Lets an instruction that was written lead to what comes next.
    fn lead_here(&mut self, at: usize) {
        let here = self.here();
        if let Op::Try(to) | Op::Commit(to) | Op::Again(to) | Op::Back(to) = &mut self.code.ops[at] {
            *to = here;
        }
    }

    fn class(&mut self, class: Class) -> u32 {
        self.code.classes.push(class);
        u32::try_from(self.code.classes.len() - 1).unwrap_or(0)
    }

    fn call(&mut self, number: usize, place: Place) {
        let rule = &self.book.rules[number];
        let (node, counts) = match rule.kind {
            Kind::Silent => {
                // Short sets of characters (digits, blanks …) are written in place of the call.
                if let Some(class) = self.as_class(&rule.body) {
                    let class = self.class(class);
                    self.op(Op::One(class));
                    return;
                }
                if let Shape::Star(inner) = &rule.body.shape
                    && (place.blanks != Blanks::Free || special(rule))
                    && let Some(class) = self.as_class(inner)
                {
                    let class = self.class(class);
                    self.op(Op::Many(class));
                    return;
                }
                let number_of_call = u32::try_from(number).unwrap_or(0);
                if let std::collections::hash_map::Entry::Vacant(vacant) = self.at.entry((number, place)) {
                    vacant.insert(0);
                    self.open.push((number, place, None));
                }
                let look = u32::from(place.look as u8) << 2 | u32::from(place.blanks as u8);
                self.op(Op::Call(SILENT | look << 24 | number_of_call));
                return;
            }
            Kind::Normal | Kind::Atomic => {
                let leaves = place.blanks != Blanks::Atomic;
                (leaves && place.look == Look::None, leaves)
            }
            Kind::NonAtomic if special(rule) => (false, false),
            Kind::Compound | Kind::NonAtomic => (place.look == Look::None, true),
        };
        let entry = if let Some(entry) = self.at.get(&(number, place)) {
            *entry
        } else {
            let entry = u32::try_from(self.code.entries.len()).unwrap_or(0);
            self.code.entries.push(Entry {
                code: 0,
                rule: u32::try_from(number).unwrap_or(0),
                node,
                on_failure: counts && place.look != Look::Not,
                on_success: counts && place.look == Look::Not,
            });
            self.at.insert((number, place), entry);
            self.open.push((number, place, Some(entry)));
            entry
        };
        self.op(Op::Enter(entry));
    }

    fn body(&mut self, rule: &Rule, place: Place) -> Result<(), Fault> {
        let blanks = match rule.kind {
            Kind::Normal | Kind::Silent | Kind::NonAtomic if special(rule) => Blanks::Atomic,
            Kind::Normal | Kind::Silent => place.blanks,
            Kind::Atomic => Blanks::Atomic,
            Kind::Compound => Blanks::Compound,
            Kind::NonAtomic => Blanks::Free,
        };
        self.expr(&rule.body, Place { blanks, ..place })
    }

    fn expr(&mut self, expr: &Expr, place: Place) -> Result<(), Fault> {
        if self.code.ops.len() > MAX_OPS {
            return Err(Fault::new(expr.at, "the grammar becomes too large here")
                .hint("repetitions such as {50} multiply what they repeat"));
        }
        if let Some(class) = self.as_class(expr) {
            let class = self.class(class);
            self.op(Op::One(class));
            return Ok(());
        }
        match &expr.shape {
            Shape::Text(text) | Shape::AnyCase(text) => {
                self.code.texts.push(text.as_str().into());
                let index = u32::try_from(self.code.texts.len() - 1).unwrap_or(0);
                self.op(if matches!(expr.shape, Shape::Text(_)) {
                    Op::Text(index)
                } else {
                    Op::AnyCase(index)
                });
            }
            Shape::Range(low, high) => {
                let class = self.class(Class::range(*low, *high));
                self.op(Op::One(class));
            }
            Shape::Name(name) => match self.book.rule(name) {
                Some(number) => self.call(number, place),
                None => self.builtin(name),
            },
            Shape::And(inner) => {
                let start = self.op(Op::Try(0));
                self.expr(
                    inner,
                    Place { look: if place.look == Look::Not { Look::Not } else { Look::Ahead }, ..place },
                )?;
                let back = self.op(Op::Back(0));
                self.lead_here(start);
                self.fail();
                self.lead_here(back);
            }
            Shape::Not(inner) => {
                let start = self.op(Op::Try(0));
                self.expr(
                    inner,
                    Place { look: if place.look == Look::Not { Look::Ahead } else { Look::Not }, ..place },
                )?;
                self.op(Op::Refuse);
                self.lead_here(start);
            }
            Shape::Sequence(parts) => {
                for (index, part) in parts.iter().enumerate() {
                    if index > 0 {
                        self.blanks(place);
                    }
                    self.expr(part, place)?;
                }
            }
            Shape::Choice(parts) => self.choice(parts, place)?,
            Shape::Optional(inner) => {
                let start = self.op(Op::Try(0));
                self.expr(inner, place)?;
                let end = self.op(Op::Commit(0));
                self.lead_here(start);
                self.lead_here(end);
            }
            Shape::Star(inner) => self.star(inner, place)?,
            Shape::Plus(inner) => {
                self.expr(inner, place)?;
                self.blanks(place);
                self.star(inner, place)?;
            }
            Shape::Times(inner, least, most) => self.times(inner, *least, *most, place)?,
        }
        Ok(())
    }

    fn choice(&mut self, parts: &[Expr], place: Place) -> Result<(), Fault> {
        let mut ends = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            if index + 1 == parts.len() {
                self.expr(part, place)?;
            } else {
                let start = self.op(Op::Try(0));
                self.expr(part, place)?;
                ends.push(self.op(Op::Commit(0)));
                self.lead_here(start);
            }
        }
        for end in ends {
            self.lead_here(end);
        }
        Ok(())
    }

    fn star(&mut self, inner: &Expr, place: Place) -> Result<(), Fault> {
        if !self.has_blanks(place)
            && let Some(class) = self.as_class(inner)
        {
            let class = self.class(class);
            self.op(Op::Many(class));
            return Ok(());
        }
        let start = self.op(Op::Try(0));
        self.expr(inner, place)?;
        // From the second turn on there may be blanks before, which count only if the turn succeeds.
        let turn = self.op(Op::Again(0));
        self.lead_here(turn);
        self.blanks(place);
        if self.has_blanks(place) {
            self.expr(inner, place)?;
            let again = u32::try_from(turn + 1).unwrap_or(0);
            self.op(Op::Again(again));
        } else {
            let again = u32::try_from(start + 1).unwrap_or(0);
            self.code.ops[turn] = Op::Again(again);
        }
        self.lead_here(start);
        Ok(())
    }

    fn times(&mut self, inner: &Expr, least: u32, most: Option<u32>, place: Place) -> Result<(), Fault> {
        let turns = most.unwrap_or(least + 1);
        for turn in 0..turns {
            if turn > 0 {
                self.blanks(place);
            }
            if turn < least {
                self.expr(inner, place)?;
            } else if most.is_none() {
                self.star(inner, place)?;
            } else {
                let start = self.op(Op::Try(0));
                self.expr(inner, place)?;
                let end = self.op(Op::Commit(0));
                self.lead_here(start);
                self.lead_here(end);
            }
        }
        Ok(())
    }

    fn builtin(&mut self, name: &str) {
        match builtin(name) {
            Some(Builtin::Any) => self.op(Op::Any),
            Some(Builtin::Start) => self.op(Op::Start),
            Some(Builtin::End) => self.op(Op::End),
            Some(Builtin::Class(class)) => {
                let class = self.class(class);
                self.op(Op::One(class))
            }
            Some(Builtin::Newline) => {
                let mut ends = Vec::new();
                for text in ["\r\n", "\n", "\r"] {
                    self.code.texts.push(text.into());
                    let index = u32::try_from(self.code.texts.len() - 1).unwrap_or(0);
                    let start = self.op(Op::Try(0));
                    self.op(Op::Text(index));
                    ends.push(self.op(Op::Commit(0)));
                    self.lead_here(start);
                }
                self.fail();
                for end in ends {
                    self.lead_here(end);
                }
                0
            }
            None => {
                self.fail();
                0
            }
        };
    }

    /// An instruction that fails.
    fn fail(&mut self) {
        let nothing = self.class(Class::default());
        self.op(Op::One(nothing));
    }

    fn has_blanks(&self, place: Place) -> bool {
        place.blanks == Blanks::Free
            && (self.book.rule("WHITESPACE").is_some() || self.book.rule("COMMENT").is_some())
    }

    /// Blanks and comments between two parts, where they may stand.
    fn blanks(&mut self, place: Place) {
        if !self.has_blanks(place) {
            return;
        }
        if let Some(rule) = self.book.rule("WHITESPACE") {
            self.repeat_rule(rule, place);
        }
        if let Some(comment) = self.book.rule("COMMENT") {
            let start = self.op(Op::Try(0));
            let turn = u32::try_from(self.code.ops.len()).unwrap_or(0);
            self.call(comment, place);
            if let Some(rule) = self.book.rule("WHITESPACE") {
                self.repeat_rule(rule, place);
            }
            self.op(Op::Again(turn));
            self.lead_here(start);
        }
    }

    fn repeat_rule(&mut self, rule: usize, place: Place) {
        let body = &self.book.rules[rule];
        if body.kind == Kind::Silent
            && let Some(class) = self.as_class(&body.body)
        {
            let class = self.class(class);
            self.op(Op::Many(class));
            return;
        }
        let start = self.op(Op::Try(0));
        let turn = u32::try_from(self.code.ops.len()).unwrap_or(0);
        self.call(rule, place);
        self.op(Op::Again(turn));
        self.lead_here(start);
    }

    fn as_class(&mut self, expr: &Expr) -> Option<Class> {
        self.sets.of(self.book, expr)
    }

    /// Puts the places of silent rules into their calls.
    fn link(&mut self) {
        let places: HashMap<u32, u32> = self
            .at
            .iter()
            .filter(|((number, _), _)| self.book.rules[*number].kind == Kind::Silent)
            .map(|((number, place), at)| {
                let look = u32::from(place.look as u8) << 2 | u32::from(place.blanks as u8);
                (SILENT | look << 24 | u32::try_from(*number).unwrap_or(0), *at)
            })
            .collect();
        for op in &mut self.code.ops {
            if let Op::Call(to) = op
                && let Some(at) = places.get(to)
            {
                *to = *at;
            }
        }
    }
}

/// Rules that pest runs by themselves between the parts of others.
fn special(rule: &Rule) -> bool {
    rule.name == "WHITESPACE" || rule.name == "COMMENT"
}
