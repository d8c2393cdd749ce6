//! Multisets of worths, and what steps that throw nothing make of them.
//!
//! Apart from the worlds, because pools that are named and shown go through the same steps.

use crate::ast::{End, Take};
use crate::odds::acts::{Act, Unit};
use crate::odds::chain::clamp;
use crate::plain::stays;

/// Worths with how many dice show each, ascending.
pub(in crate::odds) type Multiset = Vec<(i64, u32)>;

/// A step that throws nothing.
pub(in crate::odds) fn step(act: &Act, unit: Unit, dice: Multiset) -> Multiset {
    match act {
        Act::AtLeast(_) | Act::AtMost(_) => {
            let clamped: Multiset =
                dice.iter().map(|&(worth, count)| (clamp(act, unit, worth), count)).collect();
            merged(clamped)
        }
        Act::Select(take, end, amount) => select(dice, *take, *end, *amount),
        Act::Explode(_) | Act::Reroll(_) | Act::Count(_) | Act::Fail(_) => dice,
    }
}

fn select(dice: Multiset, take: Take, end: End, amount: u64) -> Multiset {
    let size: u64 = dice.iter().map(|d| u64::from(d.1)).sum();
    // How many of the lowest are passed over before the ones that stay.
    let (end, mut stay) = stays(take, end, amount, size);
    let mut skip = match end {
        End::Highest => size - stay,
        End::Lowest => 0,
    };
    let mut out = Vec::with_capacity(dice.len());
    for (worth, count) in dice {
        let gone = skip.min(u64::from(count));
        skip -= gone;
        let kept = stay.min(u64::from(count) - gone);
        stay -= kept;
        if kept > 0 {
            out.push((worth, u32::try_from(kept).unwrap_or(u32::MAX)));
        }
    }
    out
}

/// Equal worths together; the worths ascend.
fn merged(dice: Multiset) -> Multiset {
    let mut out: Multiset = Vec::with_capacity(dice.len());
    for (worth, count) in dice {
        match out.last_mut() {
            Some(last) if last.0 == worth => last.1 += count,
            Some(_) | None => out.push((worth, count)),
        }
    }
    out
}

/// The dice of both.
pub(super) fn union(a: &Multiset, b: &Multiset) -> Multiset {
    let mut both: Multiset = a.iter().chain(b).copied().collect();
    both.sort_unstable_by_key(|die| die.0);
    merged(both)
}
