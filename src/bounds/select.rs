//! What a selection leaves of a pool. It stands apart from the other steps because it alone looks at how several kinds of dice
//! rank.

use super::Bounds;
use super::pool::Part;
use super::range::{UNBOUNDED, join};
use crate::ast::{End, Take};
use crate::number::Number;

/// What a selection leaves. With one kind of dice only the number changes; with several, sums of ranks grow with
/// each worth, so the least total is that of all least worths, and likewise the greatest.
/// For steps that follow, the single worths have to stay.
pub(super) fn select(parts: &[Part], take: Take, end: End, amount: Bounds, last: bool) -> Vec<Part> {
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
