//! Gemini's generateContent API. Source: Gemini API reference, "Generating content".

mod answer;
mod config;
mod contents;
mod events;
mod keys;
mod request;
mod schema;

pub(super) use answer::{reply, response};
pub(super) use events::Events;
pub(super) use request::{read, read_for_count};
