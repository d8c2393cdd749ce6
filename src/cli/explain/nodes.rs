//! Nodes of the tree in words.

use dice::Die;
use dice::ast::{
    Call, Chain, Choice, Compare, Comparison, Definition, Dice, Expr, Function, Group, Kind, Named, Node,
    Operator, Sides, Sign,
};

use super::Branch;
use super::steps::step;

/// A whole text.
pub fn whole(expr: &Expr) -> Branch {
    let mut parts: Vec<Branch> = expr.definitions().iter().map(definition).collect();
    let mut tree = node(expr.body());
    if !parts.is_empty() {
        parts.push(tree);
        tree = Branch::new("one after the other", parts);
    }
    if let Some(repeat) = expr.repeat() {
        let text = if repeat.times == 1 {
            "once".to_owned()
        } else {
            format!("{} times, each on its own", repeat.times)
        };
        tree = Branch::new(text, vec![tree]);
    }
    match expr.comment() {
        Some(comment) if !comment.is_empty() => Branch::new(format!("for {comment}"), vec![tree]),
        Some(_) | None => tree,
    }
}

fn definition(definition: &Definition) -> Branch {
    Branch::new(format!("{} is", definition.name), vec![node(&definition.value)])
}

fn node(node: &Node) -> Branch {
    match &node.kind {
        Kind::Number(_) => Branch::leaf(node.to_string()),
        Kind::Dice(dice) => self::dice(dice),
        Kind::Group(group) => self::group(group),
        Kind::Named(named) => self::named(named),
        Kind::Call(call) => self::call(call),
        Kind::Bracket(inner) => self::node(inner),
        Kind::Signed(Sign::Negative, inner) => Branch::new("minus", vec![self::node(inner)]),
        Kind::Signed(Sign::Positive, inner) => self::node(inner),
        Kind::Chain(chain) => self::chain(chain),
        Kind::Power(power) => {
            let parts = vec![self::node(&power.base), self::node(&power.exponent)];
            Branch::new("raise the first to the power of the second", parts)
        }
        Kind::Label(label) => {
            let mut inner = self::node(&label.inner);
            inner.text = format!("{}: {}", label.text, inner.text);
            inner
        }
        Kind::Compare(compare) => self::compare(compare),
        Kind::Choice(choice) => self::choice(choice),
        Kind::House(house) => {
            let mut parts: Vec<Branch> = house.definitions.iter().map(definition).collect();
            parts.push(self::node(&house.body));
            Branch::new(format!("{}, which stands for {}", house.typed, house.notation()), parts)
        }
    }
}

fn dice(dice: &Dice) -> Branch {
    let mut parts = Vec::new();
    let (kind, top) = match &dice.sides {
        Sides::Known(die) => (kind(die), die.top().to_string()),
        Sides::Computed(_) => (String::new(), "highest face".to_owned()),
    };
    let count = match &dice.count.kind {
        Kind::Number(number) => Some(number.to_string()),
        Kind::Dice(_)
        | Kind::Group(_)
        | Kind::Named(_)
        | Kind::Call(_)
        | Kind::Bracket(_)
        | Kind::Signed(..)
        | Kind::Chain(_)
        | Kind::Power(_)
        | Kind::Label(_)
        | Kind::Compare(_)
        | Kind::Choice(_)
        | Kind::House(_) => None,
    };
    let before = if kind.is_empty() || kind.starts_with("with") { "" } else { kind.as_str() };
    let blank = if before.is_empty() { "" } else { " " };
    let word = if count.as_deref() == Some("1") { "die" } else { "dice" };
    let mut text = match &count {
        Some(count) => format!("roll {count} {before}{blank}{word}"),
        None => format!("roll {before}{blank}{word}"),
    };
    if kind.starts_with("with") {
        text = format!("{text} {kind}");
    }
    if count.is_none() {
        parts.push(Branch::new("as many as", vec![node(&dice.count)]));
    }
    if let Sides::Computed(sides) = &dice.sides {
        parts.push(Branch::new("with so many sides", vec![node(sides)]));
    }
    parts.extend(dice.steps.iter().map(|each| Branch::leaf(step(each, &top))));
    Branch::new(text, parts)
}

/// What a die is called.
fn kind(die: &Die) -> String {
    const WORDS: [&str; 21] = [
        "",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
    ];
    match die {
        Die::Plain(sides) => match usize::try_from(*sides).ok().and_then(|sides| WORDS.get(sides)) {
            Some(word) => format!("{word}-sided"),
            None => format!("{sides}-sided"),
        },
        Die::Fudge => "fudge".to_owned(),
        Die::Listed(_) => {
            let faces = die.to_string();
            format!(
                "with the faces {}",
                faces.trim_start_matches("d{").trim_end_matches('}').replace("..", " to ")
            )
        }
    }
}

fn group(group: &Group) -> Branch {
    let mut parts: Vec<Branch> = group.members.iter().map(node).collect();
    let text = if group.is_pool() { "put all these dice into one pool" } else { "take the results of" };
    parts.extend(group.steps.iter().map(|each| Branch::leaf(step(each, "top face"))));
    Branch::new(text, parts)
}

fn named(named: &Named) -> Branch {
    let steps = named.steps.iter().map(|each| Branch::leaf(step(each, "top face"))).collect::<Vec<_>>();
    let text =
        if steps.is_empty() { named.name.to_string() } else { format!("of the dice of {}", named.name) };
    Branch::new(text, steps)
}

fn call(call: &Call) -> Branch {
    let text = match call.function {
        Function::Floor => "round down",
        Function::Ceil => "round up",
        Function::Round => "round to the nearest",
        Function::Trunc => "round towards zero",
        Function::Abs => "without its sign",
        Function::Min => "take the lowest of",
        Function::Max => "take the highest of",
        Function::Sign => "its sign: -1, 0 or 1",
    };
    Branch::new(text, call.arguments.iter().map(node).collect())
}

fn chain(chain: &Chain) -> Branch {
    let plain = if chain.operator().is_sum() { Operator::Add } else { Operator::Multiply };
    let uniform = chain.rest.iter().all(|link| link.operator == chain.operator());
    let text = match chain.operator() {
        Operator::Subtract if uniform => "subtract",
        Operator::Add | Operator::Subtract => "add",
        Operator::Multiply if uniform => "multiply",
        Operator::Divide | Operator::DivideDown if uniform => "divide",
        Operator::Remainder if uniform => "divide and take what is left",
        Operator::Multiply | Operator::Divide | Operator::DivideDown | Operator::Remainder => {
            "multiply and divide"
        }
    };
    let mut parts = vec![node(&chain.first)];
    for link in &chain.rest {
        let mut part = node(&link.operand);
        let before = match link.operator {
            operator if operator == plain => "",
            Operator::Add => "plus",
            Operator::Subtract => "minus",
            Operator::Multiply => "times",
            Operator::Divide => "by",
            Operator::DivideDown => "by, and round down,",
            Operator::Remainder => "what is left by",
        };
        if !before.is_empty() {
            part.text = format!("{before} {}", part.text);
        }
        parts.push(part);
    }
    Branch::new(text, parts)
}

fn compare(compare: &Compare) -> Branch {
    let how = match compare.comparison {
        Comparison::AtOrAbove => "at least",
        Comparison::AtOrBelow => "at most",
        Comparison::Above => "above",
        Comparison::Below => "below",
        Comparison::Equal => "equal to",
        Comparison::Unequal => "not equal to",
    };
    let parts = vec![node(&compare.left), node(&compare.right)];
    Branch::new(format!("1 if the first is {how} the second, else 0"), parts)
}

fn choice(choice: &Choice) -> Branch {
    let parts = vec![
        node(&choice.condition),
        Branch::new("then", vec![node(&choice.then)]),
        Branch::new("else", vec![node(&choice.otherwise)]),
    ];
    Branch::new("if this is not 0", parts)
}
