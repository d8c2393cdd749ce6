//! The text of a roll: its spelling with the dice behind each pool, and the total at the end.
//!
//! Dice stand in the order of the throw. What is not kept stands in brackets; `1>4` was rerolled, `4<1` kept the better of two
//! throws, `6!` exploded, `6+6+2` grew by compounding, `1=2` counts as 2, `8*` met a count and `1x` a fail.

use std::collections::HashMap;
use std::fmt::{self, Display, Formatter};

use super::table::{Item, Table};
use super::tree::{Behind, With};
use crate::ast::{Dice, Expr, Group, House, Named, Order, Step, StepKind};
use crate::roll::{Outcome, Roll, Use};

/// How many dice of a pool are shown unless all are asked for.
const SHOWN: usize = 50;

/// One line for each result. Of pools of more than 50 dice the first 50 are shown, with `{:#}` all.
impl Display for Roll {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, outcome) in self.outcomes().iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            line(f, self.expr(), outcome)?;
        }
        Ok(())
    }
}

/// The line of one result; the total is the last thing on it.
fn line(f: &mut Formatter<'_>, expr: &Expr, outcome: &Outcome) -> fmt::Result {
    if let Some(comment) = expr.comment().filter(|comment| !comment.is_empty()) {
        write!(f, "{comment}: ")?;
    }
    let shown = if f.alternate() { usize::MAX } else { SHOWN };
    let thrown = Thrown::new(outcome, shown);
    for definition in expr.definitions() {
        write!(f, "{} ", With(definition, &thrown))?;
    }
    write!(f, "{} = {}", With(expr.body(), &thrown), outcome.total())
}

/// What was thrown, to be written behind the parts of the tree.
struct Thrown<'r> {
    outcome: &'r Outcome,
    table: Table<'r>,
    /// The members of each group.
    members: HashMap<u32, Vec<u32>>,
    uses: HashMap<u32, &'r Use>,
    /// How many dice of a pool are written at most.
    shown: usize,
}

impl<'r> Thrown<'r> {
    fn new(outcome: &'r Outcome, shown: usize) -> Thrown<'r> {
        let mut members: HashMap<u32, Vec<u32>> = HashMap::new();
        for (index, member) in (0..).zip(&outcome.members) {
            members.entry(member.group).or_default().push(index);
        }
        let uses = outcome.uses.iter().map(|used| (used.id, used)).collect();
        Thrown { outcome, table: Table::new(outcome), members, uses, shown }
    }

    /// Dice between square brackets, in the order that the last sort wants.
    fn list(&self, f: &mut Formatter<'_>, mut items: Vec<Item>, steps: &[Step]) -> fmt::Result {
        match steps.iter().rev().find_map(order) {
            Some(Order::Ascending) => items.sort_by_key(|item| item.worth),
            Some(Order::Descending) => items.sort_by_key(|item| std::cmp::Reverse(item.worth)),
            None => {}
        }
        f.write_str(" [")?;
        for (index, item) in items.iter().take(self.shown).enumerate() {
            let blank = if index == 0 { "" } else { " " };
            write!(f, "{blank}{}", item.text)?;
        }
        if items.len() > self.shown {
            write!(f, " ... {} more", items.len() - self.shown)?;
        }
        f.write_str("]")
    }
}

/// The order that a step wants.
fn order(step: &Step) -> Option<Order> {
    match &step.kind {
        StepKind::Sort(order) => Some(*order),
        StepKind::Select(..)
        | StepKind::Explode(_)
        | StepKind::Reroll(_)
        | StepKind::AtLeast(_)
        | StepKind::AtMost(_)
        | StepKind::Count(_)
        | StepKind::Fail(_) => None,
    }
}

impl Behind for Thrown<'_> {
    fn dice(&self, f: &mut Formatter<'_>, dice: &Dice) -> fmt::Result {
        match self.table.items(dice.id) {
            Some(items) => self.list(f, items, &dice.steps),
            None => Ok(()),
        }
    }

    fn group(&self, f: &mut Formatter<'_>, group: &Group) -> fmt::Result {
        let Some(members) = self.members.get(&group.id) else { return Ok(()) };
        let members = members.iter().filter_map(|index| self.outcome.members.get(*index as usize));
        let items = members.map(|member| Table::member(member.worth, member.marks)).collect();
        self.list(f, items, &group.steps)
    }

    fn named(&self, f: &mut Formatter<'_>, named: &Named) -> fmt::Result {
        let Some(used) = self.uses.get(&named.id) else { return Ok(()) };
        let item = |die: &crate::roll::UsedDie| {
            if used.members {
                Table::member(die.worth, die.marks)
            } else {
                self.table.used(die.index, die.worth, die.marks)
            }
        };
        self.list(f, used.dice.iter().map(item).collect(), &named.steps)
    }

    fn house(&self, f: &mut Formatter<'_>, house: &House) -> fmt::Result {
        f.write_str(" (")?;
        for definition in &house.definitions {
            write!(f, "{} ", With(definition, self))?;
        }
        write!(f, "{})", With(&house.body, self))
    }
}
