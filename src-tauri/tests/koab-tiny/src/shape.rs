//! What a random model looks like: its architecture and sizes, as `config.json` will say them.

use std::fmt;

use serde_json::{Value, json};

/// The families that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Architecture {
    /// `Qwen2ForCausalLM`: biases on queries, keys and values.
    Qwen2,
    /// `Qwen3ForCausalLM`: norms on queries and keys, heads wider than the model's width over their number.
    Qwen3,
    /// `LlamaForCausalLM`, with the rope scaling of Llama 3.1.
    Llama,
    /// `MistralForCausalLM`, with a tokenizer in the way of `SentencePiece`.
    Mistral,
}

impl Architecture {
    /// All of them, for tests that go through every family.
    pub const ALL: [Architecture; 4] = [Self::Qwen2, Self::Qwen3, Self::Llama, Self::Mistral];

    /// The name in `config.json`, in `architectures`.
    #[must_use]
    pub fn class(self) -> &'static str {
        match self {
            Self::Qwen2 => "Qwen2ForCausalLM",
            Self::Qwen3 => "Qwen3ForCausalLM",
            Self::Llama => "LlamaForCausalLM",
            Self::Mistral => "MistralForCausalLM",
        }
    }

    /// The name in `config.json`, in `model_type`.
    #[must_use]
    pub fn model_type(self) -> &'static str {
        match self {
            Self::Qwen2 => "qwen2",
            Self::Qwen3 => "qwen3",
            Self::Llama => "llama",
            Self::Mistral => "mistral",
        }
    }
}

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.model_type())
    }
}

/// How weights are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dtype {
    /// Four bytes.
    F32,
    /// The upper two bytes of those, rounded, as published models have it.
    Bf16,
}

impl Dtype {
    /// Bytes of one weight.
    #[must_use]
    pub fn bytes(self) -> u64 {
        match self {
            Self::F32 => 4,
            Self::Bf16 => 2,
        }
    }
}

/// The kinds of tokenizer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vocabulary {
    /// Byte pairs over bytes written as letters, as GPT-2 began it: Qwen, Llama 3.
    ByteLevel,
    /// Byte pairs over characters, a mark for the blank, bytes for what is unknown: Llama 2, Mistral.
    SentencePiece,
}

/// All that decides what is written. The same shape gives the same bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// The family.
    pub architecture: Architecture,
    /// Where the random numbers start.
    pub seed: u64,
    /// Width of the model.
    pub hidden: u64,
    /// Number of layers.
    pub layers: u64,
    /// Heads of queries.
    pub heads: u64,
    /// Heads of keys and values; divides `heads`.
    pub kv_heads: u64,
    /// Width of one head; even.
    pub head_dim: u64,
    /// Width inside the feed-forward part.
    pub intermediate: u64,
    /// Rows of the embeddings; what the tokenizer does not name is padding.
    pub vocab: u64,
    /// The output uses the embeddings' matrix.
    pub tied: bool,
    /// Biases on queries, keys and values (Qwen2 always; Llama where it says so, there also on the output).
    pub attention_bias: bool,
    /// Biases in the feed-forward part (Llama where it says so).
    pub mlp_bias: bool,
    /// Base of the rotary positions.
    pub rope_theta: f64,
    /// Scaling of the rotary positions, if any, as `config.json` says it.
    pub rope_scaling: Option<Value>,
    /// Tokens of context (`max_position_embeddings`).
    pub context: u32,
    /// What the norms add below the root.
    pub norm_eps: f64,
    /// How weights are stored.
    pub dtype: Dtype,
    /// Files that the weights are spread over; with 1 there is no index.
    pub shards: usize,
    /// Kind of tokenizer.
    pub vocabulary: Vocabulary,
}

impl Shape {
    /// The usual small model of an architecture: 3 MB in two or three files. Between them the four have tied and untied
    /// embeddings, biases, norms on queries and keys, grouped heads, wide heads and scaled positions.
    #[must_use]
    pub fn tiny(architecture: Architecture) -> Self {
        let base = Self {
            architecture,
            seed: 1,
            hidden: 256,
            layers: 2,
            heads: 4,
            kv_heads: 2,
            head_dim: 64,
            intermediate: 512,
            vocab: 832,
            tied: false,
            attention_bias: false,
            mlp_bias: false,
            rope_theta: 10_000.0,
            rope_scaling: None,
            context: 32_768,
            norm_eps: 1e-6,
            dtype: Dtype::Bf16,
            shards: 2,
            vocabulary: Vocabulary::ByteLevel,
        };
        match architecture {
            Architecture::Qwen2 => Self { attention_bias: true, tied: true, rope_theta: 1e6, ..base },
            Architecture::Qwen3 => Self { head_dim: 128, rope_theta: 1e6, shards: 3, ..base },
            Architecture::Llama => Self {
                heads: 8,
                head_dim: 32,
                rope_theta: 5e5,
                norm_eps: 1e-5,
                rope_scaling: Some(json!({
                    "factor": 8.0,
                    "high_freq_factor": 4.0,
                    "low_freq_factor": 1.0,
                    "original_max_position_embeddings": 64,
                    "rope_type": "llama3",
                })),
                ..base
            },
            Architecture::Mistral => {
                Self { kv_heads: 1, norm_eps: 1e-5, vocabulary: Vocabulary::SentencePiece, ..base }
            }
        }
    }

    /// A model of the shape of Qwen2.5-0.5B: 494 million weights, 1 GB. For benchmarks: its speed is that of the real
    /// one, its words are noise.
    #[must_use]
    pub fn qwen2_half_billion() -> Self {
        Self {
            hidden: 896,
            layers: 24,
            heads: 14,
            intermediate: 4864,
            vocab: 151_936,
            shards: 1,
            ..Self::tiny(Architecture::Qwen2)
        }
    }

    /// Shapes that differ in what a converter can get wrong, by name: the four usual ones and more.
    #[must_use]
    pub fn variants() -> Vec<(&'static str, Self)> {
        let [qwen2, qwen3, llama, mistral] = Architecture::ALL.map(Self::tiny);
        vec![
            ("qwen2-untied", Self { tied: false, dtype: Dtype::F32, shards: 1, ..qwen2.clone() }),
            // Rows that do not fill blocks of 256.
            ("qwen2-narrow", Self { hidden: 224, head_dim: 56, ..qwen2.clone() }),
            (
                "qwen2-yarn",
                Self {
                    rope_scaling: Some(json!({
                        "factor": 4.0, "original_max_position_embeddings": 32, "type": "yarn",
                    })),
                    ..qwen2.clone()
                },
            ),
            ("qwen3-tied", Self { tied: true, kv_heads: 1, ..qwen3.clone() }),
            (
                "llama-biased",
                Self {
                    attention_bias: true,
                    mlp_bias: true,
                    tied: true,
                    kv_heads: 8,
                    rope_scaling: Some(json!({"factor": 2.0, "rope_type": "linear"})),
                    ..llama.clone()
                },
            ),
            (
                "mistral-wide",
                Self { head_dim: 96, kv_heads: 2, vocabulary: Vocabulary::ByteLevel, ..mistral.clone() },
            ),
            ("qwen2", qwen2),
            ("qwen3", qwen3),
            ("llama", llama),
            // With seed 1 two words are as good as equal once, and the order of a sum decides between them.
            ("mistral", Self { seed: 2, ..mistral }),
        ]
    }
}
