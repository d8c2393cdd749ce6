//! The words for steps that cannot be, with what to write instead. They stand apart because saying it takes longer than
//! finding it.

use super::pool::{KindFacts, Known, PoolFacts};
use crate::ast::{Comparison, Node, Span, Step, Take};
use crate::error::{Code, Error};
use crate::test::Test;

/// Refuses a bare comparison that says the same of every die.
pub(super) fn pointless(pool: &PoolFacts, test: &Test, step: &Step) -> Result<(), Error> {
    if pool.size == Some(1) || pool.kinds.is_empty() {
        return Ok(());
    }
    let Test::Compare(comparison, target) = test else { return Ok(()) };
    let none = pool.kinds.iter().all(|kind| kind.worths.none(test));
    let all = pool.kinds.iter().all(|kind| kind.worths.all(test));
    if !none && !all {
        return Ok(());
    }
    let is = match comparison {
        Comparison::AtOrAbove => format!("{target} or more"),
        Comparison::AtOrBelow => format!("{target} or less"),
        Comparison::Above => format!("more than {target}"),
        Comparison::Below => format!("less than {target}"),
        Comparison::Equal => format!("{target}"),
        Comparison::Unequal => format!("anything but {target}"),
    };
    let which = if none { "no" } else { "every" };
    let what = match &pool.kinds[..] {
        [KindFacts { die: Some(die), .. }] => format!("{which} face of a {die}"),
        [KindFacts { die: None, .. }, ..] => format!("{which} member"),
        [_, ..] => format!("{which} face of these dice"),
        [] => return Ok(()),
    };
    let sign = comparison.symbol();
    Err(Error::new(Code::Pointless, step.span, format!("{what} is {is}"))
        .hint(format!("to test the total write ({}){sign}{}", pool.written, target.exact()))
        .hint(format!("to count such dice all the same write {}c{sign}{}", pool.written, target.exact())))
}

/// The error for keeping or dropping more dice than there are.
pub(super) fn too_few(
    step: &Step,
    take: Take,
    wanted: u64,
    (size, known): (u64, Known),
    node: &Node,
) -> Error {
    let word = match take {
        Take::Keep => "keep",
        Take::Drop => "drop",
    };
    let only = match size {
        0 => "none is".to_owned(),
        1 => "only 1 is".to_owned(),
        more => format!("only {more} are"),
    };
    let dice = if wanted == 1 { "die" } else { "dice" };
    let title = match known {
        Known::Nowhere | Known::Thrown(_) => format!("cannot {word} {wanted} {dice}: {only} rolled"),
        Known::Left(_) => format!("cannot {word} {wanted} {dice}: {only} left"),
        Known::Members => format!("cannot {word} {wanted} members: the group has only {size}"),
    };
    let error = Error::new(Code::TooFewDice, step.span, title).label(format!("{word}s {wanted}"));
    let error = match known {
        // A house rule stands for both at one place.
        Known::Thrown(span) | Known::Left(span) if span != step.span => {
            error.also(span, format!("of {size}"))
        }
        Known::Thrown(_) | Known::Left(_) | Known::Nowhere | Known::Members => error,
    };
    // `2d6 d8` may be meant as two dice; for other drops the repaired text does not parse, so nothing is offered.
    let start = Span { start: step.span.start, end: step.span.start };
    let close = matches!(known, Known::Thrown(span) | Known::Left(span) if span.end == start.start);
    let error = error.fix(start, if close { " + " } else { "+ " }, "to add another die write");
    // An amount that was left out has the span of the whole step.
    if node.span == step.span {
        error
    } else {
        error.fix(node.span, size.to_string(), format!("{word} at most {size}"))
    }
}

/// The errors for what never ends.
pub(crate) mod endless {
    use crate::ast::Span;
    use crate::die::Die;
    use crate::error::{Code, Error};

    /// Every face of a die explodes.
    pub(crate) fn explosion(die: &Die, span: Span) -> Error {
        Error::new(Code::Endless, span, format!("this never stops: every face of the {die} explodes"))
            .hint("leave out a face, or put a limit on it: !lim3")
    }

    /// Every face of a die is rolled again.
    pub(crate) fn reroll(die: &Die, span: Span) -> Error {
        Error::new(Code::Endless, span, format!("this never stops: every face of the {die} is rolled again"))
            .hint("leave out a face, or put a limit on it: ro for once, lim3 for three times")
    }
}
