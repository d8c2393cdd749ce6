//! The budget of a computation: work is taken from it before it is done, and what would take too much is refused by name.
//!
//! Apart from the walk, which does not know what anything costs.

use super::acts::Kind;
use super::elem::Elem;
use super::kernel::Width;
use super::walk::{Trouble, Walker};
use crate::ast::Span;
use crate::error::{Code, Error};

/// Steps of work.
pub(crate) struct Budget {
    /// To begin with.
    all: f64,
    /// What is left of them.
    left: f64,
}

impl Budget {
    pub(super) fn new(steps: u64) -> Budget {
        let all = super::float_u64(steps);
        Budget { all, left: all }
    }
}

impl Walker<'_> {
    pub(crate) fn work_left(&self) -> f64 {
        self.budget.left
    }

    /// Takes work from the budget before it is done.
    pub(crate) fn charge(&mut self, steps: f64, span: Span) -> Result<(), Trouble> {
        if steps > self.budget.left {
            return Err(self.too_much(steps, span));
        }
        self.priced(steps, 0.0, 1.0)?;
        self.budget.left -= steps;
        Ok(())
    }

    /// Gives back what a case that was only priced has taken.
    pub(crate) fn restore(&mut self, work: f64) {
        self.budget.left = work;
    }

    /// Leaves no more than so much work.
    pub(crate) fn with_work(mut self, most: f64) -> Self {
        self.budget.left = self.budget.left.min(most);
        self
    }

    /// Takes work from the budget for a result of so many counts, if they may be held in memory with what is needed on the way.
    pub(crate) fn charge_for(
        &mut self,
        steps: f64,
        counts: f64,
        width: Width,
        span: Span,
    ) -> Result<(), Trouble> {
        let limbs = super::float(width.limbs());
        self.room(counts * limbs * 8.0, span)?;
        if steps <= self.budget.left {
            self.priced(steps, counts, limbs)?;
        }
        self.charge(steps, span)
    }

    /// Refuses what must not be held in memory.
    pub(crate) fn room(&self, bytes: f64, span: Span) -> Result<(), Trouble> {
        let most = super::float_u64(self.options.limits.steps) / 4.0;
        if bytes > most {
            return Err(self.refused_for(
                &format!("about {bytes:.1e} bytes of memory"),
                " (a quarter of it in bytes)",
                span,
            ));
        }
        Ok(())
    }

    /// Counts stand side by side from the least to the greatest number, so numbers that are few and far apart are left to the
    /// enumeration of rolls.
    pub(crate) fn near(&self, low: i64, high: i64, numbers: usize) -> Result<(), Trouble> {
        let cells = super::float_u64(high.abs_diff(low)) + 1.0;
        let sparse = cells > super::float(numbers) * 16.0;
        // A few such rows are needed at a time.
        if sparse && self.room(cells * 32.0, Span::default()).is_err() {
            Err(Trouble::Enumerate)
        } else {
            Ok(())
        }
    }

    /// The same for the faces of a die.
    pub(super) fn near_faces(&self, kind: &Kind) -> Result<(), Trouble> {
        match (kind.faces.first(), kind.faces.last()) {
            (Some(low), Some(high)) => self.near(low.0, high.0, kind.faces.len()),
            (None, Some(_) | None) | (Some(_), None) => Ok(()),
        }
    }

    /// Takes work from the budget for a power of a marked unit times another, with counts of the given width.
    pub(crate) fn charge_marks(
        &mut self,
        one: &Elem,
        whole: &Elem,
        n: u32,
        overflow: bool,
        width: Width,
        span: Span,
    ) -> Result<(), Trouble> {
        let (steps, counts) = super::cost::marks(one, whole, n, width);
        // Each product with ties beyond the cap is multiplied by what those add.
        let steps = if overflow { steps * 4.0 } else { steps };
        // Two levels and a product at a time.
        self.charge_for(steps, counts * 3.0, width, span)
    }

    /// The refusal of what has parts with probabilities that floating numbers cannot hold.
    pub(crate) fn too_small(&self, span: Span) -> Trouble {
        let text = self.text_of(span);
        let title = format!("the odds of {text} are made up of probabilities too small for floating point");
        Trouble::Budget(
            Error::new(Code::Budget, span, title).hint("to estimate the odds instead: --samples N"),
        )
    }

    /// The refusal of what would take so many steps more.
    pub(crate) fn too_much(&self, steps: f64, span: Span) -> Trouble {
        let all = self.budget.all - self.budget.left + steps;
        let needs =
            if all.is_finite() { format!("about {all:.1e} steps") } else { "too many steps".to_owned() };
        self.refused_for(&needs, "", span)
    }

    fn refused_for(&self, needs: &str, of: &str, span: Span) -> Trouble {
        let limit = self.options.limits.steps;
        let span =
            self.subject.filter(|whole| whole.start <= span.start && span.end <= whole.end).unwrap_or(span);
        let text = self.text_of(span);
        let error = Error::new(
            Code::Budget,
            span,
            format!("the odds of {text} take {needs}: the limit steps is {limit}{of}"),
        )
        .hint("to raise it: --limit steps=N, or Limits::steps in the library")
        .hint("to estimate the odds instead: --samples N");
        Trouble::Budget(error)
    }

    fn text_of(&self, span: Span) -> String {
        let text = self.expr.text.get(span.range()).unwrap_or("this");
        if text.chars().count() > 60 { "this part".to_owned() } else { text.to_owned() }
    }
}
