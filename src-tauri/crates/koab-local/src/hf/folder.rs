//! Opening a folder: settings, weights' headers, tokenizer; and that they fit each other.

use koab_core::say;
use std::path::{Path, PathBuf};

use safetensors::Dtype;

use super::shards::{Shard, Shards, TensorHeader};
use super::{Config, FolderError, Source, SourceKind, TensorRange, TensorSpec, TokenizerFiles, json};

/// A model's folder whose settings are understood and whose tensors are all there.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    config: Config,
    shards: Vec<Shard>,
    tensors: Vec<(TensorSpec, TensorRange)>,
    second_output: Option<TensorRange>,
    tokenizer: TokenizerFiles,
    source: Source,
}

impl Folder {
    /// Opens a plain folder or a snapshot of a Hugging Face cache, whose files are links. Reads
    /// headers, not weights.
    ///
    /// # Errors
    /// The first thing that is missing, damaged or not supported.
    pub fn open(path: &Path) -> Result<Self, FolderError> {
        if !path.is_dir() {
            return Err(FolderError::NotAFolder(path.into()));
        }
        let Some(config) = json::object(path, "config.json")? else {
            return Err(no_config(path));
        };
        let config = Config::from_json(&config)?;
        let tokenizer = TokenizerFiles::read(path)?;
        let shards = Shards::read(path)?;
        let (tensors, second_output) = fitted(&config, &shards)?;
        let full = path.canonicalize().unwrap_or_else(|_| path.into());
        let source = Source::from_folder(&full);
        Ok(Self {
            path: path.into(),
            config,
            shards: shards.files,
            tensors,
            second_output,
            tokenizer,
            source,
        })
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The model's settings.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// What turns text into tokens.
    #[must_use]
    pub fn tokenizer(&self) -> &TokenizerFiles {
        &self.tokenizer
    }

    /// Where the model comes from.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The files of weights with their sizes in bytes.
    pub fn weights(&self) -> impl Iterator<Item = (&Path, u64)> {
        self.shards.iter().map(|shard| (shard.path.as_path(), shard.bytes))
    }

    /// How many numbers the model has.
    #[must_use]
    pub fn parameters(&self) -> u64 {
        self.tensors.iter().map(|(_, place)| place.bytes / place.kind.bytes()).sum()
    }

    /// The model's tensors and where they lie.
    pub(crate) fn tensors(&self) -> &[(TensorSpec, TensorRange)] {
        &self.tensors
    }

    /// A file's name by the number in a [`TensorRange`].
    pub(crate) fn shard_name(&self, shard: usize) -> &str {
        &self.shards[shard].name
    }

    /// An output matrix that is in the files although the settings say that the embeddings are the
    /// output.
    pub(crate) fn second_output(&self) -> Option<&TensorRange> {
        self.second_output.as_ref()
    }
}

type Fitted = (Vec<(TensorSpec, TensorRange)>, Option<TensorRange>);

/// Finds every wanted tensor in the files, and that there is no other.
fn fitted(config: &Config, shards: &Shards) -> Result<Fitted, FolderError> {
    let architecture = config.architecture.class();
    let name_of = |found: &TensorHeader| shards.files[found.shard].name.clone();
    let mut places = Vec::new();
    for wanted in config.wanted() {
        let Some(found) = shards.tensors.get(&wanted.name) else {
            return Err(match shards.index.get(&wanted.name) {
                Some(shard) => FolderError::NotInShard { tensor: wanted.name, shard: shard.clone() },
                None => FolderError::MissingTensor { tensor: wanted.name, architecture },
            });
        };
        if found.shape != wanted.shape {
            return Err(FolderError::Shape {
                tensor: wanted.name,
                shard: name_of(found),
                found: found.shape.clone(),
                expected: wanted.shape,
            });
        }
        let place = place(&wanted.name, found, shards)?;
        places.push((wanted, place));
    }
    let mut second_output = None;
    if shards.tensors.len() > places.len() {
        let known: std::collections::HashSet<&str> =
            places.iter().map(|(wanted, _)| wanted.name.as_str()).collect();
        for (name, found) in shards.tensors.iter().filter(|(name, _)| !known.contains(name.as_str())) {
            if name == "lm_head.weight" && config.tied {
                second_output = Some(place(name, found, shards)?);
            } else if !name.ends_with(".rotary_emb.inv_freq") {
                // Old files keep the frequencies, which follow from the settings. Anything else
                // would go unused.
                return Err(FolderError::Unknown {
                    tensor: name.clone(),
                    shard: name_of(found),
                    architecture,
                });
            }
        }
    }
    Ok((places, second_output))
}

fn place(tensor: &str, found: &TensorHeader, shards: &Shards) -> Result<TensorRange, FolderError> {
    let kind = match found.dtype {
        Dtype::F32 => SourceKind::F32,
        Dtype::F16 => SourceKind::F16,
        Dtype::BF16 => SourceKind::Bf16,
        other => {
            let shard = shards.files[found.shard].name.clone();
            return Err(FolderError::Dtype { tensor: tensor.into(), shard, found: format!("{other:?}") });
        }
    };
    Ok(TensorRange { shard: found.shard, kind, offset: found.offset, bytes: found.bytes })
}

/// What to say of a folder without `config.json`.
fn no_config(path: &Path) -> FolderError {
    let names = std::fs::read_dir(path).into_iter().flatten().flatten();
    let gguf =
        names.filter_map(|entry| entry.file_name().into_string().ok()).any(|name| name.ends_with(".gguf"));
    let advice = if gguf {
        say!("but a GGUF file; name that file instead")
    } else if path.join("adapter_config.json").exists() {
        say!("it holds an adapter (LoRA) only; merge it into its model first")
    } else {
        say!("so it holds no model; name the folder that has config.json")
    };
    FolderError::Missing { folder: path.into(), file: "config.json".into(), advice }
}
