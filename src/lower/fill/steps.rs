//! Copies of steps, of their conditions and of their limits.
//!
//! Apart from the nodes: a step also takes along whether it was written bare.

use super::Filler;
use crate::ast::{Condition, Explode, Repetition, Reroll, RerollMode, Step, StepKind};
use crate::error::Error;

impl Filler<'_, '_> {
    pub(super) fn steps(&mut self, steps: &[Step]) -> Result<Vec<Step>, Error> {
        let mut copies = Vec::with_capacity(steps.len());
        for step in steps {
            let kind = self.step_kind(&step.kind)?;
            let id = self.lower.step_id();
            let is_bare = match self.at {
                Some(_) => self.template.bare.contains(&step.id),
                None => self.lower.bare.contains(&step.id),
            };
            if is_bare {
                self.lower.bare.push(id);
            }
            copies.push(Step { kind, span: self.span(step.span), id });
        }
        Ok(copies)
    }

    fn step_kind(&mut self, kind: &StepKind) -> Result<StepKind, Error> {
        Ok(match kind {
            StepKind::Select(take, end, amount) => StepKind::Select(*take, *end, self.node(amount)?),
            StepKind::Explode(step) => {
                let condition =
                    step.condition.as_ref().map(|condition| self.condition(condition)).transpose()?;
                let limit = self.repetition(&step.limit)?;
                StepKind::Explode(Explode {
                    compound: step.compound,
                    penetrate: step.penetrate,
                    condition,
                    limit,
                })
            }
            StepKind::Reroll(step) => {
                let condition = self.condition(&step.condition)?;
                let mode = match &step.mode {
                    RerollMode::Newest(repetition) => RerollMode::Newest(self.repetition(repetition)?),
                    RerollMode::Better => RerollMode::Better,
                };
                StepKind::Reroll(Reroll { condition, mode })
            }
            StepKind::AtLeast(amount) => StepKind::AtLeast(self.node(amount)?),
            StepKind::AtMost(amount) => StepKind::AtMost(self.node(amount)?),
            StepKind::Count(condition) => StepKind::Count(self.condition(condition)?),
            StepKind::Fail(condition) => StepKind::Fail(self.condition(condition)?),
            StepKind::Sort(order) => StepKind::Sort(*order),
        })
    }

    fn condition(&mut self, condition: &Condition) -> Result<Condition, Error> {
        Ok(match condition {
            Condition::Compare(comparison, target) => Condition::Compare(*comparison, self.node(target)?),
            Condition::Set(ranges) => Condition::Set(ranges.clone()),
            Condition::Even => Condition::Even,
            Condition::Odd => Condition::Odd,
        })
    }

    fn repetition(&mut self, repetition: &Repetition) -> Result<Repetition, Error> {
        Ok(match repetition {
            Repetition::Unlimited => Repetition::Unlimited,
            Repetition::Once => Repetition::Once,
            Repetition::Limit(amount) => Repetition::Limit(self.node(amount)?),
        })
    }
}
