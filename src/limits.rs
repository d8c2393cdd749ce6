//! What a text and its roll may cost at most.

use crate::ast::Span;
use crate::error::{Code, Error};

/// Bounds on the work that a text can cause. Every error about a limit names it and says how to raise it.
///
/// ```
/// use dice::{Expr, Limits};
/// let limits = Limits { dice: 100, ..Limits::default() };
/// assert!(Expr::parse("101d6", &limits).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a text. Default 4096, at most 2^30.
    pub text: usize,
    /// How deep brackets, signs, powers and choices may nest. Default 128, at most [`Limits::MAX_DEPTH`].
    pub depth: usize,
    /// Dice thrown by one evaluation, extras, rerolls and repeats included. Default 1 000 000, at most 2^31.
    pub dice: u64,
    /// Repetitions of `6x …`. Default 10 000, at most 100 000.
    pub repeats: u64,
    /// Faces on one listed die. Default 1 000 000.
    pub faces: u64,
    /// Work that exact odds may take, in additions of 64 bits (about a nanosecond each). Default 4 000 000 000. What would
    /// take more is refused before that part of the work starts, and so is what would hold more than a quarter as many bytes in
    /// memory.
    pub steps: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            text: 4096,
            depth: 128,
            dice: 1_000_000,
            repeats: 10_000,
            faces: 1_000_000,
            steps: 4_000_000_000,
        }
    }
}

impl Limits {
    /// The deepest nesting that can be allowed: what fits a stack of 2 MiB, at up to 9 KiB a level. A build
    /// without any optimisation needs three times that.
    pub const MAX_DEPTH: usize = 192;

    /// The most dice that can be allowed: each has a number of 32 bits.
    pub const MAX_DICE: u64 = 1 << 31;

    /// The most repetitions that can be allowed: each keeps its result in memory, dice or none.
    pub const MAX_REPEATS: u64 = 100_000;

    /// The names of all limits, as the program's `--limit NAME=VALUE` spells them.
    pub const NAMES: [&'static str; 6] = ["text", "depth", "dice", "repeats", "faces", "steps"];

    /// Sets a limit by its name.
    ///
    /// # Errors
    /// A sentence that says what is wrong: the name is unknown or the value is beyond what can be allowed.
    pub fn set(&mut self, name: &str, value: u64) -> Result<(), String> {
        let capped = |most: u64| {
            if value > most { Err(format!("the limit {name} can be {most} at most")) } else { Ok(value) }
        };
        let size = |most: u64| capped(most).map(|value| usize::try_from(value).unwrap_or(usize::MAX));
        match name {
            "text" => self.text = size(1 << 30)?,
            "depth" => self.depth = size(Limits::MAX_DEPTH as u64)?,
            "dice" => self.dice = capped(Limits::MAX_DICE)?,
            "repeats" => self.repeats = capped(Limits::MAX_REPEATS)?,
            "faces" => self.faces = value,
            "steps" => self.steps = value,
            unknown => {
                return Err(format!("there is no limit {unknown}; there are {}", Limits::NAMES.join(", ")));
            }
        }
        Ok(())
    }

    /// The limits with each within what can be allowed at all.
    pub(crate) fn clamped(self) -> Limits {
        Limits {
            text: self.text.min(1 << 30),
            depth: self.depth.min(Limits::MAX_DEPTH),
            dice: self.dice.min(Limits::MAX_DICE),
            repeats: self.repeats.min(Limits::MAX_REPEATS),
            ..self
        }
    }
}

/// The error for a limit that was met.
pub(crate) fn exceeded(name: &str, limit: impl std::fmt::Display, span: Span, what: &str) -> Error {
    Error::new(Code::Limit, span, format!("{what}: the limit {name} is {limit}"))
        .hint(format!("to raise it: --limit {name}=N, or Limits::{name} in the library"))
}
