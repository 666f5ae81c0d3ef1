//! Expected call of a `SingleCall` question, which the file stores as text.

use koab_core::say;
use koab_core::sentence::Sentence;
use serde_json::{Value, json};

/// Parses a call in a text such as `{"name":"f","arguments":"{\"a\":1}"}`. Missing or unescaped
/// parts are repaired in the authors' way (`docs/spec/functionchat.md` §1).
pub(super) fn read(text: &str) -> Result<Value, Sentence> {
    let whole: Value = serde_json::from_str(&repair(text)).map_err(|error| say!("not a call: {error}"))?;
    match (whole.get("name"), whole.get("arguments")) {
        (Some(Value::String(name)), Some(Value::String(arguments))) => {
            Ok(json!({"name": name, "arguments": arguments}))
        }
        _ => Err(say!("not a call: `name` or `arguments` is missing or not a text")),
    }
}

fn repair(text: &str) -> String {
    const WORD: &str = "arguments";
    let Some(at) = text.find(WORD) else {
        return text.to_owned();
    };
    let (head, tail) = text.split_at(at + WORD.len());
    // An escaped quote does not match this pattern.
    let mut tail = tail.replace("\"include_lowercase\"", "\\\"include_lowercase\\\"");
    if !tail.ends_with("\"}") {
        tail.push_str("\"}");
    }
    if tail.ends_with("\\\"}") {
        tail.push_str("\"}");
    } else if tail.ends_with("\"}\"}") && !tail.ends_with("\\\"}\"}") {
        let end = tail.len() - "\"}\"}".len();
        tail.replace_range(end.., "\\\"}\"}");
    }
    format!("{head}{tail}")
}

#[cfg(test)]
mod tests {
    use super::read;
    use serde_json::json;

    #[test]
    fn a_truth_is_read_as_it_stands_or_mended() {
        let whole = json!({"name": "f", "arguments": "{\"a\": \"b\"}"});
        for text in [
            r#"{"name": "f", "arguments": "{\"a\": \"b\"}"}"#,
            r#"{"name": "f", "arguments": "{\"a\": \"b\"}"#,
            r#"{"name": "f", "arguments": "{\"a\": \"b"}"}"#,
        ] {
            assert_eq!(read(text), Ok(whole.clone()), "{text}");
        }
        assert_eq!(
            read(r#"{"name": "f", "arguments": "{\"n\": 1}"#),
            Ok(json!({"name": "f", "arguments": "{\"n\": 1}"})),
        );
        assert_eq!(
            read(r#"{"name": "f", "arguments": "{"include_lowercase": true}"}"#),
            Ok(json!({"name": "f", "arguments": "{\"include_lowercase\": true}"})),
        );
        assert_eq!(read(r#"{"name": "f", "arguments": "{}"}"#), Ok(json!({"name": "f", "arguments": "{}"})));
        assert!(read("f()").is_err());
        assert!(read(r#"{"name": "f", "arguments": 1, "b": "c"}"#).is_err());
    }
}
