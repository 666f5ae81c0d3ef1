//! Results of the MCP tools as text.

use crate::output::clean_json;
use koab_api::WireError;
use koab_core::sentence::in_english;

/// Text of a tool's result, or its error.
pub(super) type TextResult = Result<String, WireError>;

/// A value as JSON text with sentences in English.
pub(super) fn document(value: &impl serde::Serialize) -> String {
    let value = serde_json::to_value(value).and_then(|mut value| {
        in_english(&mut value);
        serde_json::to_string_pretty(&value)
    });
    let text = value.unwrap_or_else(|error| error.to_string());
    // Characters that a terminal would obey become JSON escapes, so the text stays JSON.
    clean_json(&text).into_owned()
}
