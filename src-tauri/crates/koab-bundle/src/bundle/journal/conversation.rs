//! Compares the conversation of an attempt with the steps and calls in the journal.

use koab_core::event::AnswerSource;
use koab_core::python::truthy;
use koab_core::run_record::AttemptRecord;
use koab_core::say;
use koab_core::sentence::Sentence;
use serde_json::Value;

pub(super) fn other_step(step: usize) -> Sentence {
    say!("step {step} is not as it was recorded when it happened")
}

/// Compares the conversation with the replies of the model and the answers of the tools. Seeded
/// turns come before the replies.
pub(super) fn against_messages(record: &AttemptRecord, noted: &[&str]) -> Result<(), Sentence> {
    let of = |role: &'static str| {
        let all = record.messages.iter().enumerate();
        all.filter(move |(_, message)| message["role"] == role)
    };
    let differ = |at: usize| {
        say!("message {number} of the conversation differs from the steps and calls", number = (at + 1))
    };
    let assistant_messages: Vec<_> = of("assistant").collect();
    let own = &assistant_messages[assistant_messages.len().saturating_sub(noted.len())..];
    if own.len() != noted.len() {
        return Err(differ(record.messages.len()));
    }
    for ((at, message), noted) in own.iter().zip(noted) {
        if message["content"].as_str().unwrap_or_default() != *noted {
            return Err(differ(*at));
        }
    }
    let is_seeded = |message: &Value| {
        let id = message["tool_call_id"].as_str();
        id.is_some_and(|id| id.starts_with("seed_call_"))
    };
    let answers: Vec<_> = of("tool").filter(|(_, message)| !is_seeded(message)).collect();
    if answers.len() != record.calls.len() {
        return Err(differ(record.messages.len()));
    }
    for ((at, message), call) in answers.into_iter().zip(&record.calls) {
        let content = &message["content"];
        let fits = match (&call.result, &call.error) {
            (Some(result), _) if call.success => content == result,
            // The message may have the service's own words for the failure.
            (_, Some(error)) if call.source != AnswerSource::Live => content["error"] == error.as_str(),
            _ => true,
        };
        if !fits && (truthy(content) || call.result.as_ref().is_some_and(truthy)) {
            return Err(differ(at));
        }
    }
    Ok(())
}
