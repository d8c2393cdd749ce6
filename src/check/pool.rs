//! What is known of a pool: its size, its kinds of dice and the worths they can have.

use super::worths::Worths;
use super::{Checker, endless};
use crate::ast::{
    Comparison, Condition, Dice, End, Explode, Group, Kind, Node, Repetition, Reroll, RerollMode, Sides,
    Span, Step, StepKind, Take,
};
use crate::bounds::bounds_of;
use crate::die::Die;
use crate::error::{Code, Error};
use crate::eval::{amount, dice_count, surviving};
use crate::lower::dice::plain;
use crate::plain::{Act, Plain};
use crate::test::Test;

/// What is known of a pool at one step.
#[derive(Clone, Default)]
pub(super) struct PoolFacts {
    /// How many live dice there are.
    size: Option<u64>,
    /// What the size is known from: dice, members, or a step.
    known: Known,
    /// The pool was written out as empty, so every selection fits.
    empty: bool,
    /// Its kinds of dice, if a step asks for them.
    kinds: Vec<KindFacts>,
    /// The conditions of its unlimited explosions and of its unlimited rerolls, as far as they are known.
    explosions: Vec<Option<Test>>,
    rerolls: Vec<Option<Test>>,
    /// How the pool is written, for advice.
    written: String,
}

/// Where a text says how many dice there are.
#[derive(Clone, Copy, Default)]
enum Known {
    /// At no single place.
    #[default]
    Nowhere,
    /// Where they are thrown.
    Thrown(Span),
    /// In the list of a group's members.
    Members,
    /// At the step that kept or dropped some.
    Left(Span),
}

#[derive(Clone)]
struct KindFacts {
    /// The die; `None` for members and for computed sides.
    die: Option<Die>,
    worths: Worths,
}

impl Checker<'_> {
    /// Checks dice. `wanted`: a step outside asks for the worths.
    pub(super) fn dice(&mut self, dice: &Dice, wanted: bool) -> Result<PoolFacts, Error> {
        let count = self.node(&dice.count)?;
        let count = match count {
            Some(count) => self.tried(dice_count(count, dice.count.span))?,
            None => None,
        };
        let die = match &dice.sides {
            Sides::Known(die) => Some(die.clone()),
            Sides::Computed(node) => match self.node(node)? {
                Some(sides) => self.tried(plain(sides, node.span))?,
                None => None,
            },
        };
        self.throws(count.unwrap_or(0), dice.thrown)?;
        let known = Known::Thrown(dice.thrown);
        let mut pool = PoolFacts { size: count, known, empty: count == Some(0), ..PoolFacts::default() };
        let plain = Plain::of(dice);
        if let Some(place) = self.plains.get_mut(dice.id as usize) {
            *place = plain;
        }
        if let Some(Plain { act: Act::Explode(..), .. }) = plain
            && !wanted
        {
            // Plain explosions end.
            dice.steps.iter().for_each(|step| self.note_end(step, true));
            pool.size = None;
            return Ok(pool);
        }
        if wanted || self.asks(&dice.steps) {
            let worths = die.as_ref().map_or(Worths::Unknown, Worths::of);
            pool.kinds.push(KindFacts { die, worths });
            pool.written = written(dice);
        }
        for step in &dice.steps {
            self.step(&mut pool, step)?;
        }
        Ok(pool)
    }

    /// Whether one of the steps needs to know the worths of dice.
    fn asks(&self, steps: &[Step]) -> bool {
        steps.iter().any(|step| step.kind.throws() || self.bare.contains(&step.id))
    }

    pub(super) fn group(&mut self, group: &Group) -> Result<PoolFacts, Error> {
        let asks = self.asks(&group.steps);
        let mut pool = PoolFacts { size: Some(0), empty: true, ..PoolFacts::default() };
        if let [member] = &group.members[..] {
            self.gather(member, &mut pool, asks)?;
        } else {
            (pool.size, pool.known) = (Some(group.members.len() as u64), Known::Members);
            pool.empty = false;
            for member in &group.members {
                self.node(member)?;
                if asks {
                    let (low, high) = bounds_of(member);
                    let worths = Worths::Range(low, high);
                    pool.kinds.push(KindFacts { die: None, worths });
                }
            }
        }
        if asks {
            pool.written = Node {
                kind: Kind::Group(Box::new(Group { steps: Vec::new(), ..group.clone() })),
                span: Span::default(),
            }
            .to_string();
        }
        for step in &group.steps {
            self.step(&mut pool, step)?;
        }
        Ok(pool)
    }

    /// Adds the dice of a sum of pools.
    fn gather(&mut self, node: &Node, pool: &mut PoolFacts, asks: bool) -> Result<(), Error> {
        match &node.kind {
            Kind::Dice(dice) => {
                let part = self.dice(dice, asks)?;
                pool.size = pool.size.zip(part.size).map(|(a, b)| a.saturating_add(b));
                pool.empty &= part.empty;
                pool.kinds.extend(part.kinds);
                Ok(())
            }
            Kind::Chain(chain) => {
                self.gather(&chain.first, pool, asks)?;
                chain.rest.iter().try_for_each(|link| self.gather(&link.operand, pool, asks))
            }
            Kind::Label(label) => self.gather(&label.inner, pool, asks),
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

    /// Checks one step and follows what it does to the pool.
    pub(super) fn step(&mut self, pool: &mut PoolFacts, step: &Step) -> Result<(), Error> {
        match &step.kind {
            StepKind::Select(take, _, node) => self.select(pool, step, *take, node),
            StepKind::Explode(explode) => self.explode(pool, step, explode),
            StepKind::Reroll(reroll) => self.reroll(pool, step, reroll),
            StepKind::AtLeast(node) => self.clamp(pool, node, End::Lowest),
            StepKind::AtMost(node) => self.clamp(pool, node, End::Highest),
            StepKind::Count(condition) => {
                let test = self.test(condition)?;
                if let Some(test) = test
                    && self.bare.contains(&step.id)
                {
                    pointless(pool, &test, step)?;
                }
                Ok(())
            }
            StepKind::Fail(condition) => self.test(condition).map(drop),
            StepKind::Sort(_) => Ok(()),
        }
    }

    fn select(&mut self, pool: &mut PoolFacts, step: &Step, take: Take, node: &Node) -> Result<(), Error> {
        let wanted = match self.node(node)? {
            Some(number) => self.tried(amount(number, node, "the number of dice"))?,
            None => None,
        };
        let size = if pool.empty { None } else { pool.size };
        if let (Some(wanted), Some(size)) = (wanted, size)
            && wanted > size
        {
            return Err(too_few(step, take, wanted, (size, pool.known), node));
        }
        pool.known = Known::Left(step.span);
        pool.size = match (pool.size, wanted) {
            (Some(size), Some(wanted)) => Some(match take {
                Take::Keep => wanted.min(size),
                Take::Drop => size.saturating_sub(wanted),
            }),
            (_, _) => None,
        };
        Ok(())
    }

    fn explode(&mut self, pool: &mut PoolFacts, step: &Step, explode: &Explode) -> Result<(), Error> {
        let test = match &explode.condition {
            Some(condition) => self.test(condition)?.map(Some),
            None => Some(None),
        };
        let limit = self.limit(&explode.limit)?;
        if limit == Bound::None {
            let known = test.is_some();
            if let Some(test) = &test {
                pool.explosions.push(test.clone());
            }
            let checked = must_end(&pool.kinds, &pool.explosions, step, endless::explosion)?;
            self.note_end(step, known && checked);
        }
        for kind in &mut pool.kinds {
            let Some(die) = &kind.die else {
                kind.worths = Worths::Unknown;
                continue;
            };
            let test = test.as_ref().map(|test| test.clone().unwrap_or_else(|| Test::face(die.top())));
            if limit == Bound::Most(0) || test.as_ref().is_some_and(|test| kind.worths.none(test)) {
                continue;
            }
            kind.worths.explode(die, explode, limit.most());
        }
        if !explode.compound {
            pool.size = None;
        }
        Ok(())
    }

    fn reroll(&mut self, pool: &mut PoolFacts, step: &Step, reroll: &Reroll) -> Result<(), Error> {
        let test = self.test(&reroll.condition)?;
        let limit = match &reroll.mode {
            RerollMode::Newest(repetition) => self.limit(repetition)?,
            RerollMode::Better => Bound::Most(1),
        };
        if limit == Bound::None {
            if let Some(test) = &test {
                pool.rerolls.push(Some(test.clone()));
            }
            let checked = must_end(&pool.kinds, &pool.rerolls, step, endless::reroll)?;
            self.note_end(step, test.is_some() && checked);
        }
        for kind in &mut pool.kinds {
            let Some((die, test)) = kind.die.as_ref().zip(test.as_ref()) else {
                kind.worths = Worths::Unknown;
                continue;
            };
            if limit != Bound::Most(0) && !kind.worths.none(test) {
                kind.worths.reroll(die, test, limit == Bound::None);
            }
        }
        Ok(())
    }

    fn clamp(&mut self, pool: &mut PoolFacts, node: &Node, side: End) -> Result<(), Error> {
        let bound = self.node(node)?;
        for kind in &mut pool.kinds {
            match bound {
                Some(bound) => kind.worths.clamp(bound, side),
                None => kind.worths = Worths::Unknown,
            }
        }
        Ok(())
    }

    /// A condition, if its number is constant.
    fn test(&mut self, condition: &Condition) -> Result<Option<Test>, Error> {
        Ok(match condition {
            Condition::Compare(comparison, target) => {
                self.node(target)?.map(|target| Test::Compare(*comparison, target))
            }
            Condition::Set(ranges) => Some(Test::Set(ranges.clone())),
            Condition::Even => Some(Test::Even),
            Condition::Odd => Some(Test::Odd),
        })
    }

    fn limit(&mut self, repetition: &Repetition) -> Result<Bound, Error> {
        Ok(match repetition {
            Repetition::Unlimited => Bound::None,
            Repetition::Once => Bound::Most(1),
            Repetition::Limit(node) => match self.node(node)? {
                Some(limit) => {
                    self.tried(amount(limit, node, "the limit"))?.map_or(Bound::Unknown, Bound::Most)
                }
                None => Bound::Unknown,
            },
        })
    }

    fn note_end(&mut self, step: &Step, ends: bool) {
        if let Some(facts) = self.facts.get_mut(step.id as usize) {
            facts.ends = ends;
        }
    }
}

/// How often something may happen to a die.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    None,
    Most(u64),
    Unknown,
}

impl Bound {
    fn most(self) -> Option<u64> {
        match self {
            Bound::Most(most) => Some(most),
            Bound::None | Bound::Unknown => None,
        }
    }
}

/// Refuses unlimited explosions or rerolls that together meet every face of a kind; whether all kinds are known.
fn must_end(
    kinds: &[KindFacts],
    tests: &[Option<Test>],
    step: &Step,
    error: fn(&Die, Span) -> Error,
) -> Result<bool, Error> {
    let mut known = true;
    for kind in kinds {
        match &kind.die {
            Some(die) if surviving(die, tests).is_none() => return Err(error(die, step.span)),
            Some(_) => {}
            None => known = false,
        }
    }
    Ok(known)
}

/// Refuses a bare comparison that says the same of every die.
fn pointless(pool: &PoolFacts, test: &Test, step: &Step) -> Result<(), Error> {
    if pool.size == Some(1) || pool.kinds.is_empty() {
        return Ok(());
    }
    let Test::Compare(comparison, target) = test else { return Ok(()) };
    let none = pool.kinds.iter().all(|kind| kind.worths.none(test));
    let all = pool.kinds.iter().all(|kind| kind.worths.all(test));
    if !none && !all {
        return Ok(());
    }
    let is = match comparison {
        Comparison::AtOrAbove => format!("{target} or more"),
        Comparison::AtOrBelow => format!("{target} or less"),
        Comparison::Above => format!("more than {target}"),
        Comparison::Below => format!("less than {target}"),
        Comparison::Equal => format!("{target}"),
        Comparison::Unequal => format!("anything but {target}"),
    };
    let which = if none { "no" } else { "every" };
    let what = match &pool.kinds[..] {
        [KindFacts { die: Some(die), .. }] => format!("{which} face of a {die}"),
        [KindFacts { die: None, .. }, ..] => format!("{which} member"),
        [_, ..] => format!("{which} face of these dice"),
        [] => return Ok(()),
    };
    let sign = comparison.symbol();
    Err(Error::new(Code::Pointless, step.span, format!("{what} is {is}"))
        .hint(format!("to test the total write ({}){sign}{}", pool.written, target.exact()))
        .hint(format!("to count such dice all the same write {}c{sign}{}", pool.written, target.exact())))
}

/// The error for keeping or dropping more dice than there are.
fn too_few(step: &Step, take: Take, wanted: u64, (size, known): (u64, Known), node: &Node) -> Error {
    let word = match take {
        Take::Keep => "keep",
        Take::Drop => "drop",
    };
    let only = match size {
        0 => "none is".to_owned(),
        1 => "only 1 is".to_owned(),
        more => format!("only {more} are"),
    };
    let dice = if wanted == 1 { "die" } else { "dice" };
    let title = match known {
        Known::Nowhere | Known::Thrown(_) => format!("cannot {word} {wanted} {dice}: {only} rolled"),
        Known::Left(_) => format!("cannot {word} {wanted} {dice}: {only} left"),
        Known::Members => format!("cannot {word} {wanted} members: the group has only {size}"),
    };
    let error = Error::new(Code::TooFewDice, step.span, title).label(format!("{word}s {wanted}"));
    let error = match known {
        // A house rule stands for both at one place.
        Known::Thrown(span) | Known::Left(span) if span != step.span => {
            error.also(span, format!("of {size}"))
        }
        Known::Thrown(_) | Known::Left(_) | Known::Nowhere | Known::Members => error,
    };
    // `2d6 d8` may be meant as two dice; for other drops the repaired text does not parse, so nothing is offered.
    let start = Span { start: step.span.start, end: step.span.start };
    let close = matches!(known, Known::Thrown(span) | Known::Left(span) if span.end == start.start);
    let error = error.fix(start, if close { " + " } else { "+ " }, "to add another die write");
    // An amount that was left out has the span of the whole step.
    if node.span == step.span {
        error
    } else {
        error.fix(node.span, size.to_string(), format!("{word} at most {size}"))
    }
}

fn written(dice: &Dice) -> String {
    let count = &dice.count;
    match &dice.sides {
        Sides::Known(die) => format!("{count}{die}"),
        Sides::Computed(sides) => format!("{count}d{sides}"),
    }
}
