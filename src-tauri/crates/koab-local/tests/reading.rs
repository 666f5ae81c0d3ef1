//! Reading what others made: folders of models, their settings, GGUF files.
#![allow(clippy::unwrap_used)]

mod folder;
mod gguf;
mod settings;
