//! Comparison of values with the accepted values (`docs/spec/bfcl.md` §4).

use super::Checker;
use super::types::Expected;
use crate::bfcl::fault::{self, Fault};
use crate::bfcl::kind::Kind;
use crate::bfcl::text;
use crate::python::PyValue;
use indexmap::IndexMap;

impl Checker {
    pub(super) fn value(
        self,
        value: &PyValue,
        accepted: &[PyValue],
        expected: Expected,
    ) -> Result<(), Fault> {
        match (value, expected.kind, expected.item) {
            (PyValue::Dict(given), Kind::Dict, _) => self.dict(given, accepted),
            (PyValue::List(given), Kind::List, Some(Kind::Dict)) => self.dicts(given, accepted),
            (PyValue::List(given), Kind::List, _) => self.list(given, accepted),
            (PyValue::Text(given), Kind::Text, _) => self.text(given, accepted),
            _ => self.other(value, accepted),
        }
    }

    pub(super) fn other(self, value: &PyValue, accepted: &[PyValue]) -> Result<(), Fault> {
        let is_accepted = accepted.iter().any(|accepted| self.equal(value, accepted));
        is_accepted.then_some(()).ok_or(fault::OTHER)
    }

    /// Equality as in Python. Under the corrected rules a boolean is not equal to a number.
    pub(super) fn equal(self, a: &PyValue, b: &PyValue) -> bool {
        if !self.mends() {
            return a.equals(b);
        }
        match (a, b) {
            (PyValue::Bool(a), PyValue::Bool(b)) => a == b,
            (PyValue::Bool(_), _) | (_, PyValue::Bool(_)) => false,
            (PyValue::List(a), PyValue::List(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.equal(a, b))
            }
            (PyValue::Dict(a), PyValue::Dict(b)) => {
                a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| self.equal(a, b)))
            }
            (a, b) => a.equals(b),
        }
    }

    /// Accepted values of a parameter. Under the corrected rules the mark of an optional parameter
    /// is not an accepted value.
    fn accepted(self, accepted: &[PyValue]) -> impl Iterator<Item = &PyValue> {
        accepted.iter().filter(move |value| !(self.mends() && value.is_blank()))
    }

    fn text(self, given: &str, accepted: &[PyValue]) -> Result<(), Fault> {
        let text = self.standardized(given);
        let mut accepted = self.accepted(accepted).filter_map(PyValue::text);
        let is_accepted = accepted.any(|accepted| self.standardized(accepted) == text);
        is_accepted.then_some(()).ok_or(fault::TEXT)
    }

    fn list(self, given: &[PyValue], accepted: &[PyValue]) -> Result<(), Fault> {
        let items: Vec<_> = given.iter().map(|item| self.standard(item)).collect();
        let mut accepted = self.accepted(accepted).filter_map(items_of);
        let is_accepted = accepted.any(|accepted| {
            let is_as_long = accepted.len() == items.len();
            is_as_long
                && accepted
                    .iter()
                    .zip(&items)
                    .all(|(accepted, item)| self.equal(&self.standard(accepted), item))
        });
        is_accepted.then_some(()).ok_or(fault::LIST)
    }

    fn dict(self, given: &IndexMap<String, PyValue>, accepted: &[PyValue]) -> Result<(), Fault> {
        let mut fault = fault::DICT_UNCLEAR;
        for accepted in accepted.iter().filter(|accepted| !accepted.is_blank()) {
            match accepted {
                PyValue::Dict(accepted) => match self.entries(given, accepted) {
                    Ok(()) => return Ok(()),
                    Err(mismatch) => fault = mismatch,
                },
                _ => fault = fault::DICT_KEY,
            }
        }
        Err(fault)
    }

    fn entries(
        self,
        given: &IndexMap<String, PyValue>,
        accepted: &IndexMap<String, PyValue>,
    ) -> Result<(), Fault> {
        let mut fault = None;
        for (key, value) in given {
            let Some(accepted) = accepted.get(key) else {
                fault = Some(fault::DICT_KEY);
                break;
            };
            let value = self.standard(value);
            let accepted = items_of(accepted).unwrap_or_default();
            let mut accepted = self.accepted(&accepted);
            if !accepted.any(|accepted| self.equal(&self.standard(accepted), &value)) {
                fault = Some(fault::DICT_VALUE);
                break;
            }
        }
        // By the published rules a text in place of a list of accepted values contains the empty
        // text, as every text does.
        let may_lack = |accepted: &PyValue| match accepted {
            PyValue::List(accepted) => accepted.iter().any(PyValue::is_blank),
            PyValue::Text(_) => true,
            _ => false,
        };
        if accepted.iter().any(|(key, accepted)| !given.contains_key(key) && !may_lack(accepted)) {
            fault = Some(fault::DICT_KEY);
        }
        fault.map_or(Ok(()), Err)
    }

    fn dicts(self, given: &[PyValue], accepted: &[PyValue]) -> Result<(), Fault> {
        let mut fault = fault::LIST_DICT_COUNT;
        for accepted in self.accepted(accepted).filter_map(items_of) {
            let result = if accepted.len() == given.len() {
                let mut pairs = given.iter().zip(&accepted);
                pairs.try_for_each(|(given, accepted)| match given {
                    PyValue::Dict(given) => self.dict(given, std::slice::from_ref(accepted)),
                    _ => Err(fault::TYPE),
                })
            } else {
                Err(fault::LIST_DICT_COUNT)
            };
            match result {
                Ok(()) => return Ok(()),
                Err(mismatch) => fault = mismatch,
            }
        }
        Err(fault)
    }

    /// Normalised form of a text; other values stay unchanged.
    fn standard(self, value: &PyValue) -> PyValue {
        match value {
            PyValue::Text(text) => PyValue::Text(self.standardized(text)),
            other => other.clone(),
        }
    }

    fn standardized(self, text: &str) -> String {
        if self.mends() { text::corrected(text) } else { text::published(text) }
    }
}

/// Items that Python iterates over: the items of a list, or the letters of a text.
fn items_of(value: &PyValue) -> Option<Vec<PyValue>> {
    match value {
        PyValue::List(items) => Some(items.clone()),
        PyValue::Text(text) => Some(text.chars().map(|c| PyValue::Text(c.to_string())).collect()),
        _ => None,
    }
}
