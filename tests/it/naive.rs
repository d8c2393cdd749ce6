//! The notation once more, written for nothing but being obviously right: it rolls a tree with the faces that a roll has
//! listed and must come to the same total and the same fate of every die.

use std::collections::{HashMap, VecDeque};

use dice::ast::{
    Comparison, Condition, Dice, End, Explode, Function, Group, Kind, Node, Operator, Repetition, Reroll,
    RerollMode, Sides, Sign, Step, StepKind, Take,
};
use dice::{Die, Expr, Number, State};

/// A die on the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Thrown {
    pub die: Die,
    pub face: i64,
    pub worth: Number,
    pub state: State,
}

/// Something that steps act on: a die with the faces that went into it, or a member with all its dice.
#[derive(Clone, Debug)]
struct Item {
    worth: Number,
    is_die: bool,
    dice: Vec<usize>,
}

#[derive(Clone, Debug)]
struct Pool {
    items: Vec<Item>,
    net: Option<i64>,
}

impl Pool {
    fn total(&self) -> Number {
        match self.net {
            Some(net) => Number::from(net),
            None => self.items.iter().fold(Number::ZERO, |sum, item| sum.plus(item.worth).unwrap()),
        }
    }
}

enum Value {
    Number(Number),
    Pool(Pool),
}

/// Rolls with these faces; the total and the table. Panics where the roll should have failed.
pub fn roll(expr: &Expr, faces: Vec<i64>) -> (Number, Vec<Thrown>) {
    let mut naive = Naive { faces: faces.into(), table: vec![], names: HashMap::new(), real: true };
    for definition in expr.definitions() {
        let value = match naive.pool(&definition.value) {
            Some(pool) => Value::Pool(pool),
            None => Value::Number(naive.number(&definition.value)),
        };
        naive.names.insert(definition.name.to_string(), value);
    }
    let total = naive.number(expr.body());
    assert!(naive.faces.is_empty(), "faces are left over");
    (total, naive.table)
}

struct Naive {
    faces: VecDeque<i64>,
    table: Vec<Thrown>,
    names: HashMap<String, Value>,
    /// Whether steps change the dice on the table; behind a name they do not.
    real: bool,
}

impl Naive {
    fn number(&mut self, node: &Node) -> Number {
        if let Some(pool) = self.pool(node) {
            return pool.total();
        }
        match &node.kind {
            Kind::Number(number) => *number,
            Kind::Named(named) => match (&self.names[&*named.name], named.steps.is_empty()) {
                (Value::Number(number), true) => *number,
                (Value::Pool(pool), true) => pool.total(),
                (Value::Pool(pool), false) => {
                    let mut pool = pool.clone();
                    let outside = std::mem::replace(&mut self.real, false);
                    self.steps(&mut pool, &named.steps);
                    self.real = outside;
                    pool.total()
                }
                (Value::Number(_), false) => panic!("a number takes no steps"),
            },
            Kind::Call(call) => {
                let values: Vec<Number> =
                    call.arguments.iter().map(|argument| self.number(argument)).collect();
                function(call.function, &values)
            }
            Kind::Bracket(inner) | Kind::Signed(Sign::Positive, inner) => self.number(inner),
            Kind::Signed(Sign::Negative, inner) => self.number(inner).negated().unwrap(),
            Kind::Chain(chain) => {
                let mut total = self.number(&chain.first);
                for link in &chain.rest {
                    let right = self.number(&link.operand);
                    total = operate(link.operator, total, right);
                }
                total
            }
            Kind::Power(power) => {
                let base = self.number(&power.base);
                let exponent = self.number(&power.exponent).as_u64().unwrap();
                (0..exponent).fold(Number::ONE, |result, _| result.times(base).unwrap())
            }
            Kind::Label(label) => self.number(&label.inner),
            Kind::Compare(compare) => {
                let (left, right) = (self.number(&compare.left), self.number(&compare.right));
                Number::from(i64::from(holds(compare.comparison, left, right)))
            }
            Kind::Choice(choice) => {
                let no = self.number(&choice.condition) == Number::ZERO;
                self.number(if no { &choice.otherwise } else { &choice.then })
            }
            Kind::Dice(_) | Kind::Group(_) | Kind::House(_) => panic!("{node:?}"),
        }
    }

    /// Dice or a group, with its steps done.
    fn pool(&mut self, node: &Node) -> Option<Pool> {
        match &node.kind {
            Kind::Dice(dice) => Some(self.dice(dice)),
            Kind::Group(group) => Some(self.group(group)),
            Kind::Label(label) => self.pool(&label.inner),
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
        }
    }

    fn throw(&mut self, die: &Die) -> usize {
        let face = self.faces.pop_front().expect("another face");
        assert!(die.has(face), "{die:?} has no {face}");
        self.table.push(Thrown { die: die.clone(), face, worth: Number::from(face), state: State::Kept });
        self.table.len() - 1
    }

    fn dice(&mut self, dice: &Dice) -> Pool {
        let count = self.number(&dice.count).as_u64().unwrap();
        let die = match &dice.sides {
            Sides::Known(die) => die.clone(),
            Sides::Computed(node) => Die::Plain(self.number(node).as_u64().unwrap()),
        };
        let items = (0..count)
            .map(|_| {
                let index = self.throw(&die);
                self.item(index)
            })
            .collect();
        let mut pool = Pool { items, net: None };
        self.steps(&mut pool, &dice.steps);
        pool
    }

    fn item(&self, index: usize) -> Item {
        Item { worth: self.table[index].worth, is_die: true, dice: vec![index] }
    }

    fn group(&mut self, group: &Group) -> Pool {
        let mut items = Vec::new();
        if let [member] = &group.members[..] {
            let parts: Vec<&Node> = if let Kind::Chain(chain) = &member.kind {
                std::iter::once(&chain.first).chain(chain.rest.iter().map(|link| &link.operand)).collect()
            } else {
                vec![member]
            };
            for part in parts {
                items.extend(self.pool(part).unwrap().items);
            }
        } else {
            for member in &group.members {
                let start = self.table.len();
                let worth = self.number(member);
                items.push(Item { worth, is_die: false, dice: (start..self.table.len()).collect() });
            }
        }
        let mut pool = Pool { items, net: None };
        self.steps(&mut pool, &group.steps);
        pool
    }

    fn end(&mut self, item: &Item, state: State) {
        if self.real {
            for index in &item.dice {
                if self.table[*index].state != State::Rerolled {
                    self.table[*index].state = state;
                }
            }
        }
    }

    fn steps(&mut self, pool: &mut Pool, steps: &[Step]) {
        for step in steps {
            match &step.kind {
                StepKind::Select(take, end, amount) => {
                    let amount = self.number(amount).as_u64().unwrap();
                    self.select(pool, *take, *end, amount);
                }
                StepKind::Explode(explode) => self.explode(pool, explode),
                StepKind::Reroll(reroll) => self.reroll(pool, reroll),
                StepKind::AtLeast(bound) => {
                    let bound = self.number(bound);
                    self.change(pool, |worth| worth.max(bound));
                }
                StepKind::AtMost(bound) => {
                    let bound = self.number(bound);
                    self.change(pool, |worth| worth.min(bound));
                }
                StepKind::Count(condition) => self.count(pool, condition, 1),
                StepKind::Fail(condition) => self.count(pool, condition, -1),
                StepKind::Sort(_) => {}
            }
        }
    }

    /// One after the other: the best of those that are left, the earlier of equals for keep, the later for drop.
    fn select(&mut self, pool: &mut Pool, take: Take, end: End, amount: u64) {
        let mut left: Vec<usize> = (0..pool.items.len()).collect();
        let mut chosen = Vec::new();
        while (chosen.len() as u64) < amount && !left.is_empty() {
            let worth = |place: &usize| pool.items[*place].worth;
            let best = match end {
                End::Highest => left.iter().map(worth).max().unwrap(),
                End::Lowest => left.iter().map(worth).min().unwrap(),
            };
            let equal = |place: &usize| worth(place) == best;
            let place = match take {
                Take::Keep => left.iter().position(equal).unwrap(),
                Take::Drop => left.iter().rposition(equal).unwrap(),
            };
            chosen.push(left.remove(place));
        }
        let mut kept = Vec::new();
        for (place, item) in pool.items.drain(..).enumerate() {
            if chosen.contains(&place) == (take == Take::Keep) {
                kept.push(item);
            } else {
                self.end(&item, State::Dropped);
            }
        }
        pool.items = kept;
    }

    fn change(&mut self, pool: &mut Pool, change: impl Fn(Number) -> Number) {
        for item in &mut pool.items {
            item.worth = change(item.worth);
            // Of a member only its own worth changes, not its dice.
            if let (true, [index, ..]) = (self.real && item.is_die, &item.dice[..]) {
                self.table[*index].worth = item.worth;
            }
        }
    }

    fn count(&mut self, pool: &mut Pool, condition: &Condition, sign: i64) {
        let test = self.test(condition);
        let met = pool.items.iter().filter(|item| test(item.worth)).count();
        *pool.net.get_or_insert(0) += sign * i64::try_from(met).unwrap();
    }

    fn test(&mut self, condition: &Condition) -> Box<dyn Fn(Number) -> bool> {
        match condition {
            Condition::Compare(comparison, target) => {
                let (comparison, target) = (*comparison, self.number(target));
                Box::new(move |worth| holds(comparison, worth, target))
            }
            Condition::Set(ranges) => {
                let ranges = ranges.clone();
                Box::new(move |worth| {
                    worth
                        .as_i64()
                        .is_some_and(|worth| ranges.iter().any(|(low, high)| *low <= worth && worth <= *high))
                })
            }
            Condition::Even => Box::new(|worth| worth.as_i64().is_some_and(|worth| worth % 2 == 0)),
            Condition::Odd => Box::new(|worth| worth.as_i64().is_some_and(|worth| worth % 2 != 0)),
        }
    }

    fn repetition(&mut self, repetition: &Repetition) -> u64 {
        match repetition {
            Repetition::Unlimited => u64::MAX,
            Repetition::Once => 1,
            Repetition::Limit(node) => self.number(node).as_u64().unwrap(),
        }
    }

    fn explode(&mut self, pool: &mut Pool, explode: &Explode) {
        let test = explode.condition.as_ref().map(|condition| self.test(condition));
        let limit = self.repetition(&explode.limit);
        let mut extras = Vec::new();
        for item in &mut pool.items {
            let root = item.dice[0];
            let die = self.table[root].die.clone();
            let meets = |worth: Number| match &test {
                Some(test) => test(worth),
                None => worth == Number::from(die.top()),
            };
            let mut thrown = 0;
            let mut last = item.worth;
            while thrown < limit && meets(last) {
                let extra = self.throw(&die);
                thrown += 1;
                last = self.table[extra].worth;
                let worth = last.minus(Number::from(i64::from(explode.penetrate))).unwrap();
                if explode.compound {
                    item.worth = item.worth.plus(worth).unwrap();
                    item.dice.push(extra);
                    self.table[root].worth = item.worth;
                    self.table[extra].worth = Number::ZERO;
                } else {
                    self.table[extra].worth = worth;
                    extras.push(extra);
                }
            }
        }
        for extra in extras {
            pool.items.push(self.item(extra));
        }
    }

    fn reroll(&mut self, pool: &mut Pool, reroll: &Reroll) {
        let test = self.test(&reroll.condition);
        let limit = match &reroll.mode {
            RerollMode::Newest(repetition) => self.repetition(repetition),
            RerollMode::Better => 1,
        };
        for place in 0..pool.items.len() {
            let mut thrown = 0;
            while thrown < limit && test(pool.items[place].worth) {
                let old = pool.items[place].clone();
                let die = self.table[old.dice[0]].die.clone();
                let index = self.throw(&die);
                let new = self.item(index);
                thrown += 1;
                if reroll.mode == RerollMode::Better && new.worth <= old.worth {
                    self.end(&new, State::Rerolled);
                } else {
                    self.end(&old, State::Rerolled);
                    pool.items[place] = new;
                }
            }
        }
    }
}

fn holds(comparison: Comparison, left: Number, right: Number) -> bool {
    let order = left.cmp(&right);
    match comparison {
        Comparison::AtOrAbove => order.is_ge(),
        Comparison::AtOrBelow => order.is_le(),
        Comparison::Above => order.is_gt(),
        Comparison::Below => order.is_lt(),
        Comparison::Equal => order.is_eq(),
        Comparison::Unequal => order.is_ne(),
    }
}

fn floor(number: Number) -> Number {
    Number::whole(number.numerator().div_euclid(number.denominator()))
}

fn negated(number: Number) -> Number {
    number.negated().unwrap()
}

fn function(function: Function, values: &[Number]) -> Number {
    let value = values[0];
    let negative = value < Number::ZERO;
    match function {
        Function::Floor => floor(value),
        Function::Ceil => negated(floor(negated(value))),
        Function::Round => {
            let half = Number::ratio(1, 2).unwrap();
            let up = |value: Number| floor(value.plus(half).unwrap());
            if negative { negated(up(negated(value))) } else { up(value) }
        }
        Function::Trunc if negative => negated(floor(negated(value))),
        Function::Trunc => floor(value),
        Function::Abs if negative => negated(value),
        Function::Abs => value,
        Function::Min => *values.iter().min().unwrap(),
        Function::Max => *values.iter().max().unwrap(),
        Function::Sign if negative => Number::from(-1),
        Function::Sign => Number::from(i64::from(value > Number::ZERO)),
    }
}

fn operate(operator: Operator, left: Number, right: Number) -> Number {
    let quotient = || left.over(right).unwrap();
    match operator {
        Operator::Add => left.plus(right).unwrap(),
        Operator::Subtract => left.minus(right).unwrap(),
        Operator::Multiply => left.times(right).unwrap(),
        Operator::Divide => quotient(),
        Operator::DivideDown => floor(quotient()),
        Operator::Remainder => left.minus(right.times(floor(quotient())).unwrap()).unwrap(),
    }
}
