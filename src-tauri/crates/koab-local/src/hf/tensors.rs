//! Tensors of each architecture: names, shapes and roles.

use super::{Architecture, Config};

/// Role of a tensor in the model. Tensors of layers also have a layer number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// Embeddings of tokens.
    Embedding,
    /// The last norm.
    OutputNorm,
    /// Output matrix, from the width of the model to logits.
    Output,
    /// Norm before attention.
    AttentionNorm,
    /// Queries.
    Query,
    /// Bias of queries.
    QueryBias,
    /// Norm on queries.
    QueryNorm,
    /// Keys.
    Key,
    /// Bias of keys.
    KeyBias,
    /// Norm on keys.
    KeyNorm,
    /// Values.
    Value,
    /// Bias of values.
    ValueBias,
    /// Output of attention.
    AttentionOutput,
    /// Bias of the output of attention.
    AttentionOutputBias,
    /// Norm before the feed-forward part.
    FeedForwardNorm,
    /// Gate of the feed-forward part.
    Gate,
    /// Bias of the gate.
    GateBias,
    /// Up projection of the feed-forward part.
    Up,
    /// Bias of the up projection.
    UpBias,
    /// Down projection of the feed-forward part.
    Down,
    /// Bias of the down projection.
    DownBias,
}

/// A tensor that a model must have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorSpec {
    /// Name in the files.
    pub name: String,
    /// Shape, rows first.
    pub shape: Vec<u64>,
    /// Role in the model.
    pub part: Part,
    /// Layer number, for tensors of layers.
    pub layer: Option<u64>,
}

impl Config {
    /// Every tensor that a model with these settings has.
    #[must_use]
    pub fn wanted(&self) -> Vec<TensorSpec> {
        let mut all = Vec::new();
        let mut one = |name: &str, part, shape: &[u64]| {
            all.push(TensorSpec { name: name.to_owned(), shape: shape.to_vec(), part, layer: None });
        };
        one("model.embed_tokens.weight", Part::Embedding, &[self.vocab, self.hidden]);
        one("model.norm.weight", Part::OutputNorm, &[self.hidden]);
        if !self.tied {
            one("lm_head.weight", Part::Output, &[self.vocab, self.hidden]);
        }
        for layer in 0..self.layers {
            all.extend(self.layer().into_iter().map(|(name, part, shape)| TensorSpec {
                name: format!("model.layers.{layer}.{name}"),
                shape,
                part,
                layer: Some(layer),
            }));
        }
        all
    }

    fn layer(&self) -> Vec<(&'static str, Part, Vec<u64>)> {
        let Self { hidden, intermediate, head_dim, .. } = *self;
        let (queries, keys) = (self.heads * head_dim, self.kv_heads * head_dim);
        let mut parts = vec![
            ("input_layernorm.weight", Part::AttentionNorm, vec![hidden]),
            ("self_attn.q_proj.weight", Part::Query, vec![queries, hidden]),
            ("self_attn.k_proj.weight", Part::Key, vec![keys, hidden]),
            ("self_attn.v_proj.weight", Part::Value, vec![keys, hidden]),
            ("self_attn.o_proj.weight", Part::AttentionOutput, vec![hidden, queries]),
            ("post_attention_layernorm.weight", Part::FeedForwardNorm, vec![hidden]),
            ("mlp.gate_proj.weight", Part::Gate, vec![intermediate, hidden]),
            ("mlp.up_proj.weight", Part::Up, vec![intermediate, hidden]),
            ("mlp.down_proj.weight", Part::Down, vec![hidden, intermediate]),
        ];
        if self.qkv_bias {
            parts.extend([
                ("self_attn.q_proj.bias", Part::QueryBias, vec![queries]),
                ("self_attn.k_proj.bias", Part::KeyBias, vec![keys]),
                ("self_attn.v_proj.bias", Part::ValueBias, vec![keys]),
            ]);
        }
        if self.output_bias {
            parts.push(("self_attn.o_proj.bias", Part::AttentionOutputBias, vec![hidden]));
        }
        if self.architecture == Architecture::Qwen3 {
            parts.extend([
                ("self_attn.q_norm.weight", Part::QueryNorm, vec![head_dim]),
                ("self_attn.k_norm.weight", Part::KeyNorm, vec![head_dim]),
            ]);
        }
        if self.mlp_bias {
            parts.extend([
                ("mlp.gate_proj.bias", Part::GateBias, vec![intermediate]),
                ("mlp.up_proj.bias", Part::UpBias, vec![intermediate]),
                ("mlp.down_proj.bias", Part::DownBias, vec![hidden]),
            ]);
        }
        parts
    }
}
