//! Rolling: a walk over the tree with a source of faces, limits and checked arithmetic.

mod bytes;
mod group;
mod number;
mod plain;
mod pool;
mod reroll;
mod select;
mod store;
mod throw;

use crate::ast::{Expr, Inner, Node, Span};
use crate::error::{Code, Error};
use crate::faces::{FaceError, Faces};
use crate::limits::{Limits, exceeded};
use crate::number::Number;
use crate::roll::{Outcome, Roll};

pub(crate) use number::{apply, call, raise, select_branch, signed};
pub(crate) use pool::{Pool, clamped};
pub(crate) use reroll::surviving;
pub(crate) use throw::dice_count;

/// Parses a text and rolls it once, with the default limits.
///
/// To roll a text more than once, parse it into an [`Expr`] first.
///
/// # Errors
/// What is wrong with the text, or what failed while rolling it.
///
/// ```
/// let roll = dice::roll("4d6kh3+2", &mut dice::Script::new([5, 3, 6, 2]))?;
/// assert_eq!(roll.total().to_string(), "16");
/// # Ok::<(), dice::Error>(())
/// ```
pub fn roll<F: Faces + ?Sized>(text: &str, faces: &mut F) -> Result<Roll, Error> {
    text.parse::<Expr>()?.roll(faces)
}

impl Expr {
    /// Rolls with the default limits.
    ///
    /// # Errors
    /// What failed while rolling, such as a division by zero, a limit that was met or a script that ran out.
    pub fn roll<F: Faces + ?Sized>(&self, faces: &mut F) -> Result<Roll, Error> {
        self.roll_within(faces, &Limits::default())
    }

    /// Rolls within these limits.
    ///
    /// # Errors
    /// As [`Expr::roll`].
    pub fn roll_within<F: Faces + ?Sized>(&self, faces: &mut F, limits: &Limits) -> Result<Roll, Error> {
        let mut roll = Roll::new(self);
        self.roll_into(&mut roll, faces, limits)?;
        Ok(roll)
    }

    /// Rolls again into a roll that is no longer needed, and reuses its memory. After an error the roll holds
    /// nothing of use.
    ///
    /// # Errors
    /// As [`Expr::roll`].
    pub fn roll_into<F: Faces + ?Sized>(
        &self,
        roll: &mut Roll,
        faces: &mut F,
        limits: &Limits,
    ) -> Result<(), Error> {
        let outcomes = roll.reuse(self);
        let times = usize::try_from(self.repeat().map_or(1, |repeat| repeat.times)).unwrap_or(usize::MAX);
        outcomes.truncate(times);
        let mut left = limits.dice.min(Limits::MAX_DICE);
        for index in 0..times {
            if outcomes.len() == index {
                outcomes.push(Outcome::default());
            }
            let outcome = &mut outcomes[index];
            outcome.clear();
            left = Eval::new(&self.inner, faces, outcome, limits, left, true).run()?;
        }
        Ok(())
    }

    /// Rolls for the total only: the same faces and the same total as [`Expr::roll`] with less work, because
    /// dice that no step looks at are not stored. Where the text repeats, the total of the first repetition
    /// is given and the others are not rolled.
    ///
    /// # Errors
    /// As [`Expr::roll`].
    pub fn total<F: Faces + ?Sized>(&self, faces: &mut F) -> Result<Number, Error> {
        self.total_within(faces, &Limits::default())
    }

    /// The same within these limits.
    ///
    /// # Errors
    /// As [`Expr::roll`].
    pub fn total_within<F: Faces + ?Sized>(&self, faces: &mut F, limits: &Limits) -> Result<Number, Error> {
        let mut outcome = Outcome::default();
        let dice = limits.dice.min(Limits::MAX_DICE);
        Eval::new(&self.inner, faces, &mut outcome, limits, dice, false).run()?;
        Ok(outcome.total)
    }
}

/// What a name holds.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Number(Number),
    Pool(Pool),
}

/// One evaluation.
pub(crate) struct Eval<'e, F: Faces + ?Sized> {
    pub(crate) expr: &'e Inner,
    pub(crate) faces: &'e mut F,
    pub(crate) out: &'e mut Outcome,
    limits: &'e Limits,
    /// How many dice may still be thrown.
    left: u64,
    /// Whether every die is to be stored, also those that no step looks at.
    record: bool,
    env: Vec<Option<Value>>,
}

impl<'e, F: Faces + ?Sized> Eval<'e, F> {
    pub(crate) fn new(
        expr: &'e Inner,
        faces: &'e mut F,
        out: &'e mut Outcome,
        limits: &'e Limits,
        left: u64,
        record: bool,
    ) -> Self {
        Eval { expr, faces, out, limits, left, record, env: Vec::new() }
    }

    /// Evaluates the whole text once; returns how many dice may still be thrown.
    #[inline]
    fn run(&mut self) -> Result<u64, Error> {
        match self.whole() {
            Ok(()) => Ok(self.left),
            Err(error) => Err(error.of(&self.expr.text)),
        }
    }

    #[inline]
    fn whole(&mut self) -> Result<(), Error> {
        let expr = self.expr;
        if expr.names > 0 {
            self.env.resize(expr.names as usize, None);
            self.define(&expr.definitions)?;
        }
        self.out.total = match self.small(&expr.body)? {
            Some(total) => Number::from(total),
            None => self.number(&expr.body)?,
        };
        Ok(())
    }

    /// Takes dice from the budget before they are thrown.
    #[inline]
    fn spend(&mut self, dice: u64, span: Span) -> Result<(), Error> {
        match self.left.checked_sub(dice) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(exceeded("dice", self.limits.dice, span, "too many dice are thrown")),
        }
    }
}

/// The error for a script that does not fit.
fn face_error(error: &FaceError, span: Span) -> Error {
    Error::new(Code::Script, span, error.to_string())
}

/// The error for a result that does not fit.
pub(crate) fn overflow(span: Span) -> Error {
    Error::new(Code::Overflow, span, "the result is too large").label("does not fit 127 bits")
}

/// Checks an amount of dice, rerolls or extras: a whole number of at least 0.
pub(crate) fn amount(number: Number, node: &Node, what: &str) -> Result<u64, Error> {
    match number.as_whole() {
        Some(whole) if whole >= 0 => Ok(u64::try_from(whole).unwrap_or(u64::MAX)),
        Some(_) | None => Err(Error::new(
            Code::Amount,
            node.span,
            format!("{what} is a whole number of at least 0, not {number}"),
        )),
    }
}
