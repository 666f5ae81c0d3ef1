//! The forms in which programs ask models: a reader and a writer each, around one neutral request
//! and reply.
//!
//! Nothing passes through as bytes, even where the model's own provider speaks the same form: one
//! path, one record, and no field that nobody looked at.

mod chat;
mod empty;
mod error;
mod fields;
mod gemini;
mod label;
mod messages;
mod openai;
mod responses;
mod stream_writer;
mod table;

pub(super) use empty::nothing;
pub(super) use label::Label;
pub(super) use stream_writer::StreamWriter;

use super::form::Form;
use super::refusal::Refusal;
use super::request::{AnswerFormat, GatewayRequest, ServedModel};
use koab_engine::ports::ModelReply;
use messages::Wanted;
use serde_json::{Value, json};

/// How a request came in: its form, and what its path says.
#[derive(Clone, Debug, Default)]
pub(super) struct Route {
    pub(super) form: Form,
    /// The model, where the path names it instead of the body.
    pub(super) model: Option<String>,
    /// How the answer is to be told, where the path says it.
    pub(super) format: AnswerFormat,
}

impl Route {
    /// The route of a form whose path says no more.
    pub(super) fn for_form(form: Form) -> Self {
        Self { form, ..Self::default() }
    }

    /// How the answer is to be told.
    pub(super) fn format(&self, body: &Value) -> AnswerFormat {
        match self.form {
            Form::Chat => chat::format(body),
            Form::Responses | Form::Messages => fields::format(body),
            Form::Gemini => self.format,
        }
    }

    /// The type of answers that are told in pieces.
    pub(super) fn kind_of_pieces(&self) -> &'static str {
        if self.format.array { "application/json" } else { "text/event-stream" }
    }

    /// The model's name as the caller wrote it.
    pub(super) fn model(&self, body: &Value) -> String {
        let named = self.model.as_deref().or_else(|| body.get("model")?.as_str());
        named.unwrap_or_default().to_owned()
    }

    /// Reads a request. `max_tokens` counts where it names none.
    ///
    /// # Errors
    /// The first field that makes no sense or cannot be carried.
    pub(super) fn read(
        &self,
        body: &Value,
        served: &ServedModel,
        max_tokens: u32,
    ) -> Result<GatewayRequest, Refusal> {
        match self.form {
            Form::Chat => chat::read(body, served, max_tokens),
            Form::Responses => responses::read(body, served, max_tokens),
            Form::Messages => messages::read(body, served, max_tokens, Wanted::Answer),
            Form::Gemini => gemini::read(body, &self.model(body), served, max_tokens),
        }
    }

    /// Reads a request whose tokens are to be counted.
    ///
    /// # Errors
    /// As [`Route::read`].
    pub(super) fn read_for_count(
        &self,
        body: &Value,
        served: &ServedModel,
    ) -> Result<GatewayRequest, Refusal> {
        match self.form {
            Form::Messages => messages::read(body, served, 1, Wanted::Count),
            Form::Gemini => gemini::read_for_count(body, &self.model(body), served),
            Form::Chat | Form::Responses => self.read(body, served, 1),
        }
    }

    /// The answer to that.
    pub(super) fn counted(&self, tokens: usize) -> Value {
        match self.form {
            Form::Gemini => json!({"totalTokens": tokens}),
            Form::Chat | Form::Responses | Form::Messages => json!({"input_tokens": tokens}),
        }
    }

    /// Names what of a reply this form cannot say.
    pub(super) fn unsaid(&self, reply: &ModelReply) -> Option<&'static str> {
        let broken = || reply.calls.iter().any(|call| !fields::is_object(&call.arguments));
        match self.form {
            Form::Chat | Form::Responses => None,
            Form::Messages => broken().then_some("content[].input"),
            Form::Gemini => broken().then_some("functionCall.args"),
        }
    }

    /// The whole answer.
    pub(super) fn write(&self, reply: &ModelReply, label: &Label, body: &Value) -> Value {
        match self.form {
            Form::Chat => chat::completion(reply, label),
            Form::Responses => responses::response(reply, label, body),
            Form::Messages => messages::message(reply, label),
            Form::Gemini => gemini::response(reply, label),
        }
    }

    /// The reply that a whole answer tells.
    pub(super) fn reply(&self, answer: &Value) -> ModelReply {
        match self.form {
            Form::Chat => chat::reply(answer),
            Form::Responses => responses::reply(answer),
            Form::Messages => messages::reply(answer),
            Form::Gemini => gemini::reply(answer),
        }
    }

    /// Begins to tell an answer: the first words, and whoever tells the rest. `empty` holds all but
    /// what is told.
    pub(super) fn tell(&self, empty: &Value, format: AnswerFormat) -> (String, Box<dyn StreamWriter>) {
        fn boxed<T: StreamWriter + 'static>((begin, writer): (String, T)) -> (String, Box<dyn StreamWriter>) {
            (begin, Box::new(writer))
        }
        match self.form {
            Form::Chat => boxed(chat::Events::begin(empty, format)),
            Form::Responses => boxed(responses::Events::begin(empty)),
            Form::Messages => boxed(messages::Events::begin(empty)),
            Form::Gemini => boxed(gemini::Events::begin(empty, format)),
        }
    }

    /// A whole answer in pieces.
    pub(super) fn events(&self, whole: &Value, format: AnswerFormat) -> String {
        let (begin, mut writer) = self.tell(whole, format);
        begin + &writer.finish(whole)
    }

    /// The body of a refusal.
    pub(super) fn error(&self, refusal: &Refusal) -> Value {
        match self.form {
            Form::Chat | Form::Responses => error::openai(refusal),
            Form::Messages => error::anthropic(refusal),
            Form::Gemini => error::google(refusal),
        }
    }
}
