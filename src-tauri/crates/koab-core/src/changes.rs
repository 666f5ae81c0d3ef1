//! Differences between two JSON values for people: path, old value, new value.
//!
//! They are computed for tool results that were recorded at different times. Equality is Python's
//! ([`crate::python::equal`]), as in every comparison of results: the order of keys does not
//! matter, and `1` equals `1.0`.

use crate::python::{equal, number_repr};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Maximum number of characters shown of one value.
const MAX_SHOWN_CHARS: usize = 160;
/// Number of common characters shown before the first difference of two long texts.
const LEAD_CHARS: usize = 24;

/// One place at which two values differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ValueChange {
    /// Path of the difference, such as `items[2].title`; empty for the value itself.
    pub path: String,
    /// Old value as JSON, shortened if it is long; null if there was none.
    pub then: Option<String>,
    /// New value as JSON, shortened if it is long; null if there is no new value.
    pub now: Option<String>,
}

/// The places at which two values differ.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ValueChanges {
    /// Number of all differences.
    pub total: u32,
    /// The first differences, in the order of the values.
    pub shown: Vec<ValueChange>,
}

/// Differences between `then` and `now`. All of them are counted; only the first `most` are listed.
pub fn changes(then: &Value, now: &Value, most: usize) -> ValueChanges {
    let mut walk = Walk { most, changes: ValueChanges::default() };
    walk.values(&mut String::new(), then, now);
    walk.changes
}

struct Walk {
    most: usize,
    changes: ValueChanges,
}

impl Walk {
    fn add(&mut self, path: &str, then: Option<String>, now: Option<String>) {
        self.changes.total += 1;
        if self.changes.shown.len() < self.most {
            let path = path.to_owned();
            self.changes.shown.push(ValueChange { path, then, now });
        }
    }

    fn values(&mut self, path: &mut String, then: &Value, now: &Value) {
        match (then, now) {
            _ if equal(then, now) => {}
            (Value::Object(_), Value::Object(_)) => self.objects(path, then, now),
            (Value::Array(a), Value::Array(b)) => self.arrays(path, a, b),
            (Value::String(a), Value::String(b)) => {
                let (a, b) = texts(a, b);
                self.add(path, Some(a), Some(b));
            }
            _ => self.add(path, Some(shown(then)), Some(shown(now))),
        }
    }

    fn objects(&mut self, path: &mut String, then: &Value, now: &Value) {
        let (Value::Object(a), Value::Object(b)) = (then, now) else {
            return;
        };
        for (key, old) in a {
            let place = member(path, key);
            match b.get(key) {
                Some(new) => self.values(path, old, new),
                None => self.add(path, Some(shown(old)), None),
            }
            path.truncate(place);
        }
        for (key, new) in b {
            if !a.contains_key(key) {
                let place = member(path, key);
                self.add(path, None, Some(shown(new)));
                path.truncate(place);
            }
        }
    }

    /// Compares two arrays. Equal items at the beginning and at the end are matched; the items
    /// between them are compared by position. Therefore one new item at the head of a list counts
    /// as one difference.
    fn arrays(&mut self, path: &mut String, then: &[Value], now: &[Value]) {
        let same = |(a, b): &(&Value, &Value)| equal(a, b);
        let head = then.iter().zip(now).take_while(same).count();
        let (rest, other) = (&then[head..], &now[head..]);
        let tail = rest.iter().rev().zip(other.iter().rev()).take_while(same).count();
        let (removed, added) = (rest.len() - tail, other.len() - tail);
        for i in 0..removed.max(added) {
            let (old, new) = ((i < removed).then(|| &rest[i]), (i < added).then(|| &other[i]));
            let place = path.len();
            path.push_str(&format!("[{}]", head + i));
            match (old, new) {
                (Some(old), Some(new)) => self.values(path, old, new),
                (old, new) => self.add(path, old.map(shown), new.map(shown)),
            }
            path.truncate(place);
        }
    }
}

/// Appends a member's name to the path and returns the previous length of the path.
fn member(path: &mut String, key: &str) -> usize {
    let before = path.len();
    let plain = !key.is_empty()
        && key.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-')
        && !key.starts_with(|c: char| c.is_ascii_digit());
    if plain {
        if before > 0 {
            path.push('.');
        }
        path.push_str(key);
    } else {
        path.push_str(&format!("[{}]", Value::from(key)));
    }
    before
}

/// Value as one line of JSON, shortened if it is long.
fn shown(value: &Value) -> String {
    let text = match value {
        Value::Number(number) => number_repr(number),
        other => other.to_string(),
    };
    cut(&text)
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Quotes two texts that differ. Long texts are quoted from shortly before their first difference.
fn texts(then: &str, now: &str) -> (String, String) {
    let common = then.chars().zip(now.chars()).take_while(|(a, b)| a == b).count();
    let skipped = if then.chars().count().max(now.chars().count()) > MAX_SHOWN_CHARS {
        common.saturating_sub(LEAD_CHARS)
    } else {
        0
    };
    let from = |text: &str| {
        let rest: String = text.chars().skip(skipped).collect();
        let quoted = Value::from(rest).to_string();
        let quoted = cut(&quoted);
        if skipped > 0 { format!("…{quoted}") } else { quoted }
    };
    (from(then), from(now))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn lines(then: &Value, now: &Value) -> Vec<String> {
        let side = |side: Option<String>| side.unwrap_or_else(|| "-".to_owned());
        changes(then, now, 100)
            .shown
            .into_iter()
            .map(|change| format!("{}: {} → {}", change.path, side(change.then), side(change.now)))
            .collect()
    }

    #[test]
    fn every_place_is_named_with_what_stood_and_what_stands_there() {
        let then = json!({"price": 1, "same": [1.0], "이름": "가", "gone": null, "a b": true, "items": [{"t": 1}, {"t": 2}]});
        let now = json!({"same": [1], "price": 2, "이름": "나", "a b": [], "items": [{"t": 1}, {"t": 3}, 4], "new": {}});
        assert_eq!(
            lines(&then, &now),
            [
                "price: 1 → 2",
                r#"이름: "가" → "나""#,
                "gone: null → -",
                r#"["a b"]: true → []"#,
                "items[1].t: 2 → 3",
                "items[2]: - → 4",
                "new: - → {}",
            ]
        );
        assert_eq!(lines(&json!("a"), &json!(1)), [r#": "a" → 1"#]);
        assert!(lines(&json!({"a": 1, "b": 2}), &json!({"b": 2.0, "a": 1})).is_empty());
    }

    #[test]
    fn one_new_item_at_the_head_of_a_list_is_one_difference() {
        let then = json!(["b", "c", "d"]);
        assert_eq!(lines(&then, &json!(["a", "b", "c", "d"])), [r#"[0]: - → "a""#]);
        assert_eq!(lines(&then, &json!(["b", "d"])), [r#"[1]: "c" → -"#]);
    }

    #[test]
    fn long_texts_are_cut_around_the_place_where_they_part() {
        let head = "가".repeat(300);
        let found = changes(&json!(format!("{head}A{head}")), &json!(format!("{head}B")), 9);
        let change = &found.shown[0];
        let (then, now) = (change.then.clone().expect("a side"), change.now.clone().expect("a side"));
        assert_eq!(now, format!("…\"{}B\"", "가".repeat(LEAD_CHARS)));
        assert!(then.starts_with(&format!("…\"{}A", "가".repeat(LEAD_CHARS))) && then.ends_with('…'));
        assert!(then.chars().count() <= MAX_SHOWN_CHARS + 2, "{then}");
    }

    #[test]
    fn all_are_counted_and_as_many_shown_as_are_wanted() {
        let many: Vec<u32> = (0..50).collect();
        let others: Vec<u32> = (100..150).collect();
        let found = changes(&json!(many), &json!(others), 3);
        assert_eq!((found.total, found.shown.len()), (50, 3));
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            "[가-나\\PC\n]{0,8}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 5, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                proptest::collection::btree_map("[a-c가 ]{0,2}", inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        /// [`changes`] lists a difference exactly if the values are unequal, and the number of
        /// differences does not depend on which value is the old one.
        #[test]
        fn differences_are_told_exactly_when_there_are_any(a in value(), b in value()) {
            prop_assert_eq!(changes(&a, &a, 9), ValueChanges::default());
            let (there, back) = (changes(&a, &b, usize::MAX), changes(&b, &a, usize::MAX));
            prop_assert_eq!(there.total == 0, equal(&a, &b));
            prop_assert_eq!(there.total, back.total);
            prop_assert_eq!(there.total as usize, there.shown.len());
            for change in &there.shown {
                prop_assert!(change.then.is_some() || change.now.is_some());
            }
        }
    }
}
