//! Explosions in a chain: how far they are followed, and what all the extras of a die bring.
//!
//! Apart from the other steps, which leave one die one die.

use super::{ANY, Chain, LEAF, PART, PASSES, Stop, explodes, size};
use crate::odds::acts::{Act, Explosion};
use crate::odds::elem::{Arithmetic, Elem, PLAIN};
use crate::odds::kernel::{Caps, Denom, Marks, Poly, present};
use crate::odds::{cost, float, float_u64};

impl Chain<'_> {
    /// How deep a chain is followed, and whether what would go on is lost there.
    fn depth(&mut self, t: usize, explosion: &Explosion) -> Option<(u64, bool)> {
        if let Some(limit) = explosion.limit {
            return Some((limit, false));
        }
        let going = self.going(explosion);
        if going == self.kind.total || self.kind.never_ends(&explosion.guard) {
            self.endless.get_or_insert(t);
            return None;
        }
        if going == 0 {
            return Some((1, false));
        }
        // The chain goes on beyond c extras in q^c of the cases.
        let q = float_u64(going) / float_u64(self.kind.total);
        let dice = self.dice_at(t);
        let depth = ((self.tail / dice).ln() / q.ln()).ceil().max(1.0);
        if !self.cuts.contains(&t) {
            self.cuts.push(t);
            self.cut += dice * q.powf(depth);
        }
        Some((num_traits::ToPrimitive::to_u64(&depth).unwrap_or(u64::MAX), true))
    }

    /// The outcomes of a die that go on.
    fn going(&self, explosion: &Explosion) -> u64 {
        let goes = |face: &&(i64, u64)| explodes(explosion, self.kind, self.unit, face.0);
        self.kind.faces.iter().filter(goes).map(|face| face.1).sum()
    }

    /// How many dice one die is on average, at most, when it comes to step t.
    fn dice_at(&self, t: usize) -> f64 {
        let total = float_u64(self.kind.total);
        let grown = |act: &Act| match act {
            Act::Explode(explosion) if act.adds_dice() => {
                let stays = float_u64(self.kind.total - self.going(explosion).min(self.kind.total));
                if stays > 0.0 { total / stays } else { 1.0 }
            }
            Act::Explode(_)
            | Act::Select(..)
            | Act::Reroll(_)
            | Act::AtLeast(_)
            | Act::AtMost(_)
            | Act::Count(_)
            | Act::Fail(_) => 1.0,
        };
        self.acts.iter().take(t).map(grown).product()
    }

    /// X: all extras of one die that exploded.
    pub(super) fn extras(&mut self, t: usize, explosion: &Explosion) -> Result<Elem, Stop> {
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
        if self.caps == PLAIN {
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
        let reach = (float_u64(high.0.abs_diff(low.0)) + 1.0).max(float(go.marks.size()));
        let depth = float_u64(depth);
        let limbs = match self.arithmetic {
            Arithmetic::Float => 1.0,
            Arithmetic::Exact => 1.0 + float_u64(self.kind.total).log2() * depth / 64.0,
        };
        let cells = (float(go.marks.size()), reach * depth);
        // The last product is the largest one; cells and limbs grow with each.
        let last = cost::product(cells, (float(go.marks.width().limbs()), limbs), self.arithmetic);
        let cost = (last + cells.1 * limbs * PASSES) * depth / if limbs > 1.0 { 3.0 } else { 2.0 };
        self.fits(cost)
    }

    /// A die that grows: the sum of its extras is a distribution of its own, and each grown worth goes on.
    pub(super) fn compound(&mut self, t: usize, explosion: &Explosion, worth: i64) -> Result<Elem, Stop> {
        if explosion.limit == Some(0) || !explodes(explosion, self.kind, self.unit, worth) {
            return self.value(t + 1, worth);
        }
        let Some(growth) = self.growth(t, explosion)? else { return Ok(self.zero()) };
        let poly = growth.plain();
        // Every face that goes on grows so.
        let going =
            self.kind.faces.iter().filter(|face| explodes(explosion, self.kind, self.unit, face.0)).count();
        self.fits(float(poly.mass.len()) * float(going) * (LEAF + PART))?;
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
            let own = Elem::leaf(self.arithmetic, f - less, 0, 0, PLAIN);
            if explodes(explosion, self.kind, self.unit, f) { &mut go } else { &mut stop }.push((w, own));
        }
        let mix = |parts: &[(u64, Elem)]| Elem::mix(parts, self.kind.total, PLAIN, self.arithmetic);
        let (stop, go) = (mix(&stop), mix(&go));
        self.foresee(&go, depth)?;
        self.levels(&stop, &go, depth, cut).map(Some)
    }
}

/// The sum of `poly[cell] * part` over wide weights.
pub(super) fn weighted(
    poly: &Poly,
    denom: &Denom,
    parts: &[(usize, Elem)],
    caps: Caps,
    arithmetic: Arithmetic,
) -> Elem {
    let inner = parts.iter().fold(Denom::one(), |all, (_, part)| all.lcm(&part.denom));
    let total = denom.times(&inner);
    let width = arithmetic.width(&total);
    let mut marks = Marks::zero(caps, width);
    for (cell, part) in parts {
        let weight = poly.lone(*cell, 0);
        let weight = Marks::of(weight.widen(width), 0, 0, caps);
        marks.add_small(&part.over(&inner, width).marks.times(&weight, None, width), 1);
    }
    Elem { marks, denom: total }
}
