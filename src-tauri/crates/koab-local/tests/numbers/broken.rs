//! The comparison sees what it is there to see: each thing that a converter gets wrong easily, done wrong on purpose.

use std::fs;
use std::path::Path;

use koab_local::convert::Precision;
use serde_json::{Value, json};

use crate::numbers::fixture::Fixture;
use crate::numbers::{converted, distance, llama};

/// Far outside of what float32 may differ by.
const OTHER: f64 = 1e-2;

/// How far a model is off after something was done to its folder.
fn after(name: &str, harm: impl FnOnce(&Path)) -> f64 {
    let fixture = Fixture::named(name);
    let model = fixture.written();
    harm(model.path());
    let (_out, converted) = converted(model.path(), Precision::F32);
    distance(&llama::run(&converted.model, &fixture.read, &fixture.positions, 0).logits, &fixture)
}

fn setting(field: &'static str, value: Value) -> impl FnOnce(&Path) {
    move |folder| {
        let file = folder.join("config.json");
        let mut config: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        assert_ne!(config[field], value);
        config[field] = value;
        fs::write(file, config.to_string()).unwrap();
    }
}

/// Changes the numbers of every tensor whose name ends so. They are BF16: two bytes each.
fn tensors(end: &'static str, change: impl Fn(&mut [u8], &[u64])) -> impl FnOnce(&Path) {
    move |folder| {
        let mut found = 0;
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "safetensors") {
                continue;
            }
            let mut bytes = fs::read(&path).unwrap();
            let data = 8 + u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
            let header: Value = serde_json::from_slice(&bytes[8..data]).unwrap();
            for (_, entry) in header.as_object().unwrap().iter().filter(|(name, _)| name.ends_with(end)) {
                assert_eq!(entry["dtype"], "BF16");
                let at = |side: usize| data + entry["data_offsets"][side].as_u64().unwrap() as usize;
                let shape: Vec<u64> =
                    entry["shape"].as_array().unwrap().iter().map(|side| side.as_u64().unwrap()).collect();
                change(&mut bytes[at(0)..at(1)], &shape);
                found += 1;
            }
            fs::write(&path, bytes).unwrap();
        }
        assert!(found > 0, "no tensor ends in {end}");
    }
}

fn zero(bytes: &mut [u8], _: &[u64]) {
    bytes.fill(0);
}

fn ones(bytes: &mut [u8], _: &[u64]) {
    for two in bytes.as_chunks_mut().0 {
        *two = 0x3f80_u16.to_le_bytes();
    }
}

/// Puts the rows of each head as if they had been permuted once too often: even ones first.
fn turned(head: usize) -> impl Fn(&mut [u8], &[u64]) {
    move |bytes, shape| {
        let row = shape.get(1).copied().unwrap_or(1) as usize * 2;
        let before = bytes.to_vec();
        for (at, target) in bytes.chunks_mut(row).enumerate() {
            let (start, within) = (at - at % head, at % head);
            let from = start + within % (head / 2) * 2 + within / (head / 2);
            target.copy_from_slice(&before[from * row..][..row]);
        }
    }
}

#[test]
fn a_wrong_base_or_scaling_of_positions_is_seen() {
    for (name, field, value) in [
        ("qwen2", "rope_theta", json!(10_000.0)),
        ("qwen3", "rope_theta", json!(500_000.0)),
        ("llama", "rope_theta", json!(250_000.0)),
        ("mistral", "rope_theta", json!(20_000.0)),
        ("llama", "rope_scaling", json!(null)),
        ("llama-biased", "rope_scaling", json!(null)),
        ("qwen2-yarn", "rope_scaling", json!(null)),
        ("qwen2-yarn", "rope_scaling", json!({"factor": 4.0, "type": "linear"})),
    ] {
        let off = after(name, setting(field, value.clone()));
        eprintln!("{name} with {field} {value}: {off:.1e}");
        assert!(off > OTHER, "{name} with {field} {value}: {off:e}");
    }
}

#[test]
fn rows_of_queries_or_keys_in_the_wrong_order_are_seen() {
    for (name, tensor, head) in [
        ("qwen2", "q_proj.weight", 64),
        ("qwen3", "k_proj.weight", 128),
        ("llama", "q_proj.weight", 32),
        ("llama", "k_proj.weight", 32),
        ("llama-biased", "q_proj.bias", 32),
        ("mistral", "q_proj.weight", 64),
        ("mistral-wide", "k_proj.weight", 96),
    ] {
        let off = after(name, tensors(tensor, turned(head)));
        eprintln!("{name} with turned {tensor}: {off:.1e}");
        assert!(off > OTHER, "{name} with turned {tensor}: {off:e}");
    }
}

#[test]
fn a_bias_or_norm_that_is_left_out_is_seen() {
    for (name, tensor) in [
        ("qwen2", "q_proj.bias"),
        ("qwen2", "k_proj.bias"),
        ("qwen2", "v_proj.bias"),
        ("llama-biased", "o_proj.bias"),
        ("llama-biased", "gate_proj.bias"),
        ("llama-biased", "up_proj.bias"),
        ("llama-biased", "down_proj.bias"),
    ] {
        let off = after(name, tensors(tensor, zero));
        eprintln!("{name} without {tensor}: {off:.1e}");
        assert!(off > OTHER, "{name} without {tensor}: {off:e}");
    }
    for (name, tensor) in [
        ("qwen3", "q_norm.weight"),
        ("qwen3", "k_norm.weight"),
        ("qwen2", "input_layernorm.weight"),
        ("llama", "post_attention_layernorm.weight"),
        ("mistral", "model.norm.weight"),
    ] {
        let off = after(name, tensors(tensor, ones));
        eprintln!("{name} without {tensor}: {off:.1e}");
        assert!(off > OTHER, "{name} without {tensor}: {off:e}");
    }
}

#[test]
fn an_output_other_than_the_embeddings_is_seen() {
    let off = after("qwen3", tensors("embed_tokens.weight", zero));
    assert!(off > OTHER, "{off:e}");
    let off = after("qwen3", tensors("lm_head.weight", turned(64)));
    assert!(off > OTHER, "{off:e}");
}
