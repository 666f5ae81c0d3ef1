//! Finish reason of an answer, from the word that its server uses.
//!
//! The words are those of Chat Completions, Messages, Gemini and Converse, and those that
//! compatible servers add. A word that names a fault of the server is not an end: the answer is
//! broken and is requested again. An unknown word is kept, and named in the run's summary.

use koab_engine::ports::FinishReason;

/// Words for an answer that ended by itself.
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

/// Words for an answer that ended with calls.
const CALLS: [&str; 5] = ["tool_calls", "tool_call", "tool_use", "function_call", "function_calls"];

/// Words for an answer that reached a length limit.
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

/// Words for an answer that a filter withheld.
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

/// Maximum number of characters of a word that are kept.
const MAX_WORD_CHARS: usize = 40;

/// Error for an answer that the server aborted, with the server's word for it, which must be
/// cleaned before it is shown.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct BrokenOff(pub(crate) String);

/// Finish reason of a server's word.
///
/// # Errors
/// When the word names a fault of the server; then there is no answer.
pub(crate) fn finish(word: Option<&str>, has_calls: bool) -> Result<FinishReason, BrokenOff> {
    let Some(original) = word else {
        return Ok(FinishReason::Other(None));
    };
    let word = original.trim().to_ascii_lowercase().replace(['-', ' '], "_");
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
        return Err(BrokenOff(original.to_owned()));
    }
    // The word is written to files and terminals.
    let kept_chars = original.chars().filter(|c| !c.is_control()).take(MAX_WORD_CHARS);
    Ok(FinishReason::Other(Some(kept_chars.collect())))
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
