//! Writes a grammar as instructions.
//!
//! Whether blanks may stand between two parts, whether a rule leaves a node and whether its failure counts depend on where
//! it is called from. Each rule is therefore written out once for each kind of place it is called from, and nothing of
//! that is decided while parsing.

mod blanks;
mod choice;
mod expr;
mod head;

use std::collections::HashMap;

use super::book::Book;
use super::class::{Class, Sets};
use super::code::{Code, Entry, Op};
use super::syntax::{Expr, Fault, Kind, Rule, Shape};
use head::Beginning;

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
    let mut writer = Writer {
        book,
        code: Code::default(),
        at: HashMap::new(),
        open: Vec::new(),
        sets: Sets::default(),
        heads: HashMap::new(),
    };
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
    /// With what rules can begin, as far as that was asked for.
    heads: HashMap<(usize, Place), Option<Beginning>>,
}

/// Marks what [`silent`] gives.
const SILENT: u32 = 1 << 31;

/// Stands for the place of a silent rule that is not written yet; [`Writer::link`] puts in the real one.
fn silent(number: usize, place: Place) -> u32 {
    let look = u32::from(place.look as u8) << 2 | u32::from(place.blanks as u8);
    SILENT | look << 24 | u32::try_from(number).unwrap_or(0)
}

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
        match &mut self.code.ops[at] {
            Op::Try(to) | Op::Commit(to) | Op::Again(to) | Op::Back(to) | Op::Go(to) => *to = here,
            Op::Head(index) => self.code.heads[*index as usize].to = here,
            Op::Text(_)
            | Op::AnyCase(_)
            | Op::One(_)
            | Op::Many(_)
            | Op::Any
            | Op::Before(_)
            | Op::NotBefore(_)
            | Op::Switch(_)
            | Op::Start
            | Op::End
            | Op::Refuse
            | Op::Call(_)
            | Op::Enter(_)
            | Op::Return
            | Op::Done => {}
        }
    }

    fn class(&mut self, class: Class) -> u32 {
        self.code.classes.push(class);
        u32::try_from(self.code.classes.len() - 1).unwrap_or(0)
    }

    /// An instruction that fails.
    fn fail(&mut self) {
        let nothing = self.class(Class::default());
        self.op(Op::One(nothing));
    }

    fn as_class(&mut self, expr: &Expr) -> Option<Class> {
        self.sets.of(self.book, expr)
    }

    fn call(&mut self, number: usize, place: Place) {
        let rule = &self.book.rules[number];
        if rule.kind == Kind::Silent {
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
            if let std::collections::hash_map::Entry::Vacant(vacant) = self.at.entry((number, place)) {
                vacant.insert(0);
                self.open.push((number, place, None));
            }
            self.op(Op::Call(silent(number, place)));
            return;
        }
        let entry = if let Some(entry) = self.at.get(&(number, place)) {
            *entry
        } else {
            let entry = u32::try_from(self.code.entries.len()).unwrap_or(0);
            let (node, counts) = traces(rule, place);
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
        self.expr(&rule.body, inside(rule, place))
    }

    /// Puts the places of silent rules into their calls.
    fn link(&mut self) {
        let places: HashMap<u32, u32> = self
            .at
            .iter()
            .filter(|((number, _), _)| self.book.rules[*number].kind == Kind::Silent)
            .map(|((number, place), at)| (silent(*number, *place), *at))
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

/// Whether a rule leaves a node there, and whether its failure (or its success where it must not succeed) shows how far a text
/// fits.
fn traces(rule: &Rule, place: Place) -> (bool, bool) {
    match rule.kind {
        Kind::Silent => (false, false),
        Kind::Normal | Kind::Atomic => {
            let leaves = place.blanks != Blanks::Atomic;
            (leaves && place.look == Look::None, leaves)
        }
        Kind::NonAtomic if special(rule) => (false, false),
        Kind::Compound | Kind::NonAtomic => (place.look == Look::None, true),
    }
}

/// The place of what a rule consists of.
fn inside(rule: &Rule, place: Place) -> Place {
    let blanks = match rule.kind {
        Kind::Normal | Kind::Silent | Kind::NonAtomic if special(rule) => Blanks::Atomic,
        Kind::Normal | Kind::Silent => place.blanks,
        Kind::Atomic => Blanks::Atomic,
        Kind::Compound => Blanks::Compound,
        Kind::NonAtomic => Blanks::Free,
    };
    Place { blanks, ..place }
}

impl Place {
    /// The place of what is only looked at.
    fn ahead(self) -> Place {
        Place { look: if self.look == Look::Not { Look::Not } else { Look::Ahead }, ..self }
    }

    /// The place of what must not be there.
    fn refused(self) -> Place {
        Place { look: if self.look == Look::Not { Look::Ahead } else { Look::Not }, ..self }
    }
}

/// Rules that pest runs by themselves between the parts of others.
fn special(rule: &Rule) -> bool {
    rule.name == "WHITESPACE" || rule.name == "COMMENT"
}
