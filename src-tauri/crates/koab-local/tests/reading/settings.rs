//! `config.json`: what is understood, and what is refused in which words.

use std::fs;

use koab_local::hf::{Config, Rope, Scaling};
use koab_tiny::Architecture as Kind;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn settings(kind: Kind) -> Map<String, Value> {
    let folder = tempfile::tempdir().unwrap();
    koab_tiny::write(folder.path(), kind, 1).unwrap();
    serde_json::from_slice(&fs::read(folder.path().join("config.json")).unwrap()).unwrap()
}

/// The settings of a kind with some changed; null in `changes` takes a field away.
fn with(kind: Kind, changes: &Value) -> Result<Config, String> {
    let mut config = settings(kind);
    for (field, value) in changes.as_object().unwrap() {
        if value.is_null() {
            config.remove(field);
        } else {
            config.insert(field.clone(), value.clone());
        }
    }
    Config::from_json(&config).map_err(|error| error.to_string())
}

#[test]
fn both_spellings_of_positions_mean_the_same() {
    let old = json!({"rope_theta": 5e5, "rope_scaling": {"type": "linear", "factor": 2.0}});
    let new = json!({
        "rope_theta": null, "rope_scaling": null,
        "rope_parameters": {"rope_theta": 5e5, "rope_type": "linear", "factor": 2.0},
    });
    let rope = Rope { theta: 5e5, scaling: Some(Scaling::Linear { factor: 2.0 }) };
    for spelling in [old, new] {
        assert_eq!(with(Kind::Llama, &spelling).unwrap().rope, rope);
    }
    let bare = json!({"rope_theta": null, "rope_scaling": null});
    assert_eq!(with(Kind::Llama, &bare).unwrap().rope, Rope { theta: 10_000.0, scaling: None });
    let yarn = json!({"rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}});
    assert_eq!(with(Kind::Qwen2, &yarn).unwrap().context, 131_072);
}

#[test]
fn a_window_ends_the_context_instead_of_being_forgotten() {
    let mistral = with(Kind::Mistral, &json!({"sliding_window": 4096})).unwrap();
    assert_eq!(mistral.context, 4096);
    assert_eq!(mistral.notes.len(), 1);
    // The class' own window, where the file says nothing.
    assert_eq!(with(Kind::Mistral, &json!({"sliding_window": null})).unwrap().context, 4096);
    let off = json!({"use_sliding_window": false, "sliding_window": 100});
    assert_eq!(with(Kind::Qwen2, &off).unwrap().context, 32_768);
    let on = json!({"use_sliding_window": true, "sliding_window": 100, "max_window_layers": 1});
    assert_eq!(with(Kind::Qwen2, &on).unwrap().context, 100);
    let behind_all = json!({"use_sliding_window": true, "sliding_window": 100, "max_window_layers": 2});
    assert_eq!(with(Kind::Qwen2, &behind_all).unwrap().context, 32_768);
    let types = json!({"layer_types": ["full_attention", "sliding_attention"], "sliding_window": 100});
    assert_eq!(with(Kind::Qwen3, &types).unwrap().context, 100);
}

#[test]
fn settings_that_would_be_computed_wrongly_are_refused_by_name() {
    let gguf = "; look for a GGUF file of this model";
    for (kind, changes, sentence) in [
        (
            Kind::Qwen2,
            json!({"quantization_config": {"bits": 4}}),
            format!("config.json: quantization_config is {{\"bits\":4}}, and the weights are quantized already: take the repository before quantization{gguf}"),
        ),
        (
            Kind::Llama,
            json!({"hidden_act": "gelu"}),
            format!("config.json: hidden_act is \"gelu\", and the architecture is built with silu here{gguf}"),
        ),
        (
            Kind::Llama,
            json!({"rope_scaling": {"rope_type": "dynamic", "factor": 2.0}}),
            format!("config.json: rope_scaling.rope_type is \"dynamic\", and positions of that kind are not converted{gguf}"),
        ),
        (
            Kind::Qwen3,
            json!({"rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}}),
            format!("config.json: rope_scaling.rope_type is \"llama3\", and llama.cpp does not know it in Qwen models{gguf}"),
        ),
        (
            Kind::Llama,
            json!({"rope_scaling": {"rope_type": "linear", "factor": 2.0, "mrope_section": [1]}}),
            format!("config.json: rope_scaling.mrope_section is [1], and positions of the kind linear have no such field{gguf}"),
        ),
        (
            Kind::Qwen2,
            json!({"rope_scaling": {"rope_type": "yarn", "factor": 4.0, "beta_fast": 16}}),
            format!("config.json: rope_scaling.beta_fast is 16, and YaRN is computed with 32 here{gguf}"),
        ),
        (
            Kind::Llama,
            json!({"partial_rotary_factor": 0.5}),
            format!("config.json: partial_rotary_factor is 0.5, and positions would rotate only a part of each head, which the architecture does not do{gguf}"),
        ),
        (
            Kind::Qwen2,
            json!({"head_dim": 128}),
            format!("config.json: head_dim is 128, and heads of Qwen2 are as wide as hidden_size over their number{gguf}"),
        ),
        (
            Kind::Qwen3,
            json!({"attention_bias": true}),
            format!("config.json: attention_bias is true, and llama.cpp has no such bias in Qwen3{gguf}"),
        ),
        (
            Kind::Qwen3,
            json!({"layer_types": ["full_attention", "chunked_attention"]}),
            format!("config.json: layer_types is [\"full_attention\",\"chunked_attention\"], and chunked_attention is unknown{gguf}"),
        ),
        (
            Kind::Llama,
            json!({"auto_map": {"AutoModelForCausalLM": "own.Model"}}),
            format!("config.json: auto_map is {{\"AutoModelForCausalLM\":\"own.Model\"}}, and the model needs program code of its own{gguf}"),
        ),
        (
            Kind::Mistral,
            json!({"num_key_value_heads": 3}),
            format!("config.json: num_key_value_heads is 3, and the 4 query heads cannot be divided evenly among them{gguf}"),
        ),
        (
            Kind::Llama,
            json!({"rope_parameters": {"rope_theta": 1e4}}),
            format!("config.json: rope_scaling is {{\"factor\":8.0,\"high_freq_factor\":4.0,\"low_freq_factor\":1.0,\"original_max_position_embeddings\":64,\"rope_type\":\"llama3\"}}, and rope_parameters says something else{gguf}"),
        ),
        (Kind::Llama, json!({"hidden_size": null}), "config.json does not say hidden_size, the width of the model".into()),
        (
            Kind::Llama,
            json!({"num_hidden_layers": "two"}),
            "config.json: num_hidden_layers is \"two\", which is not a whole number from 1 to 16777215".into(),
        ),
        (
            Kind::Llama,
            json!({"rms_norm_eps": -1}),
            "config.json: rms_norm_eps is -1, which is not a number above 0".into(),
        ),
        (
            Kind::Llama,
            json!({"architectures": ["GptOssForCausalLM"]}),
            "models of the architecture GptOssForCausalLM cannot be converted here (those of Qwen2ForCausalLM, Qwen3ForCausalLM, LlamaForCausalLM, MistralForCausalLM can); look for a repository of this model whose name ends in GGUF and use its files".into(),
        ),
        (Kind::Llama, json!({"architectures": null}), "config.json does not say architectures, the kind of model".into()),
    ] {
        assert_eq!(with(kind, &changes).unwrap_err(), sentence);
    }
}

/// The settings that the classes read, and anything in them.
fn anything() -> impl Strategy<Value = (String, Value)> {
    let field = prop::sample::select(vec![
        "architectures",
        "hidden_size",
        "num_hidden_layers",
        "num_attention_heads",
        "num_key_value_heads",
        "head_dim",
        "intermediate_size",
        "vocab_size",
        "max_position_embeddings",
        "rms_norm_eps",
        "rope_theta",
        "rope_scaling",
        "rope_parameters",
        "sliding_window",
        "use_sliding_window",
        "max_window_layers",
        "layer_types",
        "attention_bias",
        "tie_word_embeddings",
        "hidden_act",
        "partial_rotary_factor",
        "auto_map",
        "quantization_config",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-4_i64..600).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-z3_]{0,8}".prop_map(Value::from),
    ];
    let inner = prop::sample::select(vec![
        "rope_type",
        "type",
        "factor",
        "low_freq_factor",
        "high_freq_factor",
        "original_max_position_embeddings",
        "rope_theta",
    ]);
    let kinds = prop::sample::select(vec!["default", "linear", "llama3", "yarn"]).prop_map(Value::from);
    let rope = prop::collection::vec((inner, prop_oneof![leaf.clone(), kinds]), 0..6);
    let rope =
        rope.prop_map(|fields| fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect());
    let list = prop::collection::vec(leaf.clone(), 0..4).prop_map(Value::Array);
    (field.prop_map(str::to_owned), prop_oneof![leaf, list, rope.prop_map(Value::Object)])
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 512, ..ProptestConfig::default() })]

    /// What is understood has tensors that can be counted; everything else is one sentence.
    #[test]
    fn any_settings_are_understood_or_refused(kind in 0_usize..4, changes in prop::collection::vec(anything(), 0..5)) {
        let mut config = USUAL.with(|usual| usual[kind].clone());
        config.extend(changes);
        match Config::from_json(&config) {
            Ok(understood) => {
                prop_assert!(understood.heads % understood.kv_heads == 0 && understood.layers <= 512);
                let numbers = |shape: &[u64]| shape.iter().try_fold(1_u64, |all, side| all.checked_mul(*side));
                prop_assert!(understood.wanted().iter().all(|wanted| numbers(&wanted.shape).is_some()));
            }
            Err(refused) => prop_assert!(refused.to_string().lines().count() == 1),
        }
    }
}

thread_local! {
    static USUAL: [Map<String, Value>; 4] = Kind::ALL.map(settings);
}
