//! Random trees that texts can have, and random spellings of them, for the property tests.

use dice::ast::{
    Call, Chain, Choice, Compare, Comparison, Condition, Dice, End, Explode, Function, Group, Kind, Label,
    Link, Named, Node, Operator, Order, Power, Repetition, Reroll, RerollMode, Sides, Sign, Span, Step,
    StepKind, Take,
};
use dice::{Die, Entry, Number};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// The names that every generated text sets first: `a` is a number, `p` a pool.
pub const NUMBER: &str = "a";
pub const POOL: &str = "p";

/// What a generated text sets and rolls.
#[derive(Clone, Debug)]
pub struct Generated {
    pub number: Node,
    pub pool: Node,
    pub body: Node,
}

pub fn node(kind: Kind) -> Node {
    Node { kind, span: Span::default() }
}

fn number(value: i64) -> Node {
    node(Kind::Number(Number::from(value)))
}

/// Whole texts: the values of both names, and what is rolled.
pub fn texts() -> impl Strategy<Value = Generated> {
    (choice(false, 2), dice(leaf(), true), choice(true, 3)).prop_map(|(number, pool, body)| {
        // A bracket keeps the number from holding a pool.
        Generated { number: node(Kind::Bracket(Box::new(number))), pool, body }
    })
}

fn leaf() -> BoxedStrategy<Node> {
    (0..7_i64).prop_map(number).boxed()
}

/// The loosest level, so many brackets deep at most.
fn choice(names: bool, depth: u32) -> BoxedStrategy<Node> {
    let inner = if depth == 0 { leaf() } else { choice(names, depth - 1) };
    let primary = primary(inner, names);
    let labelled = prop_oneof![
        6 => primary.clone(),
        1 => (primary, "[a-c ]{0,3}").prop_map(|(inner, text)| {
            node(Kind::Label(Box::new(Label { inner, text: text.into() })))
        }),
    ]
    .boxed();
    let small = (0..3_i64).prop_map(number);
    let power = prop_oneof![
        8 => labelled.clone(),
        1 => (labelled, small).prop_map(|(base, exponent)| {
            node(Kind::Power(Box::new(Power { base, exponent, at: Span::default() })))
        }),
    ]
    .boxed();
    let sign = select(vec![Sign::Negative, Sign::Positive]);
    let signed = prop_oneof![
        8 => power.clone(),
        1 => (sign, power).prop_map(|(sign, inner)| node(Kind::Signed(sign, Box::new(inner)))),
    ]
    .boxed();
    let product = chain(
        signed,
        vec![Operator::Multiply, Operator::Divide, Operator::DivideDown, Operator::Remainder],
        1,
    );
    let sum = chain(product, vec![Operator::Add, Operator::Subtract], 2);
    let right = sum.clone();
    let test = prop_oneof![
        5 => sum.clone(),
        // In brackets a pool is a total, and no explosion takes the sign for a condition of its own.
        1 => (sum, comparison(), right).prop_map(|(left, comparison, right)| {
            let left = node(Kind::Bracket(Box::new(left)));
            node(Kind::Compare(Box::new(Compare { left, comparison, right })))
        }),
    ]
    .boxed();
    prop_oneof![
        8 => test.clone(),
        1 => (test.clone(), test.clone(), test).prop_map(|(condition, then, otherwise)| {
            node(Kind::Choice(Box::new(Choice { condition, then, otherwise })))
        }),
    ]
    .boxed()
}

fn chain(operand: BoxedStrategy<Node>, operators: Vec<Operator>, most: usize) -> BoxedStrategy<Node> {
    let link = (select(operators), operand.clone()).prop_map(|(operator, operand)| Link {
        operator,
        at: Span::default(),
        operand,
    });
    prop_oneof![
        2 => operand.clone(),
        1 => (operand, vec(link, 1..=most)).prop_map(|(first, rest)| {
            node(Kind::Chain(Box::new(Chain { first, rest })))
        }),
    ]
    .boxed()
}

fn primary(inner: BoxedStrategy<Node>, names: bool) -> BoxedStrategy<Node> {
    let bracket = inner.clone().prop_map(|inner| node(Kind::Bracket(Box::new(inner))));
    let decimal = (0..10_000_i64).prop_map(|n| {
        let number = Number::ratio(i128::from(n), 100).unwrap();
        node(Kind::Number(number))
    });
    let function =
        (select(Function::ALL.to_vec()), vec(inner.clone(), 1..=3)).prop_map(|(function, mut arguments)| {
            if !function.is_variadic() {
                arguments.truncate(1);
            }
            node(Kind::Call(Box::new(Call { function, arguments })))
        });
    let plain = prop_oneof![
        3 => leaf(),
        1 => decimal,
        6 => dice(inner.clone(), true),
        2 => bracket,
        1 => function,
        1 => group(inner),
    ];
    if names {
        prop_oneof![8 => plain, 1 => Just(named(NUMBER, vec![])), 1 => uses()].boxed()
    } else {
        plain.boxed()
    }
}

fn named(name: &str, steps: Vec<Step>) -> Node {
    node(Kind::Named(Box::new(Named { id: 0, name: name.into(), index: 0, steps })))
}

/// The pool, with steps that do not throw.
fn uses() -> BoxedStrategy<Node> {
    vec(quiet(leaf()), 0..3).prop_map(|kinds| named(POOL, ordered(kinds))).boxed()
}

/// One kind of dice with steps; `brackets` are what stands in brackets for computed numbers.
fn dice(brackets: BoxedStrategy<Node>, counted: bool) -> BoxedStrategy<Node> {
    let computed = brackets.clone().prop_map(|inner| node(Kind::Bracket(Box::new(inner))));
    let count = prop_oneof![8 => (0..6_i64).prop_map(number), 1 => computed.clone()];
    let sides = prop_oneof![
        6 => select(vec![2_u64, 4, 6, 10, 20, 100]).prop_map(|sides| Sides::Known(Die::Plain(sides))),
        1 => Just(Sides::Known(Die::Fudge)),
        2 => vec(entry(), 1..4).prop_map(|entries| Sides::Known(Die::listed(entries).unwrap())),
        1 => computed.prop_map(Sides::Computed),
    ];
    let step = prop_oneof![2 => quiet(brackets.clone()), 1 => loud(brackets)];
    (count, sides, vec(step, 0..4))
        .prop_map(move |(count, sides, kinds)| {
            let mut steps = ordered(kinds);
            steps.retain(|step| counted || !counts(step));
            node(Kind::Dice(Box::new(Dice { id: 0, count, sides, steps, thrown: Span::default() })))
        })
        .boxed()
}

fn entry() -> impl Strategy<Value = Entry> {
    (-3..8_i64, 0..3_i64, 1..4_u64).prop_map(|(low, more, weight)| Entry {
        low,
        high: low + more,
        weight: if more == 0 { weight } else { 1 },
    })
}

fn group(inner: BoxedStrategy<Node>) -> BoxedStrategy<Node> {
    let members = (vec(inner.clone(), 2..4), vec(quiet(inner.clone()), 0..3));
    let part = dice(leaf(), false);
    let pool = (part.clone(), vec(part, 0..3), vec(prop_oneof![quiet(inner.clone()), loud(inner)], 0..3));
    prop_oneof![
        members.prop_map(|(members, kinds)| Group { id: 0, members, steps: ordered(kinds) }),
        pool.prop_map(|(first, rest, kinds)| {
            let link = |operand| Link { operator: Operator::Add, at: Span::default(), operand };
            let rest: Vec<Link> = rest.into_iter().map(link).collect();
            let member =
                if rest.is_empty() { first } else { node(Kind::Chain(Box::new(Chain { first, rest }))) };
            Group { id: 0, members: vec![member], steps: ordered(kinds) }
        }),
    ]
    .prop_map(|group| node(Kind::Group(Box::new(group))))
    .boxed()
}

fn counts(step: &Step) -> bool {
    matches!(step.kind, StepKind::Count(_) | StepKind::Fail(_))
}

/// Steps that count go last, as they have to.
fn ordered(kinds: Vec<StepKind>) -> Vec<Step> {
    let mut steps: Vec<Step> =
        kinds.into_iter().map(|kind| Step { kind, span: Span::default(), id: 0 }).collect();
    steps.sort_by_key(counts);
    steps
}

fn amount(brackets: BoxedStrategy<Node>) -> BoxedStrategy<Node> {
    let computed = brackets.prop_map(|inner| node(Kind::Bracket(Box::new(inner))));
    prop_oneof![6 => (0..4_i64).prop_map(number), 1 => computed].boxed()
}

/// Steps that throw no dice.
fn quiet(brackets: BoxedStrategy<Node>) -> BoxedStrategy<StepKind> {
    let take = select(vec![Take::Keep, Take::Drop]);
    let end = select(vec![End::Highest, End::Lowest]);
    prop_oneof![
        4 => (take, end, amount(brackets.clone())).prop_map(|(take, end, n)| StepKind::Select(take, end, n)),
        1 => amount(brackets.clone()).prop_map(StepKind::AtLeast),
        1 => amount(brackets.clone()).prop_map(StepKind::AtMost),
        1 => condition(brackets.clone()).prop_map(StepKind::Count),
        1 => condition(brackets).prop_map(StepKind::Fail),
        1 => select(vec![Order::Ascending, Order::Descending]).prop_map(StepKind::Sort),
    ]
    .boxed()
}

/// Explosions and rerolls.
fn loud(brackets: BoxedStrategy<Node>) -> BoxedStrategy<StepKind> {
    let limit = prop_oneof![
        3 => Just(Repetition::Unlimited),
        1 => amount(brackets.clone()).prop_map(Repetition::Limit),
    ];
    let wanted = proptest::option::of(condition(brackets.clone()));
    let explode = (any::<bool>(), any::<bool>(), wanted, limit.clone()).prop_map(
        |(compound, penetrate, condition, limit)| {
            StepKind::Explode(Explode { compound, penetrate, condition, limit })
        },
    );
    let once = proptest::option::of(condition(brackets.clone())).prop_map(|condition| {
        let limit = Repetition::Once;
        StepKind::Explode(Explode { compound: false, penetrate: false, condition, limit })
    });
    let mode = prop_oneof![
        2 => limit.prop_map(RerollMode::Newest),
        1 => Just(RerollMode::Newest(Repetition::Once)),
        1 => Just(RerollMode::Better),
    ];
    let reroll = (condition(brackets), mode)
        .prop_map(|(condition, mode)| StepKind::Reroll(Reroll { condition, mode }));
    prop_oneof![3 => explode, 1 => once, 3 => reroll].boxed()
}

fn comparison() -> impl Strategy<Value = Comparison> {
    select(vec![
        Comparison::AtOrAbove,
        Comparison::AtOrBelow,
        Comparison::Above,
        Comparison::Below,
        Comparison::Equal,
        Comparison::Unequal,
    ])
}

fn condition(brackets: BoxedStrategy<Node>) -> BoxedStrategy<Condition> {
    let computed = brackets.prop_map(|inner| node(Kind::Bracket(Box::new(inner))));
    let target = prop_oneof![8 => (-2..8_i64).prop_map(number), 1 => computed];
    let range = (-2..8_i64, 0..3_i64).prop_map(|(low, more)| (low, low + more));
    prop_oneof![
        6 => (comparison(), target).prop_map(|(comparison, target)| Condition::Compare(comparison, target)),
        1 => vec(range, 1..4).prop_map(Condition::Set),
        1 => Just(Condition::Even),
        1 => Just(Condition::Odd),
    ]
    .boxed()
}
