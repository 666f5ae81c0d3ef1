//! Python's parsing and writing of JSON, for cases where verdicts depend on it.

mod number;

pub use koab_core::python::{Int, NotJson, PyValue, loads};
pub use number::{digit, float, int, strip};

use serde_json::Value;

/// Python's `json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)`.
pub fn canonical(value: &Value) -> String {
    let mut out = String::new();
    write(&mut out, value);
    out
}

fn write(out: &mut String, value: &Value) {
    match value {
        Value::Object(map) => {
            let mut keys: Vec<_> = map.keys().collect();
            keys.sort();
            out.push('{');
            for (at, key) in keys.into_iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push(':');
                write(out, &map[key]);
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write(out, item);
            }
            out.push(']');
        }
        scalar => out.push_str(&koab_core::python::dumps(scalar, koab_core::python::Dumps::default())),
    }
}

/// Python's `json.dumps(value, ensure_ascii=False)`.
pub fn dumps(value: &Value) -> String {
    koab_core::python::dumps(value, koab_core::python::Dumps::default())
}
