//! The architectures that can be converted.

/// An architecture that can be converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Architecture {
    /// Qwen2 and Qwen2.5, A.X 4.0 Light: biases on queries, keys and values.
    Qwen2,
    /// Qwen3: norms on queries and keys.
    Qwen3,
    /// Llama 2 and 3, Kanana, Midm 2.0.
    Llama,
    /// Mistral: Llama with a sliding window.
    Mistral,
}

impl Architecture {
    pub(super) const ALL: [Self; 4] = [Self::Qwen2, Self::Qwen3, Self::Llama, Self::Mistral];

    /// Name of the architecture in `config.json`.
    #[must_use]
    pub fn class(self) -> &'static str {
        match self {
            Self::Qwen2 => "Qwen2ForCausalLM",
            Self::Qwen3 => "Qwen3ForCausalLM",
            Self::Llama => "LlamaForCausalLM",
            Self::Mistral => "MistralForCausalLM",
        }
    }

    pub(super) fn list() -> String {
        Self::ALL.map(Self::class).join(", ")
    }
}
