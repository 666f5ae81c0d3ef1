//! `model.json`: the source of a converted model, and hashes to verify it.

use koab_core::sentence::Sentence;
use koab_engine::atomic::{self, Readers};
use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::Precision;
use crate::hf::{Folder, Source, TokenizerFiles};

/// Version of the converter. A higher version makes different files from the same source.
const VERSION: u32 = 1;

/// File name of the [`Record`] in a converted model's folder.
pub const RECORD: &str = "model.json";

/// A file with its hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hashed {
    /// File name.
    pub name: String,
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256 of the content in lower-case hexadecimal.
    pub sha256: String,
}

/// Content of `model.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Version of the converter.
    pub converter: u32,
    /// Source of the model.
    pub source: Source,
    /// Architecture, as `config.json` names it.
    pub architecture: String,
    /// Name of the precision (`float32`, `float16`, `bfloat16`, `8bit`, `4bit`).
    pub precision: String,
    /// Number of weights.
    pub parameters: u64,
    /// Tokens of context.
    pub context: u64,
    /// Tokens that end an answer.
    pub ends: Vec<u32>,
    /// Weight files of the source.
    pub files: Vec<Hashed>,
    /// The converted model.
    pub model: Hashed,
    /// Notes for the user, one sentence each.
    pub notes: Vec<Sentence>,
}

impl Record {
    pub(super) fn new(
        folder: &Folder,
        precision: Precision,
        files: Vec<Hashed>,
        model: Hashed,
        notes: Vec<Sentence>,
    ) -> Self {
        Self {
            converter: VERSION,
            source: folder.source().clone(),
            architecture: folder.config().architecture.class().into(),
            precision: precision.name().into(),
            parameters: folder.parameters(),
            context: folder.config().context,
            ends: folder.tokenizer().ends.clone(),
            files,
            model,
            notes,
        }
    }

    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        let text = serde_json::to_string_pretty(self).map_err(io::Error::other)?;
        atomic::write(path, Readers::Everyone, text + "\n")
    }

    /// Whether this converter made the model in `out` from the current content of `folder`.
    ///
    /// The comparison covers the revision, the names and sizes of the weights, and whether a file
    /// of the source is younger than the record. A file that was replaced by another of its size
    /// with an older date is not noticed. The hashes would show that, but hashing all weights at
    /// every start takes minutes.
    #[must_use]
    pub fn is_current(&self, out: &Path, folder: &Folder) -> bool {
        let changed = |path: &Path| fs::metadata(path).and_then(|facts| facts.modified());
        let Ok(converted) = changed(&out.join(RECORD)) else {
            return false;
        };
        let same_files = folder.weights().count() == self.files.len()
            && folder.weights().zip(&self.files).all(|((path, bytes), file)| {
                let name = path.file_name().and_then(|name| name.to_str());
                name == Some(file.name.as_str()) && bytes == file.bytes
            });
        let others = TokenizerFiles::COPIED.iter().chain(&["config.json"]);
        let mut sources = folder
            .weights()
            .map(|(path, _)| path.to_owned())
            .chain(others.map(|name| folder.path().join(name)).filter(|path| path.exists()));
        self.converter == VERSION
            && self.source.revision == folder.source().revision
            && same_files
            && sources.all(|path| changed(&path).is_ok_and(|changed| changed <= converted))
    }

    /// Reads the record of the converted model in a folder. A conversion without a readable record
    /// was not finished.
    ///
    /// # Errors
    /// When the file cannot be read or is not a record.
    pub fn read(folder: &Path) -> io::Result<Self> {
        let text = fs::read(folder.join(RECORD))?;
        serde_json::from_slice(&text).map_err(io::Error::other)
    }
}
