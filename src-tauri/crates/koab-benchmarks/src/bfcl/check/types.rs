//! Type check of values (`docs/spec/bfcl.md` §4).

use super::Checker;
use crate::bfcl::category::Language;
use crate::bfcl::fault::{self, Fault};
use crate::bfcl::kind::Kind;
use crate::python::PyValue;

/// Type that a parameter expects.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expected {
    pub(super) kind: Kind,
    /// Type of a list's items.
    pub(super) item: Option<Kind>,
}

impl Expected {
    pub(super) fn new(type_name: &str, item_type: Option<&str>, language: Language) -> Self {
        let kind = Kind::expected(type_name, language);
        let item = item_type.filter(|_| kind == Kind::List);
        Self { kind, item: item.map(|item| Kind::expected(item, language)) }
    }
}

/// First accepted value. The blank value is skipped, because it only means that the parameter is
/// optional.
fn first(accepted: &[PyValue]) -> Option<&PyValue> {
    accepted.iter().find(|value| !value.is_blank())
}

impl Checker {
    /// Checks the type of a value. Returns whether the value is the name of a variable.
    pub(super) fn fits(
        self,
        value: &PyValue,
        accepted: &[PyValue],
        expected: Expected,
    ) -> Result<bool, Fault> {
        let first = first(accepted).map(Kind::from_value);
        // Null has no kind that can be expected. It passes where the first accepted value is null,
        // too.
        let kind = Kind::from_value(value);
        if kind != Some(expected.kind) {
            return if first == Some(kind) { Ok(true) } else { Err(fault::TYPE) };
        }
        if let (Some(item), PyValue::List(items)) = (expected.item, value) {
            let fits = |accepted: &PyValue| match accepted {
                PyValue::List(accepted) => items.iter().all(|value| self.item_fits(value, accepted, item)),
                _ => true,
            };
            if !accepted.iter().any(fits) {
                return Err(fault::NESTED_TYPE);
            }
        }
        Ok(first.is_some_and(|first| first != Some(expected.kind)))
    }

    fn item_fits(self, value: &PyValue, accepted: &[PyValue], expected: Kind) -> bool {
        let kind = Kind::from_value(value);
        kind == Some(expected)
            || first(accepted).is_some_and(|first| Kind::from_value(first) == kind)
            || (self.mends() && (kind, expected) == (Some(Kind::Integer), Kind::Float))
    }
}
