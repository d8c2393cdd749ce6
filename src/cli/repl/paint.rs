//! A text in colours, as its tree says.

use dice::ast::{End, Kind, Node, Sides, Span, Step, StepKind, Take};
use dice::{Die, Expr};

use crate::cli::names::notation_of;

const DICE: &str = "\x1b[36m";
const STEP: &str = "\x1b[33m";
const LABEL: &str = "\x1b[32m";
const WRONG: &str = "\x1b[31m";
const RESET: &str = "\x1b[0m";

/// A text that was understood: dice, steps, labels and comments.
pub fn tree(expr: &Expr) -> String {
    let text = expr.text();
    let mut spans: Vec<(Span, &str)> = Vec::new();
    expr.walk(&mut |node| match &node.kind {
        Kind::Dice(dice) => {
            spans.push((dice.thrown, DICE));
            steps(&dice.steps, &mut spans);
        }
        Kind::Group(group) => steps(&group.steps, &mut spans),
        Kind::Named(named) => steps(&named.steps, &mut spans),
        Kind::Label(label) => spans.push((Span { start: label.inner.span.end, end: node.span.end }, LABEL)),
        Kind::Number(_)
        | Kind::Call(_)
        | Kind::Bracket(_)
        | Kind::Signed(..)
        | Kind::Chain(_)
        | Kind::Power(_)
        | Kind::Compare(_)
        | Kind::Choice(_)
        | Kind::House(_) => {}
    });
    let mut colors = vec![""; text.len()];
    for (span, color) in spans {
        if let Some(part) = colors.get_mut(span.range()) {
            part.fill(color);
        }
    }
    colors[notation_of(text).len()..].fill(LABEL);
    painted(text, &colors)
}

fn steps(steps: &[Step], spans: &mut Vec<(Span, &str)>) {
    spans.extend(steps.iter().map(|step| (step.span, STEP)));
}

/// A text that was not understood, with the place.
pub fn fault(text: &str, span: Span) -> String {
    let mut colors = vec![""; text.len()];
    if let Some(part) = colors.get_mut(span.range()) {
        part.fill(WRONG);
    }
    painted(text, &colors)
}

/// What stands behind a definition: blanks and a comment.
pub fn comment(text: &str) -> String {
    if text.is_empty() { String::new() } else { painted(text, &vec![LABEL; text.len()]) }
}

/// Each byte in its colour.
fn painted(text: &str, colors: &[&str]) -> String {
    let mut painted = String::new();
    let mut current = "";
    for (at, c) in text.char_indices() {
        let color = colors.get(at).copied().unwrap_or_default();
        if color != current {
            if !current.is_empty() {
                painted.push_str(RESET);
            }
            painted.push_str(color);
            current = color;
        }
        painted.push(c);
    }
    if !current.is_empty() {
        painted.push_str(RESET);
    }
    painted
}

/// What players call it.
pub fn meaning(expr: &Expr) -> Option<&'static str> {
    let mut meaning = None;
    expr.walk(&mut |node: &Node| {
        if let Kind::Dice(dice) = &node.kind
            && dice.count.to_string() == "2"
            && dice.sides == Sides::Known(Die::Plain(20))
            && let [Step { kind: StepKind::Select(take, end, amount), .. }] = &dice.steps[..]
            && amount.to_string() == "1"
        {
            meaning = Some(match (take, end) {
                (Take::Keep, End::Highest) | (Take::Drop, End::Lowest) => "advantage",
                (Take::Keep, End::Lowest) | (Take::Drop, End::Highest) => "disadvantage",
            });
        }
    });
    meaning
}
