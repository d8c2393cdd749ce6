//! Numbers: operators, functions, comparisons, choices and names.

use super::{Eval, Value, overflow};
use crate::ast::{
    Call, Chain, Choice, Compare, Definition, Function, House, Kind, Label, Link, Named, Node, Operator,
    Power, Sign, Span,
};
use crate::error::{Code, Error};
use crate::faces::Faces;
use crate::lower::{internal, pool_of};
use crate::number::Number;

impl<F: Faces + ?Sized> Eval<'_, F> {
    /// What a node is worth.
    pub(crate) fn number(&mut self, node: &Node) -> Result<Number, Error> {
        if let Some(small) = self.small(node)? {
            return Ok(Number::from(small));
        }
        match &node.kind {
            Kind::Number(number) => Ok(*number),
            Kind::Dice(dice) => self.dice_total(dice, node.span),
            Kind::Group(group) => Ok(self.group(group, node.span)?.total),
            Kind::Named(named) => self.named(named, node.span),
            Kind::Call(call) => self.call(call, node.span),
            Kind::Bracket(inner) => self.number(inner),
            Kind::Signed(sign, inner) => {
                let value = self.number(inner)?;
                signed(*sign, value).ok_or_else(|| overflow(node.span))
            }
            Kind::Chain(chain) => self.chain(chain),
            Kind::Power(power) => self.power(power),
            Kind::Label(label) => self.label(label),
            Kind::Compare(compare) => self.compare(compare),
            Kind::Choice(choice) => self.choice(choice),
            Kind::House(house) => self.house(house),
        }
    }

    /// What a node is worth, as a pool where it is nothing but dice or a group.
    fn value(&mut self, node: &Node) -> Result<Value, Error> {
        match (&node.kind, pool_of(node)) {
            (Kind::Label(label), Some(_)) => {
                let value = self.value(&label.inner)?;
                let total = match &value {
                    Value::Number(number) => *number,
                    Value::Pool(pool) => pool.total,
                };
                self.subtotal(&label.text, total, label.inner.span)?;
                Ok(value)
            }
            (Kind::Dice(dice), Some(_)) => self.dice(dice, node.span).map(Value::Pool),
            (Kind::Group(group), Some(_)) => self.group(group, node.span).map(Value::Pool),
            (_, _) => self.number(node).map(Value::Number),
        }
    }

    pub(super) fn define(&mut self, definitions: &[Definition]) -> Result<(), Error> {
        for definition in definitions {
            let value = self.value(&definition.value)?;
            match self.env.get_mut(definition.index as usize) {
                Some(place) => *place = Some(value),
                None => return Err(internal(definition.span)),
            }
        }
        Ok(())
    }

    fn named(&mut self, named: &Named, span: Span) -> Result<Number, Error> {
        let index = named.index as usize;
        match self.env.get(index) {
            Some(Some(Value::Number(number))) if named.steps.is_empty() => Ok(*number),
            Some(Some(Value::Pool(pool))) if named.steps.is_empty() => Ok(pool.total),
            Some(Some(Value::Pool(pool))) => {
                let pool = pool.clone();
                self.use_pool(named, &pool)
            }
            Some(Some(Value::Number(_)) | None) | None => Err(internal(span)),
        }
    }

    fn call(&mut self, call: &Call, span: Span) -> Result<Number, Error> {
        let mut values = call.arguments.iter();
        let mut result = match values.next() {
            Some(first) => self.number(first)?,
            None => return Err(internal(span)),
        };
        for argument in values {
            let value = self.number(argument)?;
            result = self::call(call.function, result, Some(value), span)?;
        }
        self::call(call.function, result, None, span)
    }

    fn chain(&mut self, chain: &Chain) -> Result<Number, Error> {
        let mut total = self.number(&chain.first)?;
        for link in &chain.rest {
            let right = self.number(&link.operand)?;
            total = apply(total, link, right)?;
        }
        Ok(total)
    }

    fn power(&mut self, power: &Power) -> Result<Number, Error> {
        let base = self.number(&power.base)?;
        let exponent = self.number(&power.exponent)?;
        raise(base, exponent, power)
    }

    fn label(&mut self, label: &Label) -> Result<Number, Error> {
        let value = self.number(&label.inner)?;
        self.subtotal(&label.text, value, label.inner.span)?;
        Ok(value)
    }

    /// Adds to the subtotal of a label.
    pub(super) fn subtotal(&mut self, text: &str, value: Number, span: Span) -> Result<(), Error> {
        match self.out.labels.iter_mut().find(|(label, _)| **label == *text) {
            Some((_, subtotal)) => *subtotal = subtotal.plus(value).ok_or_else(|| overflow(span))?,
            None => self.out.labels.push((text.into(), value)),
        }
        Ok(())
    }

    fn compare(&mut self, compare: &Compare) -> Result<Number, Error> {
        let left = self.number(&compare.left)?;
        let right = self.number(&compare.right)?;
        Ok(if compare.comparison.holds(&left, &right) { Number::ONE } else { Number::ZERO })
    }

    fn choice(&mut self, choice: &Choice) -> Result<Number, Error> {
        let condition = self.number(&choice.condition)?;
        self.number(select_branch(choice, condition))
    }

    fn house(&mut self, house: &House) -> Result<Number, Error> {
        self.define(&house.definitions)?;
        self.number(&house.body)
    }
}

/// The branch that a condition takes: any value but 0 is true.
pub(crate) fn select_branch(choice: &Choice, condition: Number) -> &Node {
    if condition.is_zero() { &choice.otherwise } else { &choice.then }
}

pub(crate) fn signed(sign: Sign, value: Number) -> Option<Number> {
    match sign {
        Sign::Negative => value.negated(),
        Sign::Positive => Some(value),
    }
}

/// Applies an operator to both its operands.
///
/// # Errors
/// Division by zero, or a result that does not fit.
pub(crate) fn apply(left: Number, link: &Link, right: Number) -> Result<Number, Error> {
    let result = match link.operator {
        Operator::Add => left.plus(right),
        Operator::Subtract => left.minus(right),
        Operator::Multiply => left.times(right),
        Operator::Divide | Operator::DivideDown | Operator::Remainder if right.is_zero() => {
            return Err(Error::new(Code::DivisionByZero, link.at, "division by zero")
                .also(link.operand.span, "this is 0"));
        }
        Operator::Divide => left.over(right),
        Operator::DivideDown => left.over_down(right),
        Operator::Remainder => left.remainder(right),
    };
    result.ok_or_else(|| overflow(link.at))
}

/// Raises a number to a power.
///
/// # Errors
/// An exponent that is negative or fractional, or a result that does not fit.
pub(crate) fn raise(base: Number, exponent: Number, power: &Power) -> Result<Number, Error> {
    let wrong = |what: &str| {
        Err(Error::new(Code::Exponent, power.exponent.span, format!("the exponent {exponent} is {what}"))
            .hint("exponents are whole numbers of at least 0"))
    };
    match exponent.as_whole() {
        Some(whole) if whole < 0 => wrong("negative"),
        None => wrong("no whole number"),
        // 0, 1 and -1 are the only numbers whose powers fit beyond this, and they repeat after two.
        Some(whole) => {
            let exponent = u64::try_from(whole).unwrap_or(u64::MAX - 1 + u64::from(whole % 2 != 0));
            base.power(exponent).ok_or_else(|| overflow(power.at))
        }
    }
}

/// Joins a further argument to the result so far (`other`), or ends a function with what it makes of its one
/// argument.
///
/// # Errors
/// A result that does not fit.
pub(crate) fn call(
    function: Function,
    value: Number,
    other: Option<Number>,
    span: Span,
) -> Result<Number, Error> {
    let result = match (function, other) {
        (Function::Min, Some(other)) => Some(value.min(other)),
        (Function::Max, Some(other)) => Some(value.max(other)),
        (Function::Min | Function::Max, None) => Some(value),
        (Function::Floor, _) => Some(value.floor()),
        (Function::Ceil, _) => Some(value.ceil()),
        (Function::Round, _) => Some(value.round()),
        (Function::Trunc, _) => Some(value.trunc()),
        (Function::Abs, _) => value.absolute(),
        (Function::Sign, _) => Some(value.signum()),
    };
    result.ok_or_else(|| overflow(span))
}
