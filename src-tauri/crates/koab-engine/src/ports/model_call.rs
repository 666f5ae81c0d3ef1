//! What a model is asked, and what it answers.

use super::listener::Listener;
use crate::egress::Offline;
use koab_core::event::CallFault;
use koab_core::run_record::LeftOut;
use koab_core::sentence::Sentence;
use koab_core::task::TaskRequest;
use koab_core::tool::ToolSpec;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

/// Who says what in a conversation with a model.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// The judge's role text. Agents get none.
    System(String),
    /// The user.
    User(String),
    /// The model.
    Assistant {
        /// Its text; empty when it only called tools.
        content: String,
        /// Its tool calls in order.
        calls: Vec<RequestedCall>,
        /// What its adapter gave along; goes back to it unchanged. `None` for seeded turns.
        opaque: Option<Opaque>,
    },
    /// The answer to one tool call.
    Tool {
        /// Id of the call.
        call_id: String,
        /// The answer as text, JSON inside.
        content: String,
    },
}

/// Data of a provider that only its adapter reads, such as thinking blocks and their signatures.
///
/// Providers want it back unchanged with the next turn. It is in no log and never scored; the
/// journal's steps have it, so that a broken-off attempt can go on.
pub type Opaque = Arc<Value>;

/// A tool call as a model wrote it.
#[derive(Clone, Debug, PartialEq)]
pub struct RequestedCall {
    /// Id, unique in the conversation; minted by the adapter when the server gave none.
    pub id: String,
    /// Tool name.
    pub name: String,
    /// Arguments, unparsed: models do write what is not JSON, and the run must be able to say so.
    pub arguments: String,
}

/// What a model is asked.
#[derive(Clone, Debug)]
pub struct ModelRequest<'a> {
    /// The conversation so far.
    pub messages: &'a [Message],
    /// Tools offered; empty means no tools field at all.
    pub tools: &'a [ToolSpec],
    /// Whether one of them has to be called.
    pub tool_choice: ToolChoice<'a>,
    /// Who hears its text while it comes; `None` where only the whole answer is of use.
    pub listener: Option<&'a Listener>,
    /// Sampling temperature.
    pub temperature: f64,
    /// Output tokens at most; `None` leaves it to the server, and to
    /// [`ModelAdapter::own_limit`](super::ModelAdapter::own_limit) where a form demands a limit.
    pub max_tokens: Option<u32>,
    /// Reasoning effort (`low`, `medium`, `high`), for models that take one.
    pub effort: Option<&'a str>,
    /// Sampling seed, for servers that take one.
    pub seed: Option<u64>,
    /// Structured output: name and JSON schema of the one object wanted.
    pub answer_schema: Option<(&'a str, &'a Value)>,
    /// The same messages and tools as a benchmark gives them. Adapters whose servers speak that
    /// form send these, letter for letter.
    pub given: Option<TaskRequest<'a>>,
    /// Which attempt is asking. Servers never see it; baselines and scripted models play by it.
    pub attempt: AttemptRef<'a>,
}

/// Which of the offered tools a model may, or has to, call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ToolChoice<'a> {
    /// Any or none.
    #[default]
    Auto,
    /// At least one. A model that cannot be made to may still answer without; whoever asked has to
    /// look.
    Required,
    /// This one, likewise.
    Named(&'a str),
}

/// The attempt behind a model request.
#[derive(Clone, Copy, Debug, Default)]
pub struct AttemptRef<'a> {
    /// Task id; empty for judge questions.
    pub task: &'a str,
    /// 1-based repetition.
    pub repetition: u32,
    /// 1-based model turn in the attempt, over both phases.
    pub step: u32,
    /// 1 in the first phase, 2 when the task was started again with its fallback tools.
    pub phase: u8,
}

/// Tokens of one model call as the server counted them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Prompt tokens.
    pub prompt_tokens: u64,
    /// Completion tokens.
    pub completion_tokens: u64,
    /// Total as reported, or the sum.
    pub total_tokens: u64,
}

/// How a model's answer ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FinishReason {
    /// Of its own accord.
    Stop,
    /// With tool calls.
    ToolCalls,
    /// Cut off at the output limit.
    Length,
    /// Withheld by a filter.
    ContentFilter,
    /// Whatever else the server said; `None` when it said nothing.
    Other(Option<String>),
}

/// A model's answer.
#[derive(Clone, Debug)]
pub struct ModelReply {
    /// Text, empty when there is none.
    pub content: String,
    /// Tool calls in order.
    pub calls: Vec<RequestedCall>,
    /// Tokens; `None` when the server reported none.
    pub usage: Option<Usage>,
    /// How the answer ended.
    pub finish: FinishReason,
    /// Request sent to first token (text, reasoning or tool call); `None` when the server did not
    /// stream.
    pub first_token: Option<Duration>,
    /// Request sent to answer complete, of the attempt that succeeded.
    pub latency: Duration,
    /// To be sent back with this turn, see [`Opaque`].
    pub opaque: Option<Opaque>,
    /// What the adapter left out of the prompt to make it fit. Servers that shorten prompts do not
    /// tell: `None`.
    pub left_out: Option<LeftOut>,
    /// The text as the model wrote it, where the adapter took thoughts or calls out of it. Servers
    /// do not tell: `None`.
    pub written: Option<String>,
    /// The message as the server sent it, in the form of OpenAI's chat completions: whether text
    /// and calls were there at all, and the ids as they came. `None` from servers of other forms.
    pub message: Option<Box<Value>>,
}

/// Why a model call failed.
#[derive(Clone, Debug, thiserror::Error, koab_core::Say)]
pub enum ModelError {
    /// Nobody answers at the address.
    #[error("no server answers at {url}: {cause}; start it or check the base URL")]
    Unreachable {
        /// Address without credentials.
        url: String,
        /// What the network said.
        cause: Sentence,
    },
    /// Somebody answers, and no protected connection to it comes about.
    #[error("{url} answers, but there is no safe connection to it: {cause}")]
    Unsafe {
        /// Address without credentials.
        url: String,
        /// What is wrong, and what to do.
        cause: Sentence,
    },
    /// The server answers, but not to this key.
    #[error("{url} refuses the key (HTTP {status}): {message}")]
    Unauthorized {
        /// Address.
        url: String,
        /// HTTP status.
        status: u16,
        /// What the server said.
        message: String,
    },
    /// The server knows no such model.
    #[error("{url} knows no model `{model}`: {message}")]
    UnknownModel {
        /// Address.
        url: String,
        /// The model asked for.
        model: String,
        /// What the server said.
        message: Sentence,
    },
    /// Too many requests.
    #[error("{url} asks for fewer requests (HTTP 429): {message}")]
    RateLimited {
        /// Address.
        url: String,
        /// How long the server asks to wait.
        retry_after: Option<Duration>,
        /// What the server said.
        message: String,
    },
    /// Overloaded (503, 529 and the like), and the server says when to come back.
    #[error("{url} is overloaded (HTTP {status}): {message}")]
    Overloaded {
        /// Address.
        url: String,
        /// HTTP status.
        status: u16,
        /// How long the server asks to wait.
        retry_after: Duration,
        /// What the server said.
        message: String,
    },
    /// Any other HTTP error.
    #[error("{url} answered HTTP {status}: {message}")]
    Http {
        /// Address.
        url: String,
        /// HTTP status.
        status: u16,
        /// What the server said.
        message: String,
    },
    /// The answer broke off or cannot be understood.
    #[error("the answer of {url} cannot be used: {cause}")]
    BadAnswer {
        /// Address.
        url: String,
        /// What is wrong with it.
        cause: Sentence,
        /// Whether asking again may help (a broken connection), or not (a server that speaks
        /// something else).
        transient: bool,
    },
    /// The model inside the application failed, or cannot take this conversation.
    #[error("{0}")]
    Embedded(Sentence),
    /// The server is on another computer, and the user keeps koab offline.
    #[error(transparent)]
    Offline(#[from] Offline),
}

impl ModelError {
    /// Whether the same request may succeed later.
    pub fn is_transient(&self) -> bool {
        match self {
            ModelError::Unreachable { .. }
            | ModelError::RateLimited { .. }
            | ModelError::Overloaded { .. } => true,
            // 501 and 505 say that the server will never be able to.
            ModelError::Http { status, .. } => {
                matches!(status, 408 | 409 | 425 | 500..=599) && !matches!(status, 501 | 505)
            }
            ModelError::BadAnswer { transient, .. } => *transient,
            // A model in this process would only fail again, and so would a certificate.
            ModelError::Unsafe { .. }
            | ModelError::Unauthorized { .. }
            | ModelError::UnknownModel { .. }
            | ModelError::Embedded(_)
            | ModelError::Offline(_) => false,
        }
    }

    /// Whether the server is there and says that it is busy or failing.
    pub fn is_busy(&self) -> bool {
        matches!(self, ModelError::Http { status: 500.., .. }) || self.asks_for_fewer()
    }

    /// Whether fewer calls at once may help.
    pub fn asks_for_fewer(&self) -> bool {
        matches!(
            self,
            ModelError::RateLimited { .. }
                | ModelError::Overloaded { .. }
                | ModelError::Http { status: 529, .. }
        )
    }

    /// How long the server asks to wait.
    pub fn asked_wait(&self) -> Option<Duration> {
        match self {
            ModelError::RateLimited { retry_after, .. } => *retry_after,
            ModelError::Overloaded { retry_after, .. } => Some(*retry_after),
            _ => None,
        }
    }

    /// What kind of failure it is.
    pub fn fault(&self) -> CallFault {
        match self {
            ModelError::Unreachable { .. } | ModelError::Unsafe { .. } => CallFault::Unreachable,
            ModelError::Unauthorized { .. } => CallFault::Unauthorized,
            ModelError::UnknownModel { .. } => CallFault::UnknownModel,
            ModelError::RateLimited { .. } => CallFault::RateLimited,
            ModelError::Overloaded { .. } | ModelError::Http { status: 529, .. } => CallFault::Overloaded,
            ModelError::Http { .. } => CallFault::Http,
            ModelError::BadAnswer { .. } => CallFault::BadAnswer,
            ModelError::Embedded(_) => CallFault::Embedded,
            ModelError::Offline(_) => CallFault::Offline,
        }
    }

    /// Whether no tokens were spent. An answer that broke off may have cost all of its tokens.
    pub fn costs_nothing(&self) -> bool {
        !matches!(self, ModelError::BadAnswer { .. })
    }
}
