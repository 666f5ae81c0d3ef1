//! What a source may look like beside the usual: other storage of numbers, other tokenizers.

use std::fs;
use std::path::Path;

use half::f16;
use koab_local::convert::{Converted, Precision};
use koab_local::gguf::{Header, Value};
use koab_local::hf::Folder;
use koab_tiny::{Architecture, Dtype, Shape};
use serde_json::json;
use tempfile::TempDir;

use crate::convert::{converted, written};

/// Converts into a folder of its own.
fn turned(model: &Path, precision: Precision) -> (TempDir, Converted) {
    let out = tempfile::tempdir().unwrap();
    let converted = converted(model, out.path(), precision);
    (out, converted)
}

/// The bytes of a tensor of a file.
fn tensor(file: &Path, name: &str) -> Vec<u8> {
    let header = Header::read(file).unwrap();
    let tensor = header.tensors.iter().find(|tensor| tensor.name == name).unwrap();
    let at = (header.data_at + tensor.offset) as usize;
    let bytes = tensor.kind.unwrap().bytes(tensor.numbers()).unwrap() as usize;
    fs::read(file).unwrap()[at..at + bytes].to_vec()
}

/// Stores the numbers of a float32 model in one file as float16, and gives back the numbers of a tensor as they are then.
fn halved(folder: &Path, tensor: &str) -> Vec<f32> {
    let file = folder.join("model.safetensors");
    let bytes = fs::read(&file).unwrap();
    let data = 8 + u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let mut header: serde_json::Value = serde_json::from_slice(&bytes[8..data]).unwrap();
    let halves: Vec<f16> =
        bytes[data..].as_chunks().0.iter().map(|four| f16::from_f32(f32::from_le_bytes(*four))).collect();
    for (name, entry) in header.as_object_mut().unwrap() {
        if name != "__metadata__" {
            entry["dtype"] = "F16".into();
            let half = |side: usize| entry["data_offsets"][side].as_u64().unwrap() / 2;
            entry["data_offsets"] = json!([half(0), half(1)]);
        }
    }
    let at = |side: usize| header[tensor]["data_offsets"][side].as_u64().unwrap() as usize / 2;
    let wanted = halves[at(0)..at(1)].iter().map(|half| half.to_f32()).collect();
    let header = header.to_string();
    let mut out = (header.len() as u64).to_le_bytes().to_vec();
    out.extend(header.bytes());
    out.extend(halves.iter().flat_map(|half| half.to_le_bytes()));
    fs::write(file, out).unwrap();
    wanted
}

#[test]
fn float16_sources_keep_every_number() {
    let model = written(&Shape { dtype: Dtype::F32, shards: 1, ..Shape::tiny(Architecture::Qwen2) });
    assert_eq!(Precision::as_stored(&Folder::open(model.path()).unwrap()), Precision::F32);
    let numbers = halved(model.path(), "model.layers.1.mlp.down_proj.weight");
    assert_eq!(Precision::as_stored(&Folder::open(model.path()).unwrap()), Precision::F16);
    let (_out, wide) = turned(model.path(), Precision::F32);
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    assert_eq!(tensor(&wide.model, "blk.1.ffn_down.weight"), bytes);
    let (_out, same) = turned(model.path(), Precision::F16);
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| f16::from_f32(*number).to_le_bytes()).collect();
    assert_eq!(tensor(&same.model, "blk.1.ffn_down.weight"), bytes);
}

#[test]
fn what_most_of_a_model_is_stored_in_is_auto() {
    let model = written(&Shape::tiny(Architecture::Qwen3));
    assert_eq!(Precision::as_stored(&Folder::open(model.path()).unwrap()), Precision::BF16);
}

/// Changes a model's tokenizer, converts it, and gives the facts of the vocabulary and the notes.
fn with_tokenizer(
    architecture: Architecture,
    change: impl FnOnce(&mut serde_json::Value),
) -> (impl Fn(&str) -> Option<Value>, Vec<String>) {
    let model = written(&Shape::tiny(architecture));
    let file = model.path().join("tokenizer.json");
    let mut json = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    change(&mut json);
    fs::write(file, json.to_string()).unwrap();
    let (_out, converted) = turned(model.path(), Precision::Q4);
    let facts = Header::read(&converted.model).unwrap().facts;
    (
        move |key: &str| facts.get(&format!("tokenizer.ggml.{key}")).cloned(),
        converted.record.notes.iter().map(ToString::to_string).collect(),
    )
}

#[test]
fn a_way_to_split_that_llama_cpp_has_no_name_for_is_told() {
    let note = "llama.cpp has no name for how this tokenizer splits text; other programs that use the converted file may \
                split some texts otherwise.";
    let (fact, notes) = with_tokenizer(Architecture::Qwen2, |json| {
        json["pre_tokenizer"]["pretokenizers"][0]["pattern"]["Regex"] = "[a-z]+|.".into();
    });
    assert_eq!((fact("pre"), notes), (Some("default".into()), vec![note.to_owned()]));
    let (fact, notes) = with_tokenizer(Architecture::Qwen2, |json| {
        json["pre_tokenizer"] = json!({"type": "ByteLevel", "add_prefix_space": false});
    });
    assert_eq!((fact("pre"), notes), (Some("gpt-2".into()), vec![]));
    let (fact, notes) =
        with_tokenizer(Architecture::Llama, |json| json["model"]["ignore_merges"] = false.into());
    assert_eq!((fact("pre"), notes), (Some("smaug-bpe".into()), vec![]));
    let (fact, notes) =
        with_tokenizer(Architecture::Qwen2, |json| json["model"]["ignore_merges"] = true.into());
    assert_eq!((fact("pre"), notes), (Some("qwen2".into()), vec![note.to_owned()]));
}

#[test]
fn pairs_of_either_spelling_are_the_same_pairs() {
    let (two, _) = with_tokenizer(Architecture::Llama, |_| {});
    let (one, _) = with_tokenizer(Architecture::Llama, |json| {
        for pair in json["model"]["merges"].as_array_mut().unwrap() {
            *pair = format!("{} {}", pair[0].as_str().unwrap(), pair[1].as_str().unwrap()).into();
        }
    });
    assert!(two("merges").is_some());
    assert_eq!(two("merges"), one("merges"));
}

#[test]
fn a_text_begins_with_a_token_where_the_tokenizer_puts_it_there() {
    let (fact, _) = with_tokenizer(Architecture::Llama, |_| {});
    assert_eq!(fact("add_bos_token"), Some(true.into()));
    let (fact, _) = with_tokenizer(Architecture::Llama, |json| json["post_processor"] = json!(null));
    assert_eq!(fact("add_bos_token"), Some(false.into()));
    // tokenizer_config.json says so where the family's class reads it.
    let (fact, _) = with_tokenizer(Architecture::Mistral, |json| json["post_processor"] = json!(null));
    assert_eq!(fact("add_bos_token"), Some(true.into()));
    let (fact, _) = with_tokenizer(Architecture::Qwen3, |_| {});
    assert_eq!((fact("add_bos_token"), fact("bos_token_id")), (Some(false.into()), None));
}

#[test]
fn a_tokenizer_that_llama_cpp_only_approaches_is_told() {
    let (fact, notes) = with_tokenizer(Architecture::Mistral, |json| {
        json["model"]["merges"].as_array_mut().unwrap().pop();
    });
    assert_eq!(fact("model"), Some("llama".into()));
    assert!(notes[0].starts_with("The tokenizer merges fewer pairs than llama.cpp would; "), "{notes:?}");
    let (fact, notes) = with_tokenizer(Architecture::Mistral, |json| {
        let vocab: Vec<_> = (0..800).map(|id| json!([format!("piece{id}"), -f64::from(id)])).collect();
        json["model"] = json!({"type": "Unigram", "unk_id": 0, "vocab": vocab});
        json["added_tokens"] = json!([]);
    });
    assert_eq!(fact("model"), Some("llama".into()));
    assert!(
        notes[0].starts_with("The tokenizer is of the Unigram kind, which llama.cpp only approximates; "),
        "{notes:?}"
    );
}
