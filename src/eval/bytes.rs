//! Sums, counts and selections over faces of one byte.

use crate::ast::End;
use crate::roll::{Marks, State};

/// The sum of faces.
pub(super) fn add(faces: &[u8]) -> i64 {
    faces.iter().map(|face| i64::from(*face)).sum()
}

/// How many faces are in a range.
pub(super) fn met(faces: &[u8], low: u8, high: u8) -> i64 {
    faces.iter().map(|face| i64::from(low <= *face && *face <= high)).sum()
}

/// So many faces are looked at before their extras are thrown.
pub(super) const CHUNK: usize = 64;

/// Writes down the places of the faces in a range, in order; how many they are, and the sum of all faces. No branch depends
/// on a face.
pub(super) fn find_hits(faces: &[u8], low: u8, high: u8, hits: &mut [u8; CHUNK]) -> (usize, i64) {
    let (mut count, mut sum) = (0, 0);
    for (place, face) in (0_u8..).zip(faces) {
        hits[count % CHUNK] = place;
        count += usize::from(low <= *face && *face <= high);
        sum += i64::from(*face);
    }
    (count, sum)
}

/// Keeps the best faces, of equal ones the earlier; writes down which go, and gives the sum of those that stay.
pub(super) fn keep(faces: &[u8], sides: u8, end: End, kept: u32, marks: &mut Vec<Marks>) -> i64 {
    let first = marks.len();
    if kept as usize + 1 == faces.len() {
        let (place, face) = worst(faces, end);
        marks.resize(first + faces.len(), Marks::default());
        marks[first + place].set_state(State::Dropped);
        return add(faces) - i64::from(face);
    }
    let edge = Edge::of(faces, sides, end, kept);
    marks.extend(
        edge.stays(faces, end).map(|stays| Marks::of(if stays { State::Kept } else { State::Dropped })),
    );
    edge.total
}

/// The sum of the faces that [`keep`] keeps.
pub(super) fn kept_total(faces: &[u8], sides: u8, end: End, kept: u32) -> i64 {
    if kept as usize + 1 == faces.len() {
        add(faces) - i64::from(worst(faces, end).1)
    } else {
        Edge::of(faces, sides, end, kept).total
    }
}

/// The face that goes if all but one stay, and its place: the last of the worst.
fn worst(faces: &[u8], end: End) -> (usize, u8) {
    if let Ok(few) = <&[u8; 2]>::try_from(faces) {
        worst_of(few, end)
    } else if let Ok(few) = <&[u8; 3]>::try_from(faces) {
        worst_of(few, end)
    } else if let Ok(few) = <&[u8; 4]>::try_from(faces) {
        worst_of(few, end)
    } else {
        worst_of(faces, end)
    }
}

/// The same, unrolled where the number of faces is known.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the key is a face and a place of less than 32 bits")]
fn worst_of<'f>(faces: impl IntoIterator<Item = &'f u8>, end: End) -> (usize, u8) {
    // The greater the key, the worse.
    let flip = match end {
        End::Highest => 255,
        End::Lowest => 0,
    };
    let mut worst: u64 = 0;
    for (place, face) in (0..).zip(faces) {
        worst = worst.max((u64::from(face ^ flip) << 32) | place);
    }
    ((worst & 0xFFFF_FFFF) as usize, (worst >> 32) as u8 ^ flip)
}

/// Where keeping the best of some faces cuts: everything better than `face` stays, and the first `ties` that equal it.
struct Edge {
    face: u8,
    ties: u32,
    /// The sum of what stays.
    total: i64,
}

impl Edge {
    /// By a count of each face, which is linear in the number of dice.
    fn of(faces: &[u8], sides: u8, end: End, kept: u32) -> Edge {
        if sides < 32 {
            Edge::counted::<32>(faces, sides, end, kept)
        } else {
            Edge::counted::<256>(faces, sides, end, kept)
        }
    }

    fn counted<const SIZE: usize>(faces: &[u8], sides: u8, end: End, kept: u32) -> Edge {
        let mut counts = [0_u32; SIZE];
        for face in faces {
            counts[usize::from(*face) % SIZE] += 1;
        }
        let mut edge = Edge { face: 0, ties: kept, total: 0 };
        for step in 0..sides {
            edge.face = match end {
                End::Highest => sides - step,
                End::Lowest => step + 1,
            };
            let count = counts[usize::from(edge.face) % SIZE];
            edge.total += i64::from(edge.face) * i64::from(count.min(edge.ties));
            if count >= edge.ties {
                break;
            }
            edge.ties -= count;
        }
        edge
    }

    /// For each face, whether it stays. Of equal faces the earlier stay.
    fn stays<'f>(&self, faces: &'f [u8], end: End) -> impl Iterator<Item = bool> + 'f {
        let (edge, mut ties) = (self.face, self.ties);
        faces.iter().map(move |face| {
            let better = match end {
                End::Highest => *face > edge,
                End::Lowest => *face < edge,
            };
            let tie = *face == edge && ties > 0;
            ties -= u32::from(tie);
            better || tie
        })
    }
}
