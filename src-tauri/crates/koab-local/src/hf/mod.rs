//! A model as Hugging Face repositories hold it: a folder with `config.json`, safetensors files, a
//! tokenizer.
//!
//! [`Folder::open`] reads all that but the weights' numbers and checks it: every setting that
//! changes what the model computes is understood or refused by name, every tensor is where the
//! index says, as large as the settings say, and none is left over. What opens can be converted.

mod architecture;
mod config;
mod error;
mod folder;
mod json;
mod rope;
mod shards;
mod source;
mod tensors;
mod tokenizer;

pub use architecture::Architecture;
pub use config::Config;
pub use error::FolderError;
pub use folder::Folder;
pub use rope::{Rope, Scaling};
pub use shards::{SourceKind, TensorRange};
pub use source::Source;
pub use tensors::{Part, TensorSpec};
pub use tokenizer::TokenizerFiles;
