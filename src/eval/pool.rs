//! Pools: throwing dice, groups, and the steps that throw nothing.

use super::reroll::Guard;
use super::store::{Members, Place, Store, Thrown, Used};
use super::{Eval, amount, face_error, overflow, select};
use crate::ast::{Condition, Dice, End, Group, Kind, Named, Node, Sides, Span, Step, StepKind, Take};
use crate::die::Die;
use crate::error::{Code, Error};
use crate::faces::Faces;
use crate::limits::exceeded;
use crate::lower::dice::plain;
use crate::number::Number;
use crate::roll::{Marks, Member, NONE, Outcome, Run, State, Tally, Use};
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
    net: Option<i64>,
    tally: Tally,
}

impl Work {
    fn new(live: Vec<u32>, net: Option<i64>) -> Work {
        Work { live, net, tally: Tally::default() }
    }
}

impl<F: Faces + ?Sized> Eval<'_, F> {
    /// The total of dice.
    #[inline]
    pub(super) fn dice_total(&mut self, dice: &Dice, span: Span) -> Result<Number, Error> {
        if !dice.steps.is_empty() {
            return Ok(self.dice(dice, span)?.total);
        }
        let (count, die) = self.thrown(dice)?;
        // Only the faces of plain dice can be summed without being listed.
        if self.record || !matches!(die, Die::Plain(_)) {
            let start = self.throw(dice.id, &die, count, dice.thrown)?;
            return Ok(sum_from(self.out, start));
        }
        self.spend(count, dice.thrown)?;
        self.faces.sum(&die, count).map(Number::whole).map_err(|error| face_error(&error, dice.thrown))
    }

    /// Dice with their steps.
    pub(super) fn dice(&mut self, dice: &Dice, span: Span) -> Result<Pool, Error> {
        let (count, die) = self.thrown(dice)?;
        let start = self.throw(dice.id, &die, count, dice.thrown)?;
        let mut work = Work::new((start..self.next_index()).collect(), None);
        self.steps(&mut work, &dice.steps, &mut Place::Thrown)?;
        self.finish_dice(work, span)
    }

    /// How many dice of which kind.
    #[inline]
    fn thrown(&mut self, dice: &Dice) -> Result<(u64, Die), Error> {
        let count = match &dice.count.kind {
            Kind::Number(number) => *number,
            Kind::Bracket(inner) => self.number(inner)?,
            Kind::Dice(_)
            | Kind::Group(_)
            | Kind::Named(_)
            | Kind::Call(_)
            | Kind::Signed(..)
            | Kind::Chain(_)
            | Kind::Power(_)
            | Kind::Label(_)
            | Kind::Compare(_)
            | Kind::Choice(_)
            | Kind::House(_) => self.number(&dice.count)?,
        };
        let count = dice_count(count, dice.count.span)?;
        let die = match &dice.sides {
            Sides::Known(die) => die.clone(),
            Sides::Computed(node) => plain(self.number(node)?, node.span)?,
        };
        Ok((count, die))
    }

    pub(super) fn next_index(&self) -> u32 {
        u32::try_from(self.out.faces.len()).unwrap_or(NONE)
    }

    /// Throws dice of one kind; the index of the first.
    #[inline]
    fn throw(&mut self, owner: u32, die: &Die, count: u64, span: Span) -> Result<u32, Error> {
        self.spend(count, span)?;
        let start = self.next_index();
        let count = u32::try_from(count).map_err(|_| exceeded("dice", self.left, span, "too many dice"))?;
        if count == 0 {
            return Ok(start);
        }
        let (first, end) = (start as usize, start as usize + count as usize);
        let thrown = match self.out.faces.small() {
            Some(faces) if matches!(die, Die::Plain(1..=255)) => {
                faces.resize(end, 0);
                self.faces.fill_small(die, &mut faces[first..])
            }
            Some(_) | None => {
                let faces = self.out.faces.wide();
                faces.resize(end, 0);
                self.faces.fill(die, &mut faces[first..])
            }
        };
        thrown.map_err(|error| face_error(&error, span))?;
        self.out.runs.push(Run { start, len: count, owner, die: die.clone() });
        Ok(start)
    }

    /// Writes down one more die, which came from another one; its index.
    pub(super) fn push_die(&mut self, face: i64, from: u32, span: Span) -> Result<u32, Error> {
        let index = self.next_index();
        let Some(parent) = self.out.run(from) else { return Err(crate::lower::internal(span)) };
        let (owner, die) = (parent.owner, parent.die.clone());
        self.out.faces.push(face);
        match self.out.runs.last_mut() {
            Some(last) if last.owner == owner && last.die == die && last.start + last.len == index => {
                last.len += 1;
            }
            Some(_) | None => self.out.runs.push(Run { start: index, len: 1, owner, die }),
        }
        self.out.set_from(index, from);
        Ok(index)
    }

    /// The steps of a pool, from left to right.
    fn steps(&mut self, work: &mut Work, steps: &[Step], place: &mut Place) -> Result<(), Error> {
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

    /// Ends a pool of dice: what it is worth.
    fn finish_dice(&mut self, work: Work, span: Span) -> Result<Pool, Error> {
        let total = match work.net {
            Some(net) => Number::from(net),
            None => sum(&Thrown(self.out), &work.live, span)?,
        };
        self.tally(work.net, work.tally);
        Ok(Pool { live: work.live, members: false, total, net: work.net })
    }

    pub(super) fn tally(&mut self, net: Option<i64>, tally: Tally) {
        if net.is_some() {
            let sum = self.out.tally.get_or_insert_default();
            sum.successes += tally.successes;
            sum.failures += tally.failures;
        }
    }

    /// A group: one pool of several kinds of dice, or members side by side.
    pub(super) fn group(&mut self, group: &Group, span: Span) -> Result<Pool, Error> {
        if let [member] = &group.members[..] {
            let mut live = Vec::new();
            let mut labels = Vec::new();
            self.gather(member, &mut live, &mut labels, None)?;
            let mut work = Work::new(live, None);
            self.steps(&mut work, &group.steps, &mut Place::Thrown)?;
            for (text, owners) in labels {
                let owned =
                    |index: &&u32| self.out.run(**index).is_some_and(|run| owners.contains(&run.owner));
                let dice: Vec<u32> = work.live.iter().filter(owned).copied().collect();
                let subtotal = sum(&Thrown(self.out), &dice, span)?;
                self.subtotal(text, subtotal, span)?;
            }
            return self.finish_dice(work, span);
        }
        let mut live = Vec::with_capacity(group.members.len());
        for node in &group.members {
            let member = self.member(group.id, node)?;
            live.push(u32::try_from(self.out.members.len()).unwrap_or(NONE));
            self.out.members.push(member);
        }
        let mut work = Work::new(live, None);
        let members = work.live.clone();
        self.steps(&mut work, &group.steps, &mut Place::Members)?;
        self.inherit(&members, work.net.is_none(), span)?;
        let total = match work.net {
            Some(net) => Number::from(net),
            None => sum(&Members(self.out), &work.live, span)?,
        };
        self.tally(work.net, work.tally);
        Ok(Pool { live: work.live, members: true, total, net: work.net })
    }

    /// One member of a group, rolled. Its labels and successes are its own until it is kept.
    fn member(&mut self, group: u32, node: &Node) -> Result<Member, Error> {
        let (die, member) = (self.next_index(), self.out.members.len());
        let (tally, labels) = (self.out.tally.take(), std::mem::take(&mut self.out.labels));
        let worth = self.number(node)?;
        let index = |len: usize| u32::try_from(len).unwrap_or(NONE);
        Ok(Member {
            group,
            worth,
            marks: Marks::default(),
            by: NONE,
            dice: die..self.next_index(),
            members: index(member)..index(self.out.members.len()),
            labels: std::mem::replace(&mut self.out.labels, labels),
            tally: std::mem::replace(&mut self.out.tally, tally),
        })
    }

    /// Takes over the labels, and where the group does not count itself the successes, of the members that are kept.
    fn inherit(&mut self, members: &[u32], tallies: bool, span: Span) -> Result<(), Error> {
        for index in members {
            let member = &mut self.out.members[*index as usize];
            if member.marks.state() != State::Kept {
                continue;
            }
            let (labels, tally) = (std::mem::take(&mut member.labels), member.tally);
            for (text, value) in labels {
                self.subtotal(&text, value, span)?;
            }
            if let Some(tally) = tally.filter(|_| tallies) {
                self.tally(Some(0), tally);
            }
        }
        Ok(())
    }

    /// The dice of a sum of pools, as one pool.
    fn gather<'n>(
        &mut self,
        node: &'n Node,
        live: &mut Vec<u32>,
        labels: &mut Vec<(&'n str, Vec<u32>)>,
        label: Option<&'n str>,
    ) -> Result<(), Error> {
        match &node.kind {
            Kind::Dice(dice) => {
                let pool = self.dice(dice, node.span)?;
                live.extend(pool.live);
                if let Some(text) = label {
                    match labels.iter_mut().find(|(known, _)| *known == text) {
                        Some((_, owners)) => owners.push(dice.id),
                        None => labels.push((text, vec![dice.id])),
                    }
                }
                Ok(())
            }
            Kind::Chain(chain) => {
                self.gather(&chain.first, live, labels, label)?;
                chain.rest.iter().try_for_each(|link| self.gather(&link.operand, live, labels, label))
            }
            Kind::Label(inner) => self.gather(&inner.inner, live, labels, Some(&inner.text)),
            Kind::Number(_)
            | Kind::Group(_)
            | Kind::Named(_)
            | Kind::Call(_)
            | Kind::Bracket(_)
            | Kind::Signed(..)
            | Kind::Power(_)
            | Kind::Compare(_)
            | Kind::Choice(_)
            | Kind::House(_) => Err(crate::lower::internal(node.span)),
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
        let total = match work.net {
            Some(net) => Number::from(net),
            None => place.with(self.out, |store| sum(store, &work.live, span))?,
        };
        self.tally(work.net, work.tally);
        if let Place::Used(used) = place {
            self.out.uses.push(Use { id: named.id, dice: used.0, members: pool.members });
        }
        Ok(total)
    }
}

/// How many dice a computed count means.
///
/// # Errors
/// A negative count, or a fraction.
pub(crate) fn dice_count(count: Number, span: Span) -> Result<u64, Error> {
    let wrong = |what: &str| {
        Err(Error::new(
            Code::Count,
            span,
            format!("{count} dice cannot be thrown: the number of dice is {what}"),
        ))
    };
    match count.as_whole() {
        Some(whole) if whole < 0 => wrong("negative"),
        Some(whole) => Ok(u64::try_from(whole).unwrap_or(u64::MAX)),
        None => wrong("no whole number"),
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
fn sum(store: &dyn Store, live: &[u32], span: Span) -> Result<Number, Error> {
    let mut total = Number::ZERO;
    for index in live {
        total = total.plus(store.worth(*index)).ok_or_else(|| overflow(span))?;
    }
    Ok(total)
}

/// The sum of the faces from an index on, which are worth themselves.
fn sum_from(out: &mut Outcome, start: u32) -> Number {
    let start = start as usize;
    let sum = match out.faces.small() {
        Some(faces) => i128::from(faces[start..].iter().map(|face| u64::from(*face)).sum::<u64>()),
        None => out.faces.wide()[start..].iter().map(|face| i128::from(*face)).sum(),
    };
    Number::whole(sum)
}
