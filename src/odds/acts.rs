//! Steps with their numbers known, and what each does to one die.

use crate::ast::{End, Span, Take};
use crate::die::Die;
use crate::eval::surviving;
use crate::number::Number;
use crate::test::Test;

/// A step whose amounts and targets are numbers. Sorting is left out: it changes no number.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    /// Keeps or drops so many of an end.
    Select(Take, End, u64),
    /// Throws more dice.
    Explode(Explosion),
    /// Throws dice again.
    Reroll(Rerolling),
    /// A lower worth becomes this.
    AtLeast(Number),
    /// A higher worth becomes this.
    AtMost(Number),
    /// Counts dice.
    Count(Test),
    /// Takes dice from the count.
    Fail(Test),
}

/// An explosion with its numbers known.
#[derive(Clone, Debug)]
pub(crate) struct Explosion {
    pub compound: bool,
    pub penetrate: bool,
    /// Without it the top face of the kind.
    pub test: Option<Test>,
    /// At most so many extras for each original die.
    pub limit: Option<u64>,
    /// The tests of all unlimited explosions of the pool up to this one: together they must spare a face.
    pub guard: Vec<Option<Test>>,
    pub span: Span,
}

/// A reroll with its numbers known.
#[derive(Clone, Debug)]
pub(crate) struct Rerolling {
    pub test: Test,
    pub mode: Mode,
    /// The tests of all unlimited rerolls of the pool up to this one.
    pub guard: Vec<Option<Test>>,
    pub span: Span,
}

/// How a reroll ends.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mode {
    /// The newest face stands; at most so often.
    Newest(Option<u64>),
    /// Once, and the higher stands.
    Better,
}

impl Act {
    /// Whether it needs the other dice of the pool.
    pub(crate) fn is_selection(&self) -> bool {
        match self {
            Act::Select(..) => true,
            Act::Explode(_)
            | Act::Reroll(_)
            | Act::AtLeast(_)
            | Act::AtMost(_)
            | Act::Count(_)
            | Act::Fail(_) => false,
        }
    }

    /// Whether it may turn one die into several.
    pub(crate) fn adds_dice(&self) -> bool {
        match self {
            Act::Explode(explosion) => !explosion.compound,
            Act::Select(..)
            | Act::Reroll(_)
            | Act::AtLeast(_)
            | Act::AtMost(_)
            | Act::Count(_)
            | Act::Fail(_) => false,
        }
    }

    /// Whether it throws dice, so that their kind matters.
    pub(crate) fn throws(&self) -> bool {
        match self {
            Act::Explode(_) | Act::Reroll(_) => true,
            Act::Select(..) | Act::AtLeast(_) | Act::AtMost(_) | Act::Count(_) | Act::Fail(_) => false,
        }
    }

    /// Whether it turns a pool into a count.
    pub(crate) fn counts(&self) -> bool {
        match self {
            Act::Count(_) | Act::Fail(_) => true,
            Act::Select(..) | Act::Explode(_) | Act::Reroll(_) | Act::AtLeast(_) | Act::AtMost(_) => false,
        }
    }

    /// Whether it keeps the order of worths and asks for no others.
    pub(crate) fn clamps(&self) -> bool {
        match self {
            Act::AtLeast(_) | Act::AtMost(_) => true,
            Act::Select(..) | Act::Explode(_) | Act::Reroll(_) | Act::Count(_) | Act::Fail(_) => false,
        }
    }
}

/// Worths as whole numbers of parts of 1, so that fractions fit the same grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unit {
    pub scale: i64,
}

impl Unit {
    /// A worth as a number.
    pub(crate) fn number(self, worth: i64) -> Number {
        if self.scale == 1 {
            Number::from(worth)
        } else {
            Number::ratio(i128::from(worth), i128::from(self.scale)).unwrap_or(Number::ZERO)
        }
    }

    /// Whether a worth meets a test.
    pub(crate) fn meets(self, test: &Test, worth: i64) -> bool {
        if self.scale == 1 { test.meets_whole(worth) } else { test.meets(self.number(worth)) }
    }

    /// A number as a worth, if it is one of this unit.
    pub(crate) fn worth(self, number: Number) -> Option<i64> {
        number.times(Number::from(self.scale))?.as_i64()
    }
}

/// A kind of die with its faces listed.
#[derive(Clone, Debug)]
pub(crate) struct Kind {
    /// Worth of each face in units, ascending and different, with weights.
    pub faces: Vec<(i64, u64)>,
    /// The number of outcomes.
    pub total: u64,
    /// The top face in units.
    pub top: i64,
    /// The die, where it is one and not a member of a group.
    pub die: Option<Die>,
}

impl Kind {
    /// Lists the faces of a die. The caller has seen to it that there are not too many.
    pub(crate) fn of(die: &Die, unit: Unit) -> Kind {
        let mut faces: Vec<(i64, u64)> = die.iter().map(|(f, w)| (f.saturating_mul(unit.scale), w)).collect();
        if faces.windows(2).any(|pair| pair[0].0 >= pair[1].0) {
            faces.sort_unstable();
            faces.dedup_by(|next, first| {
                let same = next.0 == first.0;
                if same {
                    first.1 += next.1;
                }
                same
            });
        }
        let top = die.top().saturating_mul(unit.scale);
        Kind { faces, total: die.weight(), top, die: Some(die.clone()) }
    }
}

/// What the last counting steps make of a worth: successes minus failures; `None` where nothing counts.
pub(crate) fn net(acts: &[Act], unit: Unit, worth: i64) -> Option<i64> {
    let mut counted = None;
    for act in acts {
        match act {
            Act::Count(test) => *counted.get_or_insert(0) += i64::from(unit.meets(test, worth)),
            Act::Fail(test) => *counted.get_or_insert(0) -= i64::from(unit.meets(test, worth)),
            Act::Select(..) | Act::Explode(_) | Act::Reroll(_) | Act::AtLeast(_) | Act::AtMost(_) => {}
        }
    }
    counted
}

impl Kind {
    /// Whether the tests together meet every face.
    pub(crate) fn never_ends(&self, guard: &[Option<Test>]) -> bool {
        self.die.as_ref().is_some_and(|die| surviving(die, guard).is_none())
    }
}
