//! Upper bounds on the work of the algorithms, in additions of one limb (about a nanosecond each).

use super::elem::{Arithmetic, Elem};
use super::float;
use super::kernel::{
    Convolution, Factor, Group, Marks, Poly, Ranked, Width, has_equation, marked_work, ranks_of,
};

/// The sum of n equal dice.
pub(crate) fn sum(die: &Factor, n: u32, width: Width) -> f64 {
    let dice = f64::from(n);
    let cells = dice * float(die.weights().len() - 1) + 1.0;
    let terms = float(die.cost(width));
    match width {
        Width::Limbs(l) => {
            // Coefficients are products of a weight and a place: of one limb, or of two.
            let most = die.weights().iter().copied().max().unwrap_or(1);
            let wide = super::float_u64(most) * cells > 2f64.powi(61);
            cells * (terms + 2.0) * if wide { 4.0 } else { 2.0 } * float(l)
        }
        Width::U64 => cells * dice * terms / 2.0,
        Width::F64 => (cells * terms + ROW) * dice, // two passes, and each result is new memory
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

/// What a product of two rows takes besides its cells.
const ROW: f64 = 100.0;

/// A floating product and sum, of which several are done at once.
const FLOAT: f64 = 0.25;

/// The n-th power of any distribution.
pub(crate) fn power(poly: &Poly, n: u32, width: Width) -> f64 {
    let (cells, limbs) = (float(poly.mass.len()) * f64::from(n), float(width.limbs()));
    // The factors are narrower than the result, so half of the pairs.
    let work = Convolution::of((cells, cells), limbs, limbs);
    match width {
        Width::F64 => work.pairs / 2.0 * (2.0 * FLOAT),
        Width::Limbs(l) if l > 2 => (work.pairs / 2.0).min(work.large),
        Width::U64 | Width::U128 | Width::Limbs(_) => work.pairs / 2.0,
    }
}

/// The k highest of n equal dice.
pub(crate) fn keep(faces: &[Ranked], n: u32, k: u32, width: Width) -> f64 {
    let reach = reach(faces);
    let (values, kept, limbs) = (float(faces.len()), f64::from(k), float(width.limbs()));
    let even = faces.windows(2).all(|f| (f[0].adds - f[1].adds).abs() == 1 && f[0].weight == f[1].weight);
    let changes = runs(faces);
    if has_equation(faces, k, width) {
        let terms = if even { 2.0 } else { 2.0 + changes };
        return values * kept * reach * (4.0 * terms + 4.0) * limbs;
    }
    // The rows that Horner's rule multiplies by a die, from one cell on, and what becomes of them.
    let factors = reach * (kept - 1.0) * (kept - 2.0) / 2.0 + kept;
    let products = reach * kept * (kept - 1.0) / 2.0 + kept;
    let terms = match (even, width) {
        (true, _) => 0.0,
        (false, Width::F64) => values.min((changes + 1.0) * 5.0), // or a window for each run of equal weights
        (false, Width::U64 | Width::U128 | Width::Limbs(_)) => 2.0 + changes,
    };
    let ties = if width == Width::F64 {
        chances(faces, f64::from(n), kept)
    } else {
        // Powers of the number of outcomes, and counts of up to so many limbs.
        values * (kept * f64::from(n) * 0.5 + limbs * limbs)
    };
    values * (factors * terms + products * 2.0) * limbs + ties
}

/// The probabilities that at least some dice show a face and the others less: a sum for each, up to where its terms vanish.
fn chances(faces: &[Ranked], n: f64, kept: f64) -> f64 {
    let mut below = 0.0;
    let terms = faces.iter().map(|face| {
        let weight = super::float_u64(face.weight);
        below += weight;
        let mean = n * weight / below;
        n.min(kept + mean + 15.0 * mean.sqrt() + 50.0)
    });
    kept * terms.sum::<f64>() * 10.0
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

/// The k highest of different dice: for each value the dice above it, one after the other.
pub(crate) fn mixed(groups: &[Group], k: u32, width: Width) -> f64 {
    let values = ranks_of(groups);
    let reach = span(values.first().zip(values.last()));
    let dice: f64 = groups.iter().map(|g| f64::from(g.count)).sum();
    let kept = f64::from(k).min(dice);
    // The rows that are multiplied by a die, from one cell on, and what becomes of them; of the reach and of the faces one half
    // is above a value on average.
    let factors = reach * (kept - 1.0) * (kept - 2.0) / 4.0 + kept;
    let products = reach * kept * (kept - 1.0) / 4.0 + kept;
    let cells = |group: &Group| {
        let even = group.faces.windows(2).all(|f| f[0].0 + 1 == f[1].0 && f[0].1 == f[1].1);
        let terms = if even { 2.0 } else { float(group.faces.len()) / 2.0 };
        f64::from(group.count) * (factors * terms + products * 2.0)
    };
    let cells: f64 = groups.iter().map(cells).sum();
    // Floating rows are kept apart before and after the lowest kept die.
    let rows = if width == Width::F64 { 2.0 } else { 1.0 };
    float(values.len()) * rows * (cells * float(width.limbs()) + dice * kept * ROW)
}

/// What kept dice add: cells on average, and from the least to the most of all.
pub(crate) struct Adds {
    pub mean: f64,
    pub reach: f64,
}

impl Adds {
    /// From the lowest and the highest number that each worth adds.
    pub(crate) fn of(ends: &[(i64, i64)]) -> Adds {
        let cells = |(low, high): &(i64, i64)| span(Some((low, high)));
        Adds {
            mean: ends.iter().map(cells).sum::<f64>() / float(ends.len()).max(1.0),
            reach: span(ends.iter().map(|end| &end.0).min().zip(ends.iter().map(|end| &end.1).max())),
        }
    }
}

/// Any ranks, value by value.
pub(crate) fn ranks(groups: &[Group], kept: &[bool], width: Width, adds: &Adds) -> f64 {
    // From so many dice placed to as many or more, for the dice that can show a value; others stay, all or none before and after.
    let moves = |value: i64, group: &Group| {
        let states = f64::from(group.count) + 1.0;
        match group.faces.binary_search_by_key(&value, |face| face.0) {
            Ok(_) => states * (states + 1.0) / 2.0,
            Err(at) if at > 0 && at < group.faces.len() => states,
            Err(_) => 1.0,
        }
    };
    let of_value = |value: i64| groups.iter().map(|group| moves(value, group)).product::<f64>();
    let states: f64 = ranks_of(groups).into_iter().map(of_value).sum();
    // A row with so many dice placed comes from each with as many or fewer, and is as wide as those make it that are kept.
    let limbs = float(width.limbs());
    let (mut ways, mut work, mut counted) = (1.0, limbs + 2.0, 0.0);
    for (from, kept) in (2..).zip(kept) {
        let from = float(from);
        counted += f64::from(u8::from(*kept));
        let product = if *kept && adds.mean > 1.0 { adds.mean * limbs } else { 0.0 };
        ways += from;
        work += from * (counted * adds.reach + 1.0) * (limbs + 2.0 + product);
    }
    states * work / ways
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
        let (all, few) = (self.rows * other.rows, self.most * (self.most + 1.0) / 2.0);
        // Where only marks widen rows, a third of the work is left at the cap; floating rows are so short that it is saved on
        // nothing but their cells.
        let pairs =
            if all > few && limbs > 1.0 && self.widest.is_finite() { few / 3.0 } else { all.min(few) };
        // Rows of few marked dice are narrow, so a row is half as wide as the widest on average.
        let (a, b) = ((self.wide / 2.0).max(1.0), (other.wide / 2.0).max(1.0));
        let work = Convolution::of((a, b), limbs, limbs);
        pairs * self.columns * other.columns * (ROW + if limbs > 2.0 { work.least() } else { work.pairs })
    }
}
