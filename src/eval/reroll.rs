//! The steps that throw more dice: explosions and rerolls.

use super::pool::Work;
use super::{Eval, amount, face_error, overflow};
use crate::ast::{Explode, Repetition, Reroll, RerollMode, Span, Step};
use crate::check::endless;
use crate::die::Die;
use crate::error::Error;
use crate::faces::Faces;
use crate::number::Number;
use crate::roll::{Marks, State};
use crate::test::Test;

/// The unlimited explosions and rerolls of a pool so far. Where together they meet every face of a die, they never end.
#[derive(Default)]
pub(super) struct Guard {
    explosions: Vec<Option<Test>>,
    rerolls: Vec<Option<Test>>,
}

/// The faces of a die that meet none of the tests; no test means the top face.
pub(crate) fn surviving(die: &Die, tests: &[Option<Test>]) -> Option<Die> {
    let top = Test::face(die.top());
    tests.iter().try_fold(die.clone(), |rest, test| rest.only(test.as_ref().unwrap_or(&top), false))
}

/// What an extra of an explosion is worth.
pub(crate) fn extra_worth(face: i64, penetrate: bool) -> Number {
    Number::whole(i128::from(face) - i128::from(penetrate))
}

impl<F: Faces + ?Sized> Eval<'_, F> {
    /// Each live die that meets the test adds one more, which is tested in turn by its natural face.
    pub(super) fn explode(
        &mut self,
        work: &mut Work,
        step: &Step,
        explode: &Explode,
        guard: &mut Guard,
    ) -> Result<(), Error> {
        let test = match &explode.condition {
            Some(condition) => Some(self.test(condition)?),
            None => None,
        };
        let limit = self.repetition(&explode.limit)?;
        if limit == u64::MAX {
            guard.explosions.push(test.clone());
        }
        for place in 0..work.live.len() {
            let original = work.live[place];
            let Some(run) = self.out.run(original) else { continue };
            let die = run.die.clone();
            let top;
            let test = if let Some(test) = &test {
                test
            } else {
                top = Test::face(die.top());
                &top
            };
            let mut worth = self.out.worth(original);
            if limit == 0 || !test.meets(worth) {
                continue;
            }
            if limit == u64::MAX {
                self.must_end(&die, &guard.explosions, step, endless::explosion)?;
            }
            let mut parent = original;
            let mut extras = 0;
            loop {
                let face = self.draw(&die, None, step.span)?;
                let extra = self.push_die(face, parent, step.span)?;
                extras += 1;
                let value = extra_worth(face, explode.penetrate);
                if explode.compound {
                    self.out.mark(original, Marks::set_exploded);
                    self.out.mark(extra, Marks::set_merged);
                    self.out.worths.set(extra, Number::ZERO, &self.out.faces);
                    worth = worth.plus(value).ok_or_else(|| overflow(step.span))?;
                    self.out.worths.set(original, worth, &self.out.faces);
                } else {
                    self.out.mark(parent, Marks::set_exploded);
                    if explode.penetrate {
                        self.out.worths.set(extra, value, &self.out.faces);
                    }
                    work.live.push(extra);
                }
                if extras >= limit || !test.meets_whole(face) {
                    break;
                }
                parent = extra;
            }
        }
        Ok(())
    }

    /// Each live die that meets the test is thrown again.
    pub(super) fn reroll(
        &mut self,
        work: &mut Work,
        step: &Step,
        reroll: &Reroll,
        guard: &mut Guard,
    ) -> Result<(), Error> {
        let test = self.test(&reroll.condition)?;
        let limit = match &reroll.mode {
            RerollMode::Newest(repetition) => self.repetition(repetition)?,
            RerollMode::Better => 1,
        };
        if limit == u64::MAX {
            guard.rerolls.push(Some(test.clone()));
        }
        for place in 0..work.live.len() {
            let mut current = work.live[place];
            if limit == 0 || !test.meets(self.out.worth(current)) {
                continue;
            }
            let Some(run) = self.out.run(current) else { continue };
            let die = run.die.clone();
            if reroll.mode == RerollMode::Better {
                work.live[place] = self.reroll_better(current, &die, step)?;
                continue;
            }
            let rest = if limit == u64::MAX {
                self.must_end(&die, &guard.rerolls, step, endless::reroll)?;
                die.only(&test, false)
            } else {
                None
            };
            let mut throws = 0;
            loop {
                let face = self.draw(&die, rest.as_ref(), step.span)?;
                let next = self.push_die(face, current, step.span)?;
                self.out.end(current, State::Rerolled, step.id);
                current = next;
                throws += 1;
                if throws >= limit || !test.meets_whole(face) {
                    break;
                }
            }
            work.live[place] = current;
        }
        Ok(())
    }

    /// Throws once more; the die of higher worth stands, the old one on equal.
    fn reroll_better(&mut self, current: u32, die: &Die, step: &Step) -> Result<u32, Error> {
        let face = self.draw(die, None, step.span)?;
        let next = self.push_die(face, current, step.span)?;
        let (stands, goes) =
            if Number::from(face) > self.out.worth(current) { (next, current) } else { (current, next) };
        self.out.end(goes, State::Rerolled, step.id);
        Ok(stands)
    }

    /// One face; with `rest`, of a die that is thrown until one of those faces comes up.
    fn draw(&mut self, die: &Die, rest: Option<&Die>, span: Span) -> Result<i64, Error> {
        self.spend(1, span)?;
        let face = match rest {
            Some(rest) => self.faces.replacement(die, rest),
            None => self.faces.face(die),
        };
        face.map_err(|error| face_error(&error, span))
    }

    /// How often at most.
    fn repetition(&mut self, repetition: &Repetition) -> Result<u64, Error> {
        match repetition {
            Repetition::Unlimited => Ok(u64::MAX),
            Repetition::Once => Ok(1),
            // One less than "unlimited" is more than any limit on dice allows.
            Repetition::Limit(node) => {
                let limit = self.number(node)?;
                Ok(amount(limit, node, "the limit")?.min(u64::MAX - 1))
            }
        }
    }

    /// Refuses what never ends and could not be known to before.
    fn must_end(
        &self,
        die: &Die,
        tests: &[Option<Test>],
        step: &Step,
        error: fn(&Die, Span) -> Error,
    ) -> Result<(), Error> {
        let known = self.expr.facts.get(step.id as usize).is_some_and(|facts| facts.ends);
        if known || surviving(die, tests).is_some() { Ok(()) } else { Err(error(die, step.span)) }
    }
}
