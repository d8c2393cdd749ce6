//! The odds of last resort: every roll that the roller can make, one after the other.
//!
//! The roller draws from a script of picks that counts through all of them like an odometer; a roll has the weight of
//! its faces. This is the meaning of a text by definition, which is why the tests hold everything else against it.

use std::collections::HashMap;

use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::dist::{Dist, Gather};
use super::kernel::{Denom, Mass, Width};
use super::options::Odds;
use crate::ast::Expr;
use crate::die::Die;
use crate::error::{Code, Error};
use crate::faces::{FaceError, Faces};
use crate::number::Number;

/// A source of faces that is led through every roll in turn.
struct Picks {
    /// The places of the faces picked so far, each with the number of places.
    path: Vec<(usize, usize)>,
    at: usize,
    dice: Vec<(Die, Vec<(i64, u64)>)>,
    /// The weight of the roll, and the weights of its dice.
    weight: BigUint,
    totals: Vec<(u64, u32)>,
    chance: f64,
    /// Rolls less likely than this are cut off.
    least: f64,
    cut: bool,
    /// How many more faces may be picked.
    left: u64,
}

/// Faces that a roll takes on average where there is no end to them in sight.
const FACES: u64 = 10;

impl Picks {
    fn begin(&mut self) {
        self.at = 0;
        self.weight = BigUint::one();
        self.totals.clear();
        self.chance = 1.0;
        self.cut = false;
    }

    /// Moves on to the next roll; false after the last.
    fn advance(&mut self) -> bool {
        self.path.truncate(self.at);
        while let Some((place, places)) = self.path.pop() {
            if place + 1 < places {
                self.path.push((place + 1, places));
                return true;
            }
        }
        false
    }
}

impl Faces for Picks {
    fn face(&mut self, die: &Die) -> Result<i64, FaceError> {
        let known = self.dice.iter().position(|known| known.0 == *die);
        let index = known.unwrap_or_else(|| {
            let mut faces: Vec<(i64, u64)> = die.iter().collect();
            faces.sort_unstable();
            faces.dedup_by(|next, first| {
                let same = next.0 == first.0;
                if same {
                    first.1 += next.1;
                }
                same
            });
            self.dice.push((die.clone(), faces));
            self.dice.len() - 1
        });
        let faces = &self.dice[index].1;
        if self.at == self.path.len() {
            self.path.push((0, faces.len()));
        }
        let (face, weight) = faces[self.path[self.at].0];
        // A face costs the multiplication of the weight as well.
        match self.left.checked_sub(1 + self.weight.bits() / 512) {
            Some(left) => self.left = left,
            None => {
                self.left = 0;
                return Err(FaceError::TooFew { given: self.at });
            }
        }
        self.at += 1;
        let total = die.weight();
        self.chance *= super::float_u64(weight) / super::float_u64(total);
        if self.chance < self.least {
            self.cut = true;
            return Err(FaceError::TooFew { given: self.at });
        }
        if weight > 1 {
            self.weight *= weight;
        }
        match self.totals.iter_mut().find(|t| t.0 == total) {
            Some(known) => known.1 += 1,
            None => self.totals.push((total, 1)),
        }
        Ok(face)
    }
}

/// The distribution of one repetition of a text from all its rolls, the first way to fail, and how much fails; `None` where there
/// are too many rolls, or too many faces in them.
pub(crate) fn enumerate(expr: &Expr, options: &Odds, rolls: usize) -> Option<(Dist, Option<Error>, bool)> {
    let mut picks = Picks {
        path: Vec::new(),
        at: 0,
        dice: Vec::new(),
        weight: BigUint::one(),
        totals: Vec::new(),
        chance: 1.0,
        least: options.tail / 1e6,
        cut: false,
        left: (rolls as u64).saturating_mul(FACES),
    };
    let mut found: HashMap<Vec<(u64, u32)>, HashMap<Number, BigUint>> = HashMap::new();
    let mut fault = None;
    let mut cut = 0.0;
    for _ in 0..rolls {
        picks.begin();
        let total = expr.total(&mut picks);
        if picks.cut {
            cut += picks.chance;
        } else {
            picks.totals.sort_unstable();
            match total {
                Ok(total) => {
                    let law = found.entry(picks.totals.clone()).or_default();
                    *law.entry(total).or_insert_with(BigUint::zero) += &picks.weight;
                }
                Err(error) if error.code() == Code::Script => return None,
                Err(error) => {
                    fault.get_or_insert(error);
                }
            }
        }
        if !picks.advance() {
            return (cut <= options.tail).then(|| (gathered(found, cut), fault, cut > 0.0));
        }
    }
    None
}

/// Rolls of different numbers of dice over one number of outcomes.
fn gathered(found: HashMap<Vec<(u64, u32)>, HashMap<Number, BigUint>>, cut: f64) -> Dist {
    let denoms: Vec<(Denom, HashMap<Number, BigUint>)> = found
        .into_iter()
        .map(|(totals, law)| {
            let denom =
                totals.iter().fold(Denom::one(), |all, &(total, n)| all.times(&Denom::power(total, n)));
            (denom, law)
        })
        .collect();
    let all = denoms.iter().fold(Denom::one(), |all, (denom, _)| all.lcm(denom));
    let width = Width::for_bits(all.bits());
    let mut gather = Gather::new(width);
    let mut one = Mass::zeros(width, 1);
    for (denom, law) in denoms {
        let by = denom.missing_to(&all).big();
        for (value, weight) in law {
            let cell = gather.cell(value);
            one.set_big(0, &(weight * &by));
            gather.mass.add_cell(cell, &one, 0);
        }
    }
    gather.finish(all, 0.0, cut)
}
