//! Models that are random but for one thing: which tokens they like to say.
//!
//! A random model never calls a tool. One number of every embedding is made so large that it drowns the others after the
//! last norm, and the output listens to it for the chosen tokens only: their scores are then the same after any text.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// What stands in the loud column of every embedding.
const LOUD: f32 = 64.0;

/// Makes a written model like these tokens, each by so much.
///
/// All others it likes as little as each other. Works on models whose embeddings are not their output, with weights of two
/// bytes (`Dtype::Bf16`).
///
/// # Errors
/// What the disk said; a token that the tokenizer does not have, a model of another kind.
pub fn prefer(folder: &Path, liked: &[(&str, f32)]) -> io::Result<()> {
    let ids = ids(folder)?;
    let mut likes = BTreeMap::new();
    for (token, weight) in liked {
        let id =
            ids.get(*token).ok_or_else(|| io::Error::other(format!("the tokenizer has no token {token}")))?;
        likes.insert(*id, *weight);
    }
    patch(folder, "model.embed_tokens.weight", |_| LOUD)?;
    patch(folder, "lm_head.weight", |row| likes.get(&row).copied().unwrap_or(0.0))
}

/// Tokens by how `tokenizer.json` writes them.
fn ids(folder: &Path) -> io::Result<BTreeMap<String, u64>> {
    let tokenizer: Value = serde_json::from_slice(&fs::read(folder.join("tokenizer.json"))?)?;
    let mut ids = BTreeMap::new();
    for (token, id) in tokenizer["model"]["vocab"].as_object().into_iter().flatten() {
        ids.insert(token.clone(), id.as_u64().unwrap_or_default());
    }
    for added in tokenizer["added_tokens"].as_array().into_iter().flatten() {
        let token = added["content"].as_str().unwrap_or_default();
        ids.insert(token.to_owned(), added["id"].as_u64().unwrap_or_default());
    }
    Ok(ids)
}

/// Sets the first number of every row of a matrix.
fn patch(folder: &Path, name: &str, value: impl Fn(u64) -> f32) -> io::Result<()> {
    for path in files(folder)? {
        let mut bytes = fs::read(&path)?;
        let length = u64::from_le_bytes(bytes[..8].try_into().map_err(io::Error::other)?) as usize;
        let header: Value = serde_json::from_slice(&bytes[8..8 + length])?;
        let Some(tensor) = header.get(name) else { continue };
        if tensor["dtype"] != "BF16" {
            return Err(io::Error::other(format!("{name} has weights of another size")));
        }
        let number = |value: &Value| value.as_u64().unwrap_or_default();
        let (rows, columns) = (number(&tensor["shape"][0]), number(&tensor["shape"][1]));
        let begin = 8 + length + number(&tensor["data_offsets"][0]) as usize;
        for row in 0..rows {
            let at = begin + (row * columns * 2) as usize;
            // The upper half of a float is what BF16 is.
            bytes[at..at + 2].copy_from_slice(&value(row).to_le_bytes()[2..]);
        }
        return fs::write(&path, bytes);
    }
    Err(io::Error::other(format!("the model has no {name}")))
}

fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "safetensors") {
            files.push(path);
        }
    }
    Ok(files)
}
