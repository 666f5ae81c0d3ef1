//! Opens a folder: settings, headers of the weights, and tokenizer; and checks that they fit
//! together.

use koab_core::say;
use std::path::{Path, PathBuf};

use safetensors::Dtype;

use super::shards::{Shard, Shards, TensorHeader};
use super::{Config, FolderError, Source, SourceKind, TensorRange, TensorSpec, TokenizerFiles, json};

/// Folder of a model whose settings are supported and whose tensors are complete.
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
    /// Opens a plain folder or a snapshot of a Hugging Face cache, whose files are links. Only
    /// headers are read, not weights.
    ///
    /// # Errors
    /// The first fault: a file or setting that is missing, damaged or not supported.
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

    /// Path of the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Settings of the model.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Files of the tokenizer and chat template.
    #[must_use]
    pub fn tokenizer(&self) -> &TokenizerFiles {
        &self.tokenizer
    }

    /// Source of the model.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Weights files with their sizes in bytes.
    pub fn weights(&self) -> impl Iterator<Item = (&Path, u64)> {
        self.shards.iter().map(|shard| (shard.path.as_path(), shard.bytes))
    }

    /// Number of weights.
    #[must_use]
    pub fn parameters(&self) -> u64 {
        self.tensors.iter().map(|(_, place)| place.bytes / place.kind.bytes()).sum()
    }

    /// Tensors of the model with their positions in the files.
    pub(crate) fn tensors(&self) -> &[(TensorSpec, TensorRange)] {
        &self.tensors
    }

    /// Name of a weights file, by its index in a [`TensorRange`].
    pub(crate) fn shard_name(&self, shard: usize) -> &str {
        &self.shards[shard].name
    }

    /// Position of an output matrix that is in the files although the settings say that the
    /// embeddings are the output.
    pub(crate) fn second_output(&self) -> Option<&TensorRange> {
        self.second_output.as_ref()
    }
}

type Fitted = (Vec<(TensorSpec, TensorRange)>, Option<TensorRange>);

/// Finds every expected tensor in the files, and checks that there are no others.
fn fitted(config: &Config, shards: &Shards) -> Result<Fitted, FolderError> {
    let architecture = config.architecture.class();
    let name_of = |header: &TensorHeader| shards.files[header.shard].name.clone();
    let mut places = Vec::new();
    for spec in config.wanted() {
        let Some(header) = shards.tensors.get(&spec.name) else {
            return Err(match shards.index.get(&spec.name) {
                Some(shard) => FolderError::NotInShard { tensor: spec.name, shard: shard.clone() },
                None => FolderError::MissingTensor { tensor: spec.name, architecture },
            });
        };
        if header.shape != spec.shape {
            return Err(FolderError::Shape {
                tensor: spec.name,
                shard: name_of(header),
                found: header.shape.clone(),
                expected: spec.shape,
            });
        }
        let place = place(&spec.name, header, shards)?;
        places.push((spec, place));
    }
    let mut second_output = None;
    if shards.tensors.len() > places.len() {
        let expected: std::collections::HashSet<&str> =
            places.iter().map(|(spec, _)| spec.name.as_str()).collect();
        for (name, header) in shards.tensors.iter().filter(|(name, _)| !expected.contains(name.as_str())) {
            if name == "lm_head.weight" && config.tied {
                second_output = Some(place(name, header, shards)?);
            } else if !name.ends_with(".rotary_emb.inv_freq") {
                // Old files contain the frequencies, which follow from the settings. Any other
                // tensor would be ignored by the conversion.
                return Err(FolderError::Unknown {
                    tensor: name.clone(),
                    shard: name_of(header),
                    architecture,
                });
            }
        }
    }
    Ok((places, second_output))
}

fn place(tensor: &str, header: &TensorHeader, shards: &Shards) -> Result<TensorRange, FolderError> {
    let kind = match header.dtype {
        Dtype::F32 => SourceKind::F32,
        Dtype::F16 => SourceKind::F16,
        Dtype::BF16 => SourceKind::Bf16,
        other => {
            let shard = shards.files[header.shard].name.clone();
            return Err(FolderError::Dtype { tensor: tensor.into(), shard, found: format!("{other:?}") });
        }
    };
    Ok(TensorRange { shard: header.shard, kind, offset: header.offset, bytes: header.bytes })
}

/// Error for a folder without `config.json`, with the best advice.
fn no_config(path: &Path) -> FolderError {
    let names = std::fs::read_dir(path).into_iter().flatten().flatten();
    let gguf =
        names.filter_map(|entry| entry.file_name().into_string().ok()).any(|name| name.ends_with(".gguf"));
    let advice = if gguf {
        say!("it has a GGUF file; name that file instead")
    } else if path.join("adapter_config.json").exists() {
        say!("it holds an adapter (LoRA) only; merge it into its model first")
    } else {
        say!("it holds no model; name the folder that has config.json")
    };
    FolderError::Missing { folder: path.into(), file: "config.json".into(), advice }
}
