//! Paths in tool results, as in `golden_fields` and `data_flow`: `places[0].name`
//! (`docs/spec/metrics.md` §4.3).

use serde_json::Value;

/// The value at a path. A path has keys separated by dots, each with at most one index, such as
/// `key[0]` or `[0]`. Null counts as absent.
pub(super) fn resolve<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    let mut at = value;
    for step in path.split('.') {
        let (key, index) = match step.strip_suffix(']').and_then(|step| step.split_once('[')) {
            Some((key, index)) => (key, Some(index.parse::<usize>().ok()?)),
            None => (step, None),
        };
        if !(key.is_empty() && index.is_some()) {
            at = at.as_object()?.get(key)?;
        }
        if let Some(index) = index {
            at = at.as_array()?.get(index)?;
        }
    }
    (!at.is_null()).then_some(at)
}

/// Appends every value whose key has this name, at any depth, in document order.
pub(super) fn values_named<'a>(value: &'a Value, name: &str, found: &mut Vec<&'a Value>) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                if key == name {
                    found.push(inner);
                }
                values_named(inner, name, found);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| values_named(item, name, found)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn paths_lead_through_objects_and_lists() {
        let value = json!({"a": {"b": [{"c": 1}, null]}, "d": [[2]]});
        for (path, expected) in [
            ("a.b[0].c", Some(json!(1))),
            ("a.b[1]", None),
            ("a.b[2]", None),
            ("a.b.c", None),
            ("d[0][0]", None),
            ("d[0].[0]", Some(json!(2))),
            ("a.x", None),
            ("", None),
        ] {
            assert_eq!(resolve(&value, path).cloned(), expected, "{path}");
        }
        let mut found = Vec::new();
        values_named(&value, "c", &mut found);
        assert_eq!(found, [&json!(1)]);
    }
}
