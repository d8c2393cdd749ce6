//! Steps that look at one die at a time, over distributions.
//!
//! Let V(t, w) be what a die of worth w that enters step t contributes in the end, extras included. A clamp is
//! V(t, w) = V(t+1, clamp w); a reroll is a mixture over new faces; an explosion multiplies by X, where X is the sum over faces f of
//! p(f) V(t+1, f) and again X where f itself explodes. Nothing here knows what is computed at the end: the leaf does.

use std::collections::{BTreeMap, HashMap};

use super::acts::{Act, Explosion, Kind, Mode, Rerolling, Unit};
use super::elem::{Arithmetic, Elem};
use super::kernel::{Caps, Denom, Poly, present};
use crate::number::Number;

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
    /// The worth of a tie beyond the cap; see [`super::kernel::Marks::times`].
    pub overflow: Option<Poly>,
    /// How much of an unlimited chain may be cut off, in probability for each die.
    pub tail: f64,
    /// What a die of a final worth contributes.
    pub leaf: &'a dyn Fn(i64) -> Elem,
    /// Results by act and worth.
    pub memo: HashMap<(usize, i64), Elem>,
    /// An upper bound on the probability of what was cut off, for each die that entered.
    pub cut: f64,
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
        let cells = (super::float(a.marks.size()), super::float(b.marks.size()));
        let limbs = (super::float(a.marks.width().limbs()), super::float(b.marks.width().limbs()));
        self.charge(super::cost::product(cells, limbs, self.arithmetic))?;
        Ok(a.times(b, self.overflow.as_ref(), self.arithmetic))
    }

    fn mix(&mut self, parts: &[(u64, Elem)], total: u64) -> Result<Elem, Stop> {
        let cost = parts.iter().map(|p| size(&p.1) + PART).sum();
        self.charge(cost)?;
        Ok(Elem::mix(parts, total, self.caps, self.arithmetic))
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
                let again = again.iter().map(|f| f.1).sum();
                let mut next = self.one_of(t + 1, faces, total)?;
                if stay.is_empty() || again == 0 {
                    return Ok(next);
                }
                let stay = self.one_of(t + 1, stay, total)?;
                for _ in 1..times {
                    next = self.mix(&[(total, stay.clone()), (again, next)], total)?;
                }
                Ok(next)
            }
        }
    }

    /// How deep a chain is followed, and whether what would go on is lost there.
    fn depth(&mut self, t: usize, explosion: &Explosion) -> Option<(u64, bool)> {
        if let Some(limit) = explosion.limit {
            return Some((limit, false));
        }
        let going: u64 = self
            .kind
            .faces
            .iter()
            .filter(|f| explodes(explosion, self.kind, self.unit, f.0))
            .map(|f| f.1)
            .sum();
        if going == self.kind.total || self.kind.never_ends(&explosion.guard) {
            self.endless.get_or_insert(t);
            return None;
        }
        if going == 0 {
            return Some((1, false));
        }
        // The chain goes on beyond c extras in q^c of the cases.
        let q = super::float_u64(going) / super::float_u64(self.kind.total);
        let depth = (self.tail.ln() / q.ln()).ceil().max(1.0);
        self.cut += q.powf(depth);
        Some((num_traits::ToPrimitive::to_u64(&depth).unwrap_or(u64::MAX), true))
    }

    /// X: all extras of one die that exploded.
    fn extras(&mut self, t: usize, explosion: &Explosion) -> Result<Elem, Stop> {
        let key = (t, ANY);
        if let Some(known) = self.memo.get(&key) {
            return Ok(known.clone());
        }
        let Some((depth, cut)) = self.depth(t, explosion) else { return Ok(self.zero()) };
        let less = if explosion.penetrate { self.unit.scale } else { 0 };
        let (kind, unit) = (self.kind, self.unit);
        let (go, stop): (Vec<_>, Vec<_>) =
            kind.faces.iter().copied().partition(|f| explodes(explosion, kind, unit, f.0));
        let shown = |faces: Vec<(i64, u64)>| faces.into_iter().map(move |(f, w)| (f - less, w));
        let (stop, go) =
            (self.one_of(t + 1, shown(stop), kind.total)?, self.one_of(t + 1, shown(go), kind.total)?);
        if self.caps == super::elem::PLAIN {
            self.foresee(&go, depth)?;
        }
        let extras = self.levels(&stop, &go, depth, cut)?;
        self.memo.insert(key, extras.clone());
        Ok(extras)
    }

    /// X with at most `depth` extras: stop + go X, from the last one backwards. What would go on there is lost if `cut`.
    fn levels(&mut self, stop: &Elem, go: &Elem, depth: u64, cut: bool) -> Result<Elem, Stop> {
        let mut next = if cut { stop.clone() } else { stop.plus(go, self.arithmetic) };
        for _ in 1..depth {
            let further = self.product(go, &next)?;
            self.charge(size(&further) * PASSES)?;
            next = stop.plus(&further, self.arithmetic);
        }
        Ok(next)
    }

    /// Refuses beforehand what long chains with wide sums would take.
    fn foresee(&self, go: &Elem, depth: u64) -> Result<(), Stop> {
        let faces = &self.kind.faces;
        let (Some(low), Some(high)) = (faces.first(), faces.last()) else { return Ok(()) };
        let reach = (super::float_u64(high.0.abs_diff(low.0)) + 1.0).max(super::float(go.marks.size()));
        let depth = super::float_u64(depth);
        let limbs = match self.arithmetic {
            Arithmetic::Float => 1.0,
            Arithmetic::Exact => 1.0 + super::float_u64(self.kind.total).log2() * depth / 64.0,
        };
        let cells = (super::float(go.marks.size()), reach * depth);
        // The last product is the largest one; cells and limbs grow with each.
        let last =
            super::cost::product(cells, (super::float(go.marks.width().limbs()), limbs), self.arithmetic);
        let cost = (last + cells.1 * limbs * PASSES) * depth / if limbs > 1.0 { 3.0 } else { 2.0 };
        if cost > self.work { Err(Stop(cost - self.work)) } else { Ok(()) }
    }

    /// A die that grows: the sum of its extras is a distribution of its own, and each grown worth goes on.
    fn compound(&mut self, t: usize, explosion: &Explosion, worth: i64) -> Result<Elem, Stop> {
        if explosion.limit == Some(0) || !explodes(explosion, self.kind, self.unit, worth) {
            return self.value(t + 1, worth);
        }
        let Some(growth) = self.growth(t, explosion)? else { return Ok(self.zero()) };
        let poly = growth.plain();
        let mut parts = Vec::new();
        for (more, cell) in present(&poly) {
            parts.push((cell, self.value(t + 1, worth.saturating_add(more))?));
        }
        let cost = parts.iter().map(|p| size(&p.1)).sum();
        self.charge(cost)?;
        Ok(weighted(&poly, &growth.denom, &parts, self.caps, self.arithmetic))
    }

    /// The distribution of what the extras of a compounding die add to it, or `None` where they never end.
    pub(crate) fn growth(&mut self, t: usize, explosion: &Explosion) -> Result<Option<Elem>, Stop> {
        let Some((depth, cut)) = self.depth(t, explosion) else { return Ok(None) };
        let less = if explosion.penetrate { self.unit.scale } else { 0 };
        let (mut stop, mut go) = (Vec::new(), Vec::new());
        for &(f, w) in &self.kind.faces {
            let own = Elem::leaf(self.arithmetic, f - less, 0, 0, super::elem::PLAIN);
            if explodes(explosion, self.kind, self.unit, f) { &mut go } else { &mut stop }.push((w, own));
        }
        let mix =
            |parts: &[(u64, Elem)]| Elem::mix(parts, self.kind.total, super::elem::PLAIN, self.arithmetic);
        let (stop, go) = (mix(&stop), mix(&go));
        self.foresee(&go, depth)?;
        self.levels(&stop, &go, depth, cut).map(Some)
    }
}

/// The sum of `poly[cell] * part` over wide weights.
fn weighted(poly: &Poly, denom: &Denom, parts: &[(usize, Elem)], caps: Caps, arithmetic: Arithmetic) -> Elem {
    let inner = parts.iter().fold(Denom::one(), |all, (_, part)| all.lcm(&part.denom));
    let total = denom.times(&inner);
    let width = arithmetic.width(&total);
    let mut marks = super::kernel::Marks::zero(caps, width);
    for (cell, part) in parts {
        let weight = poly.lone(*cell, 0);
        let weight = super::kernel::Marks::of(weight.widen(width), 0, 0, caps);
        marks.add_small(&part.over(&inner, width).marks.times(&weight, None, width), 1);
    }
    Elem { marks, denom: total }
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
    super::float(elem.marks.size()) * super::float(elem.marks.width().limbs())
}
