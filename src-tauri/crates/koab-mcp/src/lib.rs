//! The Model Context Protocol for tools: messages that keep their texts, the core of a server of
//! tools, and its transports (HTTP, lines of standard streams, and a bridge between both).
//!
//! [`Tools`] answers the calls. `docs/design/mcp.md` explains why this is implemented here and not
//! with an SDK.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod body;
pub mod bridge;
pub mod client;
pub mod connections;
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
