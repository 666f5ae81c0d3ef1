//! Facts of a model from its own files.

use crate::gguf::{self, Header};
use crate::hf::{Folder, Source};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Facts of a model. A fact that its files do not contain is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Architecture: for a folder the name in `config.json` (`Qwen2ForCausalLM`), for a GGUF file
    /// llama.cpp's name (`qwen2`).
    pub architecture: Option<String>,
    /// Number of weights.
    pub parameters: Option<u64>,
    /// Tokens of context that the model was trained for.
    pub context: Option<u64>,
    /// Short name of the licence.
    pub licence: Option<String>,
    /// Quantization of the weights.
    pub quantization: Option<String>,
}

impl Facts {
    /// Facts of a Hugging Face folder, and the reason if it cannot be used.
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

    /// Facts from the settings alone, for a folder that cannot be used.
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

    /// Facts of a GGUF model from its parts in order, and the reason if it cannot be used.
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
                // The first part has the facts; each part has tensors of its own.
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

    /// Licence that the README in a folder names.
    pub(super) fn licence_beside(folder: &Path) -> Option<String> {
        Source::from_folder(folder).licence
    }
}
