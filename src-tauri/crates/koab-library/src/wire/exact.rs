//! JSON values for a program that stores all numbers as doubles, such as the UI.
//!
//! An integer that a double cannot represent is sent as `{"$integer": "<its digits>"}`, so that the
//! UI shows and copies every digit. `ui/src/shared/exact.ts` reads this form.

use serde::ser::{SerializeMap as _, SerializeSeq as _};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Number, Value};

/// Largest integer that a double represents together with all smaller ones: 2^53 - 1.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// A JSON value that keeps all digits of its integers when it is serialized.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(transparent)]
pub struct Exact(pub Value);

impl std::ops::Deref for Exact {
    type Target = Value;

    fn deref(&self) -> &Value {
        &self.0
    }
}

impl From<Value> for Exact {
    fn from(value: Value) -> Self {
        Self(value)
    }
}

impl Serialize for Exact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ExactValue(&self.0).serialize(serializer)
    }
}

struct ExactValue<'a>(&'a Value);

impl Serialize for ExactValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Number(number) if is_large(number) => {
                let mut tagged = serializer.serialize_map(Some(1))?;
                tagged.serialize_entry("$integer", &number.to_string())?;
                tagged.end()
            }
            Value::Array(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    list.serialize_element(&ExactValue(item))?;
                }
                list.end()
            }
            Value::Object(entries) => {
                let mut object = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    object.serialize_entry(key, &ExactValue(value))?;
                }
                object.end()
            }
            other => other.serialize(serializer),
        }
    }
}

fn is_large(number: &Number) -> bool {
    match (number.as_u64(), number.as_i64()) {
        (Some(positive), _) => positive > MAX_SAFE_INTEGER,
        (None, Some(negative)) => negative.unsigned_abs() > MAX_SAFE_INTEGER,
        // A fraction, or an integer that the parser has read as a double.
        (None, None) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn integers_that_a_double_cannot_hold_keep_their_digits() {
        let given = json!({"a": [9_007_199_254_740_991_u64, 9_007_199_254_740_993_u64, -9_007_199_254_740_993_i64],
            "b": {"c": u64::MAX, "d": 0.1, "e": "9007199254740993", "f": null}});
        assert_eq!(
            serde_json::to_value(Exact(given)).unwrap(),
            json!({"a": [9_007_199_254_740_991_u64, {"$integer": "9007199254740993"}, {"$integer": "-9007199254740993"}],
                "b": {"c": {"$integer": "18446744073709551615"}, "d": 0.1, "e": "9007199254740993", "f": null}})
        );
    }
}
