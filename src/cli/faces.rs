//! Where the faces of a run come from.

use anyhow::Context;
use dice::{Error, Expr, Limits, Roll, Script};
use rand::TryRng;
use rand::rngs::{ChaCha8Rng, SysRng};

use super::args::FacesArgs;
use super::seed;

/// A source of faces for all rolls of a run.
pub enum Source {
    /// A generator and the seed it came from.
    Seeded(Box<ChaCha8Rng>, String),
    /// Faces from the command line.
    Scripted(Script),
}

impl Source {
    /// The source that the arguments ask for.
    ///
    /// # Errors
    /// The operating system has no randomness.
    pub fn new(args: &FacesArgs) -> anyhow::Result<Source> {
        if let Some(faces) = &args.faces {
            return Ok(Source::Scripted(Script::new(faces.0.iter().copied())));
        }
        let seed = if let Some(seed) = &args.seed {
            seed.clone()
        } else {
            let bits = SysRng.try_next_u64().context("the operating system gives no randomness")?;
            seed::fresh(bits)
        };
        Ok(Source::Seeded(Box::new(seed::generator(&seed)), seed))
    }

    /// The seed, unless faces are scripted.
    pub fn seed(&self) -> Option<&str> {
        match self {
            Source::Seeded(_, seed) => Some(seed),
            Source::Scripted(_) => None,
        }
    }

    /// Rolls, into an old roll where there is one.
    pub fn roll(&mut self, expr: &Expr, old: Option<Roll>, limits: &Limits) -> Result<Roll, Error> {
        match (self, old) {
            (Source::Seeded(rng, _), None) => expr.roll_within(&mut **rng, limits),
            (Source::Scripted(script), None) => expr.roll_within(script, limits),
            (Source::Seeded(rng, _), Some(mut roll)) => {
                expr.roll_into(&mut roll, &mut **rng, limits)?;
                Ok(roll)
            }
            (Source::Scripted(script), Some(mut roll)) => {
                expr.roll_into(&mut roll, script, limits)?;
                Ok(roll)
            }
        }
    }

    /// Checks that no scripted face is left over.
    pub fn exhausted(&self) -> Result<(), dice::FaceError> {
        match self {
            Source::Seeded(..) => Ok(()),
            Source::Scripted(script) => script.exhausted(),
        }
    }
}
