//! From the parse tree to the typed tree: one function a rule, no spelling and no precedence.
//!
//! The grammar makes every operator one node together with its right operand, so a term is a first operand
//! and followers that each take what stands before them as their left operand.

mod compare;
pub(crate) mod dice;
mod fill;
mod group;
mod house;
mod named;
mod operators;
mod role;
mod steps;
mod term;

use std::sync::Arc;

pub(crate) use house::{Hole, Key, Template, is_value};
pub(crate) use role::{Ask, Follower, Operand, Part, Role, SidesRole, StepRole, role};

use crate::ast::{Definition, Inner, Kind, Node, Repeat, Span, Step, StepFacts};
use crate::error::{Code, Error};
use crate::grammar::{Expansions, Tree};
use crate::limits::{Limits, exceeded};
use crate::number::Number;

/// What the lowering knows of the names that are set so far, and where it is in the tree.
pub(crate) struct Lower<'a> {
    limits: &'a Limits,
    expansions: &'a Expansions,
    names: Vec<Known>,
    next_name: u32,
    next_step: u32,
    next_node: u32,
    depth: usize,
    /// Directly on the right side of a comparison: the byte at which it ends. Names take no steps there.
    right_end: Option<u32>,
    /// Steps that stand behind a name at the end of such a right side and belong to the left side.
    handed: Vec<Step>,
    /// The steps that come from a bare comparison.
    pub(crate) bare: Vec<u32>,
    /// The holes of a house rule's notation; elsewhere none may stand.
    pub(crate) holes: Option<Vec<Hole>>,
    /// How many nodes the house rules stand for so far.
    expanded: usize,
    /// How deep operands are in each other. A grammar that was read may nest where brackets do not.
    levels: usize,
}

/// A name that is set.
struct Known {
    name: Box<str>,
    index: u32,
    pool: bool,
    counts: bool,
}

impl<'a> Lower<'a> {
    pub(crate) fn new(limits: &'a Limits, expansions: &'a Expansions, template: bool) -> Lower<'a> {
        Lower {
            limits,
            expansions,
            names: Vec::new(),
            next_name: 0,
            next_step: 0,
            next_node: 0,
            depth: 0,
            right_end: None,
            handed: Vec::new(),
            bare: Vec::new(),
            holes: template.then(Vec::new),
            expanded: 0,
            levels: 0,
        }
    }

    /// Lowers a whole text.
    pub(crate) fn roll<T: Tree>(&mut self, tree: T, text: &Arc<str>) -> Result<Inner, Error> {
        let mut repeat = None;
        let mut definitions = Vec::new();
        let mut parts = tree.children();
        let mut first = None;
        for part in parts.by_ref() {
            match part.role() {
                Role::Part(Part::Repeat) => repeat = Some(self.repeat(part)?),
                Role::Part(Part::Definition) => definitions.push(self.definition(part)?),
                Role::Operand(_) => {
                    first = Some(part);
                    break;
                }
                Role::Follower(_)
                | Role::Step(_)
                | Role::Ask(_)
                | Role::Sides(_)
                | Role::Function(_)
                | Role::Part(_)
                | Role::House(_)
                | Role::Silent => return Err(internal(part.span())),
            }
        }
        let mut comment = None;
        let term = parts.map_while(|part| {
            if part.role() == Role::Part(Part::Comment) {
                comment = Some(part);
                return None;
            }
            Some(part)
        });
        let body = self.term(first.into_iter().chain(term), Span::default())?;
        let comment = comment.and_then(|part| part.children().next().map(|text| text.text().trim().into()));
        Ok(Inner {
            text: Arc::clone(text),
            repeat,
            definitions,
            body,
            comment,
            names: self.next_name,
            facts: vec![StepFacts::default(); self.next_step as usize],
            plains: vec![None; self.next_node as usize],
        })
    }

    fn repeat<T: Tree>(&mut self, tree: T) -> Result<Repeat, Error> {
        let span = tree.span();
        let number = only_child(tree)?;
        let at = number.span();
        let times = self.number(&number)?;
        let wrong = |title: &str| Err(Error::new(Code::Repeat, at, title));
        match times.as_u64() {
            Some(0) => wrong("0 repetitions roll nothing"),
            Some(times) if times > self.limits.repeats => Err(exceeded(
                "repeats",
                self.limits.repeats,
                at,
                &format!("{times} repetitions are too many"),
            )),
            Some(times) => Ok(Repeat { times, span }),
            None => wrong("a roll is repeated a whole number of times"),
        }
    }

    fn definition<T: Tree>(&mut self, tree: T) -> Result<Definition, Error> {
        let mut parts = tree.children();
        let name = parts.next().ok_or_else(|| internal(Span::default()))?;
        let span = name.span();
        let name: Box<str> = name.text().to_ascii_lowercase().into();
        if self.names.iter().any(|known| known.name == name) {
            return Err(Error::new(Code::Name, span, format!("{name} is set twice")).label("set before"));
        }
        let value = self.term(parts, span)?;
        let index = self.next_name;
        self.next_name += 1;
        let pool = pool_of(&value);
        let counts = pool.is_some_and(|pool| counts(pool_steps(pool)));
        self.names.push(Known { name: name.clone(), index, pool: pool.is_some(), counts });
        Ok(Definition { name, index, pool: pool.is_some(), value, span })
    }

    /// The next number of a node.
    fn node_id(&mut self) -> u32 {
        self.next_node += 1;
        self.next_node - 1
    }

    /// Goes one level deeper, or refuses to.
    fn nested<R>(
        &mut self,
        span: Span,
        inside: impl FnOnce(&mut Self) -> Result<R, Error>,
    ) -> Result<R, Error> {
        if self.depth >= self.limits.depth {
            return Err(too_deep(self.limits.depth, span));
        }
        self.depth += 1;
        let result = inside(self);
        self.depth -= 1;
        result
    }

    /// The same where a new context begins: in brackets, arguments, members and branches a name takes steps.
    fn enclosed<R>(
        &mut self,
        span: Span,
        inside: impl FnOnce(&mut Self) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let outside = self.right_end.take();
        let result = self.nested(span, inside);
        self.right_end = outside;
        result
    }

    /// A number as written.
    #[expect(clippy::unused_self, reason = "all functions of rules are called the same way")]
    fn number<T: Tree>(&mut self, tree: &T) -> Result<Number, Error> {
        let too_large = || {
            Error::new(Code::NumberTooLarge, tree.span(), "number too large")
                .label("at most 9223372036854775807")
        };
        let within = |number: &Number| {
            i64::try_from(number.numerator()).is_ok() && i64::try_from(number.denominator()).is_ok()
        };
        if let Some(number) = digits(tree.text()) {
            return Ok(Number::from(number));
        }
        let (whole, decimals) = tree.text().split_once('.').unwrap_or((tree.text(), ""));
        let decimals = decimals.trim_end_matches('0');
        let mut value: i128 = 0;
        // A grammar may allow blanks between digits, but nothing else is read as a number.
        for digit in whole.bytes().chain(decimals.bytes()).filter(|digit| *digit != b' ') {
            if !digit.is_ascii_digit() {
                return Err(internal(tree.span()));
            }
            let digit = i128::from(digit - b'0');
            value = value.checked_mul(10).and_then(|value| value.checked_add(digit)).ok_or_else(too_large)?;
        }
        let scale = u32::try_from(decimals.bytes().filter(|digit| *digit != b' ').count())
            .ok()
            .and_then(|places| 10_i128.checked_pow(places));
        scale.and_then(|scale| Number::ratio(value, scale)).filter(within).ok_or_else(too_large)
    }
}

/// A short whole number: nothing but digits, and too few to overflow.
fn digits(text: &str) -> Option<i64> {
    if text.len() > 18 {
        return None;
    }
    text.bytes()
        .try_fold(0, |number, digit| digit.is_ascii_digit().then(|| number * 10 + i64::from(digit - b'0')))
}

/// The error for something that the grammar and the table of roles rule out.
pub(crate) fn internal(span: Span) -> Error {
    Error::new(Code::Internal, span, "internal error: this part of the grammar is not understood here")
        .hint("please report the text and the grammar")
}

/// The error for a text that nests too deep.
pub(crate) fn too_deep(limit: usize, span: Span) -> Error {
    exceeded("depth", limit, span, "brackets, signs, powers or choices nest too deep here")
}

/// The one child of a node.
fn only_child<T: Tree>(tree: T) -> Result<T, Error> {
    let span = tree.span();
    tree.children().next().ok_or_else(|| internal(span))
}

/// The dice or the group that a node is nothing but, with or without a label.
pub(crate) fn pool_of(node: &Node) -> Option<&Node> {
    match &node.kind {
        Kind::Dice(_) | Kind::Group(_) => Some(node),
        Kind::Label(label) => pool_of(&label.inner),
        Kind::Number(_)
        | Kind::Named(_)
        | Kind::Call(_)
        | Kind::Bracket(_)
        | Kind::Signed(..)
        | Kind::Chain(_)
        | Kind::Power(_)
        | Kind::Compare(_)
        | Kind::Choice(_)
        | Kind::House(_) => None,
    }
}

/// The steps of dice, of a group or of a name.
pub(crate) fn pool_steps(node: &Node) -> &[Step] {
    match &node.kind {
        Kind::Dice(dice) => &dice.steps,
        Kind::Group(group) => &group.steps,
        Kind::Named(named) => &named.steps,
        Kind::Label(label) => pool_steps(&label.inner),
        Kind::Number(_)
        | Kind::Call(_)
        | Kind::Bracket(_)
        | Kind::Signed(..)
        | Kind::Chain(_)
        | Kind::Power(_)
        | Kind::Compare(_)
        | Kind::Choice(_)
        | Kind::House(_) => &[],
    }
}

/// Whether one of the steps makes the pool count.
pub(crate) fn counts(steps: &[Step]) -> bool {
    steps.iter().any(|step| step.kind.counts())
}
