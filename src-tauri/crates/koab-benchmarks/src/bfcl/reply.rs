//! From a reply to the calls in it (`docs/spec/bfcl.md` §3).

use crate::Answer;
use crate::python::{PyValue, loads};
use indexmap::IndexMap;

/// A call whose arguments are read.
#[derive(Clone, Debug)]
pub(super) struct Read {
    pub(super) name: String,
    pub(super) arguments: IndexMap<String, PyValue>,
}

/// What a reply is to the checker.
#[derive(Clone, Debug)]
pub(super) enum Decoded {
    /// No list of calls, or one with arguments that are not JSON.
    Failed,
    /// Calls with arguments that are no objects.
    WrongFormat,
    /// Calls, or none.
    Calls(Vec<Read>),
}

/// Reads the calls. Text beside calls counts for nothing; an empty text without calls is a list of
/// none.
pub(super) fn decode(answer: &Answer) -> Decoded {
    let Some(calls) = &answer.tool_calls else {
        return match answer.content.as_deref() {
            Some("") => Decoded::Calls(Vec::new()),
            _ => Decoded::Failed,
        };
    };
    let values = calls.iter().map(|call| loads(&call.arguments));
    let Ok(values) = values.collect::<Result<Vec<_>, _>>() else {
        return Decoded::Failed;
    };
    let calls = calls.iter().zip(values).map(|(call, value)| match value {
        PyValue::Dict(arguments) => Some(Read { name: call.name.clone(), arguments }),
        _ => None,
    });
    calls.collect::<Option<_>>().map_or(Decoded::WrongFormat, Decoded::Calls)
}
