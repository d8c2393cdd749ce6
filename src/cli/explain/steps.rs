//! Steps and conditions in words.

use dice::ast::{
    Comparison, Condition, End, Explode, Kind, Node, Order, Repetition, Reroll, RerollMode, Step, StepKind,
    Take,
};

/// What a step does; `top` is the face on which dice explode by themselves.
pub fn step(step: &Step, top: &str) -> String {
    match &step.kind {
        StepKind::Select(take, end, amount) => {
            let take = match take {
                Take::Keep => "keep",
                Take::Drop => "drop",
            };
            let end = match end {
                End::Highest => "highest",
                End::Lowest => "lowest",
            };
            match amount.to_string().as_str() {
                "1" => format!("{take} the {end}"),
                "0" => format!("{take} none"),
                amount => format!("{take} the {end} {amount}"),
            }
        }
        StepKind::Explode(explode) => exploding(explode, top),
        StepKind::Reroll(reroll) => rerolling(reroll),
        StepKind::AtLeast(amount) => format!("anything below {amount} becomes {amount}"),
        StepKind::AtMost(amount) => format!("anything above {amount} becomes {amount}"),
        StepKind::Count(condition) => format!("count {}", each(condition)),
        StepKind::Fail(condition) => format!("take one from the count for {}", each(condition)),
        StepKind::Sort(Order::Ascending) => "show the lowest first".to_owned(),
        StepKind::Sort(Order::Descending) => "show the highest first".to_owned(),
    }
}

fn exploding(explode: &Explode, top: &str) -> String {
    let which = explode.condition.as_ref().map_or_else(|| format!("each {top}"), each);
    let does = if explode.compound { "is thrown once more and added up" } else { "adds another die" };
    let often = match &explode.limit {
        Repetition::Unlimited => ", and so on".to_owned(),
        Repetition::Once => ", once".to_owned(),
        Repetition::Limit(amount) => format!(", and so on, at most {amount} for each die"),
    };
    let less = if explode.penetrate { "; what is added is worth 1 less" } else { "" };
    format!("{which} {does}{often}{less}")
}

fn rerolling(reroll: &Reroll) -> String {
    let which = each(&reroll.condition);
    match &reroll.mode {
        RerollMode::Newest(Repetition::Unlimited) => format!("throw {which} again until it is another face"),
        RerollMode::Newest(Repetition::Once) => format!("throw {which} again, once"),
        RerollMode::Newest(Repetition::Limit(amount)) => {
            format!("throw {which} again, at most {amount} times")
        }
        RerollMode::Better => format!("throw {which} again, once, and keep the better throw"),
    }
}

/// `each 8 or more`.
fn each(condition: &Condition) -> String {
    match condition {
        Condition::Compare(comparison, target) => {
            let target = bare(target);
            match comparison {
                Comparison::AtOrAbove => format!("each {target} or more"),
                Comparison::AtOrBelow => format!("each {target} or less"),
                Comparison::Above => format!("each one above {target}"),
                Comparison::Below => format!("each one below {target}"),
                Comparison::Equal => format!("each {target}"),
                Comparison::Unequal => format!("each one but {target}"),
            }
        }
        Condition::Set(ranges) => {
            let range = |(low, high): &(i64, i64)| {
                if low == high { low.to_string() } else { format!("{low} to {high}") }
            };
            format!("each {}", ranges.iter().map(range).collect::<Vec<_>>().join(", "))
        }
        Condition::Even => "each even one".to_owned(),
        Condition::Odd => "each odd one".to_owned(),
    }
}

/// A number without its brackets.
fn bare(node: &Node) -> String {
    if let Kind::Bracket(inner) = &node.kind { inner.to_string() } else { node.to_string() }
}
