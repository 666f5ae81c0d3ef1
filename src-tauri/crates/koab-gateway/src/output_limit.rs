//! Maximum output tokens of a model, parsed from a server's refusal of a larger limit.
//!
//! No provider lists these numbers for every model, and agents that do not know a model ask for
//! 8,000 to 32,000 tokens.
//!
//! The message formats below are those of OpenAI, Anthropic, Google, vLLM or servers that copy
//! them.

/// Maximum output tokens that a server names when it refuses a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OutputLimit {
    /// Maximum number of output tokens.
    pub(super) tokens: u32,
    /// Whether the limit applies to every request. Otherwise it applies to one request: its prompt
    /// leaves only this part of the context.
    pub(super) always: bool,
}

/// Texts that precede a limit for every request.
const LIMIT_PREFIXES: [&str; 6] = [
    "supports at most ",
    "less than or equal to ",
    "less or equal to ",
    "range of max_tokens is [1, ",
    "a value <= ",
    "(inclusive) to ",
];

/// Limit that a refusal names, if it is lower than the limit that was requested.
pub(super) fn parse(message: &str, asked: u32) -> Option<OutputLimit> {
    let text = message.to_ascii_lowercase().replace(['`', '"'], "");
    let about =
        ["max_tokens", "max_completion_tokens", "max_output_tokens", "maxoutputtokens", "in the completion"];
    if !about.iter().any(|word| text.contains(word)) {
        return None;
    }
    let limit = of_model(&text)
        .map(|tokens| OutputLimit { tokens, always: true })
        .or_else(|| of_context(&text).map(|tokens| OutputLimit { tokens, always: false }));
    limit.filter(|most| (1..asked).contains(&most.tokens))
}

fn of_model(text: &str) -> Option<u32> {
    // `64000 > 8192, which is the maximum allowed number of output tokens for …`
    if let Some((before, _)) = text.split_once(", which is the maximum") {
        return before.rsplit(' ').next()?.parse().ok();
    }
    let (words, number) =
        LIMIT_PREFIXES.iter().find_map(|words| Some((*words, number(text.split_once(words)?.1)?)))?;
    if text.contains("(exclusive)") && words == "(inclusive) to " {
        number.checked_sub(1)
    } else {
        Some(number)
    }
}

/// Number of tokens of the context that the prompt leaves, computed from a message such as `maximum
/// context length is 4096 tokens …` that also names the prompt's tokens.
fn of_context(text: &str) -> Option<u32> {
    let behind = text.split_once("maximum context length is ")?.1;
    let context = number(behind.trim_start())?;
    let prompt = ["request has ", "tokens ("].iter().find_map(|words| number(behind.split_once(words)?.1))?;
    context.checked_sub(prompt)
}

/// Number at the beginning of a text.
fn number(text: &str) -> Option<u32> {
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_is_read_out_of_what_servers_say() {
        let always = |tokens| Some(OutputLimit { tokens, always: true });
        let here = |tokens| Some(OutputLimit { tokens, always: false });
        for (said, expected) in [
            (
                "max_tokens is too large: 32000. This model supports at most 16384 completion tokens, whereas you provided 32000.",
                always(16_384),
            ),
            (
                "max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for claude-x",
                always(8192),
            ),
            (
                "`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens`",
                always(8192),
            ),
            ("Invalid max_tokens value, the valid range of max_tokens is [1, 8192]", always(8192)),
            (
                "parameter `max_completion_tokens` is not valid: expected a value <= 12288, but got 32000 instead",
                always(12_288),
            ),
            (
                "maxOutputTokens value of 32000 but the supported range is from 1 (inclusive) to 8193 (exclusive)",
                always(8192),
            ),
            (
                "'max_tokens' or 'max_completion_tokens' is too large: 32000. This model's maximum context length is 4096 tokens and your request has 300 input tokens (32000 > 4096 - 300)",
                here(3796),
            ),
            (
                "This model's maximum context length is 8192 tokens. However, you requested 32064 tokens (64 in the messages, 32000 in the completion).",
                here(8128),
            ),
            // A prompt that is too long by itself, and what is about something else.
            (
                "This model's maximum context length is 8192 tokens. However, you requested 41000 tokens (9000 in the messages, 32000 in the completion).",
                None,
            ),
            ("temperature must be less than or equal to 2", None),
            ("max_tokens is too large", None),
        ] {
            assert_eq!(parse(said, 32_000), expected, "{said}");
        }
        assert_eq!(parse("max_tokens: 9 > 8192, which is the maximum", 9), None, "less is no cure");
    }
}
