//! Models that run inside this application, without Python and without a server.
//!
//! A model is a GGUF file, or a Hugging Face folder that is converted once. Its chat template turns
//! a conversation into a prompt, llama.cpp continues the prompt, and tool calls are parsed from the
//! text. Other crates fetch files and handle keys and settings; this crate handles folders and
//! conversations.
#![warn(missing_docs)]

pub mod chat_template;
pub mod convert;
pub mod engine;
pub mod fitting;
pub mod gguf;
pub mod grammar;
pub mod hf;
pub mod library;
pub mod model;
mod texts;
pub mod tokenizer;
pub mod tool_text;
