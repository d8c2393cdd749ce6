//! The chi-square test: do counts fit what was expected?

/// The outcome of a test.
#[derive(Clone, Copy, Debug)]
pub struct Verdict {
    pub statistic: f64,
    pub freedom: u32,
    /// The chance of counts at least as far off, if nothing is wrong.
    pub p: f64,
}

impl Verdict {
    /// In a player's words.
    pub fn words(self) -> &'static str {
        if self.p < 0.001 {
            "this does not fit what was expected"
        } else if self.p < 0.01 {
            "unusual, but it happens once in a hundred times"
        } else {
            "no sign of bias"
        }
    }
}

/// Compares counts with expected counts. Neighbours are put together until each cell expects at least 5, as the test needs;
/// `None` if less than two cells are left.
pub fn test(cells: impl IntoIterator<Item = (f64, f64)>) -> Option<Verdict> {
    let mut joined: Vec<(f64, f64)> = Vec::new();
    let mut open = (0.0, 0.0);
    for (seen, expected) in cells {
        open = (open.0 + seen, open.1 + expected);
        if open.1 >= 5.0 {
            joined.push(open);
            open = (0.0, 0.0);
        }
    }
    match joined.last_mut() {
        Some(last) => *last = (last.0 + open.0, last.1 + open.1),
        None => return None,
    }
    let freedom = u32::try_from(joined.len()).ok()?.checked_sub(1).filter(|freedom| *freedom > 0)?;
    let statistic: f64 = joined.iter().map(|(seen, expected)| (seen - expected).powi(2) / expected).sum();
    Some(Verdict { statistic, freedom, p: upper_gamma(f64::from(freedom) / 2.0, statistic / 2.0) })
}

/// The regularized upper incomplete gamma function, by its series or its continued fraction (Abramowitz and Stegun, 6.5.29
/// and 6.5.31).
fn upper_gamma(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let scale = (a * x.ln() - x - ln_gamma(a)).exp();
    if x < a + 1.0 {
        let (mut term, mut sum) = (1.0 / a, 1.0 / a);
        for n in 1..10_000 {
            term *= x / (a + f64::from(n));
            sum += term;
            if term < sum * 1e-15 {
                break;
            }
        }
        return (1.0 - scale * sum).clamp(0.0, 1.0);
    }
    scale * fraction(a, x)
}

/// The continued fraction, by Lentz's way through it.
fn fraction(a: f64, x: f64) -> f64 {
    let tiny = 1e-300;
    let mut part = x + 1.0 - a;
    let mut upper = 1.0 / tiny;
    let mut lower = 1.0 / part;
    let mut fraction = lower;
    for n in 1..10_000 {
        let n = f64::from(n);
        let factor = -n * (n - a);
        part += 2.0;
        lower = 1.0 / nonzero(factor * lower + part, tiny);
        upper = nonzero(part + factor / upper, tiny);
        fraction *= upper * lower;
        if (upper * lower - 1.0).abs() < 1e-15 {
            break;
        }
    }
    fraction
}

fn nonzero(value: f64, tiny: f64) -> f64 {
    if value.abs() < tiny { tiny } else { value }
}

/// The logarithm of the gamma function, by Stirling's series after moving up to where it is good.
fn ln_gamma(mut x: f64) -> f64 {
    let mut below = 0.0;
    while x < 10.0 {
        below += x.ln();
        x += 1.0;
    }
    let square = 1.0 / (x * x);
    let series = (1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0 - square / 1680.0))) / x;
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series - below
}

#[cfg(test)]
mod tests {
    use super::{ln_gamma, test, upper_gamma};

    #[test]
    fn agrees_with_tables() {
        assert!((ln_gamma(0.5) - std::f64::consts::PI.sqrt().ln()).abs() < 1e-12);
        assert!((ln_gamma(11.0) - 3_628_800_f64.ln()).abs() < 1e-12);
        // The 95 % points of chi-square with 1, 5, 15 and 100 degrees of freedom.
        for (freedom, point) in
            [(1.0, 3.841_458_8), (5.0, 11.070_497_7), (15.0, 24.995_790_1), (100.0, 124.342_113_4)]
        {
            let p = upper_gamma(freedom / 2.0, point / 2.0);
            assert!((p - 0.05).abs() < 1e-8, "{freedom}: {p}");
        }
        // 12.03 with 15 degrees of freedom, as in the screens.
        assert_eq!(format!("{:.2}", upper_gamma(7.5, 6.015)), "0.68");
    }

    #[test]
    fn small_cells_are_put_together() {
        assert!(test([(1.0, 1.0), (3.0, 3.0)]).is_none());
        let verdict = test([(5.0, 5.0), (2.0, 2.0), (3.0, 3.0), (1.0, 1.0)]).unwrap();
        assert_eq!((verdict.freedom, verdict.statistic), (1, 0.0));
        assert!((verdict.p - 1.0).abs() < 1e-12);
    }
}
