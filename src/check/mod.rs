//! The faults of a text that do not depend on the dice.

use crate::ast::{Inner, Span, Take};
use crate::error::{Code, Error};
use crate::limits::Limits;

pub(crate) fn check(inner: &mut Inner, bare: &[u32], limits: &Limits) -> Result<(), Error> {
    let _ = (inner, bare, limits);
    Ok(())
}

/// The error for keeping or dropping more dice than there are.
pub(crate) fn cannot_take(take: Take, wanted: u64, size: u64, span: Span) -> Error {
    let word = match take {
        Take::Keep => "keep",
        Take::Drop => "drop",
    };
    Error::new(Code::TooFewDice, span, format!("cannot {word} {wanted} of {size} dice"))
}

/// The errors for what never ends.
pub(crate) mod endless {
    use crate::ast::Span;
    use crate::die::Die;
    use crate::error::{Code, Error};

    pub(crate) fn explosion(die: &Die, span: Span) -> Error {
        Error::new(Code::Endless, span, format!("this never stops: every face of the {die} explodes"))
    }

    pub(crate) fn reroll(die: &Die, span: Span) -> Error {
        Error::new(Code::Endless, span, format!("this never stops: every face of the {die} is rolled again"))
    }
}
