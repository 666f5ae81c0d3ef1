//! Models on this disk: fetched from a hub, listed, verified, deleted, added; and model servers on this machine.

mod disk;
mod pulls;
mod servers;

use crate::support::hub::Here;
use serde_json::json;

/// The name of the model that most tests fetch.
const TINY: &str = "tiny/model";

/// Bytes that differ from place to place.
fn noise(length: usize) -> Vec<u8> {
    (0..length as u64).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect()
}

/// A repository as model makers leave them: two weights, a tokenizer, and much that no run needs.
fn tiny_model() -> Vec<(&'static str, Vec<u8>)> {
    let config = json!({ "architectures": ["Qwen2ForCausalLM"], "max_position_embeddings": 4096 });
    let index = json!({ "weight_map": { "a": "model-00001-of-00002.safetensors", "b": "model-00002-of-00002.safetensors" } });
    vec![
        (".gitattributes", b"*.safetensors filter=lfs".to_vec()),
        ("README.md", b"---\nlicense: apache-2.0\n---\n# Tiny".to_vec()),
        ("config.json", config.to_string().into_bytes()),
        ("model-00001-of-00002.safetensors", noise(300_000)),
        ("model-00002-of-00002.safetensors", noise(200_000)),
        ("model.safetensors.index.json", index.to_string().into_bytes()),
        ("pytorch_model.bin", noise(999)),
        ("tokenizer.json", noise(5_000)),
        ("tokenizer_config.json", b"{}".to_vec()),
    ]
}
