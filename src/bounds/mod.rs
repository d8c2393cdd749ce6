//! The least and the greatest total that a text can have, without rolling it.
//!
//! Every bound holds. It is met as long as the parts of a text vary independently and no step throws more
//! dice; a name that is used twice, or an explosion on low faces, can make the true range narrower.

mod pool;
mod range;
mod select;

use crate::ast::{Chain, Definition, Expr, Kind, Node, Operator, Sign};
use crate::number::Number;
use crate::roll::Roll;
use range::{UNBOUNDED, added, corners, excludes_zero, function, join, negated, raised, remainder};

/// A least and a greatest value; `None` where there is no bound.
pub(crate) type Bounds = (Option<Number>, Option<Number>);

impl Expr {
    /// The least and the greatest total possible; `None` where there is no bound, as after an explosion.
    ///
    /// ```
    /// let expr: dice::Expr = "4d6kh3+2".parse()?;
    /// let (low, high) = expr.bounds();
    /// assert_eq!((low.unwrap().to_string(), high.unwrap().to_string()), ("5".into(), "20".into()));
    /// # Ok::<(), dice::Error>(())
    /// ```
    #[must_use]
    pub fn bounds(&self) -> (Option<Number>, Option<Number>) {
        let mut walk = Walk { names: vec![UNBOUNDED; self.inner.names as usize] };
        walk.define(self.definitions());
        walk.node(self.body())
    }
}

impl Roll {
    /// The least and the greatest total that the text can have, see [`Expr::bounds`].
    #[must_use]
    pub fn bounds(&self) -> (Option<Number>, Option<Number>) {
        self.expr().bounds()
    }
}

/// The bounds of a node in which names have unknown values.
pub(crate) fn bounds_of(node: &Node) -> Bounds {
    Walk { names: Vec::new() }.node(node)
}

struct Walk {
    names: Vec<Bounds>,
}

impl Walk {
    fn define(&mut self, definitions: &[Definition]) {
        for definition in definitions {
            let bounds = self.node(&definition.value);
            if let Some(place) = self.names.get_mut(definition.index as usize) {
                *place = bounds;
            }
        }
    }

    fn node(&mut self, node: &Node) -> Bounds {
        match &node.kind {
            Kind::Number(number) => (Some(*number), Some(*number)),
            Kind::Dice(dice) => {
                let part = self.thrown(dice);
                self.pool(vec![part], &dice.steps)
            }
            Kind::Group(group) => self.group(group),
            Kind::Named(named) if named.steps.is_empty() => {
                self.names.get(named.index as usize).copied().unwrap_or(UNBOUNDED)
            }
            Kind::Named(_) => UNBOUNDED,
            Kind::Call(call) => {
                let mut arguments =
                    call.arguments.iter().map(|argument| self.node(argument)).collect::<Vec<_>>();
                function(call.function, &mut arguments)
            }
            Kind::Bracket(inner) | Kind::Signed(Sign::Positive, inner) => self.node(inner),
            Kind::Signed(Sign::Negative, inner) => negated(self.node(inner)),
            Kind::Chain(chain) => self.chain(chain),
            Kind::Power(power) => {
                let (base, exponent) = (self.node(&power.base), self.node(&power.exponent));
                raised(base, exponent)
            }
            Kind::Label(label) => self.node(&label.inner),
            Kind::Compare(_) => (Some(Number::ZERO), Some(Number::ONE)),
            Kind::Choice(choice) => join(self.node(&choice.then), self.node(&choice.otherwise)),
            Kind::House(house) => {
                self.define(&house.definitions);
                self.node(&house.body)
            }
        }
    }

    fn chain(&mut self, chain: &Chain) -> Bounds {
        let mut total = self.node(&chain.first);
        for link in &chain.rest {
            let right = self.node(&link.operand);
            total = match link.operator {
                Operator::Add => added(total, right),
                Operator::Subtract => added(total, negated(right)),
                Operator::Multiply => corners(total, right, Number::times),
                Operator::Divide if excludes_zero(right) => corners(total, right, Number::over),
                Operator::DivideDown if excludes_zero(right) => corners(total, right, Number::over_down),
                Operator::Divide | Operator::DivideDown => UNBOUNDED,
                Operator::Remainder => remainder(right),
            };
        }
        total
    }
}
