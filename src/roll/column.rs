//! The columns in which a roll keeps its dice.

use super::State;
use crate::number::Number;

/// Faces in the order of the throw: one byte each as long as all fit, else eight.
#[derive(Clone, Debug, Default)]
pub(crate) struct Column {
    small: Vec<u8>,
    wide: Vec<i64>,
    /// Whether all faces are in `wide`; else all are in `small`.
    is_wide: bool,
}

impl Column {
    pub(crate) fn len(&self) -> usize {
        if self.is_wide { self.wide.len() } else { self.small.len() }
    }

    pub(crate) fn get(&self, index: u32) -> i64 {
        let index = index as usize;
        if self.is_wide { self.wide[index] } else { i64::from(self.small[index]) }
    }

    #[inline]
    pub(crate) fn push(&mut self, face: i64) {
        match u8::try_from(face) {
            Ok(face) if !self.is_wide => self.small.push(face),
            Ok(_) | Err(_) => self.wide().push(face),
        }
    }

    /// The faces as bytes, as long as all fit.
    #[inline]
    pub(crate) fn small(&mut self) -> Option<&mut Vec<u8>> {
        (!self.is_wide).then_some(&mut self.small)
    }

    /// The faces with eight bytes each, from now on.
    pub(crate) fn wide(&mut self) -> &mut Vec<i64> {
        if !self.is_wide {
            self.is_wide = true;
            self.wide.clear();
            self.wide.extend(self.small.drain(..).map(i64::from));
        }
        &mut self.wide
    }

    pub(crate) fn clear(&mut self) {
        self.small.clear();
        self.wide.clear();
        self.is_wide = false;
    }
}

/// Worths of dice that are not worth their face.
#[derive(Clone, Debug, Default)]
pub(crate) struct Worths {
    whole: Vec<i64>,
    /// Worths that are no whole 64-bit numbers, by the index of their die.
    odd: std::collections::BTreeMap<u32, Number>,
}

impl Worths {
    /// The worth of a die, if it has one of its own.
    pub(crate) fn get(&self, index: u32) -> Option<Number> {
        let whole = *self.whole.get(index as usize)?;
        Some(self.odd.get(&index).copied().unwrap_or_else(|| Number::from(whole)))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.whole.is_empty()
    }

    /// Sets a worth; `faces` are those of all dice so far.
    pub(crate) fn set(&mut self, index: u32, worth: Number, faces: &Column) {
        for next in self.whole.len()..faces.len() {
            self.whole.push(u32::try_from(next).map_or(0, |next| faces.get(next)));
        }
        if let Some(whole) = worth.as_i64() {
            self.odd.remove(&index);
            self.whole[index as usize] = whole;
        } else {
            self.odd.insert(index, worth);
        }
    }

    pub(crate) fn clear(&mut self) {
        self.whole.clear();
        if !self.odd.is_empty() {
            self.odd.clear();
        }
    }
}

/// What happened to a die, in one byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marks(u8);

impl Marks {
    /// The marks of a die that ended in a state.
    pub(crate) fn of(state: State) -> Marks {
        let mut marks = Marks::default();
        marks.set_state(state);
        marks
    }

    /// The marks of a die that met a `count`, or not.
    pub(crate) fn met(met: bool) -> Marks {
        Marks(if met { Marks::SUCCESS } else { 0 })
    }

    const DROPPED: u8 = 1;
    const REROLLED: u8 = 2;
    const EXPLODED: u8 = 4;
    const SUCCESS: u8 = 8;
    const FAILURE: u8 = 16;
    const MERGED: u8 = 32;

    pub(crate) fn state(self) -> State {
        if self.0 & Marks::REROLLED != 0 {
            State::Rerolled
        } else if self.0 & Marks::DROPPED != 0 {
            State::Dropped
        } else {
            State::Kept
        }
    }

    pub(crate) fn set_state(&mut self, state: State) {
        self.0 |= match state {
            State::Kept => 0,
            State::Dropped => Marks::DROPPED,
            State::Rerolled => Marks::REROLLED,
        };
    }

    pub(crate) fn exploded(self) -> bool {
        self.0 & Marks::EXPLODED != 0
    }

    pub(crate) fn set_exploded(&mut self) {
        self.0 |= Marks::EXPLODED;
    }

    pub(crate) fn success(self) -> bool {
        self.0 & Marks::SUCCESS != 0
    }

    pub(crate) fn failure(self) -> bool {
        self.0 & Marks::FAILURE != 0
    }

    pub(crate) fn set_met(&mut self, success: bool) {
        self.0 |= if success { Marks::SUCCESS } else { Marks::FAILURE };
    }

    /// Whether its face went into the die it came from.
    pub(crate) fn merged(self) -> bool {
        self.0 & Marks::MERGED != 0
    }

    pub(crate) fn set_merged(&mut self) {
        self.0 |= Marks::MERGED;
    }
}
