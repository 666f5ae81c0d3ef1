//! Which maker's models a model id belongs to, so that a report can say when a judge grades its own
//! kind.
//!
//! By words in the id, since ids of gateways and clouds hide the maker
//! (`bedrock/global.anthropic.claude-…`). A maker that is not in the table has no family here:
//! nothing is warned of rather than something wrong.

/// A word in a model's id, and whose models have it.
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

/// The maker of a model, when its id tells.
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
