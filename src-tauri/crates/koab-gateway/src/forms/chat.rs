//! OpenAI's Chat Completions API. Source: OpenAI API reference, "Chat".

mod answer;
mod events;
mod messages;
mod request;

pub(super) use answer::{completion, reply};
pub(super) use events::Events;
pub(super) use request::{format, read};
