//! Finds the object in a model's text, which may also contain reasoning, a code fence, sentences
//! before and after, and drafts.

use crate::json_end::JsonEnd;
use koab_core::python::{joined, loads};
use serde_json::Value;

/// Start and end marks of reasoning.
const THOUGHT_MARKS: [(&str, &str); 5] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("[THINK]", "[/THINK]"),
];

/// Maximum number of places that look like the beginning of an object but are not.
const MAX_FALSE_STARTS: usize = 64;

/// The intended object: the last one that `fits`, or else the last object at all.
///
/// Objects inside reasoning are ignored.
pub(super) fn chosen(text: &str, fits: impl Fn(&Value) -> bool) -> Option<Value> {
    let mut objects = objects_in(behind_thoughts(text));
    if let Some(at) = objects.iter().rposition(&fits) {
        return Some(objects.swap_remove(at));
    }
    // The model may have wrapped the object in another one.
    let mut inner = objects.iter().flat_map(|object| object.as_object().into_iter().flatten());
    let wrapped = inner.find(|(_, value)| value.is_object() && fits(value));
    wrapped.map(|(_, value)| value.clone()).or_else(|| objects.pop())
}

/// The text after the last reasoning.
fn behind_thoughts(text: &str) -> &str {
    let opened = |mark: &(&str, &str)| text.trim_start().starts_with(mark.0);
    // A template may have opened the reasoning in the prompt, so that only its end is visible. A
    // mark inside the answer's own texts is not an end.
    let end = THOUGHT_MARKS.iter().find_map(|(_, end)| {
        let at = text.rfind(end)?;
        let behind = &text[at + end.len()..];
        (!objects_in(behind).is_empty()).then_some(behind)
    });
    match end {
        Some(behind) => behind,
        None if THOUGHT_MARKS.iter().any(opened) => "",
        None => text,
    }
}

/// The outermost objects of a text, in their order.
fn objects_in(text: &str) -> Vec<Value> {
    let (mut objects, mut at, mut false_starts) = (Vec::new(), 0, 0);
    while let Some(begin) = text[at..].find('{').map(|offset| at + offset) {
        let whole = JsonEnd::length(&text[begin..]).map(|length| &text[begin..begin + length]);
        match whole.and_then(|whole| Some((read(whole)?, whole.len()))) {
            Some((object, length)) => {
                objects.push(object);
                at = begin + length;
            }
            None => {
                false_starts += 1;
                at = begin + 1;
            }
        }
        if false_starts > MAX_FALSE_STARTS {
            break;
        }
    }
    objects
}

/// Parses an object as JSON, as a Python literal, or as almost valid JSON.
fn read(text: &str) -> Option<Value> {
    let python = |text: &str| Some(loads(text).ok()?.to_value(&joined));
    let read = serde_json::from_str::<Value>(text).ok();
    let read = read.or_else(|| python(text)).or_else(|| python(&mended(text)));
    read.filter(Value::is_object)
}

/// Removes commas before a closing bracket, and escapes line breaks in texts.
fn mended(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut in_text, mut is_escaped, mut comma) = (false, false, None);
    for c in text.chars() {
        if in_text {
            match c {
                c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
                c => out.push(c),
            }
            in_text = is_escaped || c != '"';
            is_escaped = !is_escaped && c == '\\';
            continue;
        }
        if let (Some(at), '}' | ']') = (comma, c) {
            out.remove(at);
        }
        if !c.is_whitespace() {
            comma = (c == ',').then_some(out.len());
        }
        in_text = c == '"';
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_object_that_was_meant_is_found() {
        let fits = |object: &Value| object["ok"].is_boolean() && object["why"].is_string();
        let yes = Some(r#"{"ok":true,"why":"y"}"#);
        for (text, wanted) in [
            (r#"{"ok":true,"why":"y"}"#, yes),
            ("```json\n{\"ok\": true, \"why\": \"y\"}\n```", yes),
            (r#"Sure: {"ok": true, "why": "y"} Hope it helps."#, yes),
            (r#"<think>{"ok": false, "why": "x"} but</think>{"ok": true, "why": "y"}"#, yes),
            (r#"{"ok": false, "why": "x"} no.</think> {"ok": true, "why": "y"}"#, yes),
            (r#"The form is {"ok": false, "why": "…"}. Mine: {"ok": true, "why": "y"}"#, yes),
            (r#"{"ok": true, "why": "y"} as {"asked": 1}"#, yes),
            (r#"{"ok": true, "why": "y",}"#, yes),
            (r#"Set {a, b}: {"ok": true, "why": "y"}"#, yes),
            (r#"[{"ok": true, "why": "y"}]"#, yes),
            (r#"{"result": {"ok": true, "why": "y"}}"#, yes),
            ("\u{feff}{\"ok\": true, \"why\": \"y\"}", yes),
            ("{\"ok\": true, \"why\": \"a\nb\"}", Some(r#"{"ok":true,"why":"a\nb"}"#)),
            (
                r#"{"ok": true, "why": "it says </think> { and \" ,}"}"#,
                Some(r#"{"ok":true,"why":"it says </think> { and \" ,}"}"#),
            ),
            (r#"{"ok": true, "why": "half \ud83d"}"#, Some("{\"ok\":true,\"why\":\"half \u{fffd}\"}")),
            (r#"{"other": 1}"#, Some(r#"{"other":1}"#)),
            (r#"<think>{"ok": false, "why": "x"}"#, None),
            ("no", None),
            ("", None),
        ] {
            let found = chosen(text, fits).map(|object| object.to_string());
            assert_eq!(found.as_deref(), wanted, "{text}");
        }
    }

    #[test]
    fn a_text_of_braces_alone_is_left_early() {
        assert_eq!(chosen(&"{".repeat(1 << 16), |_| true), None);
    }
}
