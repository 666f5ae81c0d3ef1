//! The tensors of a model: names, shapes and how far their numbers spread.
//!
//! The spreads keep every part of the model audible: scores of attention of about ±4 (so that it looks at something, and
//! at something else once positions are wrong), outputs of attention and feed-forward as large as what they are added
//! to, norms and biases far from 1 and 0.

use std::fs;
use std::io;
use std::path::Path;

use serde_json::{Map, json};

use crate::tensor::Tensor;
use crate::{Architecture, Shape, safetensors};

/// Writes the model's weights, in as many files as the shape says.
pub(crate) fn write(folder: &Path, shape: &Shape) -> io::Result<()> {
    let tensors = tensors(shape);
    let bytes = shape.dtype.bytes();
    let total: u64 = tensors.iter().map(|tensor| tensor.count() * bytes).sum();
    if shape.shards <= 1 {
        return safetensors::write(&folder.join("model.safetensors"), &tensors, shape.dtype, shape.seed);
    }
    let mut map = Map::new();
    let mut rest = tensors.as_slice();
    for shard in 1..=shape.shards {
        let name = format!("model-{shard:05}-of-{:05}.safetensors", shape.shards);
        let mut filled = 0;
        let fits = |tensor: &&Tensor| {
            filled += tensor.count() * bytes;
            shard == shape.shards || filled * shape.shards as u64 <= total
        };
        // Each shard takes at least one tensor, and leaves one for each shard that follows.
        let most = rest.len().saturating_sub(shape.shards - shard);
        let count = rest.iter().take_while(fits).count().clamp(1.min(most), most);
        let (here, later) = rest.split_at(count);
        safetensors::write(&folder.join(&name), here, shape.dtype, shape.seed)?;
        for tensor in here {
            map.insert(tensor.name.clone(), json!(name));
        }
        rest = later;
    }
    let index = json!({"metadata": {"total_size": total}, "weight_map": map});
    fs::write(folder.join("model.safetensors.index.json"), format!("{index:#}\n"))
}

fn tensors(shape: &Shape) -> Vec<Tensor> {
    let Shape { hidden, heads, kv_heads, head_dim, intermediate, .. } = *shape;
    let (queries, keys) = (heads * head_dim, kv_heads * head_dim);
    let mut tensors = vec![Tensor {
        name: "model.embed_tokens.weight".into(),
        shape: vec![shape.vocab, hidden],
        mean: 0.0,
        // Tied, the same numbers make the output, which would otherwise only repeat the last token.
        deviation: if shape.tied { 0.25 } else { 1.0 },
    }];
    for layer in 0..shape.layers {
        let of = |part: &str| format!("model.layers.{layer}.{part}");
        tensors.push(Tensor::norm(of("input_layernorm.weight"), hidden, 1.0));
        // Attention of Qwen3 is as sharp through its norms, whatever the matrices' size.
        let sharp = 2.0;
        tensors.push(Tensor::matrix(of("self_attn.q_proj.weight"), queries, hidden, sharp));
        tensors.push(Tensor::matrix(of("self_attn.k_proj.weight"), keys, hidden, sharp));
        tensors.push(Tensor::matrix(of("self_attn.v_proj.weight"), keys, hidden, 1.5));
        tensors.push(Tensor::matrix(of("self_attn.o_proj.weight"), hidden, queries, 1.5));
        if shape.attention_bias {
            tensors.push(Tensor::bias(of("self_attn.q_proj.bias"), queries, 1.0));
            tensors.push(Tensor::bias(of("self_attn.k_proj.bias"), keys, 1.0));
            tensors.push(Tensor::bias(of("self_attn.v_proj.bias"), keys, 0.5));
            if shape.architecture == Architecture::Llama {
                tensors.push(Tensor::bias(of("self_attn.o_proj.bias"), hidden, 0.5));
            }
        }
        if shape.architecture == Architecture::Qwen3 {
            tensors.push(Tensor::norm(of("self_attn.q_norm.weight"), head_dim, sharp));
            tensors.push(Tensor::norm(of("self_attn.k_norm.weight"), head_dim, sharp));
        }
        tensors.push(Tensor::norm(of("post_attention_layernorm.weight"), hidden, 1.0));
        tensors.push(Tensor::matrix(of("mlp.gate_proj.weight"), intermediate, hidden, 1.0));
        tensors.push(Tensor::matrix(of("mlp.up_proj.weight"), intermediate, hidden, 1.0));
        tensors.push(Tensor::matrix(of("mlp.down_proj.weight"), hidden, intermediate, 1.5));
        if shape.mlp_bias {
            tensors.push(Tensor::bias(of("mlp.gate_proj.bias"), intermediate, 0.5));
            tensors.push(Tensor::bias(of("mlp.up_proj.bias"), intermediate, 0.5));
            tensors.push(Tensor::bias(of("mlp.down_proj.bias"), hidden, 0.5));
        }
    }
    tensors.push(Tensor::norm("model.norm.weight".into(), hidden, 1.0));
    if !shape.tied {
        tensors.push(Tensor::matrix("lm_head.weight".into(), shape.vocab, hidden, 2.0));
    }
    tensors
}
