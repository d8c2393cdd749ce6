//! One function a kind of node: numbers, operators, functions, comparisons and choices.

use super::combine::{self, pairs};
use super::dist::Dist;
use super::kernel::Mass;
use super::walk::{Remembered, Trouble, Walker};
use crate::ast::{Call, Chain, Choice, Compare, Function, Kind, Link, Node, Operator, Power, Sign, Span};
use crate::error::Error;
use crate::eval::{apply, call, overflow, raise, select_branch};
use crate::number::Number;

impl<'e> Walker<'e> {
    /// The distribution of a node.
    pub(crate) fn node(&mut self, node: &'e Node) -> Result<Dist, Trouble> {
        match &node.kind {
            Kind::Number(number) => Ok(self.point(*number)),
            Kind::Dice(_) | Kind::Group(_) => self.remembered(node),
            Kind::Named(named) => self.named(named, node.span),
            Kind::Call(call) => self.call(call, node.span),
            Kind::Bracket(inner) => self.node(inner),
            Kind::Signed(sign, inner) => {
                let value = self.node(inner)?;
                match sign {
                    Sign::Positive => Ok(value),
                    Sign::Negative => Ok(self.times(&value, Number::whole(-1), node.span)),
                }
            }
            Kind::Chain(chain) => self.chain_of(chain, node.span),
            Kind::Power(power) => self.raised(power, node.span),
            Kind::Label(label) => self.node(&label.inner),
            Kind::Compare(compare) => self.compared(compare, node.span),
            Kind::Choice(choice) => self.chosen(choice, node.span),
            Kind::House(house) => self.scope(&house.definitions, &house.body),
        }
    }

    /// Dice and groups, computed once where nothing in them is conditioned on.
    fn remembered(&mut self, node: &'e Node) -> Result<Dist, Trouble> {
        let key = std::ptr::from_ref(node) as usize;
        if let Some(known) = self.memo.get(&key).cloned() {
            self.noted(known.faults, known.fault);
            return Ok(known.dist);
        }
        if self.conditions == 0 || super::names::has_names(node) {
            return self.thrown_node(node);
        }
        // Where it can fail belongs to it: a case that is only priced forgets its failures.
        let (fault, faults) = (self.fault.take(), std::mem::take(&mut self.faults));
        let value = self.for_good(|walker| walker.thrown_node(node));
        let known = (self.fault.take(), self.faults);
        (self.fault, self.faults) = (fault, faults);
        self.noted(known.1, known.0.clone());
        let value = value?;
        self.memo.insert(key, Remembered { dist: value.clone(), fault: known.0, faults: known.1 });
        Ok(value)
    }

    /// Dice and groups.
    fn thrown_node(&mut self, node: &'e Node) -> Result<Dist, Trouble> {
        let outer = self.subject.replace(node.span);
        let thrown = match &node.kind {
            Kind::Dice(dice) => self.dice(dice, node.span),
            Kind::Group(group) => self.group(group, node.span),
            Kind::Number(_)
            | Kind::Named(_)
            | Kind::Call(_)
            | Kind::Bracket(_)
            | Kind::Signed(..)
            | Kind::Chain(_)
            | Kind::Power(_)
            | Kind::Label(_)
            | Kind::Compare(_)
            | Kind::Choice(_)
            | Kind::House(_) => self.node(node),
        };
        self.subject = outer;
        thrown
    }

    /// A number times a constant.
    fn times(&mut self, value: &Dist, by: Number, span: Span) -> Dist {
        match combine::scale(value.clone(), by) {
            Some(scaled) => scaled,
            None => self.mapped_by(value, |x| x.times(by).ok_or_else(|| overflow(span))),
        }
    }

    /// A function of one number that may fail.
    fn mapped_by(&mut self, value: &Dist, f: impl Fn(Number) -> Result<Number, Error>) -> Dist {
        let mut faults = Vec::new();
        let mapped = combine::map(value, |x| f(x).map_err(|error| faults.push(error)).ok());
        self.noted(faults.len(), faults.into_iter().next());
        mapped
    }

    /// So many ways to fail, and the first of them.
    fn noted(&mut self, faults: usize, first: Option<Error>) {
        self.faults += faults;
        self.fault = self.fault.take().or(first);
    }

    /// A function of two independent numbers that may fail.
    fn paired(
        &mut self,
        a: &Dist,
        b: &Dist,
        span: Span,
        f: impl Fn(Number, Number) -> Result<Number, Error>,
    ) -> Result<Dist, Trouble> {
        self.room(pairs(a, b) * combine::VALUE, span)?;
        let width = a.width_for(&a.denom.times(&b.denom));
        self.charge_for(combine::pairwise_cost(a, b), pairs(a, b), width, span)?;
        let mut fault = None;
        let mut count = 0;
        let out = combine::pairwise_lossy(a, b, |x, y| match f(x, y) {
            Ok(value) => Some(value),
            Err(error) => {
                count += 1;
                fault.get_or_insert(error);
                None
            }
        });
        self.noted(count, fault);
        Ok(out)
    }

    /// The sum of two independent numbers within the budget.
    pub(crate) fn add(&mut self, a: &Dist, b: &Dist, span: Span) -> Result<Dist, Trouble> {
        let denom = a.denom.times(&b.denom);
        self.charge_for(
            combine::add_cost(a, b),
            3.0 * super::float(a.len() + b.len()),
            a.width_for(&denom),
            span,
        )?;
        match combine::add(a, b) {
            Some(sum) => Ok(sum),
            None => Ok(self.add_lossy(a, b, span)),
        }
    }

    /// The sum of numbers of which some pairs may not fit.
    fn add_lossy(&mut self, a: &Dist, b: &Dist, span: Span) -> Dist {
        let mut fault = None;
        let out = combine::pairwise_lossy(a, b, |x, y| {
            let sum = x.plus(y);
            if sum.is_none() {
                fault.get_or_insert_with(|| overflow(span));
            }
            sum
        });
        if let Some(error) = fault {
            self.note(error);
        }
        out
    }

    /// Operators of one level, from left to right.
    fn chain_of(&mut self, chain: &'e Chain, span: Span) -> Result<Dist, Trouble> {
        let mut total = self.node(&chain.first)?;
        for link in &chain.rest {
            let right = self.node(&link.operand)?;
            total = self.applied(&total, link, &right, span)?;
        }
        Ok(total)
    }

    fn applied(&mut self, left: &Dist, link: &Link, right: &Dist, span: Span) -> Result<Dist, Trouble> {
        match (link.operator, left.certain(), right.certain()) {
            (Operator::Add, _, _) => self.add(left, right, span),
            (Operator::Subtract, _, _) => {
                let right = self.times(right, Number::whole(-1), link.at);
                self.add(left, &right, span)
            }
            (Operator::Multiply, Some(by), _) => Ok(self.times(right, by, link.at)),
            (Operator::Multiply, _, Some(by)) => Ok(self.times(left, by, link.at)),
            (Operator::Divide, _, Some(by)) if !by.is_zero() => match Number::ONE.over(by) {
                Some(by) => Ok(self.times(left, by, link.at)),
                None => Ok(self.mapped_by(left, |x| apply(x, link, by))),
            },
            (Operator::Divide | Operator::DivideDown | Operator::Remainder, _, Some(by)) => {
                Ok(self.mapped_by(left, |x| apply(x, link, by)))
            }
            (Operator::Multiply | Operator::Divide | Operator::DivideDown | Operator::Remainder, _, _) => {
                self.paired(left, right, span, |x, y| apply(x, link, y))
            }
        }
    }

    fn raised(&mut self, power: &'e Power, span: Span) -> Result<Dist, Trouble> {
        let (base, exponent) = (self.node(&power.base)?, self.node(&power.exponent)?);
        self.paired(&base, &exponent, span, |x, y| raise(x, y, power))
    }

    fn call(&mut self, function: &'e Call, span: Span) -> Result<Dist, Trouble> {
        let mut result: Option<Dist> = None;
        for argument in &function.arguments {
            let value = self.node(argument)?;
            result = Some(match result {
                None => value,
                Some(so_far) => self.joined(function.function, &so_far, &value, span)?,
            });
        }
        let Some(result) = result else { return Err(Trouble::Enumerate) };
        match function.function {
            Function::Min | Function::Max => Ok(result),
            Function::Floor
            | Function::Ceil
            | Function::Round
            | Function::Trunc
            | Function::Abs
            | Function::Sign => Ok(self.mapped_by(&result, |x| call(function.function, x, None, span))),
        }
    }

    /// A further argument of a function of several.
    fn joined(&mut self, function: Function, a: &Dist, b: &Dist, span: Span) -> Result<Dist, Trouble> {
        match function {
            Function::Min | Function::Max => {
                let limbs = super::float(a.width_for(&a.denom.times(&b.denom)).limbs());
                self.charge(super::float(a.len() + b.len()) * (50.0 + limbs * limbs), span)?;
                Ok(combine::extreme(a, b, function == Function::Max))
            }
            Function::Floor
            | Function::Ceil
            | Function::Round
            | Function::Trunc
            | Function::Abs
            | Function::Sign => self.paired(a, b, span, |x, y| call(function, x, Some(y), span)),
        }
    }

    fn compared(&mut self, compare: &'e Compare, span: Span) -> Result<Dist, Trouble> {
        let (left, right) = (self.node(&compare.left)?, self.node(&compare.right)?);
        let limbs = super::float(left.width_for(&left.denom.times(&right.denom)).limbs());
        self.charge(super::float(left.len() + right.len()) * (20.0 + limbs * limbs), span)?;
        Ok(combine::compare(&left, compare.comparison, &right))
    }

    /// Only the branch that is taken is rolled.
    fn chosen(&mut self, choice: &'e Choice, span: Span) -> Result<Dist, Trouble> {
        let condition = self.node(&choice.condition)?;
        if let Some(value) = condition.certain() {
            return self.node(select_branch(choice, value));
        }
        // True first, then false, as cells of one row.
        let mut sums = Mass::zeros(condition.width(), 2);
        for (value, cell) in condition.cells() {
            sums.add_cell(usize::from(value.is_zero()), &condition.mass, cell);
        }
        self.conditions += 1;
        let mut parts = Vec::new();
        let mut trouble = None;
        for (cell, branch) in [(0, &choice.then), (1, &choice.otherwise)] {
            if !sums.is_zero(cell) {
                match self.node(branch) {
                    Ok(part) => parts.push((cell, part)),
                    Err(error) => trouble = trouble.or(Some(error)),
                }
            }
        }
        self.conditions -= 1;
        if let Some(trouble) = trouble {
            return Err(trouble);
        }
        let weights = Dist { mass: sums, closed: None, ..condition };
        self.mix(&parts, &weights, span)
    }
}
