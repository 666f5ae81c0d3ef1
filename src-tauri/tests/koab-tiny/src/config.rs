//! `config.json` and `generation_config.json`, in the spelling of most repositories (transformers 4).

use std::fs;
use std::io;
use std::path::Path;

use serde_json::{Value, json};

use crate::tokenizer::Tokens;
use crate::{Architecture, Dtype, Shape};

/// Writes both files.
pub(crate) fn write(folder: &Path, shape: &Shape, tokens: &Tokens) -> io::Result<()> {
    let config = config(shape, tokens);
    fs::write(folder.join("config.json"), format!("{config:#}\n"))?;
    let ends = match tokens.ends.as_slice() {
        [end] => json!(end),
        ends => json!(ends),
    };
    let generation = json!({
        "bos_token_id": tokens.bos,
        "do_sample": true,
        "eos_token_id": ends,
        "pad_token_id": tokens.pad,
        "temperature": 0.7,
        "top_p": 0.8,
    });
    fs::write(folder.join("generation_config.json"), format!("{generation:#}\n"))
}

fn config(shape: &Shape, tokens: &Tokens) -> Value {
    let scaling = &shape.rope_scaling;
    let mut config = json!({
        "architectures": [shape.architecture.class()],
        "attention_dropout": 0.0,
        "bos_token_id": tokens.bos,
        "eos_token_id": tokens.ends.first(),
        "hidden_act": "silu",
        "hidden_size": shape.hidden,
        "initializer_range": 0.02,
        "intermediate_size": shape.intermediate,
        "max_position_embeddings": shape.context,
        "model_type": shape.architecture.model_type(),
        "num_attention_heads": shape.heads,
        "num_hidden_layers": shape.layers,
        "num_key_value_heads": shape.kv_heads,
        "rms_norm_eps": shape.norm_eps,
        "rope_theta": shape.rope_theta,
        "tie_word_embeddings": shape.tied,
        "torch_dtype": match shape.dtype { Dtype::F32 => "float32", Dtype::Bf16 => "bfloat16" },
        "transformers_version": "4.56.1",
        "use_cache": true,
        "vocab_size": shape.vocab,
    });
    let own = match shape.architecture {
        Architecture::Qwen2 => json!({
            "max_window_layers": shape.layers,
            "rope_scaling": scaling,
            "sliding_window": shape.context,
            "use_sliding_window": false,
        }),
        Architecture::Qwen3 => json!({
            "attention_bias": shape.attention_bias,
            "head_dim": shape.head_dim,
            "max_window_layers": shape.layers,
            "rope_scaling": scaling,
            "sliding_window": null,
            "use_sliding_window": false,
        }),
        Architecture::Llama => json!({
            "attention_bias": shape.attention_bias,
            "head_dim": shape.head_dim,
            "mlp_bias": shape.mlp_bias,
            "pretraining_tp": 1,
            "rope_scaling": scaling,
        }),
        Architecture::Mistral => json!({"head_dim": shape.head_dim, "sliding_window": null}),
    };
    if let (Some(config), Value::Object(own)) = (config.as_object_mut(), own) {
        config.extend(own);
    }
    config
}
