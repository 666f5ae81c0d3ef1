//! What a request asks for, in the words of the engine's model port, whatever form it came in.
//!
//! The port carries less than the vendors' forms have. A field that would change the answer and cannot be carried is refused
//! by its name, also one that nobody has heard of; one that only helps the provider's book-keeping is left out, and the
//! answer says so.

use super::refusal::Refusal;
use koab_core::tool::ToolSpec;
use koab_engine::ports::Message;
use serde_json::Value;

/// Fields of bodies that do not change the answer. They are recorded and not sent on.
pub(super) const BOOK_KEEPING: [&str; 5] = [
    "user",
    "metadata",
    "safety_identifier",
    "prompt_cache_key",
    "store",
];

/// Sampling temperature of a request that names none, as all vendors have it.
const TEMPERATURE: f64 = 1.0;

/// A request that can be carried.
#[derive(Debug)]
pub(super) struct GatewayRequest {
    pub(super) messages: Vec<Message>,
    pub(super) tools: Vec<ToolSpec>,
    /// Names of the tools whose arguments must be valid against their schemas.
    pub(super) strict_tools: Vec<String>,
    pub(super) temperature: f64,
    pub(super) max_tokens: u32,
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
            temperature: TEMPERATURE,
            max_tokens,
            effort: None,
            seed: None,
            answer: None,
            stop: Vec::new(),
            left_out: Vec::new(),
        }
    }

    /// Names a field that stays here, once.
    pub(super) fn leave_out(&mut self, field: &str) {
        if !self.left_out.iter().any(|known| known == field) {
            self.left_out.push(field.to_owned());
        }
    }
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
pub(super) struct Manner {
    /// In pieces.
    pub(super) stream: bool,
    /// With an event for the tokens.
    pub(super) usage: bool,
}

/// The model that is served, under the names that are understood for it.
#[derive(Debug)]
pub(super) struct Served(pub(super) String);

impl Served {
    /// Whether this is its name.
    ///
    /// # Errors
    /// 404 for the name of another model.
    pub(super) fn check(&self, name: &str) -> Result<(), Refusal> {
        let bare = self.0.split_once('/').map_or(self.0.as_str(), |(_, bare)| bare);
        if name == self.0 || name == bare {
            return Ok(());
        }
        let message = format!(
            "this gateway serves one model, `{}`, and not `{name}`; ask for `{bare}`",
            self.0
        );
        Err(Refusal {
            param: Some("model".to_owned()),
            ..Refusal::new(404, "model_not_found", message)
        })
    }
}
