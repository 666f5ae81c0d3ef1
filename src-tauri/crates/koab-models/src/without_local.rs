//! Messages of a build without local models. Every build contains them, so that every translation
//! has them.
#![cfg_attr(feature = "local", allow(dead_code, reason = "this build has local models"))]

use koab_core::text;

/// Error for a request of a local model.
pub(crate) const MODEL: &str = text!(
    "this build has no models of its own (cargo feature `local`); serve the model with Ollama, vLLM, LM Studio or llama.cpp and ask for ollama/…, vllm/…, lmstudio/… or llamacpp/…"
);

/// Error for a request to the library of local models.
pub(crate) const LIBRARY: &str = text!(
    "this build has no models of its own; take a build with the feature `local`, or a server such as Ollama (`koab models servers`)"
);
