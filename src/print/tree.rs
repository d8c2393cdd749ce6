//! The canonical spelling of a tree: it parses back to the same tree.

use std::fmt::{self, Display, Formatter, Write};

use super::steps::steps;
use crate::ast::{Definition, Dice, Expr, Group, House, Kind, Named, Node, Sides, Sign};
use crate::die::Die;

/// What is written behind the parts of a tree: nothing in a spelling, the dice in a roll.
pub(super) trait Behind {
    /// Behind dice with their steps.
    fn dice(&self, f: &mut Formatter<'_>, dice: &Dice) -> fmt::Result;
    /// Behind a group with its steps.
    fn group(&self, f: &mut Formatter<'_>, group: &Group) -> fmt::Result;
    /// Behind a name with its steps.
    fn named(&self, f: &mut Formatter<'_>, named: &Named) -> fmt::Result;
    /// Behind a house rule.
    fn house(&self, f: &mut Formatter<'_>, house: &House) -> fmt::Result;
}

/// Nothing: the canonical spelling.
pub(super) struct Bare;

impl Behind for Bare {
    fn dice(&self, _: &mut Formatter<'_>, _: &Dice) -> fmt::Result {
        Ok(())
    }

    fn group(&self, _: &mut Formatter<'_>, _: &Group) -> fmt::Result {
        Ok(())
    }

    fn named(&self, _: &mut Formatter<'_>, _: &Named) -> fmt::Result {
        Ok(())
    }

    fn house(&self, _: &mut Formatter<'_>, _: &House) -> fmt::Result {
        Ok(())
    }
}

/// A part of a tree with what stands behind its parts.
pub(super) struct With<'a, T>(pub &'a T, pub &'a dyn Behind);

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(repeat) = self.repeat() {
            write!(f, "{}x ", repeat.times)?;
        }
        for definition in self.definitions() {
            write!(f, "{definition} ")?;
        }
        write!(f, "{}", self.body())?;
        match self.comment() {
            Some(comment) => write!(f, " # {comment}"),
            None => Ok(()),
        }
    }
}

impl Display for Definition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        With(self, &Bare).fmt(f)
    }
}

impl Display for With<'_, Definition> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let With(definition, behind) = *self;
        write!(f, "{} = {};", definition.name, With(&definition.value, behind))
    }
}

impl Display for Node {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        With(self, &Bare).fmt(f)
    }
}

impl Display for With<'_, Node> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let With(node, behind) = *self;
        spelled(f, node, behind)?;
        noted(f, node, behind)
    }
}

/// What stands behind a node, a label of the node included.
fn noted(f: &mut Formatter<'_>, node: &Node, behind: &dyn Behind) -> fmt::Result {
    match &node.kind {
        Kind::Dice(dice) => behind.dice(f, dice),
        Kind::Group(group) => behind.group(f, group),
        Kind::Named(named) => behind.named(f, named),
        Kind::House(house) => behind.house(f, house),
        Kind::Label(label) => noted(f, &label.inner, behind),
        Kind::Number(_)
        | Kind::Call(_)
        | Kind::Bracket(_)
        | Kind::Signed(..)
        | Kind::Chain(_)
        | Kind::Power(_)
        | Kind::Compare(_)
        | Kind::Choice(_) => Ok(()),
    }
}

/// A node without what stands behind it.
fn spelled(f: &mut Formatter<'_>, node: &Node, behind: &dyn Behind) -> fmt::Result {
    let with = |node| with_all(node, behind);
    match &node.kind {
        // A literal always has a finite decimal form; the fraction is for numbers built in code.
        Kind::Number(number) => f.write_str(&number.decimal(40).unwrap_or_else(|| number.exact())),
        Kind::Dice(dice) => {
            thrown(f, dice, behind)?;
            steps(f, &dice.steps, behind)
        }
        Kind::Group(group) => {
            f.write_char('{')?;
            joined(f, &group.members, behind)?;
            f.write_char('}')?;
            steps(f, &group.steps, behind)
        }
        Kind::Named(named) => {
            f.write_str(&named.name)?;
            if !named.steps.is_empty() {
                f.write_char(' ')?;
            }
            steps(f, &named.steps, behind)
        }
        Kind::Call(call) => {
            write!(f, "{}(", call.function.name())?;
            joined(f, &call.arguments, behind)?;
            f.write_char(')')
        }
        Kind::Bracket(inner) => write!(f, "({})", with(inner)),
        Kind::Signed(Sign::Negative, inner) => write!(f, "-{}", with(inner)),
        Kind::Signed(Sign::Positive, inner) => write!(f, "+{}", with(inner)),
        Kind::Chain(chain) => {
            with(&chain.first).fmt(f)?;
            let mut links = chain.rest.iter();
            links.try_for_each(|link| write!(f, " {} {}", link.operator.symbol(), with(&link.operand)))
        }
        Kind::Power(power) => write!(f, "{}^{}", with(&power.base), with(&power.exponent)),
        Kind::Label(label) => {
            spelled(f, &label.inner, behind)?;
            write!(f, "[{}]", label.text)
        }
        Kind::Compare(compare) => {
            write!(f, "{} {} {}", with(&compare.left), compare.comparison.symbol(), with(&compare.right))
        }
        Kind::Choice(choice) => {
            let (then, otherwise) = (with(&choice.then), with(&choice.otherwise));
            write!(f, "{} ? {then} : {otherwise}", with(&choice.condition))
        }
        Kind::House(house) => f.write_str(&house.typed),
    }
}

/// A node, boxed or not, with what stands behind its parts.
fn with_all<'a>(node: &'a Node, behind: &'a dyn Behind) -> With<'a, Node> {
    With(node, behind)
}

/// Nodes with commas between them.
fn joined(f: &mut Formatter<'_>, list: &[Node], behind: &dyn Behind) -> fmt::Result {
    for (index, node) in list.iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        write!(f, "{comma}{}", With(node, behind))?;
    }
    Ok(())
}

/// Dice without their steps.
fn thrown(f: &mut Formatter<'_>, dice: &Dice, behind: &dyn Behind) -> fmt::Result {
    With(&dice.count, behind).fmt(f)?;
    match &dice.sides {
        Sides::Known(known) => known.fmt(f),
        Sides::Computed(sides) => write!(f, "d{}", With(sides, behind)),
    }
}

impl Display for Die {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Die::Plain(sides) => write!(f, "d{sides}"),
            Die::Fudge => f.write_str("dF"),
            Die::Listed(_) => {
                f.write_str("d{")?;
                for (index, entry) in self.entries().iter().enumerate() {
                    let comma = if index == 0 { "" } else { ", " };
                    write!(f, "{comma}{}", entry.low)?;
                    if entry.high > entry.low {
                        write!(f, "..{}", entry.high)?;
                    } else if entry.weight > 1 {
                        write!(f, ":{}", entry.weight)?;
                    }
                }
                f.write_char('}')
            }
        }
    }
}
