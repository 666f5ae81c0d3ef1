//! Recognizes the maker of a model by its id, so that a report can warn about a judge that grades
//! models of its own maker.
//!
//! The maker is recognized by words in the id, since the ids of gateways and clouds have other
//! prefixes (`bedrock/global.anthropic.claude-…`). A maker that is not in the table is unknown: no
//! warning is better than a wrong warning.

/// Table from a word in a model's id to the maker.
const FAMILIES: &[(&str, &str)] = &[
    ("claude", "Anthropic"),
    ("gemini", "Google"),
    ("gemma", "Google"),
    ("gpt-", "OpenAI"),
    ("chatgpt", "OpenAI"),
    ("nova-", "Amazon"),
    ("grok", "xAI"),
    ("deepseek", "DeepSeek"),
    ("qwen", "Alibaba"),
    ("glm-", "Z.ai"),
    ("llama", "Meta"),
    ("mistral", "Mistral"),
    ("mixtral", "Mistral"),
    ("kanana", "Kakao"),
    ("exaone", "LG"),
    ("hyperclova", "NAVER"),
];

/// Maker of a model; `None` if the id contains no word of the table.
pub fn family(model: &str) -> Option<&'static str> {
    // The provider's name is no sign: llamacpp serves anything.
    let id = model.split_once('/').map_or(model, |(_, id)| id).to_lowercase();
    FAMILIES.iter().find(|(word, _)| id.contains(word)).map(|(_, maker)| *maker)
}

#[cfg(test)]
mod tests {
    use super::family;

    #[test]
    fn ids_tell_their_maker_through_gateways() {
        for (id, maker) in [
            ("azure/gpt-4o-mini", Some("OpenAI")),
            ("bedrock/global.anthropic.claude-haiku-4-5-20251001-v1:0", Some("Anthropic")),
            ("openrouter/z-ai/glm-4.6v", Some("Z.ai")),
            ("vertex_ai/gemini-2.5-flash", Some("Google")),
            ("llamacpp/default", None),
            ("baseline/golden", None),
        ] {
            assert_eq!(family(id), maker, "{id}");
        }
    }
}
