//! What a build without local models says. It stands here in every build, so that every language
//! has it.
#![cfg_attr(feature = "local", allow(dead_code, reason = "this build has local models"))]

use koab_core::text;

/// A model inside the application is asked for.
pub(crate) const MODEL: &str = text!(
    "this build has no models of its own (cargo feature `local`); serve the model with Ollama, vLLM, LM Studio or llama.cpp and ask for ollama/…, vllm/…, lmstudio/… or llamacpp/…"
);

/// The library of local models is asked for.
pub(crate) const LIBRARY: &str = text!(
    "this build has no models of its own; take one that was built with the feature `local`, or a server such as \
         Ollama (`koab models servers`)"
);
