//! Results of `koab models doctor`, which measures a local model, and of a trial, which does the
//! same in the window.

use super::settings::{ComputeDevice, LocalSettings};
use koab_workspace::WireError;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Measurements of a model that is stored on this disk: its memory, its speed, and whether its
/// answers are repeatable on this machine.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LocalExamination {
    /// Name of the model.
    pub model: String,
    /// Precision of the conversion, or quantization of a GGUF file; null if unknown.
    pub precision: Option<String>,
    /// Device that computed the answers.
    pub device: String,
    /// Number of threads.
    pub threads: u32,
    /// Bytes of the weights.
    #[ts(type = "number")]
    pub weights_bytes: u64,
    /// Bytes of the attention memory, for all conversations at once; null if unknown for this
    /// architecture.
    #[ts(type = "number | null")]
    pub kv_bytes: Option<u64>,
    /// Bytes of memory that were free before the model was loaded; null if the system does not
    /// report it.
    #[ts(type = "number | null")]
    pub memory_available: Option<u64>,
    /// Tokens of one conversation.
    pub context: u32,
    /// Tokens of context that the model was trained for.
    pub context_trained: u32,
    /// Conversations at once.
    pub parallel: u32,
    /// Prompt tokens read per second; null if not measured.
    pub prompt_per_second: Option<f64>,
    /// Tokens generated per second, in one conversation alone; null if not measured.
    pub written_per_second: Option<f64>,
    /// Whether a long prompt had the same answer each time, with and without reuse of computed
    /// tokens; null if the model generated no text.
    pub deterministic: Option<bool>,
    /// Whether two answers that were generated at once were equal too, which engines do not
    /// guarantee; null if the model generates one answer at a time.
    pub deterministic_together: Option<bool>,
    /// Whether the chat template itself writes the tools into the prompt.
    pub handles_tools: bool,
    /// Format of the model's tool calls.
    pub form: String,
    /// A conversation with a tool, a call and its result, as the model sees it.
    pub rendered: String,
    /// The longest first prompt of the active pack's tasks; null if the pack has no tasks.
    pub longest: Option<LongestPrompt>,
    /// Advice to the user, the most important first.
    pub advice: Vec<LocalAdvice>,
}

/// The longest first prompt of a pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LongestPrompt {
    /// Id of the task.
    pub task: String,
    /// Tokens of the prompt, including tools, without any result of a tool.
    pub tokens: u32,
    /// Ids of tasks whose first prompt leaves no room for an answer of 1,024 tokens.
    pub too_long: Vec<String>,
}

/// Advice to the user that follows from the measurements of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum LocalAdvice {
    /// Prompts do not fit: choose a larger context.
    LargerContext,
    /// Weights and attention take most of the memory that was free: choose a smaller precision or
    /// context.
    LessMemory,
    /// The template does not support tools: choose a model that was tuned for tools.
    ToolsByHand,
    /// Equal requests had different answers: repeat runs, and mention it in a report.
    Repeat,
    /// The model generates fewer than five tokens per second: raise the time limit of tasks, or
    /// choose a smaller model or precision.
    Slow,
}

/// Request to start a trial, which measures a local model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LocalTrialRequest {
    /// Name of the model, as in [`crate::LocalModel::name`].
    pub name: String,
    /// Options of the model.
    pub settings: LocalSettings,
    /// Conversations at once; `null` means as in a run.
    pub parallel: Option<u32>,
}

/// The last trial of a model.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LocalTrial {
    /// The request of the trial.
    pub request: LocalTrialRequest,
    /// Id of the trial's job, which reports the progress and can cancel the trial. Once the model
    /// is loaded, the job counts answers.
    pub job: String,
    /// Measurements of the model. With neither measurements nor an error the trial is still
    /// running.
    pub found: Option<LocalExamination>,
    /// Reason of a failed trial; its code is `cancelled` if the user cancelled it.
    pub error: Option<WireError>,
}

/// Memory that a model needs, according to its files, before it is loaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LocalNeed {
    /// Bytes of the weights at the requested precision.
    #[ts(type = "number")]
    pub weights_bytes: u64,
    /// Bytes of the attention memory, for all conversations at once; `null` if unknown for this
    /// architecture.
    #[ts(type = "number | null")]
    pub kv_bytes: Option<u64>,
    /// Bytes of memory that are free now; `null` if the system does not report it, or a graphics
    /// card may compute.
    #[ts(type = "number | null")]
    pub memory_available: Option<u64>,
    /// Tokens of one conversation.
    pub context: u32,
    /// Conversations at once.
    pub parallel: u32,
    /// Whether the model must still be converted.
    pub converts: bool,
}

/// Capabilities of this build for local models.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LocalEngine {
    /// Devices that this build supports, whether or not the machine has them. Empty if the build
    /// has no local models.
    pub devices: Vec<ComputeDevice>,
    /// Formats of tool calls that this build reads, without `auto`.
    pub tool_forms: Vec<String>,
}
