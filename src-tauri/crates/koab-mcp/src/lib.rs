//! The Model Context Protocol, as far as tools go: messages kept letter for letter, the answering
//! core of a server of tools, and the ways to it (HTTP, lines of standard streams, and the bridge
//! between both).
//!
//! What answers a call is behind [`Tools`]. Why this is by hand and not an SDK is in
//! `docs/design/mcp.md`.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod body;
pub mod bridge;
pub mod exchange;
pub mod http;
pub mod lines;
pub mod listener;
pub mod message;
pub mod params;
mod running_calls;
pub mod server;
pub mod stdio;
pub mod tools;
pub mod version;

pub use message::Message;
pub use serde_json::value::RawValue;
pub use server::{Reply, Server, ServerProfile};
pub use tools::{ToolAnswer, ToolCall, ToolOffer, Tools};
