//! Tools as they are offered to a model, and the faults that a tool call may have.

use crate::sentence::Sentence;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A tool definition: the description for the model, and the schema of the arguments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// Name, such as `PlaceSearch_kakao`.
    pub name: String,
    /// Description shown to the model.
    pub description: String,
    /// JSON Schema of the arguments: an object with `properties` and `required`.
    pub parameters: Value,
}

impl ToolSpec {
    /// Names of the required arguments, in the schema's order.
    pub fn required(&self) -> impl Iterator<Item = &str> {
        self.parameters
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
    }

    /// Arguments with their schemas, in the schema's order.
    pub fn properties(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.parameters.get("properties").and_then(Value::as_object).into_iter().flatten()
    }
}

/// Party that a fault is attributed to. Faults of the pack or a service never count as the model's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum FaultOwner {
    /// The model made a faulty call.
    Model,
    /// The task injects this failure.
    Task,
    /// The pack has no cached response.
    Pack,
    /// The live API behind the tool failed, or refused the request.
    Service,
}

/// Reason why a tool call has no result. The model sees each variant as a tool error.
#[derive(Clone, Debug, PartialEq, thiserror::Error, koab_core::Say)]
pub enum ToolFault {
    /// The arguments are not JSON.
    #[error("the arguments are not valid JSON: {cause}")]
    NotJson {
        /// Message of the JSON parser.
        cause: String,
    },
    /// The arguments are JSON, but not an object.
    #[error("the arguments must be a JSON object, not {found}")]
    NotAnObject {
        /// JSON type of the arguments.
        found: Sentence,
    },
    /// The tool does not exist or was not offered.
    #[error("there is no tool named '{tool}'")]
    UnknownTool {
        /// The tool name that the model used.
        tool: String,
    },
    /// A required argument is absent.
    #[error("invalid input for {tool}: the required argument '{argument}' is missing")]
    MissingArgument {
        /// Tool name.
        tool: String,
        /// Argument name.
        argument: String,
    },
    /// An argument has the wrong type or is out of range.
    #[error("invalid input for {tool}: '{argument}' must be {wanted}, not {found}")]
    WrongArgument {
        /// Tool name.
        tool: String,
        /// Argument name.
        argument: String,
        /// Requirement of the schema for the argument.
        wanted: Box<Sentence>,
        /// JSON type of the model's value.
        found: Box<Sentence>,
    },
    /// The task injects this failure.
    #[error("{message}")]
    Injected {
        /// Kind of failure, as the task names it.
        error_type: String,
        /// Text of the failure.
        message: String,
    },
    /// The pack has no cached response for this call.
    #[error(
        "no recorded response for {tool} with these arguments (key {key}); the run uses recorded responses only"
    )]
    NotCached {
        /// Tool name.
        tool: String,
        /// Published cache key.
        key: String,
    },
    /// The live API gave no answer, or reported an error.
    #[error("{message}")]
    Service {
        /// Description of the failure, one sentence without keys.
        message: String,
        /// Answer that the published tools give the model, unless it is the plain error message.
        shown: Option<Value>,
    },
}

impl ToolFault {
    /// Party that the fault is attributed to.
    pub fn owner(&self) -> FaultOwner {
        match self {
            ToolFault::Injected { .. } => FaultOwner::Task,
            ToolFault::NotCached { .. } => FaultOwner::Pack,
            ToolFault::Service { .. } => FaultOwner::Service,
            _ => FaultOwner::Model,
        }
    }

    /// The failure that a task's `error_injection.error_type` describes.
    pub fn injected(error_type: &str) -> Self {
        let message = match error_type {
            "timeout" => "Request timeout",
            "complete_unavailable" => "Service completely unavailable",
            "data_not_available" => "No data available",
            other => other,
        };
        ToolFault::Injected { error_type: error_type.to_owned(), message: message.to_owned() }
    }

    /// Answer that the model receives: `{"error": …, "error_type": …}`, or the service's own answer
    /// if the published tools pass it on.
    pub fn shown(&self) -> Value {
        if let ToolFault::Service { shown: Some(shown), .. } = self {
            return shown.clone();
        }
        let error_type = match self {
            ToolFault::Injected { error_type, .. } => Value::from(error_type.as_str()),
            _ => Value::Null,
        };
        let mut answer = Map::new();
        answer.insert("error".to_owned(), self.to_string().into());
        answer.insert("error_type".to_owned(), error_type);
        Value::Object(answer)
    }
}
