//! Pools: what the steps that throw nothing do to dice on the table or to members of a group, and what is left in the end.

use super::reroll::Guard;
use super::store::{Members, Place, Store, Used};
use super::{Eval, amount, overflow, select};
use crate::ast::{Condition, End, Named, Node, Span, Step, StepKind, Take};
use crate::error::Error;
use crate::faces::Faces;
use crate::number::Number;
use crate::roll::{Tally, Use};
use crate::test::Test;

/// A pool after its steps.
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    /// The live dice or members, in the order of the throw.
    pub live: Vec<u32>,
    /// Whether they are members of a group.
    pub members: bool,
    /// What the pool is worth.
    pub total: Number,
    /// Successes minus failures so far, once the pool counts.
    pub net: Option<i64>,
}

/// What steps have done so far.
pub(super) struct Work {
    pub live: Vec<u32>,
    /// Successes minus failures, once the pool counts.
    pub net: Option<i64>,
    tally: Tally,
}

impl Work {
    pub(super) fn new(live: Vec<u32>, net: Option<i64>) -> Work {
        Work { live, net, tally: Tally::default() }
    }
}

impl<F: Faces + ?Sized> Eval<'_, F> {
    /// The steps of a pool, from left to right.
    pub(super) fn steps(&mut self, work: &mut Work, steps: &[Step], place: &mut Place) -> Result<(), Error> {
        let mut guard = Guard::default();
        for step in steps {
            match &step.kind {
                StepKind::Explode(explode) => self.explode(work, step, explode, &mut guard)?,
                StepKind::Reroll(reroll) => self.reroll(work, step, reroll, &mut guard)?,
                StepKind::Select(take, end, node) => {
                    let count = self.selection(node)?;
                    place.with(self.out, |store| choose(store, work, (*take, *end), count, step.id));
                }
                StepKind::AtLeast(node) => {
                    let bound = self.number(node)?;
                    place.with(self.out, |store| clamp(store, work, bound, End::Lowest));
                }
                StepKind::AtMost(node) => {
                    let bound = self.number(node)?;
                    place.with(self.out, |store| clamp(store, work, bound, End::Highest));
                }
                StepKind::Count(condition) => {
                    let test = self.test(condition)?;
                    place.with(self.out, |store| count(store, work, &test, true));
                }
                StepKind::Fail(condition) => {
                    let test = self.test(condition)?;
                    place.with(self.out, |store| count(store, work, &test, false));
                }
                StepKind::Sort(_) => {}
            }
        }
        Ok(())
    }

    /// How many dice a selection takes. A number that is rolled may be more than there are, and takes all of them;
    /// a written one was checked before the roll.
    fn selection(&mut self, node: &Node) -> Result<usize, Error> {
        let number = self.number(node)?;
        amount(number, node, "the number of dice").map(|wanted| usize::try_from(wanted).unwrap_or(usize::MAX))
    }

    /// A condition with its number computed.
    pub(super) fn test(&mut self, condition: &Condition) -> Result<Test, Error> {
        Ok(match condition {
            Condition::Compare(comparison, target) => Test::Compare(*comparison, self.number(target)?),
            Condition::Set(ranges) => Test::Set(ranges.clone()),
            Condition::Even => Test::Even,
            Condition::Odd => Test::Odd,
        })
    }

    /// Ends a pool: what it is worth.
    pub(super) fn finish(&mut self, work: Work, place: &mut Place, span: Span) -> Result<Pool, Error> {
        let total = match work.net {
            Some(net) => Number::from(net),
            None => place.with(self.out, |store| sum(store, &work.live, span))?,
        };
        self.tally(work.net, work.tally);
        Ok(Pool { live: work.live, members: matches!(place, Place::Members), total, net: work.net })
    }

    pub(super) fn tally(&mut self, net: Option<i64>, tally: Tally) {
        if net.is_some() {
            let sum = self.out.tally.get_or_insert_default();
            sum.successes += tally.successes;
            sum.failures += tally.failures;
        }
    }

    /// The steps behind a name: they act on the dice on the table, in this place only.
    pub(super) fn use_pool(&mut self, named: &Named, pool: &Pool) -> Result<Number, Error> {
        let span = named.steps.first().map_or(Span::default(), |step| step.span);
        let worths: Vec<(u32, Number)> = if pool.members {
            pool.live.iter().map(|index| (*index, Members(self.out).worth(*index))).collect()
        } else {
            pool.live.iter().map(|index| (*index, self.out.worth(*index))).collect()
        };
        let mut place = Place::Used(Used::new(&worths));
        let mut work = Work::new((0..).take(worths.len()).collect(), pool.net);
        self.steps(&mut work, &named.steps, &mut place)?;
        let total = self.finish(work, &mut place, span)?.total;
        if let Place::Used(used) = place {
            self.out.uses.push(Use { id: named.id, dice: used.0, members: pool.members });
        }
        Ok(total)
    }
}

/// Keeps or drops.
fn choose(store: &mut dyn Store, work: &mut Work, (take, end): (Take, End), count: usize, step: u32) {
    let mut whole = Vec::new();
    let chosen = if store.whole_worths(&work.live, &mut whole) {
        select::selected(&whole, take, end, count)
    } else {
        let worths: Vec<Number> = work.live.iter().map(|index| store.worth(*index)).collect();
        select::selected(&worths, take, end, count)
    };
    let mut places = chosen.into_iter();
    work.live.retain(|index| {
        let stays = places.next().unwrap_or(false) == (take == Take::Keep);
        if !stays {
            store.drop(*index, step);
        }
        stays
    });
}

/// Raises lower worths to a bound, or lowers higher ones.
fn clamp(store: &mut dyn Store, work: &Work, bound: Number, side: End) {
    for index in &work.live {
        let worth = store.worth(*index);
        let clamped = clamped(worth, bound, side);
        if clamped != worth {
            store.set_worth(*index, clamped);
        }
    }
}

/// A worth that is at least (lowest) or at most (highest) a bound.
pub(crate) fn clamped(worth: Number, bound: Number, side: End) -> Number {
    match side {
        End::Lowest => worth.max(bound),
        End::Highest => worth.min(bound),
    }
}

/// Counts what meets a test, up or down.
fn count(store: &mut dyn Store, work: &mut Work, test: &Test, up: bool) {
    let mut met: u32 = 0;
    for index in &work.live {
        if test.meets(store.worth(*index)) {
            met += 1;
            store.meet(*index, up);
        }
    }
    let net = work.net.get_or_insert(0);
    if up {
        *net += i64::from(met);
        work.tally.successes += u64::from(met);
    } else {
        *net -= i64::from(met);
        work.tally.failures += u64::from(met);
    }
}

/// The sum of worths.
pub(super) fn sum(store: &dyn Store, live: &[u32], span: Span) -> Result<Number, Error> {
    let mut total = Number::ZERO;
    for index in live {
        total = total.plus(store.worth(*index)).ok_or_else(|| overflow(span))?;
    }
    Ok(total)
}
