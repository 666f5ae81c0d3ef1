//! Opening Hugging Face folders: what is understood, and what is refused in which words.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use koab_local::hf::{Architecture, Config, Folder, Rope, Scaling};
use koab_tiny::Architecture as Kind;
use serde_json::{Map, Value, json};
use tempfile::TempDir;

fn written(kind: Kind) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    koab_tiny::write(folder.path(), kind, 1).unwrap();
    folder
}

fn settings(kind: Kind) -> Map<String, Value> {
    let folder = written(kind);
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
    Config::of(&config).map_err(|error| error.to_string())
}

fn said(folder: &Path) -> String {
    let text = Folder::open(folder).unwrap_err().to_string();
    text.replace(&folder.display().to_string(), "FOLDER")
}

#[test]
fn the_four_kinds_open_with_all_their_tensors() {
    for (kind, architecture, parameters) in [
        (Kind::Qwen2, Architecture::Qwen2, 1_574_144),
        (Kind::Qwen3, Architecture::Qwen3, 2_361_088),
        (Kind::Llama, Architecture::Llama, 1_901_824),
        (Kind::Mistral, Architecture::Mistral, 1_901_824),
    ] {
        let model = written(kind);
        let folder = Folder::open(model.path()).unwrap();
        assert_eq!(folder.config().architecture, architecture);
        assert!(folder.weights().count() >= 2);
        assert!(folder.tokenizer().template(true).unwrap().contains("tool"));
        assert!(folder.config().notes.is_empty());
        // Counted by hand from the shapes.
        assert!(
            folder.parameters() > parameters / 2,
            "{kind}: {}",
            folder.parameters()
        );
    }
}

#[test]
fn a_snapshot_of_a_cache_opens_through_its_links_and_knows_its_repository() {
    let home = tempfile::tempdir().unwrap();
    let repository = home.path().join("models--org--a--model");
    let (blobs, snapshot) = (repository.join("blobs"), repository.join("snapshots/0123abc"));
    koab_tiny::write(&blobs, Kind::Qwen2, 1).unwrap();
    fs::write(
        blobs.join("README.md"),
        "---\nlanguage: ko\nlicense: other\nlicense_name: \"own\"\n---\n# Model\n",
    )
    .unwrap();
    fs::create_dir_all(&snapshot).unwrap();
    for file in fs::read_dir(&blobs).unwrap() {
        let name = file.unwrap().file_name();
        #[cfg(unix)]
        std::os::unix::fs::symlink(blobs.join(&name), snapshot.join(&name)).unwrap();
        #[cfg(not(unix))]
        fs::copy(blobs.join(&name), snapshot.join(&name)).unwrap();
    }
    let folder = Folder::open(&snapshot).unwrap();
    let source = folder.source();
    assert_eq!(
        (source.name.as_str(), source.revision.as_deref()),
        ("org/a--model", Some("0123abc"))
    );
    assert_eq!(source.licence.as_deref(), Some("own"));
}

#[test]
fn both_spellings_of_positions_mean_the_same() {
    let old = json!({"rope_theta": 5e5, "rope_scaling": {"type": "linear", "factor": 2.0}});
    let new = json!({
        "rope_theta": null, "rope_scaling": null,
        "rope_parameters": {"rope_theta": 5e5, "rope_type": "linear", "factor": 2.0},
    });
    let rope = Rope {
        theta: 5e5,
        scaling: Some(Scaling::Linear { factor: 2.0 }),
    };
    for spelling in [old, new] {
        assert_eq!(with(Kind::Llama, &spelling).unwrap().rope, rope);
    }
    let bare = json!({"rope_theta": null, "rope_scaling": null});
    assert_eq!(
        with(Kind::Llama, &bare).unwrap().rope,
        Rope {
            theta: 10_000.0,
            scaling: None
        }
    );
    let yarn = json!({"rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}});
    assert_eq!(with(Kind::Qwen2, &yarn).unwrap().context, 131_072);
}

#[test]
fn a_window_ends_the_context_instead_of_being_forgotten() {
    let mistral = with(Kind::Mistral, &json!({"sliding_window": 4096})).unwrap();
    assert_eq!(mistral.context, 4096);
    assert_eq!(mistral.notes.len(), 1);
    // The class' own window, where the file says nothing.
    assert_eq!(
        with(Kind::Mistral, &json!({"sliding_window": null}))
            .unwrap()
            .context,
        4096
    );
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
            format!("config.json: rope_scaling.mrope_section is [1], and that is unknown in positions of the kind linear{gguf}"),
        ),
        (
            Kind::Qwen2,
            json!({"rope_scaling": {"rope_type": "yarn", "factor": 4.0, "beta_fast": 16}}),
            format!("config.json: rope_scaling.beta_fast is 16, and YaRN is computed with 32 here{gguf}"),
        ),
        (
            Kind::Llama,
            json!({"partial_rotary_factor": 0.5}),
            format!("config.json: partial_rotary_factor is 0.5, and positions would turn a part of each head only, which the architecture does not do{gguf}"),
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
            format!("config.json: auto_map is {{\"AutoModelForCausalLM\":\"own.Model\"}}, and the model computes by a program of its own{gguf}"),
        ),
        (
            Kind::Mistral,
            json!({"num_key_value_heads": 3}),
            format!("config.json: num_key_value_heads is 3, and the 4 heads of queries cannot be shared out evenly{gguf}"),
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
            "config.json: num_hidden_layers is \"two\", which is no whole number from 1 to 16777215".into(),
        ),
        (
            Kind::Llama,
            json!({"rms_norm_eps": -1}),
            "config.json: rms_norm_eps is -1, which is no number above 0".into(),
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

#[test]
fn a_folder_that_lacks_something_says_what() {
    for (gone, sentence) in [
        (
            "config.json",
            "FOLDER has no config.json; so it holds no model; name the folder that has config.json",
        ),
        (
            "tokenizer.json",
            "FOLDER has no tokenizer.json; without which text cannot become tokens; load the rest of the model",
        ),
        (
            "model.safetensors.index.json",
            "FOLDER has no model.safetensors.index.json; the list of its weights' files; load it too",
        ),
        (
            "model-00002-of-00002.safetensors",
            "model-00002-of-00002.safetensors is missing (model.safetensors.index.json names it); load the rest of the model",
        ),
    ] {
        let model = written(Kind::Llama);
        fs::remove_file(model.path().join(gone)).unwrap();
        assert_eq!(said(model.path()), sentence);
    }
    let model = written(Kind::Llama);
    assert_eq!(
        said(&model.path().join("config.json")).replace(&model.path().display().to_string(), ""),
        "FOLDER is not a folder; name the folder that holds the model's config.json"
    );
    for shard in [
        "model-00001-of-00002.safetensors",
        "model-00002-of-00002.safetensors",
        "model.safetensors.index.json",
    ] {
        fs::remove_file(model.path().join(shard)).unwrap();
    }
    assert_eq!(
        said(model.path()),
        "FOLDER has no model.safetensors; the model's weights; load the rest of the model"
    );
    fs::write(model.path().join("pytorch_model.bin"), "").unwrap();
    assert_eq!(
        said(model.path()),
        "FOLDER has no safetensors file, only pytorch_model.bin; look for a repository of this model with safetensors or GGUF"
    );
}

/// Changes the second file of a Llama model's weights and says what opening says.
fn with_shard(change: impl FnOnce(Vec<u8>) -> Vec<u8>) -> String {
    let model = written(Kind::Llama);
    let shard = model.path().join("model-00002-of-00002.safetensors");
    let bytes = fs::read(&shard).unwrap();
    fs::write(&shard, change(bytes)).unwrap();
    said(model.path())
}

/// Replaces text in a shard's header by text of the same length.
fn header(from: &'static str, to: &'static str) -> impl FnOnce(Vec<u8>) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    move |mut bytes| {
        let at = bytes
            .windows(from.len())
            .position(|here| here == from.as_bytes())
            .unwrap();
        bytes[at..at + from.len()].copy_from_slice(to.as_bytes());
        bytes
    }
}

#[test]
fn damaged_weights_are_named_with_file_and_tensor() {
    let shard = "model-00002-of-00002.safetensors";
    let cut = with_shard(|bytes| bytes[..bytes.len() - 1].to_vec());
    assert!(
        cut.starts_with(&format!("{shard} has ")) && cut.contains("was not loaded to the end"),
        "{cut}"
    );
    assert!(with_shard(|_| Vec::new()).starts_with(&format!("{shard} has 0 bytes and should have 8")));
    assert!(
        with_shard(|bytes| bytes[..50].to_vec())
            .starts_with(&format!("{shard} has 50 bytes and should have "))
    );
    let long = with_shard(|mut bytes| {
        bytes[..8].copy_from_slice(&u64::MAX.to_le_bytes());
        bytes
    });
    assert!(
        long.starts_with(&format!(
            "{shard} is no sound safetensors file: its header would have "
        )),
        "{long}"
    );
    let noise = with_shard(header("{\"__meta", "{{{{{{{{"));
    assert!(
        noise.starts_with(&format!("{shard} is no sound safetensors file: ")),
        "{noise}"
    );
    assert_eq!(
        with_shard(header("lm_head.weight", "lm_tail.weight")),
        "model.safetensors.index.json says that lm_head.weight lies in model-00002-of-00002.safetensors, where it is not; load the model again"
    );
    assert_eq!(
        with_shard(header("[832,256]", "[256,832]")),
        "tensor lm_head.weight in model-00002-of-00002.safetensors has the shape [256, 832], by config.json it should be [832, 256]; config.json and weights are of different models"
    );
    let stored = with_shard(header(
        "\"dtype\":\"BF16\",\"shape\":[832,256]",
        "\"dtype\":\"I16\", \"shape\":[832,256]",
    ));
    assert_eq!(
        stored,
        "tensor lm_head.weight in model-00002-of-00002.safetensors is stored as I16; F32, F16 and BF16 can be converted: take the repository that was not quantized, or a GGUF file"
    );
}

#[test]
fn weights_of_another_kind_of_model_are_not_taken_for_less() {
    // A Qwen3 that calls itself Llama: its norms on queries would be left out in silence.
    let model = written(Kind::Qwen3);
    let file = model.path().join("config.json");
    let text = fs::read_to_string(&file)
        .unwrap()
        .replace("Qwen3ForCausalLM", "LlamaForCausalLM");
    fs::write(&file, text).unwrap();
    let text = said(model.path());
    assert!(
        text.starts_with("tensor model.layers.0.self_attn.k_norm.weight in model-0000"),
        "{text}"
    );
    assert!(text.ends_with("is none that LlamaForCausalLM has: this is another kind of model than config.json says; look for a GGUF file of it"), "{text}");

    let model = written(Kind::Llama);
    let file = model.path().join("config.json");
    let text = fs::read_to_string(&file)
        .unwrap()
        .replace("\"num_hidden_layers\": 2", "\"num_hidden_layers\": 3");
    fs::write(&file, text).unwrap();
    assert_eq!(
        said(model.path()),
        "tensor model.layers.2.input_layernorm.weight is in none of the model's files, and LlamaForCausalLM needs it; load the model again"
    );
}

#[test]
fn an_index_cannot_lead_out_of_the_folder() {
    for place in [
        "../model.safetensors",
        "/etc/model.safetensors",
        "c:\\model.safetensors",
        "passwd",
    ] {
        let model = written(Kind::Llama);
        let index = json!({"weight_map": {"lm_head.weight": place}});
        fs::write(
            model.path().join("model.safetensors.index.json"),
            index.to_string(),
        )
        .unwrap();
        assert_eq!(
            said(model.path()),
            "model.safetensors.index.json is not what it should be: its weight_map names something that is no safetensors file; load it again"
        );
    }
}
