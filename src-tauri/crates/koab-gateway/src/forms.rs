//! Vendors' API formats: a reader and a writer for each, around one neutral request and reply.
//!
//! No request is passed through as bytes, even when the model's own provider has the same form.
//! There is one code path, one record, and no field that is not checked.

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
use messages::RequestPurpose;
use serde_json::{Value, json};

/// Format of a request, and the values that its path contains.
#[derive(Clone, Debug, Default)]
pub(super) struct Route {
    pub(super) form: Form,
    /// Name of the model, when the path contains it instead of the body.
    pub(super) model: Option<String>,
    /// Format of the answer, when the path determines it.
    pub(super) format: AnswerFormat,
}

impl Route {
    /// Route whose path contains only the format.
    pub(super) fn for_form(form: Form) -> Self {
        Self { form, ..Self::default() }
    }

    /// Format of the answer.
    pub(super) fn format(&self, body: &Value) -> AnswerFormat {
        match self.form {
            Form::Chat => chat::format(body),
            Form::Responses | Form::Messages => fields::format(body),
            Form::Gemini => self.format,
        }
    }

    /// Media type of streamed answers.
    pub(super) fn kind_of_pieces(&self) -> &'static str {
        if self.format.array { "application/json" } else { "text/event-stream" }
    }

    /// Name of the model as the caller wrote it.
    pub(super) fn model(&self, body: &Value) -> String {
        let name = self.model.as_deref().or_else(|| body.get("model")?.as_str());
        name.unwrap_or_default().to_owned()
    }

    /// Reads a request. `max_tokens` is the output limit of a request that names no limit.
    ///
    /// # Errors
    /// When a field is invalid or cannot be forwarded; the first such field is named.
    pub(super) fn read(
        &self,
        body: &Value,
        served: &ServedModel,
        max_tokens: u32,
    ) -> Result<GatewayRequest, Refusal> {
        match self.form {
            Form::Chat => chat::read(body, served, max_tokens),
            Form::Responses => responses::read(body, served, max_tokens),
            Form::Messages => messages::read(body, served, max_tokens, RequestPurpose::Answer),
            Form::Gemini => gemini::read(body, &self.model(body), served, max_tokens),
        }
    }

    /// Reads a request whose tokens are to be counted.
    ///
    /// # Errors
    /// Same as [`Route::read`].
    pub(super) fn read_for_count(
        &self,
        body: &Value,
        served: &ServedModel,
    ) -> Result<GatewayRequest, Refusal> {
        match self.form {
            Form::Messages => messages::read(body, served, 1, RequestPurpose::Count),
            Form::Gemini => gemini::read_for_count(body, &self.model(body), served),
            Form::Chat | Form::Responses => self.read(body, served, 1),
        }
    }

    /// Body of the answer to a request to count tokens.
    pub(super) fn counted(&self, tokens: usize) -> Value {
        match self.form {
            Form::Gemini => json!({"totalTokens": tokens}),
            Form::Chat | Form::Responses | Form::Messages => json!({"input_tokens": tokens}),
        }
    }

    /// Field of a reply that this form cannot express, if there is one.
    pub(super) fn unsupported(&self, reply: &ModelReply) -> Option<&'static str> {
        let broken = || reply.calls.iter().any(|call| !fields::is_object(&call.arguments));
        match self.form {
            Form::Chat | Form::Responses => None,
            Form::Messages => broken().then_some("content[].input"),
            Form::Gemini => broken().then_some("functionCall.args"),
        }
    }

    /// Body of the complete answer in this form.
    pub(super) fn write(&self, reply: &ModelReply, label: &Label, body: &Value) -> Value {
        match self.form {
            Form::Chat => chat::completion(reply, label),
            Form::Responses => responses::response(reply, label, body),
            Form::Messages => messages::message(reply, label),
            Form::Gemini => gemini::response(reply, label),
        }
    }

    /// Model reply that a complete answer represents.
    pub(super) fn reply(&self, answer: &Value) -> ModelReply {
        match self.form {
            Form::Chat => chat::reply(answer),
            Form::Responses => responses::reply(answer),
            Form::Messages => messages::reply(answer),
            Form::Gemini => gemini::reply(answer),
        }
    }

    /// Starts a streamed answer. Returns the first events, and the writer of the remaining events.
    /// `empty` is the complete answer without its content.
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

    /// Complete answer as a stream of events.
    pub(super) fn events(&self, whole: &Value, format: AnswerFormat) -> String {
        let (begin, mut writer) = self.tell(whole, format);
        begin + &writer.finish(whole)
    }

    /// Body of a refusal in this form.
    pub(super) fn error(&self, refusal: &Refusal) -> Value {
        match self.form {
            Form::Chat | Form::Responses => error::openai(refusal),
            Form::Messages => error::anthropic(refusal),
            Form::Gemini => error::google(refusal),
        }
    }
}
