//! What a tool says.

use crate::output::clean_json;
use koab_api::WireError;
use koab_core::sentence::in_english;

/// A text, or the sentence why there is none.
pub(super) type TextResult = Result<String, WireError>;

/// A document; sentences in it are English.
pub(super) fn document(value: &impl serde::Serialize) -> String {
    let value = serde_json::to_value(value).and_then(|mut value| {
        in_english(&mut value);
        serde_json::to_string_pretty(&value)
    });
    let text = value.unwrap_or_else(|error| error.to_string());
    // Written out in the way of JSON, so that it stays a document.
    clean_json(&text).into_owned()
}
