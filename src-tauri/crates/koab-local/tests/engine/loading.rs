//! Loading, and every way in which it does not work: one sentence each.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use koab_local::engine::{Device, Engine, LoadError, LoadSpec};
use tempfile::TempDir;

use super::{engine, model, spec, turn};

fn refused(spec: &LoadSpec) -> LoadError {
    let _turn = turn();
    let error = Engine::load(spec).map(|_| ()).unwrap_err();
    let sentence = error.to_string();
    assert!(!sentence.contains('\n') && !sentence.ends_with('.'), "{sentence}");
    error
}

fn load_spec(path: &Path) -> LoadSpec {
    LoadSpec { path: path.to_owned(), ..spec(1, 64) }
}

/// A copy of the model whose bytes `change` changes.
fn changed(folder: &TempDir, change: impl FnOnce(&mut Vec<u8>)) -> PathBuf {
    let path = folder.path().join("changed.gguf");
    let mut bytes = fs::read(model()).unwrap();
    change(&mut bytes);
    fs::write(&path, bytes).unwrap();
    path
}

/// Replaces the first occurrence by a text of the same length.
fn replace(bytes: &mut [u8], old: &str, new: &str) {
    assert_eq!(old.len(), new.len());
    let at = bytes.windows(old.len()).position(|window| window == old.as_bytes()).unwrap();
    bytes[at..at + old.len()].copy_from_slice(new.as_bytes());
}

#[test]
fn the_facts_are_those_of_the_model() {
    let engine = engine(3, 1000);
    let facts = engine.facts();
    assert_eq!(facts.architecture, "qwen2");
    assert_eq!((facts.layers, facts.context_trained, facts.vocabulary), (2, 32_768, 832));
    assert_eq!((facts.context_per_sequence, facts.parallel, facts.threads), (1000, 3, 1));
    assert_eq!((facts.device.as_str(), facts.layers_on_card), ("CPU", 0));
    // 3,000 tokens in steps of 256; two layers of keys and values of two heads of 64, at two bytes.
    assert_eq!(facts.kv_bytes, Some(3072 * 2 * 2 * 2 * 64 * 2));
    let file = model().metadata().unwrap().len();
    assert!(facts.weights_bytes < file && facts.weights_bytes > file / 2);
    assert!(facts.chat_template.as_ref().unwrap().contains("<tool_call>"));
    assert!(facts.can_cut_back);
}

#[test]
fn there_is_never_more_context_than_the_model_knows() {
    let engine = engine(1, 1_000_000);
    assert_eq!(engine.facts().context_per_sequence, 32_768);
}

#[test]
fn a_second_model_waits_until_the_first_is_gone() {
    let first = engine(1, 64);
    let busy = Engine::load(&spec(1, 64)).map(|_| ()).unwrap_err().to_string();
    assert!(busy.contains("is loaded and in use: one model at a time"), "{busy}");
    let vocabulary = first.vocabulary();
    drop(first.engine);
    // The vocabulary is part of it.
    assert!(matches!(Engine::load(&spec(1, 64)), Err(LoadError::Busy { .. })));
    drop(vocabulary);
    Engine::load(&spec(1, 64)).unwrap();
    drop(first._turn);
}

#[test]
fn what_is_no_model_is_told_as_what_it_is() {
    let folder = TempDir::new().unwrap();
    let missing = refused(&load_spec(&folder.path().join("missing.gguf"))).to_string();
    assert!(missing.contains("missing.gguf cannot be loaded"), "{missing}");
    let other = folder.path().join("model.safetensors");
    fs::write(&other, "something else").unwrap();
    let other = refused(&load_spec(&other)).to_string();
    assert!(other.contains("not a GGUF file"), "{other}");
}

#[test]
fn a_file_that_is_cut_off_is_told_so_wherever_it_is_cut() {
    let folder = TempDir::new().unwrap();
    let length = fs::read(model()).unwrap().len();
    for length in [6, 1000, length / 2, length - 40] {
        let cut = changed(&folder, |bytes| bytes.truncate(length));
        let sentence = refused(&load_spec(&cut)).to_string();
        // A list that is longer than the file may be either.
        let is_told = sentence.contains("cut off") || (length == 1000 && sentence.contains("corrupt"));
        assert!(is_told, "at {length}: {sentence}");
    }
}

#[test]
fn damage_is_told_with_llama_cpps_reason() {
    let folder = TempDir::new().unwrap();
    let unknown = changed(&folder, |bytes| replace(bytes, "qwen2", "qwenX"));
    let unknown = refused(&load_spec(&unknown)).to_string();
    assert!(
        unknown.ends_with(
            "holds a model of the architecture qwenX, which this version of llama.cpp does not know"
        ),
        "{unknown}"
    );
    let missing = changed(&folder, |bytes| replace(bytes, "output_norm.weight", "output_nerm.weight"));
    let missing = refused(&load_spec(&missing)).to_string();
    assert!(missing.contains("llama.cpp cannot load"), "{missing}");
    assert!(missing.contains("output_norm.weight"), "{missing}");
}

#[test]
fn what_is_larger_than_the_memory_is_refused_with_the_numbers() {
    let folder = TempDir::new().unwrap();
    let huge = changed(&folder, |_| {});
    // Takes no place on the disk.
    File::options().write(true).open(&huge).unwrap().set_len(1 << 42).unwrap();
    let sentence = refused(&load_spec(&huge)).to_string();
    assert!(
        sentence.contains("does not fit into memory: it needs 4398.2 GB (weights 4398.0 GB, 256 tokens of context 0.3 MB) and"),
        "{sentence}"
    );
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let none = LoadSpec { parallel: 0, ..spec(1, 64) };
    assert_eq!(refused(&none).to_string(), "0 generations at once are not possible: it can be 1 to 64");
    assert!(matches!(refused(&spec(1, 0)), LoadError::NoContext));
    for device in [Device::Cuda, Device::Metal, Device::Vulkan] {
        if !device.is_built() {
            let sentence = refused(&LoadSpec { device, ..spec(1, 64) }).to_string();
            assert!(sentence.contains(&format!("without the feature {device}")), "{sentence}");
        }
    }
}
