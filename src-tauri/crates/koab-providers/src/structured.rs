//! One object in a given form, out of models that differ in how they can be made to give it.
//!
//! A JSON schema is asked for first. A server that refuses it is asked to call one tool whose
//! arguments have that schema, then for a JSON object, then for JSON in plain words; the last two
//! are validated here. What a server refused once is not tried again. Refused requests cost
//! nothing.

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

/// A way to ask for an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ObjectMethod {
    /// The protocol's own field for a JSON schema.
    Schema,
    /// The only tool there is, which the model must call.
    Tool,
    /// The protocol's own field for any JSON object, and the schema in words.
    Object,
    /// Words alone.
    Words,
}

/// The ways of one model, and how far down it has come.
#[derive(Debug)]
pub(crate) struct ObjectMethods {
    all: &'static [ObjectMethod],
    at: AtomicUsize,
    /// Fields that the server refused.
    pub(crate) learned: ModelRefusals,
}

impl ObjectMethods {
    /// These, the best first; never empty.
    pub(crate) fn new(all: &'static [ObjectMethod]) -> Self {
        ObjectMethods { all, at: AtomicUsize::new(0), learned: ModelRefusals::default() }
    }
}

/// A model that can be asked in several ways.
#[async_trait]
pub(crate) trait ObjectModel: Sync {
    /// Asks once. A way is given when an object is wanted. `answer_schema` is set for
    /// [`ObjectMethod::Schema`] alone; for [`ObjectMethod::Tool`] the tool is the only one offered.
    async fn ask_once(
        &self,
        request: &ModelRequest<'_>,
        way: Option<ObjectMethod>,
    ) -> Result<ModelReply, ModelError>;

    /// Its ways.
    fn ways(&self) -> &ObjectMethods;

    /// Its errors.
    fn errors(&self) -> &Errors;
}

/// Asks, in the best way this model knows.
///
/// # Errors
/// The model's; when every way is refused, that of the first.
pub(crate) async fn complete(
    model: &impl ObjectModel,
    request: &ModelRequest<'_>,
) -> Result<ModelReply, ModelError> {
    let Some((name, schema)) = request.answer_schema else {
        return taken(model, request, None).await;
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

/// Asks until no refusal teaches anything.
async fn taken(
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
        ObjectMethod::Schema => taken(model, request, Some(way)).await,
        ObjectMethod::Tool => {
            let tools = [ToolSpec {
                name: name.to_owned(),
                description: "Takes the answer.".to_owned(),
                parameters: schema.clone(),
            }];
            let request = ModelRequest { tools: &tools, answer_schema: None, given: None, ..request.clone() };
            taken(model, &request, Some(way)).await
        }
        ObjectMethod::Object | ObjectMethod::Words => {
            let messages = in_words(request.messages, schema);
            let request =
                ModelRequest { messages: &messages, answer_schema: None, given: None, ..request.clone() };
            taken(model, &request, Some(way)).await
        }
    }
}

/// The conversation with the form in its system message.
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

/// Whether it is the form that the server objects to. A refusal for other reasons would be the same
/// in every form.
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

/// The object as the reply's text.
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
    // Half an object is told by how the answer ended; asking again would bring half an object
    // again.
    if reply.finish == FinishReason::Length {
        return Ok(reply);
    }
    let validator = jsonschema::validator_for(schema).ok();
    let fits = |object: &Value| validator.as_ref().is_none_or(|schema| schema.is_valid(object));
    let object = object::chosen(&reply.content, fits);
    if way == ObjectMethod::Schema {
        // A server that took the schema and kept to it is believed letter for letter.
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
        return Err(unusable(say!("its JSON object has not the form that was asked for ({fault})")));
    }
    reply.content = object.to_string();
    Ok(reply)
}

#[cfg(test)]
mod tests;
