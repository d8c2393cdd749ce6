//! What happened: totals and every die that was thrown.
//!
//! Dice are stored by column, and columns come into being only when they hold something: a million plain dice are a million
//! bytes.

use std::ops::Range;

use crate::ast::Expr;
use crate::die::Die;
use crate::number::Number;

mod column;
mod view;

pub(crate) use column::{Column, Marks, Worths};
pub use view::{DieView, State};

/// A text that has been rolled.
#[derive(Clone, Debug)]
pub struct Roll {
    expr: Expr,
    outcomes: Vec<Outcome>,
}

impl Roll {
    /// A roll in which nothing has happened yet: room for [`Expr::roll_into`].
    pub(crate) fn new(expr: &Expr) -> Roll {
        Roll { expr: expr.clone(), outcomes: Vec::new() }
    }

    pub(crate) fn reuse(&mut self, expr: &Expr) -> &mut Vec<Outcome> {
        if !std::sync::Arc::ptr_eq(&self.expr.inner, &expr.inner) {
            self.expr = expr.clone();
        }
        &mut self.outcomes
    }

    /// The text that was rolled.
    #[must_use]
    pub fn expr(&self) -> &Expr {
        &self.expr
    }

    /// The total; where the text repeats (`6x …`) that of the first repetition, see [`Roll::outcomes`].
    #[must_use]
    pub fn total(&self) -> Number {
        self.outcomes.first().map_or(Number::ZERO, Outcome::total)
    }

    /// The results: one, or one for each repetition.
    #[must_use]
    pub fn outcomes(&self) -> &[Outcome] {
        &self.outcomes
    }

    /// Every die of the first result in the order in which they were thrown.
    pub fn dice(&self) -> impl Iterator<Item = DieView<'_>> {
        self.outcomes.iter().take(1).flat_map(move |outcome| outcome.dice(&self.expr))
    }
}

/// One result of a text.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    pub(crate) total: Number,
    pub(crate) faces: Column,
    pub(crate) runs: Vec<Run>,
    pub(crate) marks: Vec<Marks>,
    /// The number of the step that decided a die, for dice that are not kept.
    pub(crate) by: Vec<u32>,
    pub(crate) worths: Worths,
    /// The die that an extra or a replacement came from.
    pub(crate) from: Vec<u32>,
    pub(crate) members: Vec<Member>,
    pub(crate) uses: Vec<Use>,
    pub(crate) labels: Vec<(Box<str>, Number)>,
    pub(crate) tally: Option<Tally>,
}

/// Dice of one kind that were thrown one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub start: u32,
    pub len: u32,
    /// The number of the dice in the text.
    pub owner: u32,
    pub die: Die,
}

/// Successes and failures, each counted as often as a die met a condition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How often `count` was met.
    pub successes: u64,
    /// How often `fail` was met.
    pub failures: u64,
}

/// A member of a group.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub group: u32,
    pub worth: Number,
    pub marks: Marks,
    pub by: u32,
    /// Its dice.
    pub dice: Range<u32>,
    /// Its members, where it is a group itself.
    pub members: Range<u32>,
    /// Its labels, until it is kept.
    pub labels: Vec<(Box<str>, Number)>,
    pub tally: Option<Tally>,
}

/// What the steps behind a name decided, in that place only.
#[derive(Clone, Debug)]
pub(crate) struct Use {
    /// The number of the use in the text.
    pub id: u32,
    pub dice: Vec<UsedDie>,
    pub members: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct UsedDie {
    pub index: u32,
    pub worth: Number,
    pub marks: Marks,
    pub by: u32,
}

/// No die, or no step.
pub(crate) const NONE: u32 = u32::MAX;

impl Outcome {
    /// The total.
    #[must_use]
    pub fn total(&self) -> Number {
        self.total
    }

    /// Successes and failures where dice were counted.
    #[must_use]
    pub fn tally(&self) -> Option<Tally> {
        self.tally
    }

    /// Subtotals by label, in the order of the text; a label that stands twice has one subtotal.
    #[must_use]
    pub fn labels(&self) -> &[(Box<str>, Number)] {
        &self.labels
    }

    /// How many dice were thrown.
    #[must_use]
    pub fn len(&self) -> usize {
        self.faces.len()
    }

    /// Whether no die was thrown.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Forgets everything but keeps the room.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.faces.clear();
        self.runs.clear();
        self.marks.clear();
        self.by.clear();
        self.worths.clear();
        self.from.clear();
        self.members.clear();
        self.uses.clear();
        self.labels.clear();
        self.tally = None;
    }

    pub(crate) fn worth(&self, index: u32) -> Number {
        self.worths.get(index).unwrap_or_else(|| Number::from(self.faces.get(index)))
    }

    /// The run that a die belongs to.
    pub(crate) fn run(&self, index: u32) -> Option<&Run> {
        let place = self.runs.partition_point(|run| run.start <= index);
        self.runs.get(place.checked_sub(1)?)
    }

    pub(crate) fn marks(&self, index: u32) -> Marks {
        self.marks.get(index as usize).copied().unwrap_or_default()
    }

    /// Marks a die.
    pub(crate) fn mark(&mut self, index: u32, change: impl FnOnce(&mut Marks)) {
        let index = index as usize;
        if self.marks.len() <= index {
            self.marks.resize(self.faces.len().max(index + 1), Marks::default());
        }
        change(&mut self.marks[index]);
    }

    /// Ends a die: it is dropped or rerolled away by a step.
    pub(crate) fn end(&mut self, index: u32, state: State, step: u32) {
        self.mark(index, |marks| marks.set_state(state));
        let index = index as usize;
        if self.by.len() <= index {
            self.by.resize(self.faces.len().max(index + 1), NONE);
        }
        self.by[index] = step;
    }

    /// Makes room for the extras of the dice so far: a row of [`Outcome::extra`], ended by [`Outcome::stretch`].
    #[inline]
    pub(crate) fn begin_extras(&mut self) {
        self.marks.resize(self.faces.len(), Marks::default());
        self.from.resize(self.faces.len(), NONE);
    }

    /// Writes down an extra, a small face of the kind of die that was thrown last; its index.
    #[inline]
    pub(crate) fn extra(&mut self, parent: usize, face: u8) -> usize {
        let index = self.from.len();
        self.marks[parent].set_exploded();
        self.marks.push(Marks::default());
        self.from.push(u32::try_from(parent).unwrap_or(NONE));
        self.faces.push(i64::from(face));
        index
    }

    /// Stretches the last run to the last die.
    #[inline]
    pub(crate) fn stretch(&mut self) {
        if let Some(last) = self.runs.last_mut() {
            last.len = u32::try_from(self.faces.len()).unwrap_or(NONE) - last.start;
        }
    }

    pub(crate) fn set_from(&mut self, index: u32, from: u32) {
        let index = index as usize;
        if self.from.len() <= index {
            self.from.resize(self.faces.len().max(index + 1), NONE);
        }
        self.from[index] = from;
    }
}
