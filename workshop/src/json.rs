//! Finds the JSON object in what a model answered.

use serde::de::DeserializeOwned;

/// Reads the first balanced JSON object in `text`, whatever stands around it.
///
/// # Errors
/// The reason in words, to be sent back.
pub fn read_object<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let object = first_object(text).ok_or("there is no JSON object in it")?;
    serde_json::from_str(object).map_err(|error| error.to_string())
}

/// The first balanced `{…}` in `text`; braces in strings do not count.
#[must_use]
pub fn first_object(text: &str) -> Option<&str> {
    let start = text.find('{')?;
    let mut depth = 0_usize;
    let mut in_string = false;
    let mut escaped = false;
    for (at, c) in text[start..].char_indices() {
        if in_string {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match c {
            '"' => in_string = true,
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(&text[start..start + at + 1]);
                }
            }
            _ => {}
        }
    }
    None
}
