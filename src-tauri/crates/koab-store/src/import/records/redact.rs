//! Removes service keys from recorded error texts.
//!
//! In the published cache, 18 answers have an error text that quotes a URL with the recorder's own
//! key (`docs/spec/tools.md` §13). Keys occur only in `error` and `error_message`, and no cache key
//! depends on these fields.

use serde_json::Value;

const PARAMETERS: [&str; 6] =
    ["appkey", "servicekey", "ttbkey", "appsecretkey", "access_token", "client_secret"];
const BLANK: &str = "REDACTED";

/// Replaces texts that look like a service key in the error texts of an answer.
pub(in crate::import) fn redact(answer: &mut Value) {
    for field in ["error", "error_message"] {
        if let Some(Value::String(text)) = answer.get_mut(field)
            && let Some(blanked) = blanked(text)
        {
            *text = blanked;
        }
    }
}

/// The text with the values of secret parameters replaced. `None` when it has no such parameter.
fn blanked(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let mut spans: Vec<(usize, usize)> = Vec::new();
    for parameter in PARAMETERS {
        for (at, _) in lower.match_indices(parameter) {
            let start = at + parameter.len() + 1;
            if lower.as_bytes().get(start - 1) != Some(&b'=') {
                continue;
            }
            let length = text[start..].find(['&', '"', '\'', ' ', ')', '\n']).unwrap_or(text.len() - start);
            if &text[start..start + length] != BLANK {
                spans.push((start, start + length));
            }
        }
    }
    if spans.is_empty() {
        return None;
    }
    spans.sort_unstable();
    let (mut out, mut end) = (String::with_capacity(text.len()), 0);
    for (start, stop) in spans.into_iter().filter(|(start, stop)| start < stop) {
        if start >= end {
            out.push_str(&text[end..start]);
            out.push_str(BLANK);
            end = stop;
        }
    }
    out.push_str(&text[end..]);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn keys_in_error_texts_are_blanked_and_nothing_else() {
        for (before, after) in [
            (
                json!({"error_message": "400 for url: https://x/geo?q=%EA&appKey=l7xxAbC&v=1", "data": "appKey=1"}),
                json!({"error_message": "400 for url: https://x/geo?q=%EA&appKey=REDACTED&v=1", "data": "appKey=1"}),
            ),
            (
                json!({"error": "url 'http://a?serviceKey=ab%2B'"}),
                json!({"error": "url 'http://a?serviceKey=REDACTED'"}),
            ),
            (json!({"error": "TTBKey=a ttbkey=b"}), json!({"error": "TTBKey=REDACTED ttbkey=REDACTED"})),
            (json!({"error": "appKey=REDACTED"}), json!({"error": "appKey=REDACTED"})),
            (json!({"error": "the appkey is wrong, 키=가"}), json!({"error": "the appkey is wrong, 키=가"})),
            (json!({"error": {"code": 1}}), json!({"error": {"code": 1}})),
            (json!(["appKey=1"]), json!(["appKey=1"])),
        ] {
            let mut answer = before.clone();
            redact(&mut answer);
            assert_eq!(answer, after, "{before}");
        }
    }
}
