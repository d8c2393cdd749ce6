//! Values of options.

use super::FaceList;

/// A leading minus was made a typographic one (see `words`); here it is not notation.
#[expect(clippy::unnecessary_wraps, reason = "the signature is that of value parsers")]
pub fn plain_minus(text: &str) -> Result<String, String> {
    Ok(match text.strip_prefix('\u{2212}') {
        Some(rest) if !rest.is_empty() => format!("-{rest}"),
        // A `-` on its own is standard input, and nobody made this one out of it.
        Some(_) | None => text.to_owned(),
    })
}

/// Faces such as `6,5,3`.
pub fn faces(text: &str) -> Result<FaceList, String> {
    let face = |part: &str| {
        let part = part.trim();
        plain_minus(part)?
            .parse()
            .map_err(|_| format!("{part:?} is no whole number; write faces such as 6,5,3"))
    };
    text.split(',').map(face).collect::<Result<_, _>>().map(FaceList)
}

/// A total such as `15` or `7/2`.
pub fn total(text: &str) -> Result<dice::Number, String> {
    let text = plain_minus(text)?;
    let (whole, part) = text.split_once('/').unwrap_or((&text, "1"));
    let number = whole.trim().parse().ok().zip(part.trim().parse().ok());
    number
        .and_then(|(whole, part)| dice::Number::ratio(whole, part))
        .ok_or_else(|| format!("{text:?} is no total; write a number such as 15 or 7/2"))
}

/// A limit such as `dice=10000`.
pub fn limit(text: &str) -> Result<(String, u64), String> {
    let (name, value) = text.split_once('=').ok_or("write a name, = and a number, such as dice=10000")?;
    let number = value.replace('_', "").parse().map_err(|_| format!("{value:?} is no whole number"))?;
    dice::Limits::default().set(name, number)?;
    Ok((name.to_owned(), number))
}

/// A number of rolls.
pub fn times(text: &str) -> Result<u64, String> {
    let text = plain_minus(text)?;
    text.replace('_', "")
        .parse()
        .map_err(|_| format!("{text:?} is no number of rolls; write one such as 1000"))
}
