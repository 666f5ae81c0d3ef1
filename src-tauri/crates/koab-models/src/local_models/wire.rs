//! What is told of a model that was examined, and of trying one.

use super::settings::{ComputeDevice, LocalSettings};
use koab_workspace::WireError;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A model of this disk, loaded and tried on this machine.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LocalExamination {
    /// Its name.
    pub model: String,
    /// The precision that it was converted to, or the quantization of a GGUF file; null when that
    /// is not known.
    pub precision: Option<String>,
    /// Where it computes.
    pub device: String,
    /// Threads.
    pub threads: u32,
    /// Bytes of the weights.
    #[ts(type = "number")]
    pub weights_bytes: u64,
    /// Bytes of the memory of attention, for all conversations at once; null when the model's kind
    /// does not tell.
    #[ts(type = "number | null")]
    pub kv_bytes: Option<u64>,
    /// Bytes of memory that were free before it was loaded; null where the system does not say.
    #[ts(type = "number | null")]
    pub memory_available: Option<u64>,
    /// Tokens of one conversation.
    pub context: u32,
    /// Tokens that the model was trained for.
    pub context_trained: u32,
    /// Conversations at once.
    pub parallel: u32,
    /// Tokens of a prompt read in a second; null when it could not be measured.
    pub prompt_per_second: Option<f64>,
    /// Tokens written in a second, one conversation alone; null when it could not be measured.
    pub written_per_second: Option<f64>,
    /// Whether equal long prompts, read anew and reused, had the same answer, one at a time; null
    /// when the model said nothing.
    pub deterministic: Option<bool>,
    /// Whether two at once had the same answer too, which is not promised; null where one is
    /// answered at a time.
    pub deterministic_together: Option<bool>,
    /// Whether the chat template itself tells the model its tools.
    pub handles_tools: bool,
    /// How it writes tool calls.
    pub form: String,
    /// A conversation with a tool, a call and its result as the model sees it.
    pub rendered: String,
    /// The longest first prompt of the active pack's tasks; null when it has none.
    pub longest: Option<LongestPrompt>,
    /// What to do better, the most important first.
    pub advice: Vec<LocalAdvice>,
}

/// The longest first prompt of a pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LongestPrompt {
    /// The task.
    pub task: String,
    /// Its tokens, tools included, without any result of a tool.
    pub tokens: u32,
    /// Tasks whose first prompt leaves no room for an answer of 1,024 tokens.
    pub too_long: Vec<String>,
}

/// What to do about a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum LocalAdvice {
    /// Prompts do not fit: choose a larger context.
    LargerContext,
    /// Weights and attention take most of the memory that was free: choose a smaller precision or
    /// context.
    LessMemory,
    /// The template does not tell tools: choose a model that was tuned for tools.
    ToolsByHand,
    /// The same question got two answers: repeat runs, and say so in a report.
    Repeat,
    /// It writes fewer than five tokens a second: raise the time limit of tasks, or choose a
    /// smaller model or precision.
    Slow,
}

/// What to try.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LocalTrialRequest {
    /// The model, as [`crate::LocalModel::name`] has it.
    pub name: String,
    /// How it runs.
    pub settings: LocalSettings,
    /// Conversations at once; `null` means as many as a run has.
    pub parallel: Option<u32>,
}

/// The last trial of a model.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LocalTrial {
    /// What was asked for.
    pub request: LocalTrialRequest,
    /// The job that says how far it is and stops it. Counts answers, once the model is loaded.
    pub job: String,
    /// What was found; with neither this nor an error it is not over.
    pub found: Option<LocalExamination>,
    /// Why it did not come to its end; of the code `cancelled` when somebody stopped it.
    pub error: Option<WireError>,
}

/// What a model needs of the memory, as its files say before it is loaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LocalNeed {
    /// Bytes of the weights at the wanted precision.
    #[ts(type = "number")]
    pub weights_bytes: u64,
    /// Bytes of the memory of attention, for all conversations at once; `null` when the model's
    /// kind does not tell.
    #[ts(type = "number | null")]
    pub kv_bytes: Option<u64>,
    /// Bytes of memory that are free now; `null` where the system does not say, and where a
    /// graphics card may compute.
    #[ts(type = "number | null")]
    pub memory_available: Option<u64>,
    /// Tokens of one conversation.
    pub context: u32,
    /// Conversations at once.
    pub parallel: u32,
    /// Whether it has yet to be converted.
    pub converts: bool,
}

/// What this build can do with models of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LocalEngine {
    /// Where it can compute, should the machine have it; empty when it has no such models at all.
    pub devices: Vec<ComputeDevice>,
    /// The forms of tool calls that it reads, without the one that means any.
    pub tool_forms: Vec<String>,
}
