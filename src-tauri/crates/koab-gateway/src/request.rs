//! A request in terms of the engine's model port, independent of its form.
//!
//! The port supports less than the vendors' forms. A field that would change the answer and cannot
//! be forwarded is refused by name, and so is an unknown field. A field that only helps the
//! provider's book-keeping is left out, and the answer reports it.

use super::refusal::Refusal;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::tool::ToolSpec;
use koab_engine::ports::{Message, ToolChoice};
use serde_json::Value;

/// Fields of bodies that do not change the answer. They are recorded and not forwarded.
pub(super) const BOOK_KEEPING: [&str; 5] =
    ["user", "metadata", "safety_identifier", "prompt_cache_key", "store"];

/// Default maximum of output tokens.
pub(super) const MAX_TOKENS: u32 = 4096;

/// Default sampling temperature of all vendors.
const TEMPERATURE: f64 = 1.0;

/// A request that can be forwarded to the model.
#[derive(Debug)]
pub(super) struct GatewayRequest {
    pub(super) messages: Vec<Message>,
    pub(super) tools: Vec<ToolSpec>,
    /// Names of the tools whose arguments must be valid against their schemas.
    pub(super) strict_tools: Vec<String>,
    pub(super) choice: Choice,
    /// Names of the tools that may be called; `None` when all may.
    pub(super) allowed: Option<Vec<String>>,
    /// Whether the answer may contain only one call.
    pub(super) one_call: bool,
    pub(super) temperature: f64,
    pub(super) max_tokens: u32,
    /// Name of the field that limits the output tokens.
    pub(super) limited_by: Option<String>,
    pub(super) effort: Option<String>,
    pub(super) seed: Option<u64>,
    pub(super) answer: Option<AnswerForm>,
    /// Stop sequences.
    pub(super) stop: Vec<String>,
    /// Fields of the request that are not forwarded.
    pub(super) left_out: Vec<String>,
}

impl GatewayRequest {
    /// An empty request. `max_tokens` is the output limit of a request that names no limit.
    pub(super) fn new(max_tokens: u32) -> Self {
        Self {
            messages: Vec::new(),
            tools: Vec::new(),
            strict_tools: Vec::new(),
            choice: Choice::Auto,
            allowed: None,
            one_call: false,
            temperature: TEMPERATURE,
            max_tokens,
            limited_by: None,
            effort: None,
            seed: None,
            answer: None,
            stop: Vec::new(),
            left_out: Vec::new(),
        }
    }

    /// Refuses a request without messages. `field` and `why` are used in the message.
    ///
    /// # Errors
    /// When the request has no messages.
    pub(super) fn need_messages(&self, field: &str, why: impl Into<Sentence>) -> Result<(), Refusal> {
        if self.messages.is_empty() { Err(Refusal::field(field, why)) } else { Ok(()) }
    }

    /// Checks the fields against each other and removes tools that may not be called. `choice` and
    /// `answer` are the names that the form has for the tool choice and for the answer's schema.
    ///
    /// # Errors
    /// When a required tool is not offered, or a schema of the answer is combined with tools.
    pub(super) fn settle(mut self, choice: &str, answer: &str) -> Result<Self, Refusal> {
        if let Some(allowed) = &self.allowed {
            self.tools.retain(|tool| allowed.contains(&tool.name));
        }
        match &self.choice {
            Choice::Auto => {}
            // Without tools, the model cannot call one.
            Choice::None => self.tools.clear(),
            Choice::Required if self.tools.is_empty() => {
                return Err(Refusal::field(choice, "asks for a call, and no tool is offered"));
            }
            Choice::Named(name) if !self.tools.iter().any(|tool| tool.name == *name) => {
                let why = format!("asks for a call of `{name}`, which is not offered");
                return Err(Refusal::field(choice, why));
            }
            Choice::Required | Choice::Named(_) => {}
        }
        if self.answer.is_some() && !self.tools.is_empty() {
            return Err(Refusal::field(
                answer,
                say!("and tools cannot be carried together: not every model has both; leave one of them out"),
            ));
        }
        Ok(self)
    }

    /// Tool choice for the model port.
    pub(super) fn tool_choice(&self) -> ToolChoice<'_> {
        match &self.choice {
            Choice::Auto | Choice::None => ToolChoice::Auto,
            Choice::Required => ToolChoice::Required,
            Choice::Named(name) => ToolChoice::Named(name),
        }
    }

    /// Adds a field to the list of fields that are not forwarded, unless the list contains it.
    pub(super) fn leave_out(&mut self, field: &str) {
        if !self.left_out.iter().any(|known| known == field) {
            self.left_out.push(field.to_owned());
        }
    }
}

/// Tool choice of a request.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Choice {
    /// The model decides.
    Auto,
    /// No tool may be called.
    None,
    /// At least one tool must be called.
    Required,
    /// The tool of this name must be called.
    Named(String),
}

/// Schema of the JSON object that the answer must be.
#[derive(Debug, PartialEq)]
pub(super) struct AnswerForm {
    pub(super) name: String,
    pub(super) schema: Value,
    /// Whether an answer that does not fit the schema is refused.
    pub(super) strict: bool,
}

/// Format of an answer, known even when the rest of the request is invalid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct AnswerFormat {
    /// Whether the answer is streamed.
    pub(super) stream: bool,
    /// Whether a stream contains an event with the tokens.
    pub(super) usage: bool,
    /// Whether a stream is one JSON array instead of events.
    pub(super) array: bool,
}

/// Model that the gateway serves, and the names that callers may use for it.
#[derive(Clone, Debug)]
pub(super) struct ServedModel {
    pub(super) model: String,
    /// Whether the model answers under every name. Agents choose their tools by the model's name,
    /// so they get a name that they do not know.
    pub(super) any_name: bool,
}

impl ServedModel {
    /// Model for replays, where every name is accepted because no model is called.
    pub(super) fn any() -> Self {
        Self { model: String::new(), any_name: true }
    }

    /// Checks that `name` is a name of the model.
    ///
    /// # Errors
    /// 404 for the name of another model.
    pub(super) fn check(&self, name: &str) -> Result<(), Refusal> {
        let bare = self.model.split_once('/').map_or(self.model.as_str(), |(_, bare)| bare);
        if self.any_name || name == self.model || name == bare {
            return Ok(());
        }
        let message =
            format!("this gateway serves one model, `{}`, and not `{name}`; ask for `{bare}`", self.model);
        Err(Refusal { param: Some("model".to_owned()), ..Refusal::new(404, "model_not_found", message) })
    }
}
