//! Gets one object in a given form from models that support different methods.
//!
//! First a JSON schema is requested. If the server refuses it, the model must call one tool whose
//! arguments have that schema. Then a JSON object is requested, and finally JSON in plain words.
//! The results of the last two are validated here. A refused method is not tried again. Refused
//! requests cost nothing.

mod object;

use crate::http::Errors;
use crate::refusals::ModelRefusals;
use async_trait::async_trait;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::tool::ToolSpec;
use koab_engine::ports::{FinishReason, Message, ModelError, ModelReply, ModelRequest};
use serde_json::Value;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Method to make a model answer with one JSON object of a schema. The methods are tried in this
/// order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ObjectMethod {
    /// The protocol's own field for a JSON schema.
    Schema,
    /// A single tool, which the model must call.
    Tool,
    /// The protocol's own field for any JSON object, with the schema in words.
    Object,
    /// The schema in words only.
    Words,
}

/// The methods of one model, and the first one that the server has not refused.
#[derive(Debug)]
pub(crate) struct ObjectMethods {
    all: &'static [ObjectMethod],
    at: AtomicUsize,
    /// Parameters that the server refused.
    pub(crate) learned: ModelRefusals,
}

impl ObjectMethods {
    /// Creates a list of methods, the best first; it must not be empty.
    pub(crate) fn new(all: &'static [ObjectMethod]) -> Self {
        ObjectMethods { all, at: AtomicUsize::new(0), learned: ModelRefusals::default() }
    }
}

/// A model that supports several methods.
#[async_trait]
pub(crate) trait ObjectModel: Sync {
    /// Makes one request. `way` is set if an object is requested. `answer_schema` is set only for
    /// [`ObjectMethod::Schema`]; for [`ObjectMethod::Tool`] the tool is the only one offered.
    async fn ask_once(
        &self,
        request: &ModelRequest<'_>,
        way: Option<ObjectMethod>,
    ) -> Result<ModelReply, ModelError>;

    /// Methods of the model.
    fn ways(&self) -> &ObjectMethods;

    /// Errors of the model.
    fn errors(&self) -> &Errors;
}

/// Makes a request with the best method that the model supports.
///
/// # Errors
/// The error of the model. If every method is refused, the error for the first method.
pub(crate) async fn complete(
    model: &impl ObjectModel,
    request: &ModelRequest<'_>,
) -> Result<ModelReply, ModelError> {
    let Some((name, schema)) = request.answer_schema else {
        return ask_adapted(model, request, None).await;
    };
    let ways = model.ways();
    let begin = ways.at.load(Ordering::Relaxed);
    let mut first = None;
    for (at, way) in ways.all.iter().copied().enumerate().skip(begin) {
        match ask(model, request, way, name, schema).await {
            Err(error) if refuses_form(&error) && at + 1 < ways.all.len() => {
                tracing::debug!(%error, ?way, "the form is refused");
                first.get_or_insert(error);
            }
            Err(error) if refuses_form(&error) => return Err(first.unwrap_or(error)),
            Err(error) => return Err(error),
            Ok(reply) => {
                ways.at.fetch_max(at, Ordering::Relaxed);
                return read(model, reply, way, name, schema);
            }
        }
    }
    unreachable!("BUG: there is a last way, and it returns")
}

/// Repeats a request as long as each refusal names a further parameter to adapt.
async fn ask_adapted(
    model: &impl ObjectModel,
    request: &ModelRequest<'_>,
    way: Option<ObjectMethod>,
) -> Result<ModelReply, ModelError> {
    let learned = &model.ways().learned;
    learned.until_taken(|| model.ask_once(request, way)).await
}

async fn ask(
    model: &impl ObjectModel,
    request: &ModelRequest<'_>,
    way: ObjectMethod,
    name: &str,
    schema: &Value,
) -> Result<ModelReply, ModelError> {
    match way {
        ObjectMethod::Schema => ask_adapted(model, request, Some(way)).await,
        ObjectMethod::Tool => {
            let tools = [ToolSpec {
                name: name.to_owned(),
                description: "Takes the answer.".to_owned(),
                parameters: schema.clone(),
            }];
            let request = ModelRequest { tools: &tools, answer_schema: None, given: None, ..request.clone() };
            ask_adapted(model, &request, Some(way)).await
        }
        ObjectMethod::Object | ObjectMethod::Words => {
            let messages = in_words(request.messages, schema);
            let request =
                ModelRequest { messages: &messages, answer_schema: None, given: None, ..request.clone() };
            ask_adapted(model, &request, Some(way)).await
        }
    }
}

/// The conversation with the schema in its system message.
fn in_words(messages: &[Message], schema: &Value) -> Vec<Message> {
    let words = format!(
        "Answer with one JSON object and nothing else. It must be valid against this JSON Schema:\n{schema}"
    );
    let (system, rest) = match messages {
        [Message::System(text), rest @ ..] => (format!("{text}\n\n{words}"), rest),
        all => (words, all),
    };
    std::iter::once(Message::System(system)).chain(rest.iter().cloned()).collect()
}

/// Whether the server refuses the requested form of the answer. A refusal for another reason would
/// be the same in every form.
fn refuses_form(error: &ModelError) -> bool {
    const WORDS: [&str; 15] = [
        "response_format",
        "response_schema",
        "json_schema",
        "json_object",
        "responsejsonschema",
        "responsemimetype",
        "output_config",
        "output_format",
        "schema",
        "structured",
        "json mode",
        "tool_choice",
        "tool choice",
        "grammar",
        "function calling",
    ];
    match error {
        ModelError::Http { status: 400 | 404 | 422 | 501, message, .. } => {
            let message = message.to_ascii_lowercase();
            WORDS.iter().any(|word| message.contains(word))
        }
        _ => false,
    }
}

/// Puts the object into the reply's text.
fn read(
    model: &impl ObjectModel,
    mut reply: ModelReply,
    way: ObjectMethod,
    name: &str,
    schema: &Value,
) -> Result<ModelReply, ModelError> {
    if way == ObjectMethod::Tool {
        let calls = std::mem::take(&mut reply.calls);
        if let Some(call) = calls.into_iter().find(|call| call.name == name) {
            reply.content = call.arguments;
        }
    }
    if way != ObjectMethod::Schema && reply.finish == FinishReason::ToolCalls {
        reply.finish = FinishReason::Stop;
    }
    // The finish reason shows that the object is incomplete; a retry would give an incomplete
    // object again.
    if reply.finish == FinishReason::Length {
        return Ok(reply);
    }
    let validator = jsonschema::validator_for(schema).ok();
    let fits = |object: &Value| validator.as_ref().is_none_or(|schema| schema.is_valid(object));
    let object = object::chosen(&reply.content, fits);
    if way == ObjectMethod::Schema {
        // The text of a server that followed the schema is kept letter for letter.
        let is_kept = serde_json::from_str::<Value>(reply.content.trim()).is_ok_and(|bare| fits(&bare));
        if let Some(object) = object.filter(|_| !is_kept) {
            reply.content = object.to_string();
        }
        return Ok(reply);
    }
    let unusable = |why: Sentence| model.errors().strange(why);
    let object = object.ok_or_else(|| unusable(say!("it holds no JSON object")))?;
    if let Some(validator) = &validator
        && let Err(fault) = validator.validate(&object)
    {
        return Err(unusable(say!("its JSON object does not have the requested form ({fault})")));
    }
    reply.content = object.to_string();
    Ok(reply)
}

#[cfg(test)]
mod tests;
