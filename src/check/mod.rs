//! The faults of a text that do not depend on the dice: found before any die is thrown, so that rolling and
//! odds say the same.
//!
//! The walk computes what is constant, the sizes of pools and, where a step asks for it, which worths their dice can
//! have. What it cannot know it leaves to the roll; it never refuses what could be right.

mod pool;
mod refusals;
mod steps;
mod worths;

use crate::ast::{Call, Chain, Choice, Definition, House, Inner, Kind, Node, Power, Span, StepFacts};
use crate::error::Error;
use crate::eval;
use crate::limits::{Limits, exceeded};
use crate::number::Number;
use crate::plain::Plain;

use pool::PoolFacts;
pub(crate) use refusals::endless;

/// Checks a text, and writes down what is known of its steps. `bare` has the numbers of the steps that come
/// from a bare comparison.
pub(crate) fn check(inner: &mut Inner, bare: &[u32], limits: &Limits) -> Result<(), Error> {
    let mut facts = std::mem::take(&mut inner.facts);
    let mut plains = std::mem::take(&mut inner.plains);
    let mut checker = Checker {
        facts: &mut facts,
        plains: &mut plains,
        bare,
        names: vec![NameFacts::default(); inner.names as usize],
        limits,
        reach: Reach::Certain,
        times: inner.repeat.as_ref().map_or(1, |repeat| repeat.times),
        certain: 0,
    };
    checker.define(&inner.definitions)?;
    checker.node(&inner.body)?;
    inner.facts = facts;
    inner.plains = plains;
    Ok(())
}

/// Whether a place is reached when the text is rolled.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// It is, so what cannot be evaluated there is an error.
    Certain,
    /// The dice decide, so what cannot be evaluated is an error of the roll in which that happens.
    Perhaps,
    /// It is not: the text may guard against the values that its names have.
    Never,
}

#[derive(Clone, Default)]
struct NameFacts {
    constant: Option<Number>,
    pool: Option<PoolFacts>,
}

struct Checker<'c> {
    facts: &'c mut Vec<StepFacts>,
    plains: &'c mut Vec<Option<Plain>>,
    bare: &'c [u32],
    names: Vec<NameFacts>,
    limits: &'c Limits,
    reach: Reach,
    /// How often the text is rolled.
    times: u64,
    /// How many dice are certainly thrown so far, in one repetition.
    certain: u64,
}

impl Checker<'_> {
    /// Checks a node; its value if that is constant.
    fn node(&mut self, node: &Node) -> Result<Option<Number>, Error> {
        match &node.kind {
            Kind::Number(number) => Ok(Some(*number)),
            Kind::Dice(dice) => self.dice(dice, false).map(|_| None),
            Kind::Group(group) => self.group(group).map(|_| None),
            Kind::Named(named) => self.named(named),
            Kind::Call(call) => self.call(call, node.span),
            Kind::Bracket(inner) => self.node(inner),
            Kind::Signed(sign, inner) => {
                let value = self.node(inner)?;
                Ok(value.and_then(|value| eval::signed(*sign, value)))
            }
            Kind::Chain(chain) => self.chain(chain),
            Kind::Power(power) => self.power(power),
            Kind::Label(label) => self.node(&label.inner),
            Kind::Compare(compare) => {
                let (left, right) = (self.node(&compare.left)?, self.node(&compare.right)?);
                let holds = left.zip(right).map(|(left, right)| compare.comparison.holds(&left, &right));
                Ok(holds.map(|holds| if holds { Number::ONE } else { Number::ZERO }))
            }
            Kind::Choice(choice) => self.choice(choice),
            Kind::House(house) => self.house(house),
        }
    }

    fn define(&mut self, definitions: &[Definition]) -> Result<(), Error> {
        for definition in definitions {
            let facts = self.definition(&definition.value)?;
            if let Some(place) = self.names.get_mut(definition.index as usize) {
                *place = facts;
            }
        }
        Ok(())
    }

    fn definition(&mut self, value: &Node) -> Result<NameFacts, Error> {
        let pool = match &value.kind {
            Kind::Label(label) => return self.definition(&label.inner),
            Kind::Dice(dice) => Some(self.dice(dice, false)?),
            Kind::Group(group) => Some(self.group(group)?),
            Kind::Number(_)
            | Kind::Named(_)
            | Kind::Call(_)
            | Kind::Bracket(_)
            | Kind::Signed(..)
            | Kind::Chain(_)
            | Kind::Power(_)
            | Kind::Compare(_)
            | Kind::Choice(_)
            | Kind::House(_) => None,
        };
        let constant = if pool.is_some() { None } else { self.node(value)? };
        Ok(NameFacts { constant, pool })
    }

    fn named(&mut self, named: &crate::ast::Named) -> Result<Option<Number>, Error> {
        let known = self.names.get(named.index as usize).cloned().unwrap_or_default();
        if let Some(mut pool) = known.pool.filter(|_| !named.steps.is_empty()) {
            for step in &named.steps {
                self.step(&mut pool, step)?;
            }
        }
        Ok(known.constant.filter(|_| self.reach != Reach::Never))
    }

    fn call(&mut self, call: &Call, span: Span) -> Result<Option<Number>, Error> {
        let mut result = None;
        let mut constant = true;
        for argument in &call.arguments {
            let value = self.node(argument)?;
            constant &= value.is_some();
            result = match (result, value) {
                (Some(result), Some(value)) => {
                    self.tried(eval::call(call.function, result, Some(value), span))?
                }
                (None, value) => value,
                (Some(_), None) => None,
            };
        }
        match result.filter(|_| constant) {
            Some(value) => self.tried(eval::call(call.function, value, None, span)),
            None => Ok(None),
        }
    }

    fn chain(&mut self, chain: &Chain) -> Result<Option<Number>, Error> {
        let mut total = self.node(&chain.first)?;
        for link in &chain.rest {
            let right = self.node(&link.operand)?;
            total = match (total, right) {
                (Some(left), Some(right)) => self.tried(eval::apply(left, link, right))?,
                // Dividing by a constant 0 fails whatever the left side is.
                (None, Some(right)) if right.is_zero() && !link.operator.is_sum() => {
                    self.tried(eval::apply(Number::ONE, link, right))?;
                    None
                }
                (_, _) => None,
            };
        }
        Ok(total)
    }

    fn power(&mut self, power: &Power) -> Result<Option<Number>, Error> {
        let (base, exponent) = (self.node(&power.base)?, self.node(&power.exponent)?);
        match (base, exponent) {
            (Some(base), Some(exponent)) => self.tried(eval::raise(base, exponent, power)),
            (None, Some(exponent)) => {
                // Whatever the base is, an exponent has to be a whole number of at least 0.
                self.tried(eval::raise(Number::ONE, exponent, power))?;
                Ok(None)
            }
            (_, None) => Ok(None),
        }
    }

    fn choice(&mut self, choice: &Choice) -> Result<Option<Number>, Error> {
        let condition = self.node(&choice.condition)?;
        let outside = (self.reach, self.certain);
        if let Some(condition) = condition {
            let taken = eval::select_branch(choice, condition);
            let other =
                if std::ptr::eq(taken, &raw const choice.then) { &choice.otherwise } else { &choice.then };
            let value = self.node(taken)?;
            let certain = self.certain;
            self.reach = Reach::Never;
            self.node(other)?;
            (self.reach, self.certain) = (outside.0, certain);
            return Ok(value);
        }
        if self.reach == Reach::Certain {
            self.reach = Reach::Perhaps;
        }
        self.node(&choice.then)?;
        let then = std::mem::replace(&mut self.certain, outside.1);
        self.node(&choice.otherwise)?;
        (self.reach, self.certain) = (outside.0, self.certain.min(then));
        Ok(None)
    }

    fn house(&mut self, house: &House) -> Result<Option<Number>, Error> {
        self.define(&house.definitions)?;
        self.node(&house.body)
    }

    /// A constant that could not be computed: an error where it is certainly reached, else unknown.
    fn tried<T>(&self, result: Result<T, Error>) -> Result<Option<T>, Error> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(error) if self.reach == Reach::Certain => Err(error),
            Err(_) => Ok(None),
        }
    }

    /// Notes dice that are thrown for sure, and refuses more than the limit.
    fn throws(&mut self, count: u64, span: Span) -> Result<(), Error> {
        self.certain = self.certain.saturating_add(count);
        if self.reach == Reach::Certain && self.certain.saturating_mul(self.times) > self.limits.dice {
            return Err(exceeded("dice", self.limits.dice, span, "too many dice are thrown"));
        }
        Ok(())
    }
}
