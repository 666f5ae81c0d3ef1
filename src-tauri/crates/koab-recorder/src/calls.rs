//! Makes the calls of a file, one after the other.

use crate::capture::{AnsweredCall, Capture};
use crate::client::{Client, NoAnswer};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_mcp::RawValue;
use koab_workspace::WireError;
use serde::Deserialize;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

/// Time between a call and its repetition. It is longer than one second, the resolution of most
/// clocks.
const REPEAT_DELAY: Duration = Duration::from_millis(1050);

/// A call that a file contains.
#[derive(Debug, Deserialize)]
pub(crate) struct PlayedCall {
    #[serde(alias = "name")]
    tool: String,
    #[serde(default)]
    arguments: Option<Box<RawValue>>,
}

/// Reads calls, one per line.
///
/// # Errors
/// When a line is not a call.
pub(crate) fn read(text: &str, shown: &str) -> Result<Vec<PlayedCall>, WireError> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(place, line)| {
            serde_json::from_str(line).map_err(|error| {
                let (line, why) = (place + 1, error.to_string());
                WireError::bad_request(say!(
                    "{shown} line {line} is not a call ({why}); write lines such as {}",
                    r#"{"tool": "echo", "arguments": {"message": "hi"}}"#
                ))
            })
        })
        .collect()
}

/// Makes the calls, with `twice` each of them twice in a row. Returns the reason if the recording
/// ended early.
pub(crate) async fn play(
    capture: &mut Capture,
    client: &Client,
    calls: &[PlayedCall],
    twice: bool,
    limit: Duration,
    stop: &CancellationToken,
) -> Option<Sentence> {
    capture.begin_session();
    for (place, call) in calls.iter().enumerate() {
        for turn in 0..if twice { 2 } else { 1 } {
            if turn > 0 {
                // The clock must advance in between.
                tokio::time::sleep(REPEAT_DELAY).await;
            }
            let (session, since) = (capture.ask(), Instant::now());
            let result = tokio::select! {
                () = stop.cancelled() => return None,
                result = client.call(&call.tool, call.arguments.as_deref()) => result,
            };
            let (number, tool) = (place + 1, capture.secrets.redact(&call.tool));
            match result {
                Ok(answered) => capture.keep(&AnsweredCall {
                    session,
                    played: Some(place),
                    tool: &call.tool,
                    arguments: call.arguments.as_deref().map(RawValue::get),
                    answered: &answered,
                    took: since.elapsed(),
                }),
                Err(none @ (NoAnswer::TimeOver | NoAnswer::Unreadable(_))) => {
                    let why = none.sentence(limit);
                    let why = say!("call {number} ({tool}) was not recorded: {why}");
                    capture.leave_out(&tool, why);
                }
                Err(NoAnswer::Ended(why)) => {
                    return Some(say!("call {number} ({tool}) was not answered: {why}"));
                }
            }
        }
    }
    None
}

#[cfg(test)]
mod tests;
