//! A model in the form of Hugging Face repositories: a folder with `config.json`, safetensors files
//! and a tokenizer.
//!
//! [`Folder::open`] reads and checks all of that except the numbers in the weights. Every setting
//! that changes what the model computes is understood or refused by name. Every tensor is where the
//! index says, has the size that the settings require, and none is left over. A folder that opens
//! can be converted.

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
