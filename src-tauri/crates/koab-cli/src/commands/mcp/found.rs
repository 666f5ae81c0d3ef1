//! Search through the transcripts for an agent. Its length is limited, because a model reads
//! everything that a tool returns.

use super::offers::Selection;
use super::text_result::{TextResult, document};
use koab_api::{Api, FoundAttempt, WireError};
use koab_core::find::Query;
use koab_core::say;
use koab_core::sentence::ToSentence as _;
use serde_json::{Value, json};

/// Number of attempts that are listed if no limit is given.
const DEFAULT_HITS: usize = 20;
/// Maximum number of attempts that are listed.
const MAX_HITS: usize = 100;

/// Query of the call.
///
/// # Errors
/// When the query is missing or has a fault.
pub(super) fn query(selection: &Selection) -> Result<&str, WireError> {
    let query = selection.query.as_deref().ok_or_else(|| {
        WireError::bad_request(say!("`query` is missing: words and filters, such as `timeout level:L3`"))
    })?;
    query.parse::<Query>().map_err(|fault| WireError::bad_request(fault.to_sentence()))?;
    Ok(query)
}

/// Attempts that match the query, from the index as it is.
///
/// # Errors
/// When the query has a fault, or the index cannot be read.
pub(super) fn find(api: &Api, selection: &Selection) -> TextResult {
    let limit = selection.limit.unwrap_or(DEFAULT_HITS).min(MAX_HITS) as u32;
    let answer = api.runs.library.find(query(selection)?, selection.offset.unwrap_or(0), limit)?;
    let mut document_of = json!(answer);
    document_of["hits"] = answer.hits.iter().map(hit).collect();
    Ok(document(&document_of))
}

/// A hit without the places of its marks, which only a screen needs.
fn hit(hit: &FoundAttempt) -> Value {
    let parts = hit.excerpts.iter().map(|excerpt| {
        let mut part = json!({ "field": excerpt.field, "text": excerpt.text });
        if let Some(argument) = &excerpt.argument {
            part["argument"] = argument.as_str().into();
        }
        part
    });
    json!({
        "run": hit.run, "task": hit.task, "repetition": hit.repetition, "level": hit.level, "model": hit.model,
        "status": hit.status, "parts": parts.collect::<Vec<_>>(),
    })
}
