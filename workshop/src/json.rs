//! Finds the JSON object in what a model answered.

use serde_json::Value;

/// The text of the first JSON object in `text` that has one of `keys`, whatever stands around
/// it: fences, sentences, other braces.
///
/// # Errors
/// The reason in words, to be sent back.
pub fn object_with<'a>(text: &'a str, keys: &[&str]) -> Result<&'a str, String> {
    if let Ok(value) = serde_json::from_str::<Value>(text)
        && !value.is_object()
    {
        return Err("The outermost value is not a JSON object.".to_string());
    }
    let mut reason = "There is no JSON object in it.".to_string();
    let first = text.find('{');
    for (start, _) in text.match_indices('{') {
        let rest = &text[start..];
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        match values.next() {
            Some(Ok(Value::Object(object))) => {
                if keys.iter().any(|key| object.contains_key(*key)) {
                    return Ok(&rest[..values.byte_offset()]);
                }
                let named: Vec<&str> = keys.iter().take(2).copied().collect();
                reason = format!("The JSON object has neither the key {}.", named.join(" nor "));
            }
            Some(Err(error)) if Some(start) == first => {
                reason = format!("The JSON object cannot be read: {error}.");
            }
            _ => {}
        }
    }
    Err(reason)
}
