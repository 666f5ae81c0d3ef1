//! Anthropic's Messages API. Source: Anthropic API reference, "Messages".

mod answer;
mod events;
mod request;
mod turns;

pub(super) use answer::{message, reply};
pub(super) use events::Events;
pub(super) use request::{RequestPurpose, read};
