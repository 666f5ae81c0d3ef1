//! The model gateway, through real sockets on both sides.
#![allow(clippy::unwrap_used, missing_docs)]

mod calls;
mod errors;
mod figures;
mod gemini;
mod live;
mod messages;
mod relay;
mod replays;
mod responses;
mod sdks;
mod support;
mod wire;
