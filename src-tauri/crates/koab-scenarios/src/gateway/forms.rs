//! The forms in which programs ask models: a reader and a writer each, around one neutral request and reply.
//!
//! Nothing passes through as bytes, even where the model's own provider speaks the same form: one path, one record, and no
//! field that nobody looked at.

mod chat;
mod error;
mod label;
mod teller;

pub(super) use label::Label;
pub(super) use teller::Teller;

use super::refusal::Refusal;
use super::request::{GatewayRequest, Manner, Served};
use koab_engine::ports::ModelReply;
use serde_json::Value;

/// A vendor's way to ask and to answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Form {
    /// OpenAI's Chat Completions.
    #[default]
    Chat,
}

/// How a request came in: its form, and what its path says.
#[derive(Clone, Debug, Default)]
pub(super) struct Door {
    pub(super) form: Form,
}

impl Door {
    /// How the answer is to be told.
    pub(super) fn manner(&self, body: &Value) -> Manner {
        match self.form {
            Form::Chat => chat::manner(body),
        }
    }

    /// The model's name as the caller wrote it.
    pub(super) fn model(&self, body: &Value) -> String {
        let name = body.get("model").and_then(Value::as_str);
        name.unwrap_or_default().to_owned()
    }

    /// Reads a request. `max_tokens` counts where it names none.
    ///
    /// # Errors
    /// The first field that makes no sense or cannot be carried.
    pub(super) fn read(
        &self,
        body: &Value,
        served: &Served,
        max_tokens: u32,
    ) -> Result<GatewayRequest, Refusal> {
        match self.form {
            Form::Chat => chat::read(body, served, max_tokens),
        }
    }

    /// The whole answer.
    pub(super) fn write(&self, reply: &ModelReply, label: &Label) -> Value {
        match self.form {
            Form::Chat => chat::completion(reply, label),
        }
    }

    /// Begins to tell an answer: the first words, and whoever tells the rest. `empty` holds all but what is told.
    pub(super) fn tell(&self, empty: &Value, manner: Manner) -> (String, Box<dyn Teller>) {
        match self.form {
            Form::Chat => {
                let (begin, events) = chat::Events::begin(empty, manner);
                (begin, Box::new(events))
            }
        }
    }

    /// A whole answer in pieces.
    pub(super) fn events(&self, whole: &Value, manner: Manner) -> String {
        let (begin, mut teller) = self.tell(whole, manner);
        begin + &teller.finish(whole)
    }

    /// The body of a refusal.
    pub(super) fn error(&self, refusal: &Refusal) -> Value {
        match self.form {
            Form::Chat => error::openai(refusal),
        }
    }
}
