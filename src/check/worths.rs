//! Which worths a die can have, before it is thrown.

use crate::ast::{Comparison, End, Explode};
use crate::die::{Die, Run, split};
use crate::number::Number;
use crate::test::Test;

/// The worths that a die of a pool can have at one step. Never fewer than it really can.
#[derive(Clone, Debug)]
pub(super) enum Worths {
    /// Whole numbers; exactly these.
    Runs {
        runs: Vec<Run>,
        /// Whether all are natural faces of the die, so that adding all its faces leaves just those.
        natural: bool,
    },
    /// Numbers between these, if known.
    Range(Option<Number>, Option<Number>),
    Unknown,
}

/// More runs than this are not followed.
const MOST_RUNS: usize = 10_000;

impl Worths {
    pub(super) fn of(die: &Die) -> Worths {
        Worths::Runs { runs: die.runs().into_owned(), natural: true }
    }

    /// Whether surely no worth meets a test.
    pub(super) fn none(&self, test: &Test) -> bool {
        match self {
            Worths::Runs { runs, .. } => split(runs, test, true).is_empty(),
            Worths::Range(low, high) => range_none(*low, *high, test),
            Worths::Unknown => false,
        }
    }

    /// Whether surely every worth meets a test.
    pub(super) fn all(&self, test: &Test) -> bool {
        match self {
            Worths::Runs { runs, .. } => split(runs, test, false).is_empty(),
            Worths::Range(low, high) => match test {
                Test::Compare(comparison, target) => {
                    range_none(*low, *high, &Test::Compare(opposite(*comparison), *target))
                }
                Test::Set(_) | Test::Even | Test::Odd => false,
            },
            Worths::Unknown => false,
        }
    }

    /// The least and the greatest worth, if known.
    fn ends(&self) -> (Option<Number>, Option<Number>) {
        match self {
            Worths::Runs { runs, .. } => (
                runs.iter().map(|run| Number::from(run.first)).min(),
                runs.iter().map(|run| Number::from(run.last())).max(),
            ),
            Worths::Range(low, high) => (*low, *high),
            Worths::Unknown => (None, None),
        }
    }

    /// Some dice explode, at most `most` times each.
    pub(super) fn explode(&mut self, die: &Die, explode: &Explode, most: Option<u64>) {
        let less = Number::whole(i128::from(explode.penetrate));
        let face = |face: i64| Number::from(face).minus(less);
        if explode.compound {
            let (low, high) = self.ends();
            let times = most.map(|most| Number::whole(i128::from(most)));
            let grown = |end: Option<Number>, extra: Option<Number>, harmless: bool| {
                if harmless {
                    return end;
                }
                end?.plus(extra?.times(times?)?)
            };
            let (least, greatest) = (face(die.bottom()), face(die.top()));
            let low = grown(low, least, least.is_some_and(|least| !least.is_negative()));
            let high = grown(high, greatest, greatest.is_some_and(|greatest| greatest <= Number::ZERO));
            *self = Worths::Range(low, high);
            return;
        }
        match self {
            Worths::Runs { natural: true, runs } if !explode.penetrate => *runs = die.runs().into_owned(),
            Worths::Runs { runs, natural } => {
                *natural = false;
                let shift = i64::from(explode.penetrate);
                runs.extend(
                    die.runs().iter().map(|run| Run { first: run.first.saturating_sub(shift), ..*run }),
                );
                self.bound();
            }
            Worths::Range(..) => self.widen(die, i64::from(explode.penetrate)),
            Worths::Unknown => {}
        }
    }

    /// The range grows to cover the faces of a die, each less by `shift`.
    fn widen(&mut self, die: &Die, shift: i64) {
        if let Worths::Range(low, high) = self {
            let face = |face: i64| Number::from(face.saturating_sub(shift));
            *low = low.map(|low| low.min(face(die.bottom())));
            *high = high.map(|high| high.max(face(die.top())));
        }
    }

    /// Some dice are thrown again: until the test is not met, or a limited number of times.
    pub(super) fn reroll(&mut self, die: &Die, test: &Test, until: bool) {
        let Worths::Runs { runs, natural } = self else {
            self.widen(die, 0);
            return;
        };
        let fresh = if until { split(&die.runs(), test, false) } else { die.runs().into_owned() };
        if *natural {
            *runs = fresh;
        } else {
            *runs = split(runs, test, false);
            runs.extend(fresh);
            self.bound();
        }
    }

    /// A worth is at least (lowest) or at most (highest) a bound.
    pub(super) fn clamp(&mut self, bound: Number, side: End) {
        let beyond = match side {
            End::Lowest => Test::Compare(Comparison::Below, bound),
            End::Highest => Test::Compare(Comparison::Above, bound),
        };
        match (&mut *self, bound.as_i64()) {
            (Worths::Runs { runs, natural }, Some(whole)) => {
                let rest = split(runs, &beyond, false);
                if split(runs, &beyond, true).is_empty() {
                    return;
                }
                *runs = rest;
                runs.push(Run { first: whole, step: 1, count: 1, weight: 1 });
                *natural = false;
                self.bound();
            }
            (Worths::Runs { .. } | Worths::Range(..) | Worths::Unknown, _) => {
                let clamp = |end: Option<Number>| end.map(|end| crate::eval::clamped(end, bound, side));
                let (low, high) = self.ends();
                *self = match side {
                    End::Lowest => Worths::Range(Some(low.map_or(bound, |low| low.max(bound))), clamp(high)),
                    End::Highest => {
                        Worths::Range(clamp(low), Some(high.map_or(bound, |high| high.min(bound))))
                    }
                };
            }
        }
    }

    fn bound(&mut self) {
        if matches!(self, Worths::Runs { runs, .. } if runs.len() > MOST_RUNS) {
            *self = Worths::Unknown;
        }
    }
}

/// Whether no number between two ends meets a test, for sure.
fn range_none(low: Option<Number>, high: Option<Number>, test: &Test) -> bool {
    let below = |target: Number| high.is_some_and(|high| high < target);
    let above = |target: Number| low.is_some_and(|low| low > target);
    match test {
        Test::Compare(comparison, target) => match comparison {
            Comparison::AtOrAbove => below(*target),
            Comparison::Above => high.is_some_and(|high| high <= *target),
            Comparison::AtOrBelow => above(*target),
            Comparison::Below => low.is_some_and(|low| low >= *target),
            Comparison::Equal => below(*target) || above(*target),
            Comparison::Unequal => low == Some(*target) && high == Some(*target),
        },
        Test::Set(_) | Test::Even | Test::Odd => false,
    }
}

fn opposite(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::AtOrAbove => Comparison::Below,
        Comparison::AtOrBelow => Comparison::Above,
        Comparison::Above => Comparison::AtOrBelow,
        Comparison::Below => Comparison::AtOrAbove,
        Comparison::Equal => Comparison::Unequal,
        Comparison::Unequal => Comparison::Equal,
    }
}
