//! OpenAI's Responses API. Source: OpenAI API reference, "Responses".

mod answer;
mod events;
mod items;
mod names;
mod request;

pub(super) use answer::{reply, response};
pub(super) use events::Events;
pub(super) use request::read;
