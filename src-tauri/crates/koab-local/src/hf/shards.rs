//! The weights files: the list of files, their headers, and whether each is complete.

use koab_core::say;
use koab_core::sentence::Sentence;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use safetensors::Dtype;
use safetensors::tensor::Metadata;
use serde_json::Value;

use super::{FolderError, json};

const ALONE: &str = "model.safetensors";
const INDEX: &str = "model.safetensors.index.json";
/// Maximum header size that the safetensors library reads.
const MAX_HEADER_BYTES: u64 = 100_000_000;

/// Storage format of numbers in a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceKind {
    /// float32: four bytes.
    F32,
    /// float16: two bytes, IEEE 754.
    F16,
    /// bfloat16: two bytes, the upper half of a float32.
    Bf16,
}

impl SourceKind {
    /// Bytes of one number.
    #[must_use]
    pub fn bytes(self) -> u64 {
        match self {
            Self::F32 => 4,
            Self::F16 | Self::Bf16 => 2,
        }
    }
}

/// Position of a tensor in the source files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorRange {
    /// Index of the file among the folder's weights files.
    pub shard: usize,
    /// Storage format of the numbers.
    pub kind: SourceKind,
    /// Offset from the start of the file.
    pub offset: u64,
    /// Number of bytes.
    pub bytes: u64,
}

/// One weights file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shard {
    pub(super) name: String,
    pub(super) path: PathBuf,
    pub(super) bytes: u64,
}

/// A tensor's entry in a header.
pub(super) struct TensorHeader {
    pub(super) shard: usize,
    pub(super) dtype: Dtype,
    pub(super) shape: Vec<u64>,
    pub(super) offset: u64,
    pub(super) bytes: u64,
}

/// All weights files, and the tensors in them by name.
pub(super) struct Shards {
    pub(super) files: Vec<Shard>,
    pub(super) tensors: BTreeMap<String, TensorHeader>,
    /// Index of the files: tensor name → file name.
    pub(super) index: BTreeMap<String, String>,
}

impl Shards {
    pub(super) fn read(folder: &Path) -> Result<Self, FolderError> {
        // A single whole file takes precedence over an index, as in transformers.
        let index = if folder.join(ALONE).exists() { BTreeMap::new() } else { index(folder)? };
        let mut names: BTreeSet<&str> = index.values().map(String::as_str).collect();
        if names.is_empty() {
            names.insert(ALONE);
        }
        let mut shards = Self { files: Vec::new(), tensors: BTreeMap::new(), index: index.clone() };
        for name in names {
            shards.add(folder, name)?;
        }
        Ok(shards)
    }

    fn add(&mut self, folder: &Path, name: &str) -> Result<(), FolderError> {
        let path = folder.join(name);
        let unreadable = |source| FolderError::Unreadable { file: path.clone(), source };
        let mut file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(FolderError::MissingShard { shard: name.into() });
            }
            Err(error) => return Err(unreadable(error)),
        };
        let bytes = file.metadata().map_err(unreadable)?.len();
        let wrong = |reason: Sentence| FolderError::Header { shard: name.into(), reason };
        let mut length = [0; 8];
        if bytes < 8 {
            return Err(FolderError::Truncated { shard: name.into(), found: bytes, expected: 8 });
        }
        file.read_exact(&mut length).map_err(unreadable)?;
        let length = u64::from_le_bytes(length);
        if length > MAX_HEADER_BYTES {
            return Err(wrong(say!("its header would have {length} bytes")));
        }
        if bytes - 8 < length {
            return Err(FolderError::Truncated { shard: name.into(), found: bytes, expected: 8 + length });
        }
        let mut header = vec![0; length as usize];
        file.read_exact(&mut header).map_err(unreadable)?;
        let header: Metadata =
            serde_json::from_slice(&header).map_err(|error| wrong(error.to_string().into()))?;
        let expected = (header.data_len() as u64).saturating_add(8 + length);
        if bytes != expected {
            return Err(FolderError::Truncated { shard: name.into(), found: bytes, expected });
        }
        let shard = self.files.len();
        self.files.push(Shard { name: name.into(), path, bytes });
        for (tensor, info) in header.tensors() {
            let (start, end) = info.data_offsets;
            let entry = TensorHeader {
                shard,
                dtype: info.dtype,
                shape: info.shape.iter().map(|side| *side as u64).collect(),
                offset: 8 + length + start as u64,
                bytes: (end - start) as u64,
            };
            if let Some(other) = self.tensors.get(&tensor) {
                let first = self.files[other.shard].name.clone();
                return Err(FolderError::Twice { tensor, first, second: name.into() });
            }
            self.tensors.insert(tensor, entry);
        }
        Ok(())
    }
}

/// Reads the index of several files: tensor name → file name.
fn index(folder: &Path) -> Result<BTreeMap<String, String>, FolderError> {
    let Some(index) = json::object(folder, INDEX)? else {
        return Err(no_weights(folder));
    };
    let wrong = |reason: Sentence| FolderError::Json { file: INDEX.into(), reason };
    let map = index
        .get("weight_map")
        .and_then(Value::as_object)
        .ok_or_else(|| wrong(say!("it has no weight_map")))?;
    if map.is_empty() {
        return Err(wrong(say!("its weight_map is empty")));
    }
    map.iter()
        .map(|(tensor, file)| {
            let file = file.as_str().filter(|file| {
                // Only files of this folder are allowed, because an index is untrusted.
                !file.is_empty() && !file.contains(['/', '\\', ':']) && file.ends_with(".safetensors")
            });
            let file = file.ok_or_else(|| {
                wrong(say!("its weight_map names something that is not a safetensors file"))
            })?;
            Ok((tensor.clone(), file.to_owned()))
        })
        .collect()
}

/// Error for a folder without safetensors, with the best advice.
fn no_weights(folder: &Path) -> FolderError {
    let names = fs::read_dir(folder).into_iter().flatten().flatten();
    let names: Vec<String> = names.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let with = |end: &str| names.iter().find(|name| name.ends_with(end)).cloned();
    if with(".safetensors").is_some() {
        let advice = say!("this file lists the files of the weights; fetch it too");
        return FolderError::Missing { folder: folder.into(), file: INDEX.into(), advice };
    }
    match with(".bin").or_else(|| with(".pth")).or_else(|| with(".pt")) {
        Some(file) => FolderError::OtherWeights { folder: folder.into(), file },
        None => {
            let advice = say!("this file holds the model's weights; fetch the rest of the model");
            FolderError::Missing { folder: folder.into(), file: ALONE.into(), advice }
        }
    }
}
