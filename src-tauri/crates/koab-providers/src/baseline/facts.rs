//! Quotes facts from tool answers: the facts that the task names, or else the first ones.

use serde_json::Value;

/// Maximum number of facts that are quoted.
const MAX_FACTS: usize = 6;

/// Maximum number of characters of one quoted fact.
const MAX_FACT_CHARS: usize = 80;

/// Location of a fact of a task: a path into the answers of one tool, as in `golden_fields`.
#[derive(Clone, Debug)]
pub(super) struct Field {
    tool: String,
    path: String,
}

/// Parses `golden_fields`: a list of `{tool, fields: [path]}`.
pub(super) fn fields(golden_fields: &Value) -> Vec<Field> {
    let entries = golden_fields.as_array().into_iter().flatten();
    let of_tool =
        entries.filter_map(|entry| Some((entry.get("tool")?.as_str()?, entry.get("fields")?.as_array()?)));
    let paths = of_tool
        .flat_map(|(tool, paths)| paths.iter().filter_map(Value::as_str).map(move |path| (tool, path)));
    paths.map(|(tool, path)| Field { tool: tool.to_owned(), path: path.to_owned() }).collect()
}

/// Lines such as `- title: …` from tool answers. Each answer is given as its tool's name, if known,
/// and its JSON text. Errors are not quoted.
pub(super) fn quote<'a>(
    fields: &[Field],
    answers: impl Iterator<Item = (Option<&'a str>, &'a str)>,
) -> Vec<String> {
    let read = answers.filter(|(_, text)| !super::conversation::is_error(text));
    let answers: Vec<(Option<&str>, Value)> =
        read.filter_map(|(tool, text)| Some((tool, serde_json::from_str(text).ok()?))).collect();
    let mut quoted = Vec::new();
    for field in fields {
        let from = answers.iter().filter(|(tool, _)| tool.is_none_or(|tool| tool == field.tool));
        if let Some(value) = from.filter_map(|(_, answer)| at(answer, &field.path)).find_map(scalar) {
            push(&mut quoted, last_name(&field.path), &value);
        }
    }
    if quoted.is_empty() {
        answers.iter().for_each(|(_, answer)| walk(answer, "", &mut quoted));
    }
    quoted
}

fn push(quoted: &mut Vec<String>, name: &str, value: &str) {
    let line = if name.is_empty() { format!("- {value}") } else { format!("- {name}: {value}") };
    if quoted.len() < MAX_FACTS && !quoted.contains(&line) {
        quoted.push(line);
    }
}

/// The value at a path such as `items[0].title`.
fn at<'a>(answer: &'a Value, path: &str) -> Option<&'a Value> {
    path.split(['.', '[']).filter(|part| !part.is_empty()).try_fold(answer, |value, part| {
        match part.strip_suffix(']') {
            Some(index) => value.get(index.parse::<usize>().ok()?),
            None => value.get(part),
        }
    })
}

fn last_name(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or_default().split('[').next().unwrap_or_default()
}

fn scalar(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
        Value::Number(number) => number.to_string(),
        Value::Bool(_) | Value::Null | Value::Array(_) | Value::Object(_) => return None,
    };
    match text.char_indices().nth(MAX_FACT_CHARS) {
        _ if text.is_empty() => None,
        Some((end, _)) => Some(format!("{}…", &text[..end])),
        None => Some(text),
    }
}

fn walk(value: &Value, name: &str, quoted: &mut Vec<String>) {
    match value {
        _ if quoted.len() >= MAX_FACTS => {}
        Value::Object(fields) => fields.iter().for_each(|(name, value)| walk(value, name, quoted)),
        Value::Array(items) => items.iter().take(MAX_FACTS).for_each(|item| walk(item, name, quoted)),
        leaf => scalar(leaf).iter().for_each(|text| push(quoted, name, text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn named_fields_come_first_and_only_from_their_tool() {
        let golden =
            json!([{"tool": "Search", "fields": ["items[1].title", "meta.total", "items[9].title"]}]);
        let answers = [
            (Some("Other"), r#"{"items": [{}, {"title": "wrong"}]}"#),
            (Some("Search"), r#"{"items": [{"title": "가"}, {"title": " 나\n다 "}], "meta": {"total": 3}}"#),
        ];
        assert_eq!(quote(&fields(&golden), answers.into_iter()), ["- title: 나 다", "- total: 3"]);
    }

    #[test]
    fn without_named_fields_the_first_facts_are_quoted() {
        let answers = [
            (None, r#"{"error": "gone", "x": 1}"#),
            (None, r#"{"a": null, "b": [{"c": "d"}, {"c": "d"}], "e": 2.5}"#),
        ];
        assert_eq!(quote(&[], answers.into_iter()), ["- c: d", "- e: 2.5"]);
        let long = format!(
            "[{}]",
            (0..50).map(|n| format!("\"{}{n}\"", "가".repeat(100))).collect::<Vec<_>>().join(",")
        );
        let quoted = quote(&[], [(None, long.as_str())].into_iter());
        assert_eq!(quoted, [format!("- {}…", "가".repeat(80))]);
    }
}
