//! `model.json`: where a converted model comes from, and the hashes by which it can be checked.

use koab_core::sentence::Sentence;
use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::Precision;
use crate::hf::{Folder, Source, TokenizerFiles};

/// The converter's version; a higher one makes other files out of the same source.
const VERSION: u32 = 1;

/// The name of the [`Record`] beside a converted model.
pub const RECORD: &str = "model.json";

/// A file by its hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hashed {
    /// Its name.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// Of its content, in lower-case hexadecimal.
    pub sha256: String,
}

/// What `model.json` says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The version of the converter.
    pub converter: u32,
    /// Where the model comes from.
    pub source: Source,
    /// The architecture, as `config.json` has it.
    pub architecture: String,
    /// The precision's name (`float32`, `float16`, `bfloat16`, `8bit`, `4bit`).
    pub precision: String,
    /// How many weights the model has.
    pub parameters: u64,
    /// Tokens of context.
    pub context: u64,
    /// The tokens that end an answer.
    pub ends: Vec<u32>,
    /// The source's files of weights.
    pub files: Vec<Hashed>,
    /// The converted model.
    pub model: Hashed,
    /// What a user should know, one sentence each.
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
        let part = path.with_extension("json.part");
        let written = fs::write(&part, text + "\n").and_then(|()| fs::rename(&part, path));
        if written.is_err() {
            fs::remove_file(&part).ok();
        }
        written
    }

    /// Whether this converter made the model in `out` from what is in the folder now: the same
    /// revision, weights of the same names and sizes, and no file of the source younger than the
    /// record. A file that was exchanged for another of its size with an older date is not noticed;
    /// its hash would tell, but reading all weights at every start takes minutes.
    #[must_use]
    pub fn is_current(&self, out: &Path, folder: &Folder) -> bool {
        let changed = |path: &Path| fs::metadata(path).and_then(|facts| facts.modified());
        let Ok(made) = changed(&out.join(RECORD)) else {
            return false;
        };
        let same_files = folder.weights().count() == self.files.len()
            && folder.weights().zip(&self.files).all(|((path, bytes), known)| {
                let name = path.file_name().and_then(|name| name.to_str());
                name == Some(known.name.as_str()) && bytes == known.bytes
            });
        let others = TokenizerFiles::COPIED.iter().chain(&["config.json"]);
        let mut sources = folder
            .weights()
            .map(|(path, _)| path.to_owned())
            .chain(others.map(|name| folder.path().join(name)).filter(|path| path.exists()));
        self.converter == VERSION
            && self.source.revision == folder.source().revision
            && same_files
            && sources.all(|path| changed(&path).is_ok_and(|changed| changed <= made))
    }

    /// Reads the record of the converted model in a folder; without a readable one the conversion
    /// was not finished.
    ///
    /// # Errors
    /// What the disk said, or that it is not a record.
    pub fn read(folder: &Path) -> io::Result<Self> {
        let text = fs::read(folder.join(RECORD))?;
        serde_json::from_slice(&text).map_err(io::Error::other)
    }
}
