//! The least and the greatest total that a text can have, without rolling it.
//!
//! Every bound holds. It is met as long as the parts of a text vary independently and no step throws more
//! dice; a name that is used twice, or an explosion on low faces, can make the true range narrower.

use crate::ast::{
    Chain, Condition, Definition, Dice, End, Explode, Expr, Function, Group, Kind, Node, Operator,
    Repetition, Reroll, RerollMode, Sides, Sign, Step, StepKind, Take,
};
use crate::number::Number;
use crate::roll::Roll;

/// A least and a greatest value; `None` where there is no bound.
pub(crate) type Bounds = (Option<Number>, Option<Number>);

const UNBOUNDED: Bounds = (None, None);

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

/// Dice or members that can have the same worths.
#[derive(Clone, Copy)]
struct Part {
    worth: Bounds,
    /// The natural faces, for what is thrown again.
    faces: Bounds,
    /// How many there are at least and at most.
    count: (u64, Option<u64>),
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

    /// Dice before their steps.
    fn thrown(&mut self, dice: &Dice) -> Part {
        let count = self.node(&dice.count);
        let at_least = count.0.and_then(|low| low.ceil().as_u64()).unwrap_or(0);
        let at_most = count.1.and_then(|high| high.floor().max(Number::ZERO).as_u64());
        let faces = match &dice.sides {
            Sides::Known(die) => (Some(Number::from(die.bottom())), Some(Number::from(die.top()))),
            Sides::Computed(node) => (Some(Number::ONE), self.node(node).1),
        };
        Part { worth: faces, faces, count: (at_least, at_most) }
    }

    fn group(&mut self, group: &Group) -> Bounds {
        let mut parts = Vec::new();
        if let [member] = &group.members[..] {
            self.gather(member, &mut parts);
        } else {
            for member in &group.members {
                let worth = self.node(member);
                parts.push(Part { worth, faces: UNBOUNDED, count: (1, Some(1)) });
            }
        }
        self.pool(parts, &group.steps)
    }

    /// The dice of a sum of pools. Those with steps of their own lose their number, for simplicity.
    fn gather(&mut self, node: &Node, parts: &mut Vec<Part>) {
        match &node.kind {
            Kind::Dice(dice) => {
                let part = self.thrown(dice);
                parts.extend(self.stepped(vec![part], &dice.steps).0);
            }
            Kind::Chain(chain) => {
                self.gather(&chain.first, parts);
                chain.rest.iter().for_each(|link| self.gather(&link.operand, parts));
            }
            Kind::Label(label) => self.gather(&label.inner, parts),
            Kind::Number(_)
            | Kind::Group(_)
            | Kind::Named(_)
            | Kind::Call(_)
            | Kind::Bracket(_)
            | Kind::Signed(..)
            | Kind::Power(_)
            | Kind::Compare(_)
            | Kind::Choice(_)
            | Kind::House(_) => {}
        }
    }

    fn pool(&mut self, parts: Vec<Part>, steps: &[Step]) -> Bounds {
        let (parts, net) = self.stepped(parts, steps);
        net.unwrap_or_else(|| {
            parts.into_iter().map(total).fold((Some(Number::ZERO), Some(Number::ZERO)), added)
        })
    }

    /// The parts after the steps, and the bounds of the count if there is one.
    fn stepped(&mut self, mut parts: Vec<Part>, steps: &[Step]) -> (Vec<Part>, Option<Bounds>) {
        let mut net = None;
        for (place, step) in steps.iter().enumerate() {
            match &step.kind {
                StepKind::Select(take, end, node) => {
                    let amount = self.node(node);
                    let last = steps[place + 1..].iter().all(|step| matches!(step.kind, StepKind::Sort(_)));
                    parts = select(&parts, *take, *end, amount, last);
                }
                StepKind::Explode(explode) => {
                    let most = self.most(&explode.limit);
                    parts.iter_mut().for_each(|part| exploded(part, explode, most));
                }
                StepKind::Reroll(reroll) => parts.iter_mut().for_each(|part| rerolled(part, reroll)),
                StepKind::AtLeast(node) => {
                    let bound = self.node(node);
                    parts.iter_mut().for_each(|part| part.worth = pairwise(part.worth, bound, Number::max));
                }
                StepKind::AtMost(node) => {
                    let bound = self.node(node);
                    parts.iter_mut().for_each(|part| part.worth = pairwise(part.worth, bound, Number::min));
                }
                StepKind::Count(condition) => {
                    net = Some(added(net.unwrap_or_default_zero(), met(&parts, condition)));
                }
                StepKind::Fail(condition) => {
                    net = Some(added(net.unwrap_or_default_zero(), negated(met(&parts, condition))));
                }
                StepKind::Sort(_) => {}
            }
        }
        (parts, net)
    }

    /// The most extras for each die; `None` for any number.
    fn most(&mut self, repetition: &Repetition) -> Option<u64> {
        match repetition {
            Repetition::Unlimited => None,
            Repetition::Once => Some(1),
            Repetition::Limit(node) => self.node(node).1.and_then(|most| most.floor().as_u64()),
        }
    }
}

trait OrZero {
    fn unwrap_or_default_zero(self) -> Bounds;
}

impl OrZero for Option<Bounds> {
    fn unwrap_or_default_zero(self) -> Bounds {
        self.unwrap_or((Some(Number::ZERO), Some(Number::ZERO)))
    }
}

/// The sum of some dice with the same worths.
fn total(part: Part) -> Bounds {
    let times = |worth: Option<Number>, few: u64, many: Option<u64>, harmless: bool| -> Option<Number> {
        let count = if harmless { few } else { many? };
        if count == 0 {
            return Some(Number::ZERO);
        }
        worth?.times(Number::whole(i128::from(count)))
    };
    let (low, high) = part.worth;
    let (few, many) = part.count;
    (
        times(low, few, many, low.is_some_and(|low| !low.is_negative())),
        times(high, few, many, high.is_some_and(|high| high <= Number::ZERO)),
    )
}

/// What a selection leaves. With one kind of dice only the number changes; with several, sums of ranks grow with
/// each worth, so the least total is that of all least worths, and likewise the greatest.
/// For steps that follow, the single worths have to stay.
fn select(parts: &[Part], take: Take, end: End, amount: Bounds, last: bool) -> Vec<Part> {
    let fixed: Option<Vec<u64>> =
        parts.iter().map(|part| part.count.1.filter(|most| *most == part.count.0)).collect();
    let exact = match amount {
        (Some(low), Some(high)) if low == high => low.as_u64(),
        (_, _) => None,
    };
    if let (Some(counts), Some(amount)) = (&fixed, exact) {
        let size = counts.iter().fold(0_u64, |sum, count| sum.saturating_add(*count));
        let kept = match take {
            Take::Keep => amount.min(size),
            Take::Drop => size.saturating_sub(amount),
        };
        let highest = (take == Take::Keep) == (end == End::Highest);
        return match parts {
            [part] => vec![Part { count: (kept, Some(kept)), ..*part }],
            _ if last => ranked(parts, counts, kept, highest),
            _ => {
                let joined = parts.iter().copied().reduce(|left, right| Part {
                    worth: join(left.worth, right.worth),
                    faces: join(left.faces, right.faces),
                    count: (kept, Some(kept)),
                });
                joined.into_iter().collect()
            }
        };
    }
    if let [part] = parts {
        // Dice of one kind: only how many stay is open.
        let least = amount.0.and_then(|least| least.ceil().as_u64()).unwrap_or(0);
        let most = amount.1.and_then(|most| most.floor().as_u64());
        let (few, many) = part.count;
        let count = match take {
            Take::Keep => {
                (few.min(least), many.zip(most).map(|(many, most)| many.min(most)).or(many).or(most))
            }
            Take::Drop => {
                (most.map_or(0, |most| few.saturating_sub(most)), many.map(|many| many.saturating_sub(least)))
            }
        };
        return vec![Part { count, ..*part }];
    }
    let most = match take {
        Take::Keep => amount.1.and_then(|most| most.floor().as_u64()),
        Take::Drop => None,
    };
    let limit = |count: Option<u64>| match (count, most) {
        (Some(count), Some(most)) => Some(count.min(most)),
        (count, most) => count.or(most),
    };
    parts.iter().map(|part| Part { count: (0, limit(part.count.1)), ..*part }).collect()
}

/// The `kept` dice of highest (or lowest) worth among several kinds. The bounds of the best die are the best of the
/// least worths and the best of the greatest, those of the second best the second best of both, and so on.
fn ranked(parts: &[Part], counts: &[u64], kept: u64, highest: bool) -> Vec<Part> {
    let side = |worth: fn(&Part) -> Option<Number>| -> Vec<(Option<Number>, u64)> {
        let worths: Option<Vec<Number>> = parts.iter().map(worth).collect();
        let Some(worths) = worths else { return vec![(None, kept)] };
        let mut sorted: Vec<(Number, u64)> = worths.into_iter().zip(counts.iter().copied()).collect();
        sorted.sort_unstable();
        if highest {
            sorted.reverse();
        }
        sorted.into_iter().map(|(worth, count)| (Some(worth), count)).collect()
    };
    let (mut lows, mut highs) =
        (side(|part| part.worth.0).into_iter(), side(|part| part.worth.1).into_iter());
    let (mut low, mut high) = (lows.next(), highs.next());
    let mut left = kept;
    let mut ranks = Vec::new();
    while let (Some((least, few)), Some((greatest, many))) = (&mut low, &mut high) {
        let count = (*few).min(*many).min(left);
        if count > 0 {
            ranks.push(Part { worth: (*least, *greatest), faces: UNBOUNDED, count: (count, Some(count)) });
        }
        left -= count;
        (*few, *many) = (*few - count, *many - count);
        if left == 0 {
            break;
        }
        if *few == 0 {
            low = lows.next();
        }
        if high.is_some_and(|(_, many)| many == 0) {
            high = highs.next();
        }
    }
    ranks
}

fn exploded(part: &mut Part, explode: &Explode, most: Option<u64>) {
    let less = Number::whole(i128::from(explode.penetrate));
    let extra =
        (part.faces.0.and_then(|low| low.minus(less)), part.faces.1.and_then(|high| high.minus(less)));
    if explode.compound {
        let times = most.map(|most| Number::whole(i128::from(most)));
        let grown = |end: Option<Number>, extra: Option<Number>, harmless: bool| {
            if harmless { end } else { end?.plus(extra?.times(times?)?) }
        };
        part.worth = (
            grown(part.worth.0, extra.0, extra.0.is_some_and(|least| !least.is_negative())),
            grown(part.worth.1, extra.1, extra.1.is_some_and(|greatest| greatest <= Number::ZERO)),
        );
    } else {
        part.worth = join(part.worth, extra);
        part.count.1 =
            part.count.1.zip(most).and_then(|(count, most)| count.checked_mul(most.checked_add(1)?));
    }
}

fn rerolled(part: &mut Part, reroll: &Reroll) {
    match reroll.mode {
        RerollMode::Newest(_) => part.worth = join(part.worth, part.faces),
        RerollMode::Better => part.worth.1 = join(part.worth, part.faces).1,
    }
}

/// How many dice can meet a condition.
fn met(parts: &[Part], _condition: &Condition) -> Bounds {
    let most = parts.iter().try_fold(0_u64, |sum, part| sum.checked_add(part.count.1?));
    (Some(Number::ZERO), most.map(|most| Number::whole(i128::from(most))))
}

fn added(left: Bounds, right: Bounds) -> Bounds {
    let sum = |a: Option<Number>, b: Option<Number>| a?.plus(b?);
    (sum(left.0, right.0), sum(left.1, right.1))
}

fn negated(bounds: Bounds) -> Bounds {
    (bounds.1.and_then(Number::negated), bounds.0.and_then(Number::negated))
}

/// The range that covers both.
fn join(left: Bounds, right: Bounds) -> Bounds {
    (
        left.0.zip(right.0).map(|(left, right)| left.min(right)),
        left.1.zip(right.1).map(|(left, right)| left.max(right)),
    )
}

/// The bounds of the least, or of the greatest, of two values.
fn pairwise(left: Bounds, right: Bounds, pick: fn(Number, Number) -> Number) -> Bounds {
    let greatest = pick(Number::ZERO, Number::ONE) == Number::ONE;
    // One side alone bounds the greatest from below, and the least from above.
    let end = |a: Option<Number>, b: Option<Number>, one_is_enough: bool| match (a, b) {
        (Some(a), Some(b)) => Some(pick(a, b)),
        (a, b) if one_is_enough => a.or(b),
        (_, _) => None,
    };
    (end(left.0, right.0, greatest), end(left.1, right.1, !greatest))
}

/// The least and the greatest of an operation that is monotone in both operands on a box.
fn corners(left: Bounds, right: Bounds, operation: fn(Number, Number) -> Option<Number>) -> Bounds {
    let (Some(a), Some(b), Some(c), Some(d)) = (left.0, left.1, right.0, right.1) else { return UNBOUNDED };
    let results: Option<Vec<Number>> =
        [(a, c), (a, d), (b, c), (b, d)].into_iter().map(|(left, right)| operation(left, right)).collect();
    results.map_or(UNBOUNDED, |results| (results.iter().min().copied(), results.iter().max().copied()))
}

fn excludes_zero(bounds: Bounds) -> bool {
    bounds.0.is_some_and(|low| low > Number::ZERO) || bounds.1.is_some_and(Number::is_negative)
}

/// What a division by a number leaves lies between 0 and that number.
fn remainder(divisor: Bounds) -> Bounds {
    let zero = Number::ZERO;
    (divisor.0.map(|low| low.min(zero)), divisor.1.map(|high| high.max(zero)))
}

fn raised(base: Bounds, exponent: Bounds) -> Bounds {
    let (Some(low), Some(high), Some(few), Some(many)) = (base.0, base.1, exponent.0, exponent.1) else {
        return UNBOUNDED;
    };
    let power = |base: Number, exponent: Number| base.power(exponent.as_u64()?);
    if low >= Number::ONE && !few.is_negative() {
        return (power(low, few.ceil()), power(high, many.floor()));
    }
    match (few == many, few.as_u64()) {
        (true, Some(exponent)) if exponent % 2 == 1 => (low.power(exponent), high.power(exponent)),
        (true, Some(exponent)) => {
            let (low, high) = (low.power(exponent), high.power(exponent));
            let crosses =
                base.0.is_some_and(Number::is_negative) && base.1.is_some_and(|high| !high.is_negative());
            let least = low.zip(high).map(|(low, high)| if crosses { Number::ZERO } else { low.min(high) });
            (least, low.zip(high).map(|(low, high)| low.max(high)))
        }
        (_, _) => UNBOUNDED,
    }
}

fn function(function: Function, arguments: &mut Vec<Bounds>) -> Bounds {
    let map = |bounds: Bounds, round: fn(Number) -> Number| (bounds.0.map(round), bounds.1.map(round));
    let pick = |pick: fn(Number, Number) -> Number, arguments: &mut Vec<Bounds>| {
        arguments.drain(..).reduce(|left, right| pairwise(left, right, pick)).unwrap_or(UNBOUNDED)
    };
    let first = arguments.first().copied().unwrap_or(UNBOUNDED);
    match function {
        Function::Floor => map(first, Number::floor),
        Function::Ceil => map(first, Number::ceil),
        Function::Round => map(first, Number::round),
        Function::Trunc => map(first, Number::trunc),
        Function::Sign => map(first, Number::signum),
        Function::Min => pick(Number::min, arguments),
        Function::Max => pick(Number::max, arguments),
        Function::Abs if first.0.is_some_and(|low| !low.is_negative()) => first,
        Function::Abs if first.1.is_some_and(|high| high <= Number::ZERO) => negated(first),
        Function::Abs => {
            let other = negated(first);
            (Some(Number::ZERO), first.1.zip(other.1).map(|(high, low)| high.max(low)))
        }
    }
}
