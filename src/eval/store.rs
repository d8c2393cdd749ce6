//! Where steps find the worth of what they act on, and where they write what they decide: the dice of the roll, the members
//! of a group, or the dice of a named pool as one place uses them.

use crate::number::Number;
use crate::roll::{Marks, NONE, Outcome, State, UsedDie};

/// Dice or members, by their index.
pub(crate) trait Store {
    fn worth(&self, index: u32) -> Number;
    fn set_worth(&mut self, index: u32, worth: Number);
    fn drop(&mut self, index: u32, step: u32);
    fn meet(&mut self, index: u32, success: bool);
    /// The worths of all of these as whole numbers, if they are.
    fn whole_worths(&self, live: &[u32], into: &mut Vec<i64>) -> bool {
        into.clear();
        for index in live {
            match self.worth(*index).as_i64() {
                Some(worth) => into.push(worth),
                None => return false,
            }
        }
        true
    }
}

/// Where the steps of a pool act.
pub(crate) enum Place {
    /// On the dice of the roll.
    Thrown,
    /// On members of a group.
    Members,
    /// On the dice of a name, in one place.
    Used(Used),
}

impl Place {
    /// Lets `act` read and write there.
    pub(crate) fn with<R>(&mut self, out: &mut Outcome, act: impl FnOnce(&mut dyn Store) -> R) -> R {
        match self {
            Place::Thrown => act(&mut Thrown(out)),
            Place::Members => act(&mut Members(out)),
            Place::Used(used) => act(used),
        }
    }
}

/// The dice of a roll.
pub(crate) struct Thrown<'o>(pub &'o mut Outcome);

impl Store for Thrown<'_> {
    fn worth(&self, index: u32) -> Number {
        self.0.worth(index)
    }

    fn set_worth(&mut self, index: u32, worth: Number) {
        self.0.worths.set(index, worth, &self.0.faces);
    }

    fn drop(&mut self, index: u32, step: u32) {
        self.0.end(index, State::Dropped, step);
    }

    fn meet(&mut self, index: u32, success: bool) {
        self.0.mark(index, |marks| marks.set_met(success));
    }

    fn whole_worths(&self, live: &[u32], into: &mut Vec<i64>) -> bool {
        into.clear();
        if self.0.worths.is_empty() {
            into.extend(live.iter().map(|index| self.0.faces.get(*index)));
            return true;
        }
        for index in live {
            match self.worth(*index).as_i64() {
                Some(worth) => into.push(worth),
                None => return false,
            }
        }
        true
    }
}

/// The members of groups.
pub(crate) struct Members<'o>(pub &'o mut Outcome);

impl Store for Members<'_> {
    fn worth(&self, index: u32) -> Number {
        self.0.members[index as usize].worth
    }

    fn set_worth(&mut self, index: u32, worth: Number) {
        self.0.members[index as usize].worth = worth;
    }

    /// Drops a member with all its dice and inner members.
    fn drop(&mut self, index: u32, step: u32) {
        let member = &mut self.0.members[index as usize];
        member.marks.set_state(State::Dropped);
        member.by = step;
        let (dice, inner) = (member.dice.clone(), member.members.clone());
        for die in dice {
            if self.0.marks(die).state() == State::Kept {
                self.0.end(die, State::Dropped, step);
            }
        }
        for member in inner {
            let member = &mut self.0.members[member as usize];
            if member.marks.state() == State::Kept {
                member.marks.set_state(State::Dropped);
                member.by = step;
            }
        }
    }

    fn meet(&mut self, index: u32, success: bool) {
        self.0.members[index as usize].marks.set_met(success);
    }
}

/// What one place makes of a named pool.
pub(crate) struct Used(pub Vec<UsedDie>);

impl Used {
    pub(crate) fn new(pool: &[(u32, Number)]) -> Used {
        let die = |(index, worth): &(u32, Number)| UsedDie {
            index: *index,
            worth: *worth,
            marks: Marks::default(),
            by: NONE,
        };
        Used(pool.iter().map(die).collect())
    }
}

impl Store for Used {
    fn worth(&self, index: u32) -> Number {
        self.0[index as usize].worth
    }

    fn set_worth(&mut self, index: u32, worth: Number) {
        self.0[index as usize].worth = worth;
    }

    fn drop(&mut self, index: u32, step: u32) {
        let die = &mut self.0[index as usize];
        die.marks.set_state(State::Dropped);
        die.by = step;
    }

    fn meet(&mut self, index: u32, success: bool) {
        self.0[index as usize].marks.set_met(success);
    }
}
