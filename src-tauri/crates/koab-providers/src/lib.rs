//! Implementations of the engine's [`ModelAdapter`](koab_engine::ports::ModelAdapter), and clients
//! of other services.
//!
//! Models: [`openai_compat`] supports any server of Chat Completions, [`native`] the protocols of
//! Anthropic, Google and AWS (through the `genai` crate), and [`baseline`] has models that need no
//! server. [`registry`] opens the model of an id such as `vllm/qwen3`.
//!
//! Other services: [`collector`] sends spans of a run to a collector that the user names.
//! [`download`] fetches small files and [`hub`] models. [`servers`] finds model servers on this
//! machine. [`services`] calls the live APIs behind tools.
//!
//! The engine handles retries, time limits and pacing. The caller stores keys and passes in a
//! [`registry::KeySource`].
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod archive;
pub mod baseline;
pub mod collector;
mod credentials;
pub mod download;
mod empty_request;
mod ending;
mod http;
pub mod hub;
mod ids;
mod json_end;
pub mod mcp;
pub mod native;
pub mod openai_compat;
mod reconnect;
mod refusals;
pub mod registry;
pub mod servers;
pub mod services;
mod structured;

pub use http::{Network, Proxy};
