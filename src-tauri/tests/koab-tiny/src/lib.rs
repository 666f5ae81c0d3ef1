//! Random models in the layout of Hugging Face repositories: configuration, sharded safetensors, tokenizer and chat
//! template, written on the spot, so that tests need no network and no foreign files.
//!
//! A seed always gives the same bytes, on every computer: weights are made of integers and one multiplication, without a
//! mathematical library. The weights are large enough that attention, rotary positions, biases and norms change what
//! the model says; whoever converts one of them wrongly sees other numbers.
//!
//! For tests and benchmarks only; nothing that ships depends on it.
#![warn(missing_docs)]

mod bpe;
mod config;
mod preference;
mod random;
mod safetensors;
mod shape;
mod spm;
mod tensor;
mod tokenizer;
mod weights;
mod words;

use std::fs;
use std::io;
use std::path::Path;

pub use preference::prefer;
pub use shape::{Architecture, Dtype, Shape, Vocabulary};

/// Writes the usual small model of an architecture (a few MB, [`Shape::tiny`]) into a folder, which is made.
///
/// # Errors
/// What the disk said.
pub fn write(folder: &Path, architecture: Architecture, seed: u64) -> io::Result<Shape> {
    let shape = Shape { seed, ..Shape::tiny(architecture) };
    write_shaped(folder, &shape)?;
    Ok(shape)
}

/// Writes a random model of any shape into a folder, which is made. Weights are written as they are made: the memory
/// this takes does not grow with the model.
///
/// # Errors
/// What the disk said, and a vocabulary too small for the tokens that every model of its kind has.
pub fn write_shaped(folder: &Path, shape: &Shape) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let tokens = tokenizer::write(folder, shape)?;
    if tokens.count > shape.vocab {
        return Err(io::Error::other(format!(
            "a model of {} words is too small for the {} tokens of its tokenizer",
            shape.vocab, tokens.count
        )));
    }
    config::write(folder, shape, &tokens)?;
    weights::write(folder, shape)
}
