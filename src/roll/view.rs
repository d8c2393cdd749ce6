//! A look at one die of a roll.

use std::collections::HashMap;
use std::rc::Rc;

use super::{NONE, Outcome};
use crate::ast::{Expr, Kind, Node, Step, StepKind};
use crate::die::Die;
use crate::number::Number;

/// How a die ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It counts.
    Kept,
    /// A step took it out.
    Dropped,
    /// Another throw took its place.
    Rerolled,
}

/// One die of a roll.
#[derive(Clone, Debug)]
pub struct DieView<'r> {
    outcome: &'r Outcome,
    steps: Rc<Steps<'r>>,
    index: u32,
    die: &'r Die,
    owner: u32,
}

/// Which step has which number, and which one is the last to select among the dice of a node.
#[derive(Debug, Default)]
struct Steps<'r> {
    by_id: HashMap<u32, &'r Step>,
    keeper: HashMap<u32, &'r Step>,
    /// The step of dice that have just one, which is not written down for each die that it drops.
    only: HashMap<u32, &'r Step>,
}

impl<'r> Steps<'r> {
    fn of(expr: &'r Expr) -> Steps<'r> {
        let mut steps = Steps::default();
        expr.walk(&mut |node| {
            if let Kind::Dice(dice) = &node.kind
                && let [step] = &dice.steps[..]
            {
                steps.only.insert(dice.id, step);
            }
            steps.by_id.extend(node.own_steps().iter().map(|step| (step.id, step)));
            let selects = |step: &&Step| matches!(step.kind, StepKind::Select(..));
            let Some(last) = node.own_steps().iter().rev().find(selects) else { return };
            match &node.kind {
                Kind::Dice(dice) => steps.keep(dice.id, last),
                Kind::Group(group) => group.members.iter().for_each(|member| steps.keep_all(member, last)),
                Kind::Number(_)
                | Kind::Named(_)
                | Kind::Call(_)
                | Kind::Bracket(_)
                | Kind::Signed(..)
                | Kind::Chain(_)
                | Kind::Power(_)
                | Kind::Label(_)
                | Kind::Compare(_)
                | Kind::Choice(_)
                | Kind::House(_) => {}
            }
        });
        steps
    }

    /// Nodes are visited from the outside in, and what is outside decides last.
    fn keep(&mut self, owner: u32, step: &'r Step) {
        self.keeper.entry(owner).or_insert(step);
    }

    fn keep_all(&mut self, member: &'r Node, step: &'r Step) {
        member.walk(&mut |node| {
            if let Kind::Dice(dice) = &node.kind {
                self.keep(dice.id, step);
            }
        });
    }
}

impl Outcome {
    /// Every die in the order in which they were thrown. `expr` is what was rolled.
    pub fn dice<'r>(&'r self, expr: &'r Expr) -> impl Iterator<Item = DieView<'r>> + 'r {
        let steps = Rc::new(Steps::of(expr));
        self.runs.iter().flat_map(move |run| {
            let steps = Rc::clone(&steps);
            (run.start..run.start + run.len).map(move |index| DieView {
                outcome: self,
                steps: Rc::clone(&steps),
                index,
                die: &run.die,
                owner: run.owner,
            })
        })
    }
}

impl<'r> DieView<'r> {
    /// Its place in the order of the throw, from 0.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index as usize
    }

    /// The kind of die.
    #[must_use]
    pub fn die(&self) -> &'r Die {
        self.die
    }

    /// The number of its pool: dice that are written once, such as `4d6`, have one, and it is the same in every roll.
    #[must_use]
    pub fn pool(&self) -> u32 {
        self.owner
    }

    /// The natural face: what was on top.
    #[must_use]
    pub fn face(&self) -> i64 {
        self.outcome.faces.get(self.index)
    }

    /// What it is worth: its face unless a step changed that; 0 for a face that went into another die.
    #[must_use]
    pub fn worth(&self) -> Number {
        self.outcome.worth(self.index)
    }

    /// How it ended. A face that went into another die ends as that die does.
    #[must_use]
    pub fn state(&self) -> State {
        self.outcome.marks(self.root()).state()
    }

    /// The die itself, or the one that its face went into.
    fn root(&self) -> u32 {
        let mut root = self.index;
        while self.outcome.marks(root).merged() {
            match self.outcome.from.get(root as usize) {
                Some(from) if *from < root => root = *from,
                Some(_) | None => break,
            }
        }
        root
    }

    /// The step that decided its state, if one did.
    #[must_use]
    pub fn by(&self) -> Option<&'r Step> {
        let id = self.outcome.by.get(self.root() as usize).copied().unwrap_or(NONE);
        let step = match self.state() {
            State::Dropped if id == NONE => self.steps.only.get(&self.owner),
            State::Kept if id == NONE => self.steps.keeper.get(&self.owner),
            State::Kept | State::Dropped | State::Rerolled => self.steps.by_id.get(&id),
        };
        step.copied()
    }

    /// The die from which it came: an extra comes from the die that exploded, a new throw from the one it replaces.
    #[must_use]
    pub fn from(&self) -> Option<usize> {
        let from = self.outcome.from.get(self.index as usize).copied().unwrap_or(NONE);
        (from != NONE).then_some(from as usize)
    }

    /// Whether it threw at least one more die.
    #[must_use]
    pub fn exploded(&self) -> bool {
        self.outcome.marks(self.index).exploded()
    }

    /// Whether its face was added to the die it came from.
    #[must_use]
    pub fn merged(&self) -> bool {
        self.outcome.marks(self.index).merged()
    }

    /// Whether it met a `count`.
    #[must_use]
    pub fn success(&self) -> bool {
        self.outcome.marks(self.index).success()
    }

    /// Whether it met a `fail`.
    #[must_use]
    pub fn failure(&self) -> bool {
        self.outcome.marks(self.index).failure()
    }
}
