//! Odds as a picture.

use std::fmt::Write;

use dice::Number;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
/// Left, top, right and bottom margins.
const MARGINS: [f64; 4] = [64.0, 56.0, 20.0, 48.0];

/// The widest bar, and about how wide a digit is.
const WIDEST: f64 = 96.0;
const LETTER: f64 = 7.6;

/// Bars at the totals as SVG: text, no scripts, nothing from elsewhere.
pub fn svg(title: &str, subtitle: &str, outcomes: &[(Number, f64)]) -> String {
    let [left, top, right, bottom] = MARGINS;
    let seen = visible(outcomes);
    let subtitle = if seen.len() < outcomes.len() {
        format!("{subtitle}; the rarest totals at the ends are left out")
    } else {
        subtitle.to_owned()
    };
    let outcomes = seen;
    let (title, size) = fitted(title);
    let (across, down) = (WIDTH - left - right, HEIGHT - top - bottom);
    let values: Vec<f64> = outcomes.iter().map(|(value, _)| value.to_f64()).collect();
    let (low, high) = (values.first().copied().unwrap_or(0.0), values.last().copied().unwrap_or(0.0));
    let gap = values.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
    let gap = if gap.is_finite() { gap } else { 1.0 };
    let cell = across / ((high - low) / gap + 1.0);
    let x = |value: f64| left + ((value - low) / gap + 0.5) * cell;
    let top_chance = outcomes.iter().map(|(_, chance)| *chance).fold(0.0, f64::max);
    let step = nice(top_chance * 100.0, 6.0);
    let most = (top_chance * 100.0 / step).ceil().max(1.0) * step;
    let y = |percent: f64| top + down * (1.0 - percent / most);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" font-size=\"12\" fill=\"#333\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"{left}\" y=\"24\" font-size=\"{size}\" font-weight=\"bold\">{}</text>\n\
         <text x=\"{left}\" y=\"42\">{}</text>\n",
        escaped(&title),
        escaped(&subtitle)
    );
    let mut line = |text: std::fmt::Arguments<'_>| {
        // Writing to a string cannot fail.
        let _ = writeln!(svg, "{text}");
    };
    let mut percent = 0.0;
    while percent <= most + step / 2.0 {
        let (at, end) = (y(percent), WIDTH - right);
        line(format_args!("<path d=\"M{left} {at:.1}H{end}\" stroke=\"#ddd\"/>"));
        let label = label(percent, step);
        line(format_args!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}%</text>",
            left - 8.0,
            at + 4.0
        ));
        percent += step;
    }
    // Narrow bars side by side would show hairlines between them.
    let crisp = if cell > 4.0 { "" } else { " shape-rendering=\"crispEdges\"" };
    let width = if cell > 4.0 { f64::min(cell * 0.8, WIDEST) } else { f64::max(cell, 1.0) };
    for ((value, chance), at) in outcomes.iter().zip(&values) {
        let (bar, name) = (y(chance * 100.0), value.exact());
        line(format_args!(
            "<rect x=\"{:.2}\" y=\"{bar:.2}\" width=\"{width:.2}\" height=\"{:.2}\" fill=\"#3b6ea5\"{crisp}><title>{name}: {:.4}%</title></rect>",
            x(*at) - width / 2.0,
            top + down - bar,
            chance * 100.0
        ));
    }
    for (at, name) in ticks(outcomes, &|value| x(value), gap) {
        let at = at.min(WIDTH - wide(&name) / 2.0);
        line(format_args!(
            "<text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{name}</text>",
            HEIGHT - bottom + 18.0
        ));
    }
    line(format_args!(
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">total</text>",
        left + across / 2.0,
        HEIGHT - 10.0
    ));
    line(format_args!("<path d=\"M{left} {0:.1}H{1}\" stroke=\"#333\"/>", top + down, WIDTH - right));
    svg.push_str("</svg>\n");
    svg
}

/// The labels of the totals: where each stands, and what it says. Every total has its own where there is room for all;
/// otherwise they stand at round totals.
fn ticks(outcomes: &[(Number, f64)], x: &dyn Fn(f64) -> f64, gap: f64) -> Vec<(f64, String)> {
    let names = outcomes
        .iter()
        .map(|(value, _)| (x(value.to_f64()), value.decimal(6).unwrap_or_else(|| value.exact())));
    let names: Vec<(f64, String)> = names.collect();
    let free =
        |pair: &[(f64, String)]| pair[1].0 - pair[0].0 >= f64::midpoint(wide(&pair[0].1), wide(&pair[1].1));
    if names.windows(2).all(free) {
        return names;
    }
    let [low, high] = [outcomes.first(), outcomes.last()].map(|end| end.map_or(0.0, |end| end.0.to_f64()));
    let whole = outcomes.iter().all(|(value, _)| value.as_whole().is_some());
    let mut apart = nice(high - low, 14.0).max(if whole { 1.0 } else { gap });
    loop {
        // Whole steps from a round total, so that nothing adds up to more than a rounding error.
        let steps = (0..).map(|step| ((low / apart).ceil() + f64::from(step)) * apart);
        let shown: Vec<(f64, String)> = steps
            .take_while(|tick| *tick <= high + gap / 1000.0)
            .map(|tick| (x(tick), label(tick, apart)))
            .collect();
        if shown.windows(2).all(free) {
            return shown;
        }
        apart = nice(apart * 1.01, 1.0);
    }
}

/// About how much room a label takes.
fn wide(name: &str) -> f64 {
    14.0 + LETTER * f64::from(u32::try_from(name.len()).unwrap_or(u32::MAX))
}

/// A title that fits the width, and the size of its letters.
fn fitted(title: &str) -> (String, u32) {
    let length = title.chars().count();
    match length {
        ..=60 => (title.to_owned(), 16),
        61..=80 => (title.to_owned(), 12),
        _ => (title.chars().take(79).chain(['…']).collect(), 12),
    }
}

/// Without the ends that are too low to be seen, where there are many totals.
fn visible(outcomes: &[(Number, f64)]) -> &[(Number, f64)] {
    let highest = outcomes.iter().map(|(_, chance)| *chance).fold(0.0, f64::max);
    let seen = |outcome: &(Number, f64)| outcome.1 * 1000.0 >= highest;
    let (first, last) = (outcomes.iter().position(seen), outcomes.iter().rposition(seen));
    match (first, last) {
        (Some(first), Some(last)) if outcomes.len() > 60 => outcomes.get(first..=last).unwrap_or(outcomes),
        (_, _) => outcomes,
    }
}

/// A round distance that parts a range into at most so many pieces.
fn nice(range: f64, pieces: f64) -> f64 {
    if range <= 0.0 || !range.is_finite() {
        return 1.0;
    }
    let raw = range / pieces.max(1.0);
    let scale = 10_f64.powf(raw.log10().floor());
    [1.0, 2.0, 5.0]
        .into_iter()
        .map(|factor| factor * scale)
        .find(|step| *step >= raw * 0.999)
        .unwrap_or(10.0 * scale)
}

/// A number with as many decimals as its distance from the next one needs.
fn label(value: f64, step: f64) -> String {
    let decimals = if step >= 1.0 { 0.0 } else { -step.log10().floor() };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some decimals, at least 0")]
    let decimals = decimals as usize;
    // Not `-0`.
    format!("{:.decimals$}", value + 0.0)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The picture as PNG, twice as large.
#[cfg(feature = "plots")]
pub fn png(svg: &str) -> anyhow::Result<Vec<u8>> {
    use anyhow::Context;
    use resvg::{tiny_skia, usvg};

    let mut options = usvg::Options::default();
    options.fontdb_mut().load_system_fonts();
    let tree = usvg::Tree::from_str(svg, &options)?;
    let size = tree.size().to_int_size().scale_by(2.0).context("the picture has no size")?;
    let mut pixels =
        tiny_skia::Pixmap::new(size.width(), size.height()).context("the picture has no size")?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(2.0, 2.0), &mut pixels.as_mut());
    Ok(pixels.encode_png()?)
}

/// The picture as PNG needs a renderer that is not built in.
#[cfg(not(feature = "plots"))]
pub fn png(_: &str) -> anyhow::Result<Vec<u8>> {
    Err(super::report::Usage(
        "PNG pictures are not built in; use --svg, or install with: cargo install --path . --features plots"
            .to_owned(),
    )
    .into())
}

#[cfg(test)]
mod tests {
    use dice::Number;

    use super::{fitted, label, nice, svg, ticks};

    #[test]
    fn steps_are_round() {
        let steps = [13.27, 100.0, 0.004, 7.0].map(|range| format!("{:.3}", nice(range, 6.0)));
        assert_eq!(steps, ["5.000", "20.000", "0.001", "2.000"]);
        assert_eq!([label(5.0, 5.0), label(0.25, 0.05), label(-0.0, 1.0)], ["5", "0.25", "0"]);
    }

    fn labels(totals: impl IntoIterator<Item = Number>, width: f64) -> Vec<String> {
        let outcomes: Vec<(Number, f64)> = totals.into_iter().map(|total| (total, 0.1)).collect();
        let low = outcomes[0].0.to_f64();
        let high = outcomes[outcomes.len() - 1].0.to_f64();
        let x = |value: f64| (value - low) / f64::max(high - low, 1.0) * width;
        ticks(&outcomes, &x, 1.0).into_iter().map(|(_, name)| name).collect()
    }

    #[test]
    fn every_total_has_its_own_label_where_there_is_room() {
        let quarters = (-3..=3).map(|quarter| Number::ratio(quarter, 4).unwrap());
        assert_eq!(labels(quarters, 600.0), ["-0.75", "-0.5", "-0.25", "0", "0.25", "0.5", "0.75"]);
        assert_eq!(labels((3..=18).map(Number::from), 600.0).len(), 16);
        assert_eq!(
            labels((3..=100).map(Number::from), 600.0),
            ["10", "20", "30", "40", "50", "60", "70", "80", "90", "100"]
        );
        let far = [1, 2, 1_000_000].map(Number::from);
        assert_eq!(labels(far, 300.0), ["500000", "1000000"]);
        assert_eq!(labels([i64::MAX - 1, i64::MAX].map(Number::from), 100.0).len(), 1);
    }

    #[test]
    fn a_long_title_is_smaller_and_then_shortened() {
        assert_eq!(fitted("4d6kh3"), ("4d6kh3".to_owned(), 16));
        assert_eq!(fitted(&"1".repeat(61)).1, 12);
        assert_eq!(fitted(&"1".repeat(81)).0, format!("{}…", "1".repeat(79)));
    }

    #[test]
    fn a_lone_total_is_a_picture_too() {
        let svg = svg("5 < 6", "mean 5", &[(Number::from(5), 1.0)]);
        assert!(svg.contains(">5 &lt; 6</text>") && svg.contains("<title>5: 100.0000%</title>"), "{svg}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
