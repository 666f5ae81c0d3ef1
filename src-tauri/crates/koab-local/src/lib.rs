//! Models inside this application: no Python, no server.
//!
//! A model comes as GGUF or as a Hugging Face folder that is converted once; its chat template
//! turns a conversation into a prompt, llama.cpp continues it, and tool calls are read from what it
//! wrote. Fetching files, keys and settings are other crates'; this one sees folders and
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
