//! What a model's own files say of it.

use crate::gguf::{self, Header};
use crate::hf::{Folder, Source};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// What is known of a model; what its files do not say is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The architecture: of a folder as `config.json` names it (`Qwen2ForCausalLM`), of a GGUF file
    /// llama.cpp's name (`qwen2`).
    pub architecture: Option<String>,
    /// Numbers in its weights.
    pub parameters: Option<u64>,
    /// Tokens of context that it was made for.
    pub context: Option<u64>,
    /// The licence's short name.
    pub licence: Option<String>,
    /// How the weights were quantized.
    pub quantization: Option<String>,
}

impl Facts {
    /// Of a Hugging Face folder, with what keeps it from being used.
    pub(super) fn of_folder(folder: &Path) -> (Self, Option<Sentence>) {
        match Folder::open(folder) {
            Ok(opened) => {
                let facts = Self {
                    architecture: Some(opened.config().architecture.class().to_owned()),
                    parameters: Some(opened.parameters()),
                    context: Some(opened.config().context),
                    licence: opened.source().licence.clone(),
                    quantization: None,
                };
                (facts, None)
            }
            Err(why) => (Self::of_config(folder), Some(why.to_sentence())),
        }
    }

    /// What the settings alone say, for a folder that cannot be used.
    fn of_config(folder: &Path) -> Self {
        let config: Value = fs::read(folder.join("config.json"))
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default();
        Self {
            architecture: config["architectures"][0].as_str().map(str::to_owned),
            context: config["max_position_embeddings"].as_u64(),
            licence: Self::licence_beside(folder),
            ..Self::default()
        }
    }

    /// Of a GGUF model by its parts, the first one first, with what keeps it from being used.
    pub(super) fn of_gguf(parts: &[PathBuf]) -> (Self, Option<Sentence>) {
        let mut all: Option<gguf::Facts> = None;
        for part in parts {
            let read = match Header::read(part) {
                Ok(header) => gguf::Facts::from_header(&header),
                Err(why) => {
                    let name = part.file_name().unwrap_or_default().to_string_lossy();
                    return (Self::default(), Some(say!("{name}: {why}")));
                }
            };
            match &mut all {
                // The first part has the facts, each has tensors of its own.
                Some(first) => first.parameters = first.parameters.saturating_add(read.parameters),
                None => all = Some(read),
            }
        }
        let Some(read) = all else {
            return (Self::default(), None);
        };
        let facts = Self {
            architecture: read.architecture,
            parameters: Some(read.parameters).filter(|count| *count > 0),
            context: read.context,
            licence: read.licence,
            quantization: read.kinds.into_iter().next().map(|(name, _)| name),
        };
        (facts, None)
    }

    /// The licence that a README names.
    pub(super) fn licence_beside(folder: &Path) -> Option<String> {
        Source::from_folder(folder).licence
    }
}
