//! What a written model looks like, and that a seed gives the same bytes.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use koab_tiny::{Architecture, Dtype, Shape};
use serde_json::Value;

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .collect()
}

#[test]
fn a_seed_gives_the_same_bytes_and_another_seed_gives_others() {
    for architecture in Architecture::ALL {
        let folders: Vec<_> = [7, 7, 8]
            .into_iter()
            .map(|seed| {
                let folder = tempfile::tempdir().unwrap();
                koab_tiny::write(folder.path(), architecture, seed).unwrap();
                files(folder.path())
            })
            .collect();
        assert_eq!(folders[0], folders[1], "{architecture}");
        let shard = folders[0].keys().find(|name| name.starts_with("model-00001")).unwrap();
        assert_ne!(folders[0][shard], folders[2][shard], "{architecture}");
        let bytes: usize = folders[0].values().map(Vec::len).sum();
        assert!((1 << 20..8 << 20).contains(&bytes), "{architecture}: {bytes} bytes");
    }
}

#[test]
fn every_tensor_of_the_index_lies_in_its_shard_and_fills_it() {
    for (architecture, dtype) in [(Architecture::Qwen3, Dtype::Bf16), (Architecture::Llama, Dtype::F32)] {
        let folder = tempfile::tempdir().unwrap();
        let shape = Shape { shards: 3, dtype, ..Shape::tiny(architecture) };
        koab_tiny::write_shaped(folder.path(), &shape).unwrap();
        let files = files(folder.path());
        let index: Value = serde_json::from_slice(&files["model.safetensors.index.json"]).unwrap();
        let map = index["weight_map"].as_object().unwrap();
        let mut total = 0;
        for number in 1..=3 {
            let name = format!("model-{number:05}-of-00003.safetensors");
            let bytes = &files[&name];
            let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
            let header: Value = serde_json::from_slice(&bytes[8..8 + length]).unwrap();
            let mut end = 0;
            for (tensor, entry) in
                header.as_object().unwrap().iter().filter(|(name, _)| *name != "__metadata__")
            {
                assert_eq!(map[tensor], name.as_str());
                end = end.max(entry["data_offsets"][1].as_u64().unwrap());
                let count: u64 =
                    entry["shape"].as_array().unwrap().iter().map(|side| side.as_u64().unwrap()).product();
                let here =
                    entry["data_offsets"][1].as_u64().unwrap() - entry["data_offsets"][0].as_u64().unwrap();
                assert_eq!(here, count * dtype.bytes());
            }
            assert_eq!(bytes.len() as u64, 8 + length as u64 + end, "{name}");
            total += end;
        }
        assert_eq!(index["metadata"]["total_size"], total);
    }
}

#[test]
fn a_vocabulary_without_room_for_the_tokenizer_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let shape = Shape { vocab: 300, ..Shape::tiny(Architecture::Qwen2) };
    let refused = koab_tiny::write_shaped(folder.path(), &shape).unwrap_err().to_string();
    assert!(refused.starts_with("a model of 300 words is too small"), "{refused}");
}
