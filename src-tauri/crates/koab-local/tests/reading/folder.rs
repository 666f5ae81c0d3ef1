//! Opening Hugging Face folders: what is understood, and what is refused in which words.

use std::fs;
use std::path::Path;

use koab_local::hf::{Architecture, Folder};
use koab_tiny::Architecture as Kind;
use proptest::prelude::*;
use serde_json::json;
use tempfile::TempDir;

fn written(kind: Kind) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    koab_tiny::write(folder.path(), kind, 1).unwrap();
    folder
}

fn refusal(folder: &Path) -> String {
    let text = Folder::open(folder).unwrap_err().to_string();
    text.replace(&folder.display().to_string(), "FOLDER")
}

#[test]
fn the_four_kinds_open_with_all_their_tensors() {
    for (kind, architecture, parameters) in [
        (Kind::Qwen2, Architecture::Qwen2, 1_394_944),
        (Kind::Qwen3, Architecture::Qwen3, 2_000_640),
        (Kind::Llama, Architecture::Llama, 1_541_376),
        (Kind::Mistral, Architecture::Mistral, 1_541_376),
    ] {
        let model = written(kind);
        let folder = Folder::open(model.path()).unwrap();
        assert_eq!(folder.config().architecture, architecture);
        assert!(folder.weights().count() >= 2);
        assert!(folder.tokenizer().template(true).unwrap().contains("tool"));
        assert!(folder.config().notes.is_empty());
        // Counted by hand from the shapes.
        assert!(folder.parameters() > parameters / 2, "{kind}: {}", folder.parameters());
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
    assert_eq!((source.name.as_str(), source.revision.as_deref()), ("org/a--model", Some("0123abc")));
    assert_eq!(source.licence.as_deref(), Some("own"));
}

#[test]
fn a_folder_that_lacks_something_says_what() {
    for (gone, sentence) in [
        ("config.json", "FOLDER has no config.json; it holds no model; name the folder that has config.json"),
        (
            "tokenizer.json",
            "FOLDER has no tokenizer.json; without this file text cannot become tokens; fetch the rest of the model",
        ),
        (
            "model.safetensors.index.json",
            "FOLDER has no model.safetensors.index.json; this file lists the files of the weights; fetch it too",
        ),
        (
            "model-00002-of-00002.safetensors",
            "model-00002-of-00002.safetensors is missing (model.safetensors.index.json names it); fetch the rest of the model",
        ),
    ] {
        let model = written(Kind::Llama);
        fs::remove_file(model.path().join(gone)).unwrap();
        assert_eq!(refusal(model.path()), sentence);
    }
    let model = written(Kind::Llama);
    assert_eq!(
        refusal(&model.path().join("config.json")).replace(&model.path().display().to_string(), ""),
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
        refusal(model.path()),
        "FOLDER has no model.safetensors; this file holds the model's weights; fetch the rest of the model"
    );
    fs::write(model.path().join("pytorch_model.bin"), "").unwrap();
    assert_eq!(
        refusal(model.path()),
        "FOLDER has no safetensors file, only pytorch_model.bin; look for a repository of this model with safetensors or GGUF"
    );
}

/// Changes the second file of a Llama model's weights and says what opening says.
fn with_shard(change: impl FnOnce(Vec<u8>) -> Vec<u8>) -> String {
    let model = written(Kind::Llama);
    let shard = model.path().join("model-00002-of-00002.safetensors");
    let bytes = fs::read(&shard).unwrap();
    fs::write(&shard, change(bytes)).unwrap();
    refusal(model.path())
}

/// Replaces text in a shard's header by text of the same length.
fn header(from: &'static str, to: &'static str) -> impl FnOnce(Vec<u8>) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    move |mut bytes| {
        let at = bytes.windows(from.len()).position(|here| here == from.as_bytes()).unwrap();
        bytes[at..at + from.len()].copy_from_slice(to.as_bytes());
        bytes
    }
}

#[test]
fn damaged_weights_are_named_with_file_and_tensor() {
    let shard = "model-00002-of-00002.safetensors";
    let cut = with_shard(|bytes| bytes[..bytes.len() - 1].to_vec());
    assert!(cut.starts_with(&format!("{shard} has ")) && cut.contains("was not fetched to the end"), "{cut}");
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
        long.starts_with(&format!("{shard} is not a valid safetensors file: its header would have ")),
        "{long}"
    );
    let noise = with_shard(header("{\"__meta", "{{{{{{{{"));
    assert!(noise.starts_with(&format!("{shard} is not a valid safetensors file: ")), "{noise}");
    assert_eq!(
        with_shard(header("lm_head.weight", "lm_tail.weight")),
        "model.safetensors.index.json says that lm_head.weight is in model-00002-of-00002.safetensors, where it is not; fetch the model again"
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
    let text = fs::read_to_string(&file).unwrap().replace("Qwen3ForCausalLM", "LlamaForCausalLM");
    fs::write(&file, text).unwrap();
    let text = refusal(model.path());
    assert!(text.starts_with("tensor model.layers.0.self_attn.k_norm.weight in model-0000"), "{text}");
    assert!(text.ends_with("is not one of LlamaForCausalLM: the model is of another kind than config.json says; look for a GGUF file of this model"), "{text}");

    let model = written(Kind::Llama);
    let file = model.path().join("config.json");
    let text =
        fs::read_to_string(&file).unwrap().replace("\"num_hidden_layers\": 2", "\"num_hidden_layers\": 3");
    fs::write(&file, text).unwrap();
    assert_eq!(
        refusal(model.path()),
        "tensor model.layers.2.input_layernorm.weight is in none of the model's files, and LlamaForCausalLM needs it; fetch the model again"
    );
}

#[test]
fn an_index_cannot_lead_out_of_the_folder() {
    for place in ["../model.safetensors", "/etc/model.safetensors", "c:\\model.safetensors", "passwd"] {
        let model = written(Kind::Llama);
        let index = json!({"weight_map": {"lm_head.weight": place}});
        fs::write(model.path().join("model.safetensors.index.json"), index.to_string()).unwrap();
        assert_eq!(
            refusal(model.path()),
            "model.safetensors.index.json is not valid: its weight_map names something that is not a safetensors file; fetch it again"
        );
    }
}

/// Whatever a header says, opening ends, and without asking for memory that the file does not fill.
#[test]
fn a_damaged_header_is_read_or_refused() {
    let model = written(Kind::Llama);
    let file = model.path().join("model-00002-of-00002.safetensors");
    let whole = fs::read(&file).unwrap();
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    let length = prop::option::of(prop_oneof![any::<u64>(), 0_u64..3000]);
    let noise = prop::collection::vec(any::<u8>(), 0..8);
    proptest!(config, |(length in length, keep in 8_usize..3000, at in 0_usize..2000, noise in noise)| {
        let mut shard = whole[..3000].to_vec();
        shard[at..at + noise.len()].copy_from_slice(&noise);
        if let Some(length) = length {
            shard[..8].copy_from_slice(&length.to_le_bytes());
        }
        shard.truncate(keep);
        fs::write(&file, shard).unwrap();
        prop_assert_eq!(refusal(model.path()).lines().count(), 1);
    });
}
