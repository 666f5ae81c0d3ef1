//! Requests to a model and its replies.

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

/// A message of a conversation with a model.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// A system message, such as a judge's role.
    System(String),
    /// A message of the user.
    User(String),
    /// A message of the model.
    Assistant {
        /// Text of the message; empty if the model only called tools.
        content: String,
        /// Tool calls of the message in order.
        calls: Vec<RequestedCall>,
        /// Data that only the adapter reads and that is sent back unchanged. `None` for turns of
        /// the dataset.
        opaque: Option<Opaque>,
    },
    /// The answer to one tool call.
    Tool {
        /// Id of the call.
        call_id: String,
        /// Text of the answer, which normally contains JSON.
        content: String,
    },
}

/// Data of a provider that only its adapter reads, such as thinking blocks and their signatures.
///
/// Providers need the data back unchanged with the next turn. No log contains it, and it is never
/// scored. The journal's steps contain it, so that an interrupted attempt can continue.
pub type Opaque = Arc<Value>;

/// A tool call as a model wrote it.
#[derive(Clone, Debug, PartialEq)]
pub struct RequestedCall {
    /// Id of the call, unique in the conversation. The adapter creates it if the server gave none.
    pub id: String,
    /// Tool name.
    pub name: String,
    /// Unparsed arguments. Models may write text that is not JSON, which the run has to report.
    pub arguments: String,
}

/// One call of a model: the conversation, the offered tools and the sampling settings.
#[derive(Clone, Debug)]
pub struct ModelRequest<'a> {
    /// The conversation so far.
    pub messages: &'a [Message],
    /// Tools that are offered. If empty, the request has no field for tools.
    pub tools: &'a [ToolSpec],
    /// Rule for calling the offered tools.
    pub tool_choice: ToolChoice<'a>,
    /// Receiver of the streamed text; `None` if only the whole answer is needed.
    pub listener: Option<&'a Listener>,
    /// Sampling temperature.
    pub temperature: f64,
    /// Maximum output tokens; `None` leaves it to the server, and to
    /// [`ModelAdapter::own_limit`](super::ModelAdapter::own_limit) if the API requires a limit.
    pub max_tokens: Option<u32>,
    /// Reasoning effort (`low`, `medium`, `high`), for models that have this setting.
    pub effort: Option<&'a str>,
    /// Sampling seed, for servers that have this setting.
    pub seed: Option<u64>,
    /// Structured output: name and JSON Schema of the required object.
    pub answer_schema: Option<(&'a str, &'a Value)>,
    /// Messages and tools in the benchmark's own form. Adapters for servers with the same form send
    /// them byte for byte.
    pub given: Option<TaskRequest<'a>>,
    /// The attempt that makes the request. It is not sent to servers; baselines and scripted models
    /// use it.
    pub attempt: AttemptRef<'a>,
}

/// Rule for the tools that a model may or has to call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ToolChoice<'a> {
    /// The model may call tools.
    #[default]
    Auto,
    /// The model has to call at least one tool. Some models cannot be forced and answer without a
    /// call, so the caller has to check.
    Required,
    /// The model has to call the named tool. The caller has to check, as for `Required`.
    Named(&'a str),
}

/// The attempt behind a model request.
#[derive(Clone, Copy, Debug, Default)]
pub struct AttemptRef<'a> {
    /// Task id; empty for judge questions.
    pub task: &'a str,
    /// 1-based number of the repetition.
    pub repetition: u32,
    /// 1-based model turn of the attempt, counted over both phases.
    pub step: u32,
    /// Phase of the attempt: 1, or 2 after the task was started again with its fallback tools.
    pub phase: u8,
}

/// Tokens of one model call as the server counted them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Prompt tokens.
    pub prompt_tokens: u64,
    /// Completion tokens.
    pub completion_tokens: u64,
    /// Total tokens as reported, or else the sum of prompt and completion tokens.
    pub total_tokens: u64,
}

/// Reason for the end of a model's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FinishReason {
    /// The model ended the answer.
    Stop,
    /// The answer ended with tool calls.
    ToolCalls,
    /// The answer was cut off at the output limit.
    Length,
    /// A filter withheld the answer.
    ContentFilter,
    /// Another reason in the server's words; `None` if it gave no reason.
    Other(Option<String>),
}

/// A model's answer.
#[derive(Clone, Debug)]
pub struct ModelReply {
    /// Text of the answer; may be empty.
    pub content: String,
    /// Tool calls in order.
    pub calls: Vec<RequestedCall>,
    /// Tokens; `None` when the server reported none.
    pub usage: Option<Usage>,
    /// Reason for the end of the answer.
    pub finish: FinishReason,
    /// Time from sending the request to the first token (text, reasoning or tool call); `None` when
    /// the server did not stream.
    pub first_token: Option<Duration>,
    /// Time from sending the request to the complete answer. Only the successful try counts.
    pub latency: Duration,
    /// Data to send back with this turn, see [`Opaque`].
    pub opaque: Option<Opaque>,
    /// Parts of the conversation that the adapter left out of the prompt, because it would not fit.
    /// `None` for servers, which do not report this.
    pub left_out: Option<LeftOut>,
    /// Text as the model wrote it, if the adapter extracted thoughts or calls from it. `None` for
    /// servers, which do not report this.
    pub written: Option<String>,
    /// The message as the server sent it, in the form of OpenAI's Chat Completions, with original
    /// ids and without added fields.
    ///
    /// `None` from servers with another API.
    pub message: Option<Box<Value>>,
}

/// The failure of a model call.
#[derive(Clone, Debug, thiserror::Error, koab_core::Say)]
pub enum ModelError {
    /// No server answers at the address.
    #[error("no server answers at {url}: {cause}; start it or check the base URL")]
    Unreachable {
        /// Address without credentials.
        url: String,
        /// Description of the network error.
        cause: Sentence,
    },
    /// A server answers, but a secure connection (TLS) to it fails.
    #[error("{url} answers, but there is no safe connection to it: {cause}")]
    Unsafe {
        /// Address without credentials.
        url: String,
        /// Description of the fault and its remedy.
        cause: Sentence,
    },
    /// The server refuses the key.
    #[error("{url} refuses the key (HTTP {status}): {message}")]
    Unauthorized {
        /// Address.
        url: String,
        /// HTTP status.
        status: u16,
        /// Message of the server.
        message: String,
    },
    /// The server knows no such model.
    #[error("{url} knows no model `{model}`: {message}")]
    UnknownModel {
        /// Address.
        url: String,
        /// The requested model.
        model: String,
        /// Message of the server.
        message: Sentence,
    },
    /// The server received too many requests.
    #[error("{url} asks for fewer requests (HTTP 429): {message}")]
    RateLimited {
        /// Address.
        url: String,
        /// Wait that the server asks for.
        retry_after: Option<Duration>,
        /// Message of the server.
        message: String,
    },
    /// The server is overloaded (503, 529 and the like) and asks for a wait.
    #[error("{url} is overloaded (HTTP {status}): {message}")]
    Overloaded {
        /// Address.
        url: String,
        /// HTTP status.
        status: u16,
        /// Wait that the server asks for.
        retry_after: Duration,
        /// Message of the server.
        message: String,
    },
    /// Any other HTTP error.
    #[error("{url} answered HTTP {status}: {message}")]
    Http {
        /// Address.
        url: String,
        /// HTTP status.
        status: u16,
        /// Message of the server.
        message: String,
    },
    /// The answer was interrupted or cannot be parsed.
    #[error("the answer of {url} cannot be used: {cause}")]
    BadAnswer {
        /// Address.
        url: String,
        /// Description of the fault.
        cause: Sentence,
        /// Whether a retry may help. It may after a broken connection, but not with a server of
        /// another protocol.
        transient: bool,
    },
    /// The model inside the application failed, or cannot take this conversation.
    #[error("{0}")]
    Embedded(Sentence),
    /// The server is on another computer, and koab is set to offline.
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

    /// Whether the server reports that it is busy or failing.
    pub fn is_busy(&self) -> bool {
        matches!(self, ModelError::Http { status: 500.., .. }) || self.asks_for_fewer()
    }

    /// Whether fewer simultaneous calls may help.
    pub fn asks_for_fewer(&self) -> bool {
        matches!(
            self,
            ModelError::RateLimited { .. }
                | ModelError::Overloaded { .. }
                | ModelError::Http { status: 529, .. }
        )
    }

    /// Length of the wait that the server asks for.
    pub fn asked_wait(&self) -> Option<Duration> {
        match self {
            ModelError::RateLimited { retry_after, .. } => *retry_after,
            ModelError::Overloaded { retry_after, .. } => Some(*retry_after),
            _ => None,
        }
    }

    /// Kind of the failure.
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

    /// Whether the call certainly used no tokens. An interrupted answer may have used all its
    /// tokens.
    pub fn costs_nothing(&self) -> bool {
        !matches!(self, ModelError::BadAnswer { .. })
    }
}
