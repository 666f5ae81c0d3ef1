//! llama.cpp's names for ways to split text before bytes are merged (`tokenizer.ggml.pre`), by the
//! pattern in `tokenizer.json`.

use serde_json::Value;

use super::file::{TokenizerJson, any};

const LLAMA3: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";
const QWEN2: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";
const TEKKEN: &str = r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+";
const GPT4O: &str = r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+";

/// Pattern, whether words that are tokens take precedence over merges (`ignore_merges`), and
/// llama.cpp's name for this combination.
const NAMES: [(&str, bool, &str); 5] = [
    (LLAMA3, true, "llama-bpe"),
    (LLAMA3, false, "smaug-bpe"),
    (QWEN2, false, "qwen2"),
    (TEKKEN, true, "tekken"),
    (GPT4O, false, "gpt-4o"),
];

/// llama.cpp's name, and whether it describes the tokenizer exactly.
pub(super) fn name(json: &TokenizerJson) -> (&'static str, bool) {
    let split = |such: &dyn Fn(&Value) -> bool| any(&json.pre_tokenizer, such);
    let by_pattern = |pattern: &str| split(&|part| part["pattern"]["Regex"] == pattern);
    let words_first = json.model.ignore_merges;
    if let Some((_, exact, name)) = NAMES
        .into_iter()
        .filter(|(pattern, ..)| by_pattern(pattern))
        .max_by_key(|(_, first, _)| *first == words_first)
    {
        return (name, exact == words_first);
    }
    // GPT-2's pattern is part of the split into bytes.
    let bytes_by_pattern = |part: &Value| part["type"] == "ByteLevel" && part["use_regex"] != false;
    if !split(&|part| part["type"] == "Split") && split(&bytes_by_pattern) {
        return ("gpt-2", !words_first);
    }
    ("default", false)
}
