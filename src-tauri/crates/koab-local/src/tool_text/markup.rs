//! Calls in markup: tags that mark a call, and fenced JSON that may be one.
//!
//! Inside a tag, the name need not be that of an offered tool, and arguments that are not JSON
//! still make a call: the model meant a call, and its fault is recorded as such.

use super::json::{LeadingJson, broken_call, calls_in, value_at};
use super::{ReadCall, ToolForm};
use koab_core::tool::ToolSpec;
use serde_json::{Map, Value};

/// Calls, and the number of bytes that they take.
type CallsRead = Option<(Vec<ReadCall>, usize)>;

/// Whether a call names an offered tool.
pub(super) fn offers(offered: &[ToolSpec], call: &ReadCall) -> bool {
    offered.iter().any(|tool| tool.name == call.name)
}

/// The calls of the markup at the beginning of the text, if the markup belongs to this form.
pub(super) fn calls(text: &str, form: ToolForm, offered: &[ToolSpec]) -> CallsRead {
    let is = |forms: &[ToolForm]| form == ToolForm::Auto || forms.contains(&form);
    if is(&[ToolForm::Hermes, ToolForm::Parameters])
        && let Some(inside) = text.strip_prefix("<tool_call>")
    {
        let inner = inside.trim_start();
        if inner.starts_with("<function=") {
            let (calls, length) = function(inner, offered)?;
            return Some((calls, closed(text, offset(text, inner) + length, "</tool_call>")));
        }
        return values(text, inside, "<tool_call>", "</tool_call>");
    }
    if is(&[ToolForm::Tools])
        && let Some(inside) = text.strip_prefix("<tools>")
    {
        return values(text, inside, "<tools>", "</tools>");
    }
    if is(&[ToolForm::Function, ToolForm::Parameters]) && text.starts_with("<function=") {
        return function(text, offered);
    }
    if is(&[ToolForm::Llama3])
        && let Some(inside) = text.strip_prefix("<|python_tag|>")
    {
        return values(text, inside, "<|", "<|eom_id|>");
    }
    if is(&[ToolForm::Mistral, ToolForm::MistralArgs])
        && let Some(inside) = text.strip_prefix("[TOOL_CALLS]")
    {
        let inner = inside.trim_start();
        if inner.starts_with(['[', '{']) {
            return values(text, inside, "[TOOL_CALLS]", "</s>");
        }
        return named(text, inner);
    }
    if is(&[]) && text.starts_with("```") {
        return fenced(text, offered);
    }
    None
}

/// Parses consecutive JSON values up to a closing tag. `inside` is a part of `text`.
fn values(text: &str, inside: &str, open: &str, close: &str) -> CallsRead {
    let mut calls = Vec::new();
    let mut rest = inside;
    let mut is_json = false;
    loop {
        let next = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';'));
        let LeadingJson::Value(value, length) = value_at(next) else {
            break;
        };
        is_json = true;
        let Some(more) = calls_in(value, false) else {
            break;
        };
        calls.extend(more);
        rest = next.get(length..).unwrap_or_default();
    }
    if !calls.is_empty() {
        return Some((calls, closed(text, offset(text, rest), close)));
    }
    let raw = up_to(inside, &[open, close]);
    if is_json || !raw.trim_start().starts_with(['{', '[', '"']) {
        return None;
    }
    let length = closed(text, offset(text, inside) + raw.len(), close);
    Some((vec![broken_call(raw)?], length))
}

/// The text before the first of the given marks, or the whole text if it contains none.
///
/// Each search is limited to the result of the previous one, so a text that consists only of marks
/// is not searched to its end for each.
fn up_to<'t>(text: &'t str, marks: &[&str]) -> &'t str {
    marks.iter().fold(text, |text, mark| text.find(mark).and_then(|end| text.get(..end)).unwrap_or(text))
}

/// Parses `<function=NAME>` with JSON or `<parameter=KEY>VALUE</parameter>` inside.
fn function(text: &str, offered: &[ToolSpec]) -> CallsRead {
    let after = text.strip_prefix("<function=")?;
    let name = after.get(..after.find('>')?)?;
    if name.is_empty() || name.len() > 128 || name.contains(|c: char| c.is_whitespace() || c == '<') {
        return None;
    }
    let body = after.get(name.len() + 1..)?;
    let name = name.trim_matches('"').to_owned();
    let start = offset(text, body);
    let inner = body.trim_start();
    let (arguments, end) = match value_at(inner) {
        LeadingJson::Value(value, length) => (value.to_string(), offset(text, inner) + length),
        _ => {
            let raw = up_to(body, &["<function=", "</function>", "</tool_call>"]);
            let end = raw.len();
            // Without an end tag it is a call only if the content looks like one.
            if end == body.len() && !inner.starts_with(['{', '<']) {
                return None;
            }
            let raw = raw.trim();
            let arguments = match raw {
                "" => "{}".to_owned(),
                raw if raw.starts_with("<parameter=") => parameters(raw, &name, offered),
                raw => raw.to_owned(),
            };
            (arguments, start + end)
        }
    };
    Some((vec![ReadCall { name, arguments }], closed(text, end, "</function>")))
}

/// Arguments from `<parameter=KEY>VALUE</parameter>`. Values are texts unless the tool's schema
/// requires another type.
fn parameters(raw: &str, name: &str, offered: &[ToolSpec]) -> String {
    let tool = offered.iter().find(|tool| tool.name == name);
    let mut arguments = Map::new();
    for part in raw.split("<parameter=").skip(1) {
        let Some((key, value)) = part.split_once('>') else {
            continue;
        };
        let value = value.split("</parameter>").next().unwrap_or_default();
        let value = value.strip_prefix('\n').unwrap_or(value);
        let value = value.strip_suffix('\n').unwrap_or(value);
        let wants_text = tool.is_none_or(|tool| {
            tool.properties()
                .find(|(property, _)| *property == key)
                .is_none_or(|(_, schema)| schema["type"] == "string")
        });
        let read = if wants_text { None } else { serde_json::from_str(value.trim()).ok() };
        arguments.insert(key.to_owned(), read.unwrap_or_else(|| Value::from(value)));
    }
    Value::from(arguments).to_string()
}

/// Parses `NAME[ARGS]{…}` after `[TOOL_CALLS]`; some versions have a `[CALL_ID]` in between.
fn named(text: &str, inner: &str) -> CallsRead {
    let end = inner.find(|c: char| c.is_whitespace() || matches!(c, '[' | '{' | '<'))?;
    let (name, mut rest) = inner.split_at(end);
    if name.is_empty() {
        return None;
    }
    if let Some(after) = rest.strip_prefix("[CALL_ID]") {
        rest = after.trim_start_matches(|c: char| c.is_alphanumeric());
    }
    let marked = rest.strip_prefix("[ARGS]");
    let rest = marked.unwrap_or(rest).trim_start();
    let (arguments, end) = match value_at(rest) {
        LeadingJson::Value(value, length) => (value.to_string(), length),
        _ if marked.is_none() => return None,
        _ => {
            let end = rest.find("[TOOL_CALLS]").unwrap_or(rest.len());
            let raw = rest.get(..end)?.trim();
            let raw = if raw.is_empty() { "{}" } else { raw };
            (raw.to_owned(), end)
        }
    };
    let call = ReadCall { name: name.to_owned(), arguments };
    Some((vec![call], offset(text, rest) + end))
}

/// Parses a fenced block that contains only calls of offered tools.
fn fenced(text: &str, offered: &[ToolSpec]) -> CallsRead {
    let after = text.strip_prefix("```")?;
    let info = after.find(['{', '[', '\n'])?;
    if after.get(..info)?.contains('`') {
        return None;
    }
    let mut rest = after.get(info..)?;
    let mut calls = Vec::new();
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';'));
        if let Some(end) = rest.strip_prefix("```") {
            rest = end;
            break;
        }
        match value_at(rest) {
            LeadingJson::Value(value, length) => {
                calls.extend(calls_in(value, true)?);
                rest = rest.get(length..)?;
            }
            // The text ended inside the block.
            _ if rest.is_empty() => break,
            _ => return None,
        }
    }
    let all_offered = calls.iter().all(|call| offers(offered, call));
    (all_offered && !calls.is_empty()).then(|| (calls, offset(text, rest)))
}

/// Byte offset in `text` at which its suffix `part` begins.
fn offset(text: &str, part: &str) -> usize {
    text.len().saturating_sub(part.len())
}

/// End of a call. `end` is the end of its content; a closing tag after the content is included, and
/// so are superfluous brackets before the tag.
fn closed(text: &str, end: usize, close: &str) -> usize {
    let rest = text.get(end..).unwrap_or_default();
    let next = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '}' | ']' | ',' | ';'));
    match next.strip_prefix(close) {
        Some(after) => offset(text, after),
        None => end,
    }
}
