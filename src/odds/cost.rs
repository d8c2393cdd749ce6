//! Upper bounds on the work of the algorithms, in additions of one limb (about a nanosecond each).

use super::elem::{Arithmetic, Elem};
use super::float;
use super::kernel::{
    Convolution, Factor, Group, Marks, Poly, Ranked, Width, has_equation, marked_work, ranks_of,
};

/// The sum of n equal dice.
pub(crate) fn sum(die: &Factor, n: u32, width: Width) -> f64 {
    let (dice, span) = (f64::from(n), float(die.weights().len()));
    let cells = dice * span;
    let terms = float(die.cost(width));
    match width {
        Width::Limbs(l) => {
            // Coefficients are products of a weight and a place: of one limb, or of two.
            let most = die.weights().iter().copied().max().unwrap_or(1);
            let wide = super::float_u64(most) * cells > 2f64.powi(61);
            cells * (terms + 2.0) * if wide { 4.0 } else { 2.0 } * float(l)
        }
        Width::U64 => cells * dice * terms / 2.0,
        Width::F64 => cells * dice * terms, // two passes, and each result is new memory
        Width::U128 => cells * dice * terms,
    }
}

/// A product of rows of so many cells of so many limbs.
pub(crate) fn product(cells: (f64, f64), limbs: (f64, f64), arithmetic: Arithmetic) -> f64 {
    if arithmetic == Arithmetic::Float {
        return cells.0 * cells.1 * FLOAT;
    }
    let (few, many) = (limbs.0.min(limbs.1), limbs.0 + limbs.1);
    if many > 2.0 { Convolution::of(cells, few, many).least() } else { cells.0 * cells.1 * few * many }
}

/// A floating product and sum, of which several are done at once.
const FLOAT: f64 = 0.25;

/// The n-th power of any distribution.
pub(crate) fn power(poly: &Poly, n: u32, width: Width) -> f64 {
    let (cells, limbs) = (float(poly.mass.len()) * f64::from(n), float(width.limbs()));
    // The factors are narrower than the result, so half of the pairs.
    let work = Convolution::of((cells, cells), limbs, limbs);
    if width.limbs() > 2 { (work.pairs / 2.0).min(work.large) } else { work.pairs / 2.0 }
}

/// The k highest of n equal dice.
pub(crate) fn keep(faces: &[Ranked], n: u32, k: u32, width: Width) -> f64 {
    let reach = reach(faces);
    let (values, kept, limbs) = (float(faces.len()), f64::from(k), float(width.limbs()));
    let even = faces.windows(2).all(|f| (f[0].adds - f[1].adds).abs() == 1 && f[0].weight == f[1].weight);
    let terms = if even { 2.0 } else { 2.0 + runs(faces) };
    if has_equation(faces, k, width) {
        return values * kept * reach * (4.0 * terms + 4.0) * limbs;
    }
    let terms = if width == Width::F64 && !even { values } else { terms };
    values * reach * kept * kept / 2.0 * terms * limbs
        + values * kept * f64::from(n) * if width == Width::F64 { 10.0 } else { 0.5 }
}

/// From the least to the most that a face adds.
pub(crate) fn reach(faces: &[Ranked]) -> f64 {
    let adds = || faces.iter().map(|f| &f.adds);
    span(adds().min().zip(adds().max()))
}

/// How many whole numbers there are from a lowest to a highest; 1 where there is none.
fn span(ends: Option<(&i64, &i64)>) -> f64 {
    ends.map_or(1.0, |(low, high)| super::float_u64(high.abs_diff(*low)) + 1.0)
}

/// How many times the weight changes from one face to the next.
fn runs(faces: &[Ranked]) -> f64 {
    float(
        faces.windows(2).filter(|f| f[0].weight != f[1].weight || (f[0].adds - f[1].adds).abs() != 1).count(),
    )
}

/// The k highest of different dice.
pub(crate) fn mixed(groups: &[Group], k: u32, width: Width) -> f64 {
    let values = ranks_of(groups);
    let reach = span(values.first().zip(values.last()));
    let dice: f64 = groups.iter().map(|g| f64::from(g.count)).sum();
    let kept = f64::from(k).min(dice);
    float(values.len()) * dice * kept * kept * reach / 4.0 * 3.0 * float(width.limbs())
}

/// Any ranks, value by value.
pub(crate) fn ranks(groups: &[Group], kept: &[bool], width: Width, adds: Option<usize>) -> f64 {
    let values = ranks_of(groups);
    let reach = span(values.first().zip(values.last()));
    let states: f64 =
        groups.iter().map(|g| f64::from(g.count) * f64::from(g.count + 1) / 2.0 + 1.0).product();
    let counted = float(kept.iter().filter(|k| **k).count()).max(1.0);
    let width_of_adds = float(adds.unwrap_or(1)).max(1.0);
    float(values.len()) * states * reach * counted * width_of_adds * (float(width.limbs()) + 2.0)
}

/// A power of a marked unit times another, and how many counts it has: by the recurrence, or the multiplications of repeated
/// squaring, one after the other.
pub(crate) fn marks(one: &Elem, whole: &Elem, n: u32, width: Width) -> (f64, f64) {
    if one.marks.too_many(n) {
        return (1.0, 1.0);
    }
    let limbs = float(width.limbs());
    let pair = if width == Width::F64 { FLOAT } else { 1.0 };
    let unit = Shape::of(&one.marks);
    let whole = Shape::of(&whole.marks);
    let last = |power: Shape| if whole.is_one() { 0.0 } else { whole.times(power, limbs) };
    if let Some((work, counts)) = marked_work(&one.marks, n, limbs) {
        let power = Shape { rows: unit.most, wide: counts / unit.most, ..unit };
        return (work + last(power) * pair, counts + whole.grown(power).counts());
    }
    let mut power = Shape { rows: 1.0, columns: 1.0, wide: 1.0, ..unit };
    let mut steps = 0.0;
    for bit in (0..32 - n.leading_zeros()).rev() {
        if power.wide > 1.0 || power.rows > 1.0 {
            steps += power.times(power, limbs);
            power = power.grown(power);
        }
        if n >> bit & 1 == 1 {
            steps += power.times(unit, limbs);
            power = power.grown(unit);
        }
    }
    ((steps + last(power)) * pair, power.counts() + whole.grown(power).counts())
}

/// How large a marked unit is: rows of marked dice and columns of ties, in use and at most, and cells in each of them.
#[derive(Clone, Copy)]
struct Shape {
    rows: f64,
    most: f64,
    columns: f64,
    most_columns: f64,
    wide: f64,
    widest: f64,
}

impl Shape {
    fn of(marks: &Marks) -> Shape {
        let (rows, columns, wide) = marks.shape();
        let (caps, widest) = (marks.caps(), marks.widest_power().map_or(f64::INFINITY, float));
        Shape {
            rows: float(rows),
            most: float(caps.marked),
            columns: float(columns),
            most_columns: float(caps.ties + 1),
            wide: float(wide),
            widest,
        }
    }

    fn is_one(self) -> bool {
        self.rows <= 1.0 && self.wide <= 1.0
    }

    /// How many counts there are at most, and the coefficients themselves.
    fn counts(self) -> f64 {
        self.rows * self.columns * self.wide + self.most * self.most_columns * 10.0
    }

    /// The shape of a product.
    fn grown(self, other: Shape) -> Shape {
        Shape {
            rows: (self.rows + other.rows - 1.0).min(self.most),
            columns: (self.columns + other.columns - 1.0).min(self.most_columns),
            wide: (self.wide + other.wide - 1.0).min(self.widest),
            ..self
        }
    }

    /// The work of a product: every pair of rows that stays below the cap, each as long multiplication or, where that is
    /// less, by a large integer.
    fn times(self, other: Shape, limbs: f64) -> f64 {
        let pairs = (self.rows * other.rows).min(self.most * (self.most + 1.0) / 2.0);
        // Rows of few marked dice are narrow, so a row is half as wide as the widest on average.
        let (a, b) = ((self.wide / 2.0).max(1.0), (other.wide / 2.0).max(1.0));
        let work = Convolution::of((a, b), limbs, limbs);
        pairs * self.columns * other.columns * if limbs > 2.0 { work.least() } else { work.pairs }
    }
}
