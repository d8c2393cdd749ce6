//! Steps that look at one die at a time, over distributions.
//!
//! Let V(t, w) be what a die of worth w that enters step t contributes in the end, extras included. A clamp is
//! V(t, w) = V(t+1, clamp w); a reroll is a mixture over new faces; an explosion multiplies by X, where X is the sum over faces f of
//! p(f) V(t+1, f) and again X where f itself explodes. Nothing here knows what is computed at the end: the leaf does.

mod explosion;

use std::collections::{BTreeMap, HashMap};

use num_bigint::BigUint;

use crate::number::Number;
use crate::odds::acts::{Act, Explosion, Kind, Mode, Rerolling, Unit};
use crate::odds::elem::{Arithmetic, Elem};
use crate::odds::kernel::{Caps, Mass, Poly, first_that_stays};

/// Stands for any worth: no worth is that low.
const ANY: i64 = i64::MIN;

/// What a leaf costs, however little it holds.
const LEAF: f64 = 100.0;

/// How many times the cells of a sum are written, copied and read again.
const PASSES: f64 = 6.0;

/// What a part of a mixture costs besides its cells.
const PART: f64 = 20.0;

/// The work exceeds what is left by about this many steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stop(pub f64);

/// A chain of steps for dice of one kind.
pub(crate) struct Chain<'a> {
    pub acts: &'a [Act],
    pub kind: &'a Kind,
    pub unit: Unit,
    pub arithmetic: Arithmetic,
    pub caps: Caps,
    /// The worth of a tie beyond the cap; see [`crate::odds::kernel::Marks::times`].
    pub overflow: Option<Poly>,
    /// How much of an unlimited chain may be cut off, in probability for each die.
    pub tail: f64,
    /// What a die of a final worth contributes.
    pub leaf: &'a dyn Fn(i64) -> Elem,
    /// Results by act and worth.
    pub memo: HashMap<(usize, i64), Elem>,
    /// An upper bound on the probability of what was cut off, for each die that entered.
    pub cut: f64,
    /// The steps whose share of that is counted.
    pub cuts: Vec<usize>,
    /// Endless steps that were met.
    pub endless: Option<usize>,
    /// Steps of work left.
    pub work: f64,
}

impl Chain<'_> {
    /// V(t, w).
    pub(crate) fn value(&mut self, t: usize, worth: i64) -> Result<Elem, Stop> {
        let entry = self.entry(t, worth);
        self.at(entry)
    }

    /// The step that does something with a die of this worth which enters step t, and the worth there: [`ANY`] where it does
    /// not matter, because only new faces count.
    fn entry(&self, t: usize, worth: i64) -> (usize, i64) {
        let mut worth = worth;
        for (t, act) in self.acts.iter().enumerate().skip(t) {
            match act {
                Act::AtLeast(_) | Act::AtMost(_) => worth = clamp(act, self.unit, worth),
                // Counting is the leaf's business, selecting the caller's.
                Act::Count(_) | Act::Fail(_) | Act::Select(..) => {}
                Act::Reroll(reroll) if self.unit.meets(&reroll.test, worth) => match reroll.mode {
                    Mode::Better => return (t, worth),
                    Mode::Newest(Some(0)) => {}
                    Mode::Newest(Some(_) | None) => return (t, ANY),
                },
                Act::Explode(explosion)
                    if explosion.limit != Some(0) && explodes(explosion, self.kind, self.unit, worth) =>
                {
                    return (t, worth);
                }
                Act::Reroll(_) | Act::Explode(_) => {}
            }
        }
        (self.acts.len(), worth)
    }

    /// V at an entry.
    fn at(&mut self, (t, worth): (usize, i64)) -> Result<Elem, Stop> {
        let acts = self.acts;
        let Some(act) = acts.get(t) else {
            self.charge(LEAF)?;
            return Ok((self.leaf)(worth));
        };
        if let Some(known) = self.memo.get(&(t, worth)) {
            return Ok(known.clone());
        }
        let value = match act {
            Act::Reroll(reroll) => self.reroll(t, reroll, worth)?,
            Act::Explode(explosion) if explosion.compound => self.compound(t, explosion, worth)?,
            Act::Explode(explosion) => {
                let own = self.value(t + 1, worth)?;
                let extras = self.extras(t, explosion)?;
                self.product(&own, &extras)?
            }
            Act::AtLeast(_) | Act::AtMost(_) | Act::Count(_) | Act::Fail(_) | Act::Select(..) => {
                self.value(t + 1, worth)? // no entry stands at these
            }
        };
        self.memo.insert((t, worth), value.clone());
        Ok(value)
    }

    /// V of a fresh die.
    pub(crate) fn fresh(&mut self, t: usize) -> Result<Elem, Stop> {
        self.one_of(t, self.kind.faces.clone(), self.kind.total)
    }

    /// V of a die that shows one of the faces, each in so many of `total` outcomes. Faces with one entry are one part.
    fn one_of(
        &mut self,
        t: usize,
        faces: impl IntoIterator<Item = (i64, u64)>,
        total: u64,
    ) -> Result<Elem, Stop> {
        let mut weights: BTreeMap<(usize, i64), u64> = BTreeMap::new();
        for (face, weight) in faces {
            *weights.entry(self.entry(t, face)).or_default() += weight;
        }
        let parts = weights.into_iter().map(|(entry, weight)| Ok((weight, self.at(entry)?)));
        let parts = parts.collect::<Result<Vec<_>, Stop>>()?;
        self.mix(&parts, total)
    }

    fn zero(&self) -> Elem {
        Elem::zero(self.arithmetic, self.caps)
    }

    fn product(&mut self, a: &Elem, b: &Elem) -> Result<Elem, Stop> {
        let cells = (crate::odds::float(a.marks.size()), crate::odds::float(b.marks.size()));
        let limbs =
            (crate::odds::float(a.marks.width().limbs()), crate::odds::float(b.marks.width().limbs()));
        self.charge(crate::odds::cost::product(cells, limbs, self.arithmetic))?;
        Ok(a.times(b, self.overflow.as_ref(), self.arithmetic))
    }

    fn mix(&mut self, parts: &[(u64, Elem)], total: u64) -> Result<Elem, Stop> {
        let cost = parts.iter().map(|p| size(&p.1) + PART).sum();
        self.charge(cost)?;
        Ok(Elem::mix(parts, total, self.caps, self.arithmetic))
    }

    /// Refuses work that is still to come.
    fn fits(&self, cost: f64) -> Result<(), Stop> {
        if cost > self.work { Err(Stop(cost - self.work)) } else { Ok(()) }
    }

    fn charge(&mut self, cost: f64) -> Result<(), Stop> {
        self.work -= cost + 1.0;
        if self.work < 0.0 { Err(Stop(-self.work)) } else { Ok(()) }
    }

    /// The die is thrown again from this worth, which meets the test.
    fn reroll(&mut self, t: usize, reroll: &Rerolling, worth: i64) -> Result<Elem, Stop> {
        let (unit, total, test) = (self.unit, self.kind.total, &reroll.test);
        let faces = self.kind.faces.clone();
        match reroll.mode {
            Mode::Better => self.one_of(t + 1, faces.into_iter().map(|(f, w)| (f.max(worth), w)), total),
            Mode::Newest(None) => {
                let rest: Vec<_> = faces.into_iter().filter(|f| !unit.meets(test, f.0)).collect();
                let weight = rest.iter().map(|f| f.1).sum();
                if rest.is_empty() || self.kind.never_ends(&reroll.guard) {
                    self.endless.get_or_insert(t);
                    return Ok(self.zero());
                }
                self.one_of(t + 1, rest, weight)
            }
            Mode::Newest(Some(times)) => {
                // The last throw stays whatever it shows; one before it goes on where it meets the test.
                let (again, stay): (Vec<_>, Vec<_>) =
                    faces.iter().copied().partition(|f| unit.meets(test, f.0));
                let going = again.iter().map(|f| f.1).sum();
                if stay.is_empty() || again.is_empty() || times == 1 {
                    return self.one_of(t + 1, faces, total);
                }
                let stay = self.one_of(t + 1, stay, total)?;
                let again = self.one_of(t + 1, again, total)?;
                self.rerolled(&stay, &again, going, times)
            }
        }
    }

    /// A die of at most so many throws, of which one goes on to the next with `going` of its outcomes: what stays at one of them,
    /// or goes on at the last. `stay` and `again` are the parts of one throw.
    fn rerolled(&mut self, stay: &Elem, again: &Elem, going: u64, times: u64) -> Result<Elem, Stop> {
        let total = self.kind.total;
        let times = u32::try_from(times).map_err(|_| Stop(f64::INFINITY))?;
        let limbs = f64::from(times) * crate::odds::float_u64(total).log2() / 64.0 + 1.0;
        match self.arithmetic {
            Arithmetic::Exact => self.charge((size(stay) + size(again)) * limbs + limbs * limbs)?,
            Arithmetic::Float => self.charge(size(stay) + size(again))?,
        }
        let denom = self.arithmetic.denom(total, times - 1);
        let width = self.arithmetic.width(&denom);
        let stays = crate::odds::float_u64(total - going) / crate::odds::float_u64(total);
        let exponent = (-stays).ln_1p(); // that of going on once
        let weights = match self.arithmetic {
            Arithmetic::Exact => {
                let mut row = Mass::zeros(width, 2);
                row.set_big(0, &first_that_stays(going, total, times));
                row.set_big(1, &BigUint::from(going).pow(times - 1));
                row
            }
            Arithmetic::Float => Mass::F64(vec![
                -(exponent * f64::from(times)).exp_m1() / stays,
                (exponent * f64::from(times - 1)).exp(),
            ]),
        };
        // Nothing near 1 is subtracted from 1.
        let weights = Poly { low: 0, mass: weights, roundings: 8.0 - exponent * f64::from(times) };
        let parts = [(0, stay.clone()), (1, again.clone())];
        Ok(explosion::weighted(&weights, &denom, &parts, self.caps, self.arithmetic))
    }
}

/// Whether a worth (or the natural face of an extra) explodes.
pub(crate) fn explodes(explosion: &Explosion, kind: &Kind, unit: Unit, worth: i64) -> bool {
    explosion.test.as_ref().map_or(worth == kind.top, |test| unit.meets(test, worth))
}

/// A worth after a clamp.
pub(crate) fn clamp(act: &Act, unit: Unit, worth: i64) -> i64 {
    let bound = |number: &Number| unit.worth(*number);
    match act {
        Act::AtLeast(number) => bound(number).map_or(worth, |least| worth.max(least)),
        Act::AtMost(number) => bound(number).map_or(worth, |most| worth.min(most)),
        Act::Select(..) | Act::Explode(_) | Act::Reroll(_) | Act::Count(_) | Act::Fail(_) => worth,
    }
}

/// How many cells an element has, for estimates of work.
pub(crate) fn size(elem: &Elem) -> f64 {
    crate::odds::float(elem.marks.size()) * crate::odds::float(elem.marks.width().limbs())
}
