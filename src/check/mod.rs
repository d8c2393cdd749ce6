//! The faults of a text that do not depend on the dice.

use crate::ast::Inner;
use crate::error::Error;
use crate::limits::Limits;

pub(crate) fn check(inner: &Inner, bare: &[u32], limits: &Limits) -> Result<(), Error> {
    let _ = (inner, bare, limits);
    Ok(())
}
