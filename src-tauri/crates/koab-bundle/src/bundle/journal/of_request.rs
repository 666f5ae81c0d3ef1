//! Compares an attempt at another benchmark, which is one request and one reply.
//!
//! No step is recorded before such an attempt ends, so the parts of its record are compared with
//! each other. Another module compares its request with the item of the pack.

use super::conversation::other_step;
use koab_core::run_record::{AttemptRecord, StepLine, StopReason};
use koab_core::say;
use koab_core::sentence::Sentence;

pub(super) fn against_itself(record: &AttemptRecord, noted: &[StepLine]) -> Result<(), Sentence> {
    let (steps, found) = (record.steps.len(), noted.len());
    if steps > 1 || found > 0 || !record.calls.is_empty() {
        return Err(say!(
            "has {steps} steps and {found} that were recorded before its end, but an attempt of its benchmark is one request and one reply"
        ));
    }
    let reply = record.messages.last().filter(|reply| reply["role"] == "assistant");
    let is_answered = record.stop == StopReason::Answered;
    match reply.and_then(|reply| reply["content"].as_str()) {
        None if is_answered && reply.is_none() => Err(other_step(1)),
        Some(text) if is_answered && record.final_response.as_deref().unwrap_or_default() != text => {
            Err(say!("the answer is not that of the last step"))
        }
        _ => Ok(()),
    }
}
