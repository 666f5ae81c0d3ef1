//! How an answer ended, by the word of its server.
//!
//! Words of Chat Completions, Messages, Gemini and Converse, and those that compatible servers add.
//! A word that names a fault of the server ends no answer: what came before it is broken, and is
//! asked for again. A word that is not known here is kept, and named in the run's summary.

use koab_engine::ports::FinishReason;

/// The answer ended by itself.
const STOP: [&str; 11] = [
    "stop",
    "end_turn",
    "stop_sequence",
    "eos",
    "eos_token",
    "end",
    "endoftext",
    "complete",
    "completed",
    "finished",
    "done",
];

/// It ended with calls.
const CALLS: [&str; 5] = ["tool_calls", "tool_call", "tool_use", "function_call", "function_calls"];

/// It came to a limit of its length.
const LENGTH: [&str; 12] = [
    "length",
    "incomplete",
    "max_tokens",
    "max_output_tokens",
    "max_new_tokens",
    "max_completion_tokens",
    "max_output",
    "max_length",
    "model_length",
    "token_limit",
    "error_limit",
    "model_context_window_exceeded",
];

/// A filter withheld it.
const FILTER: [&str; 16] = [
    "content_filter",
    "content_filtered",
    "safety",
    "image_safety",
    "image_recitation",
    "image_prohibited_content",
    "refusal",
    "sensitive",
    "recitation",
    "blocklist",
    "prohibited_content",
    "spii",
    "language",
    "error_toxic",
    "guardrail_intervened",
    "risk_control",
];

/// Parts of words that name a fault of the server.
const FAULTS: [&str; 21] = [
    "error",
    "abort",
    "insufficient",
    "network",
    "timeout",
    "timed_out",
    "time_limit",
    "overload",
    "unavailable",
    "failed",
    "failure",
    "cancel",
    "interrupt",
    "disconnect",
    "connection",
    "exception",
    "crash",
    "preempt",
    "evict",
    "shutdown",
    "rate_limit",
];

/// Characters of a word that are kept.
const MOST: usize = 40;

/// The server broke its answer off; its word for it, fit to be shown once it was cleaned.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct BrokenOff(pub(crate) String);

/// Reads the word of a server.
///
/// # Errors
/// When it names a fault of the server: then there is no answer.
pub(crate) fn finish(word: Option<&str>, has_calls: bool) -> Result<FinishReason, BrokenOff> {
    let Some(given) = word else {
        return Ok(FinishReason::Other(None));
    };
    let word = given.trim().to_ascii_lowercase().replace(['-', ' '], "_");
    let is_of = |words: &[&str]| words.contains(&word.as_str());
    if is_of(&STOP) {
        // Several servers end a turn of tool calls with a plain stop.
        return Ok(if has_calls { FinishReason::ToolCalls } else { FinishReason::Stop });
    }
    if is_of(&CALLS) {
        return Ok(FinishReason::ToolCalls);
    }
    if is_of(&LENGTH) {
        return Ok(FinishReason::Length);
    }
    if is_of(&FILTER) {
        return Ok(FinishReason::ContentFilter);
    }
    if FAULTS.iter().any(|part| word.contains(part)) {
        return Err(BrokenOff(given.to_owned()));
    }
    // It goes into files and onto terminals.
    let shown = given.chars().filter(|c| !c.is_control()).take(MOST);
    Ok(FinishReason::Other(Some(shown.collect())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_many_servers_are_told_apart() {
        let broken = |word: &str| Err(BrokenOff(word.to_owned()));
        let other = |word: &str| Ok(FinishReason::Other(Some(word.to_owned())));
        for (word, wanted) in [
            ("stop", Ok(FinishReason::Stop)),
            ("STOP", Ok(FinishReason::Stop)),
            ("eos_token", Ok(FinishReason::Stop)),
            ("end-turn", Ok(FinishReason::Stop)),
            ("function_call", Ok(FinishReason::ToolCalls)),
            ("MAX_TOKENS", Ok(FinishReason::Length)),
            ("ERROR_LIMIT", Ok(FinishReason::Length)),
            ("SAFETY", Ok(FinishReason::ContentFilter)),
            ("ERROR_TOXIC", Ok(FinishReason::ContentFilter)),
            ("sensitive", Ok(FinishReason::ContentFilter)),
            ("insufficient_system_resource", broken("insufficient_system_resource")),
            ("abort", broken("abort")),
            ("network_error", broken("network_error")),
            ("Error", broken("Error")),
            ("USER_CANCEL", broken("USER_CANCEL")),
            ("timed out", broken("timed out")),
            ("pause_turn", other("pause_turn")),
            ("malformed_function_call", other("malformed_function_call")),
        ] {
            assert_eq!(finish(Some(word), false), wanted, "{word}");
        }
        assert_eq!(finish(Some("stop"), true), Ok(FinishReason::ToolCalls));
        assert_eq!(finish(None, true), Ok(FinishReason::Other(None)));
    }
}
