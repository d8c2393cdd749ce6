//! The dice of a roll as they lie on the table: each with the throws it replaced and the faces that grew it.

use std::collections::HashMap;
use std::ops::Range;

use crate::die::Die;
use crate::number::Number;
use crate::roll::{Marks, NONE, Outcome, State};

/// A die or a member of a group as shown.
pub(super) struct Item {
    pub worth: Number,
    pub text: String,
}

/// The dice of a roll by the node that threw them.
pub(super) struct Table<'r> {
    outcome: &'r Outcome,
    /// The dice of each node, in runs.
    owned: HashMap<u32, Vec<Range<u32>>>,
    /// The dice that came from a die and are dice of their own.
    children: HashMap<u32, Vec<u32>>,
    /// The dice that went into a die.
    grown: HashMap<u32, Vec<u32>>,
}

impl<'r> Table<'r> {
    pub(super) fn new(outcome: &'r Outcome) -> Table<'r> {
        let mut table =
            Table { outcome, owned: HashMap::new(), children: HashMap::new(), grown: HashMap::new() };
        for run in &outcome.runs {
            table.owned.entry(run.owner).or_default().push(run.start..run.start + run.len);
        }
        for (index, from) in (0..).zip(&outcome.from).filter(|(_, from)| **from != NONE) {
            let mut root = *from;
            if outcome.marks(index).merged() {
                while outcome.marks(root).merged() {
                    root = table.from(root);
                }
                table.grown.entry(root).or_default().push(index);
            } else {
                table.children.entry(root).or_default().push(index);
            }
        }
        table
    }

    fn from(&self, index: u32) -> u32 {
        self.outcome.from.get(index as usize).copied().unwrap_or(NONE)
    }

    fn children(&self, index: u32) -> &[u32] {
        self.children.get(&index).map_or(&[], Vec::as_slice)
    }

    fn rerolled(&self, index: u32) -> bool {
        self.outcome.marks(index).state() == State::Rerolled
    }

    /// A second throw that did not stand: a die that was replaced has the replacement as its last child.
    fn lost(&self, index: u32) -> bool {
        self.rerolled(index) && self.children(index).is_empty()
    }

    /// The throw that took the place of a die.
    fn replacement(&self, index: u32) -> Option<u32> {
        if self.rerolled(index) { self.children(index).last().copied() } else { None }
    }

    /// Whether a die lies in a place of its own.
    fn has_place(&self, index: u32) -> bool {
        let from = self.from(index);
        from == NONE
            || !(self.outcome.marks(index).merged()
                || self.lost(index)
                || self.replacement(from) == Some(index))
    }

    /// The dice of a node in the order of the throw; `None` if it was not rolled.
    pub(super) fn items(&self, owner: u32) -> Option<Vec<Item>> {
        let runs = self.owned.get(&owner)?;
        let places = runs.iter().flat_map(Clone::clone).filter(|index| self.has_place(*index));
        Some(places.map(|index| self.item(index)).collect())
    }

    /// What lies in a place: throws that were replaced stand first.
    fn item(&self, mut index: u32) -> Item {
        let out = self.outcome;
        let die = out.run(index).map(|run| &run.die);
        let mut text = String::new();
        loop {
            let mut sum = Some(Number::from(out.faces.get(index)));
            text.push_str(&face(die, out.faces.get(index)));
            for extra in self.grown.get(&index).into_iter().flatten() {
                let more = out.faces.get(*extra);
                sum = sum.and_then(|sum| sum.plus(Number::from(more)));
                text.push('+');
                text.push_str(&face(die, more));
            }
            let (marks, worth) = (out.marks(index), out.worth(index));
            if marks.exploded() && !self.grown.contains_key(&index) {
                text.push('!');
            }
            for lost in self.children(index).iter().filter(|child| self.lost(**child)) {
                text.push('<');
                text.push_str(&face(die, out.faces.get(*lost)));
            }
            let Some(next) = self.replacement(index) else {
                if sum != Some(worth) {
                    text.push('=');
                    text.push_str(&worth.exact());
                }
                return Item { worth, text: marked(text, marks) };
            };
            text.push('>');
            index = next;
        }
    }

    /// A die as a later use of its pool sees it.
    pub(super) fn used(&self, index: u32, worth: Number, marks: Marks) -> Item {
        let die = self.outcome.run(index).map(|run| &run.die);
        let text = worth.as_i64().map_or_else(|| worth.exact(), |worth| face(die, worth));
        Item { worth, text: marked(text, marks) }
    }

    /// A member of a group.
    pub(super) fn member(worth: Number, marks: Marks) -> Item {
        Item { worth, text: marked(worth.exact(), marks) }
    }
}

/// A face; those of a fudge die are signs.
fn face(die: Option<&Die>, face: i64) -> String {
    match (die, face) {
        (Some(Die::Fudge), -1) => "-".to_owned(),
        (Some(Die::Fudge), 1) => "+".to_owned(),
        (Some(_) | None, _) => face.to_string(),
    }
}

/// A die with the signs for what it met, in brackets if it is not kept.
fn marked(mut text: String, marks: Marks) -> String {
    if marks.success() {
        text.push('*');
    }
    if marks.failure() {
        text.push('x');
    }
    match marks.state() {
        State::Kept => text,
        State::Dropped | State::Rerolled => format!("({text})"),
    }
}
