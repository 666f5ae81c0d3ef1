//! From a Hugging Face folder to one GGUF file, at a chosen precision.
//!
//! Tensors go through one by one and in pieces, in the order of the source's files: memory does not
//! grow with the model, every file is read once, and the hashes of what was read and written come
//! along. Nothing stands under the final name before it is complete: the result is written beside
//! it, flushed to the disk and renamed, and `model.json` comes last.
//!
//! What is computed is the original's arithmetic. Rows of queries and keys of Llama and Mistral are
//! put in llama.cpp's order (it turns neighbouring numbers, transformers turns halves); Qwen's are
//! as they were. Norms and biases stay float32.

mod error;
mod facts;
mod matrix;
mod output;
mod plan;
mod precision;
mod reading;
mod record;
mod vocabulary;

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::gguf::Writer;
use crate::hf::{Folder, TokenizerFiles};

pub use error::ConvertError;
pub use precision::Precision;
pub use record::{Hashed, RECORD, Record};

use output::Output;
use plan::Plan;
use reading::SourceReader;

/// The converted model's file name in its folder.
pub const MODEL: &str = "model.gguf";

/// How far a conversion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress<'a> {
    /// Bytes of the source that are done.
    pub done: u64,
    /// Bytes of the source.
    pub total: u64,
    /// The tensor that is at work.
    pub tensor: &'a str,
}

/// A finished conversion.
#[derive(Clone, Debug, PartialEq)]
pub struct Converted {
    /// The model.
    pub model: PathBuf,
    /// What `model.json` beside it says.
    pub record: Record,
}

/// How large the converted model's file will be, in bytes; the vocabulary, a few MB, is not
/// counted.
///
/// # Errors
/// What [`convert`] would say before it writes.
pub fn planned_bytes(folder: &Folder, precision: Precision) -> Result<u64, ConvertError> {
    let plan = Plan::new(folder, precision);
    plan.tensors()
        .iter()
        .try_fold(0, |sum, tensor| Ok(sum + tensor.bytes().map_err(ConvertError::Unwritable)?))
}

/// Converts a folder's model into the folder `out`, which is made.
///
/// There lie then `model.gguf`, `model.json` and copies of the tokenizer's files.
/// `progress` is asked every few MB; when it breaks, the conversion ends and leaves nothing.
///
/// # Errors
/// What went wrong, in one sentence. A model that was in `out` before is then still there.
pub fn convert(
    folder: &Folder,
    out: &Path,
    precision: Precision,
    progress: &dyn Fn(Progress<'_>) -> ControlFlow<()>,
) -> Result<Converted, ConvertError> {
    let plan = Plan::new(folder, precision);
    let (facts, mut notes) = facts::header_facts(folder, precision)?;
    same_outputs(folder)?;
    let needed = planned_bytes(folder, precision)?;
    let unwritable = |error| ConvertError::written(out, needed, error);
    fs::create_dir_all(out).map_err(unwritable)?;
    let output = Output::create(&out.join(MODEL)).map_err(unwritable)?;
    let mut writer = Writer::new(output, &facts, &plan.tensors()).map_err(unwritable)?;
    for number in plan.slowdowns.iter().flatten() {
        writer.write(&number.to_le_bytes()).map_err(unwritable)?;
    }
    let mut files = Vec::new();
    let mut steps = plan.steps.as_slice();
    let total = folder.weights().map(|(_, bytes)| bytes).sum();
    let mut before = 0;
    for (shard, (path, bytes)) in folder.weights().enumerate() {
        let mut reading = SourceReader::open(path)?;
        let count = steps.iter().take_while(|step| step.place.shard == shard).count();
        let (here, later) = steps.split_at(count);
        for step in here {
            let tell = |at| {
                let progress = progress(Progress { done: before + at, total, tensor: &step.source });
                if progress.is_break() { Err(ConvertError::Cancelled) } else { Ok(()) }
            };
            let write = |bytes: &[u8]| writer.write(bytes).map_err(unwritable);
            matrix::through(step, &mut reading, folder.shard_name(shard), tell, write)?;
        }
        files.push(Hashed { name: folder.shard_name(shard).to_owned(), bytes, sha256: reading.finish()? });
        before += bytes;
        steps = later;
    }
    let output = writer.finish().map_err(unwritable)?;
    copy_tokenizer(folder, out).map_err(unwritable)?;
    notes.splice(0..0, folder.config().notes.iter().cloned());
    let finished = output.finish(&out.join(RECORD)).map_err(unwritable)?;
    let record = Record::new(folder, precision, files, finished, notes);
    record.write(&out.join(RECORD)).map_err(unwritable)?;
    Ok(Converted { model: out.join(MODEL), record })
}

/// The tokenizer's files beside the model: they, not the vocabulary in the GGUF, are what this
/// application reads.
fn copy_tokenizer(folder: &Folder, out: &Path) -> io::Result<()> {
    for name in TokenizerFiles::COPIED {
        match fs::read(folder.path().join(name)) {
            Ok(bytes) => fs::write(out.join(name), bytes)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    // A template for tools may lie in a folder of its own; among the other settings it is found as
    // well.
    let own = "additional_chat_templates/tool_use.jinja";
    if let Ok(template) = fs::read(folder.path().join(own)) {
        fs::create_dir_all(out.join("additional_chat_templates"))?;
        fs::write(out.join(own), template)?;
    }
    let ends = "generation_config.json";
    if !out.join(ends).exists() && !folder.tokenizer().ends.is_empty() {
        let ids = serde_json::json!({"eos_token_id": folder.tokenizer().ends});
        fs::write(out.join(ends), format!("{ids:#}\n"))?;
    }
    Ok(())
}

/// Where the embeddings are also the output, a second output matrix in the files must be the same
/// one.
fn same_outputs(folder: &Folder) -> Result<(), ConvertError> {
    let Some(second) = folder.second_output() else {
        return Ok(());
    };
    let is_embedding = |wanted: &crate::hf::TensorSpec| wanted.part == crate::hf::Part::Embedding;
    let embedding = folder.tensors().iter().find(|(wanted, _)| is_embedding(wanted));
    let same = match embedding {
        Some((_, first)) if first.kind == second.kind => {
            let paths: Vec<&Path> = folder.weights().map(|(path, _)| path).collect();
            reading::same(paths[first.shard], first, paths[second.shard], second)?
        }
        _ => false,
    };
    if same { Ok(()) } else { Err(ConvertError::TwoOutputs) }
}
