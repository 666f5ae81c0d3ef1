//! What a request asks for, in the words of the engine's model port, whatever form it came in.
//!
//! The port carries less than the vendors' forms have. A field that would change the answer and
//! cannot be carried is refused by its name, also one that nobody has heard of; one that only helps
//! the provider's book-keeping is left out, and the answer says so.

use super::refusal::Refusal;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::tool::ToolSpec;
use koab_engine::ports::{Message, ToolChoice};
use serde_json::Value;

/// Fields of bodies that do not change the answer. They are recorded and not sent on.
pub(super) const BOOK_KEEPING: [&str; 5] =
    ["user", "metadata", "safety_identifier", "prompt_cache_key", "store"];

/// Output tokens of a request that names no limit.
pub(super) const MAX_TOKENS: u32 = 4096;

/// Sampling temperature of a request that names none, as all vendors have it.
const TEMPERATURE: f64 = 1.0;

/// A request that can be carried.
#[derive(Debug)]
pub(super) struct GatewayRequest {
    pub(super) messages: Vec<Message>,
    pub(super) tools: Vec<ToolSpec>,
    /// Names of the tools whose arguments must be valid against their schemas.
    pub(super) strict_tools: Vec<String>,
    pub(super) choice: Choice,
    /// Names of those tools that may be called, where not all may.
    pub(super) allowed: Option<Vec<String>>,
    /// Whether only the first call of an answer is wanted.
    pub(super) one_call: bool,
    pub(super) temperature: f64,
    pub(super) max_tokens: u32,
    /// The field that named that limit.
    pub(super) limited_by: Option<String>,
    pub(super) effort: Option<String>,
    pub(super) seed: Option<u64>,
    pub(super) answer: Option<AnswerForm>,
    /// Where the text ends, whatever the model wrote behind it.
    pub(super) stop: Vec<String>,
    /// Fields that were given and stay here.
    pub(super) left_out: Vec<String>,
}

impl GatewayRequest {
    /// A request of nothing yet. `max_tokens` counts where it names none.
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

    /// Refuses a request without messages, in words about the field that lacks them.
    ///
    /// # Errors
    /// When it has none.
    pub(super) fn need_messages(&self, field: &str, why: impl Into<Sentence>) -> Result<(), Refusal> {
        match self.messages.is_empty() {
            true => Err(Refusal::field(field, why)),
            false => Ok(()),
        }
    }

    /// Holds what was read against itself. The names are the form's own fields of the tool choice
    /// and the answer's form.
    ///
    /// # Errors
    /// When a tool must be called that is not offered, or an answer's form is wanted along with
    /// tools.
    pub(super) fn settle(mut self, choice: &str, answer: &str) -> Result<Self, Refusal> {
        if let Some(allowed) = &self.allowed {
            self.tools.retain(|tool| allowed.contains(&tool.name));
        }
        match &self.choice {
            Choice::Auto => {}
            // A call may only be made of what is offered.
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

    /// The choice in the words of the model port.
    pub(super) fn tool_choice(&self) -> ToolChoice<'_> {
        match &self.choice {
            Choice::Auto | Choice::None => ToolChoice::Auto,
            Choice::Required => ToolChoice::Required,
            Choice::Named(name) => ToolChoice::Named(name),
        }
    }

    /// Names a field that stays here, once.
    pub(super) fn leave_out(&mut self, field: &str) {
        if !self.left_out.iter().any(|known| known == field) {
            self.left_out.push(field.to_owned());
        }
    }
}

/// Whether tools are called.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Choice {
    /// As the model likes.
    Auto,
    /// Not at all.
    None,
    /// One at least.
    Required,
    /// This one.
    Named(String),
}

/// The one JSON object that is wanted.
#[derive(Debug, PartialEq)]
pub(super) struct AnswerForm {
    pub(super) name: String,
    pub(super) schema: Value,
    /// Whether an answer of another form must not be handed out.
    pub(super) strict: bool,
}

/// How an answer is to be written; known even where nothing else of a request makes sense.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct AnswerFormat {
    /// In pieces.
    pub(super) stream: bool,
    /// With an event for the tokens.
    pub(super) usage: bool,
    /// As one JSON array instead of events.
    pub(super) array: bool,
}

/// The model that is served, under the names that are understood for it.
#[derive(Clone, Debug)]
pub(super) struct ServedModel {
    pub(super) model: String,
    /// Whether it answers under every name: agents choose their tools by the model's name, so that
    /// they are told one that they do not know.
    pub(super) any_name: bool,
}

impl ServedModel {
    /// Any name at all: who answers from a record asks nobody.
    pub(super) fn any() -> Self {
        Self { model: String::new(), any_name: true }
    }

    /// Whether this is its name.
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
