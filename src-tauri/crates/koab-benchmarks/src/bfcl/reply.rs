//! Decoding of a reply into its calls (`docs/spec/bfcl.md` §3).

use crate::Answer;
use crate::python::{PyValue, loads};
use indexmap::IndexMap;

/// Call with parsed arguments.
#[derive(Clone, Debug)]
pub(super) struct Read {
    pub(super) name: String,
    pub(super) arguments: IndexMap<String, PyValue>,
}

/// Reply in the form that the checker uses.
#[derive(Clone, Debug)]
pub(super) enum Decoded {
    /// The reply has no list of calls, or has arguments that are not JSON.
    Failed,
    /// The reply has arguments that are not objects.
    WrongFormat,
    /// Calls of the reply; may be empty.
    Calls(Vec<Read>),
}

/// Parses the calls of a reply. Text next to calls is ignored. A reply without calls and without
/// text counts as an empty list of calls.
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
