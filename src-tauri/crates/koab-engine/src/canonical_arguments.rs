//! Canonical text of arguments, so that calls can be compared by value.

use serde_json::Value;

/// Canonical text of a JSON value: keys are sorted, numbers are written by value, texts are
/// unchanged. Equal values have the same text.
pub fn canonical_text(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text);
    text
}

fn write(value: &Value, text: &mut String) {
    match value {
        Value::Object(fields) => {
            let mut names: Vec<&String> = fields.keys().collect();
            names.sort();
            text.push('{');
            for (place, name) in names.into_iter().enumerate() {
                if place > 0 {
                    text.push(',');
                }
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push(':');
                write(&fields[name], text);
            }
            text.push('}');
        }
        Value::Array(items) => {
            text.push('[');
            for (place, item) in items.iter().enumerate() {
                if place > 0 {
                    text.push(',');
                }
                write(item, text);
            }
            text.push(']');
        }
        // `2000` is `2000.0`, since clients change the spelling. Numbers beyond 2^53 are compared
        // by their digits.
        Value::Number(number) => match number.as_f64() {
            Some(real) if real.fract() == 0.0 && real.abs() < 9_007_199_254_740_992.0 => {
                text.push_str(&(real as i64).to_string());
            }
            _ => text.push_str(&number.to_string()),
        },
        other => text.push_str(&other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(text: &str) -> String {
        canonical_text(&serde_json::from_str(text).expect("JSON"))
    }

    #[test]
    fn numbers_are_compared_by_value_and_texts_as_they_are() {
        assert_eq!(canonical(r#"{"b":[1.0,-0.5],"a":"é"}"#), r#"{"a":"é","b":[1,-0.5]}"#);
        assert_ne!(canonical("9007199254740993"), canonical("9007199254740992"));
        assert_eq!(canonical("1e3"), canonical("1000"));
    }
}
