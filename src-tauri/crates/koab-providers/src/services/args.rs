//! Arguments for services. They have been checked and normalized (`docs/spec/tools.md` §2, §3), but
//! numbers may still be of any kind.

use koab_core::python;
use serde_json::{Map, Value};

/// The arguments of one call.
#[derive(Clone, Copy)]
pub(super) struct Args<'a>(pub(super) &'a Map<String, Value>);

impl<'a> Args<'a> {
    /// The argument; `None` if it is absent or null.
    pub(super) fn get(self, name: &str) -> Option<&'a Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    /// The argument unchanged, null if it is absent. Some answers repeat it.
    pub(super) fn echo(self, name: &str) -> Value {
        self.0.get(name).cloned().unwrap_or_default()
    }

    /// A text; empty if it is absent.
    pub(super) fn text(self, name: &str) -> &'a str {
        self.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// The argument as Python's `str()` writes it, as in the published requests; `None` if it is
    /// absent.
    pub(super) fn written(self, name: &str) -> Option<String> {
        self.get(name).map(python::to_str)
    }

    /// The argument as Python's `str()` writes it, unless it is zero, false or empty.
    pub(super) fn truthy(self, name: &str) -> Option<String> {
        self.get(name).filter(|value| python::truthy(value)).map(python::to_str)
    }

    /// A whole number; `None` if it is absent or not a whole number.
    pub(super) fn int(self, name: &str) -> Option<i64> {
        match self.get(name)? {
            Value::Bool(yes) => Some(i64::from(*yes)),
            Value::String(text) => text.trim().parse().ok(),
            value => value.as_i64(),
        }
    }
}
