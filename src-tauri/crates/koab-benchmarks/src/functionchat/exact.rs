//! Comparison of a call with the expected call, without a judge (`docs/spec/functionchat.md` §2).

use super::source::Source;
use crate::answer::Answer;
use crate::python::{PyValue, loads};
use crate::table::Rules;

/// Value that is compared in the place of a missing argument.
const ABSENT: PyValue = PyValue::None;

/// Reason why a reply does not match the expected call exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mismatch {
    NoCall,
    /// The reply has more than one call. Only the corrected rules check this.
    SeveralCalls,
    Name,
    Arguments,
    /// The arguments are JSON but not an object. Here the authors' program fails. Only the
    /// published rules report this.
    OriginalStops,
}

impl Mismatch {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::NoCall => "no_call",
            Self::SeveralCalls => "several_calls",
            Self::Name => "name",
            Self::Arguments => "arguments",
            Self::OriginalStops => "original_stops:AttributeError",
        }
    }
}

/// Compares a reply with the expected call. `Ok` means an exact match.
pub(super) fn compare(source: &Source, answer: &Answer, rules: Rules) -> Result<(), Mismatch> {
    let calls = answer.tool_calls.as_deref().unwrap_or_default();
    let first = calls.first().ok_or(Mismatch::NoCall)?;
    if rules == Rules::Corrected && calls.len() > 1 {
        return Err(Mismatch::SeveralCalls);
    }
    let (name, truth) = source.call().ok_or(Mismatch::Name)?;
    if first.name != name {
        return Err(Mismatch::Name);
    }
    let read = |text| loads(text).map_err(|_| Mismatch::Arguments);
    let (given, truth) = (read(&first.arguments)?, read(truth)?);
    let (PyValue::Dict(given), PyValue::Dict(truth)) = (given, truth) else {
        return Err(match rules {
            Rules::Published => Mismatch::OriginalStops,
            Rules::Corrected => Mismatch::Arguments,
        });
    };
    let accepted = source.acceptable.as_deref().and_then(|text| loads(text).ok());
    let right = given.keys().all(|key| truth.contains_key(key))
        && truth.iter().all(|(key, truth)| {
            let value = given.get(key).unwrap_or(&ABSENT);
            let accepted = match &accepted {
                Some(PyValue::Dict(accepted)) => accepted.get(key),
                _ => None,
            };
            same(value, truth) || accepted.is_some_and(|accepted| accepts(accepted, value, rules))
        });
    if right { Ok(()) } else { Err(Mismatch::Arguments) }
}

/// Whether two values are equal. Texts are compared without spaces and letter case, all other
/// values as in Python.
fn same(a: &PyValue, b: &PyValue) -> bool {
    match (a.text(), b.text()) {
        (Some(a), Some(b)) => folded(a) == folded(b),
        _ => a.equals(b),
    }
}

fn folded(text: &str) -> String {
    text.replace(' ', "").to_lowercase()
}

/// Whether an accepted value matches an argument. The published rules compare only lists and texts,
/// so that any other accepted value matches everything.
fn accepts(accepted: &PyValue, given: &PyValue, rules: Rules) -> bool {
    match accepted {
        PyValue::List(items) => items.iter().any(|item| same(item, given)),
        PyValue::Text(_) => same(accepted, given),
        _ => rules == Rules::Published || same(accepted, given),
    }
}
