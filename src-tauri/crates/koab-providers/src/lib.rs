//! Models behind the engine's [`ModelAdapter`](koab_engine::ports::ModelAdapter) port.
//!
//! [`openai_compat`] speaks Chat Completions to any server that does, [`native`] the protocols of
//! Anthropic, Google and AWS (through the `genai` crate), [`baseline`] plays models that need no
//! server, and [`registry`] turns a model id such as `vllm/qwen3` into one of them. [`collector`]
//! is not a model: it takes what a run tells about itself, when the user names one; [`download`]
//! fetches small files, [`hub`] models, and [`servers`] looks which model servers run on this
//! machine; [`services`] asks the live APIs behind tools. Retrying, time limits and pacing are the
//! engine's; where keys are kept is the caller's, who hands a [`registry::KeySource`] in.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod archive;
pub mod baseline;
pub mod collector;
mod credentials;
pub mod download;
mod ending;
mod http;
pub mod hub;
mod ids;
mod json_end;
pub mod mcp;
pub mod native;
pub mod openai_compat;
mod refusals;
pub mod registry;
pub mod servers;
pub mod services;
mod structured;

pub use http::{Proxy, use_proxy};
