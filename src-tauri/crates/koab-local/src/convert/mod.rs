//! Converts a Hugging Face folder to one GGUF file, at a chosen precision.
//!
//! Tensors are converted one by one and in pieces, in the order of the source's files. The memory
//! need does not grow with the model, every file is read once, and the files are hashed as they are
//! read and written. The final name appears only when the file is complete: the result is written
//! to a partial file, flushed to the disk and renamed, and `model.json` is written last.
//!
//! The conversion preserves the original's arithmetic. Rows of queries and keys of Llama and
//! Mistral are put into llama.cpp's order: it rotates neighbouring numbers, transformers rotates
//! halves. Qwen's rows keep their order. Norms and biases stay float32.

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

/// File name of the converted model in its folder.
pub const MODEL: &str = "model.gguf";

/// Progress of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress<'a> {
    /// Bytes of the source that are converted.
    pub done: u64,
    /// Bytes of the source in all.
    pub total: u64,
    /// Name of the tensor that is being converted.
    pub tensor: &'a str,
}

/// A finished conversion.
#[derive(Clone, Debug, PartialEq)]
pub struct Converted {
    /// Path of the converted model.
    pub model: PathBuf,
    /// Content of `model.json` in the same folder.
    pub record: Record,
}

/// Size of the converted model's file in bytes, without the vocabulary of a few MB.
///
/// # Errors
/// An error that [`convert`] would report before it writes.
pub fn planned_bytes(folder: &Folder, precision: Precision) -> Result<u64, ConvertError> {
    let plan = Plan::new(folder, precision);
    plan.tensors()
        .iter()
        .try_fold(0, |sum, tensor| Ok(sum + tensor.bytes().map_err(ConvertError::Unwritable)?))
}

/// Converts a folder's model into the folder `out`, which is created.
///
/// The result consists of `model.gguf`, `model.json` and copies of the tokenizer's files.
/// `progress` is called every few MB. If it returns `Break`, the conversion ends and leaves
/// nothing.
///
/// # Errors
/// The reason in one sentence. A model that was in `out` before is then still there.
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

/// Copies the tokenizer's files to the converted model's folder. This application reads them, not
/// the vocabulary in the GGUF file.
fn copy_tokenizer(folder: &Folder, out: &Path) -> io::Result<()> {
    for name in TokenizerFiles::COPIED {
        match fs::read(folder.path().join(name)) {
            Ok(bytes) => fs::write(out.join(name), bytes)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    // A template for tools may be in a folder of its own; the reader also finds it there.
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

/// Checks that a second output matrix equals the embeddings. Needed if the settings say that the
/// embeddings are the output.
fn same_outputs(folder: &Folder) -> Result<(), ConvertError> {
    let Some(second) = folder.second_output() else {
        return Ok(());
    };
    let is_embedding = |spec: &crate::hf::TensorSpec| spec.part == crate::hf::Part::Embedding;
    let embedding = folder.tensors().iter().find(|(spec, _)| is_embedding(spec));
    let same = match embedding {
        Some((_, first)) if first.kind == second.kind => {
            let paths: Vec<&Path> = folder.weights().map(|(path, _)| path).collect();
            reading::same(paths[first.shard], first, paths[second.shard], second)?
        }
        _ => false,
    };
    if same { Ok(()) } else { Err(ConvertError::TwoOutputs) }
}
