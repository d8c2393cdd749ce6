//! Odds as a picture.

use std::fmt::Write;

use dice::Number;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
/// Left, top, right and bottom margins.
const MARGINS: [f64; 4] = [64.0, 56.0, 20.0, 48.0];

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
         <text x=\"{left}\" y=\"24\" font-size=\"16\" font-weight=\"bold\">{}</text>\n\
         <text x=\"{left}\" y=\"42\">{}</text>\n",
        escaped(title),
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
    let width = if cell > 4.0 { cell * 0.8 } else { cell };
    for ((value, chance), at) in outcomes.iter().zip(&values) {
        let (bar, name) = (y(chance * 100.0), value.exact());
        line(format_args!(
            "<rect x=\"{:.2}\" y=\"{bar:.2}\" width=\"{width:.2}\" height=\"{:.2}\" fill=\"#3b6ea5\"{crisp}><title>{name}: {:.4}%</title></rect>",
            x(*at) - width / 2.0,
            top + down - bar,
            chance * 100.0
        ));
    }
    // At most as many labels as have room, at round totals.
    let apart = nice(high - low, across / 44.0).max(gap);
    let mut tick = (low / apart).ceil() * apart;
    while tick <= high + gap / 1000.0 {
        line(format_args!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            x(tick),
            HEIGHT - bottom + 18.0,
            label(tick, apart)
        ));
        tick += apart;
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
        "PNG pictures are not built in; use --svg, or install with: cargo install dice --features plots"
            .to_owned(),
    )
    .into())
}

#[cfg(test)]
mod tests {
    use super::{label, nice};

    #[test]
    fn steps_are_round() {
        let steps = [13.27, 100.0, 0.004, 7.0].map(|range| format!("{:.3}", nice(range, 6.0)));
        assert_eq!(steps, ["5.000", "20.000", "0.001", "2.000"]);
        assert_eq!([label(5.0, 5.0), label(0.25, 0.05), label(-0.0, 1.0)], ["5", "0.25", "0"]);
    }
}
