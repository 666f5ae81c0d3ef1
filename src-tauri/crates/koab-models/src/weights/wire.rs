//! Models on this disk, models that a hub offers, downloads, and model servers on this machine.

use koab_core::sentence::Sentence;
use koab_workspace::WireError;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Format of the weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum LocalKind {
    /// A Hugging Face folder, which is converted before its first run.
    Safetensors,
    /// A GGUF file, which can run directly.
    Gguf,
}

/// Origin of a local model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum LocalPlace {
    /// The cache shared with Hugging Face's tools.
    Hub,
    /// Converted here; the source is gone.
    Converted,
    /// A folder or file that the user added; it stays at its path.
    Added,
}

/// A model on this disk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LocalModel {
    /// Id for runs, `local/…`.
    pub id: String,
    /// The id without `local/`.
    pub name: String,
    /// Format of the weights.
    pub kind: LocalKind,
    /// Origin of the model.
    pub place: LocalPlace,
    /// Path of the folder or of the GGUF file.
    pub path: String,
    /// Commit of the repository.
    pub commit: Option<String>,
    /// Number of the repository's commits with files in the cache.
    pub commits: u32,
    /// Architecture, as the files name it.
    pub architecture: Option<String>,
    /// Number of weights.
    #[ts(type = "number | null")]
    pub parameters: Option<u64>,
    /// Tokens of context that the model was trained for.
    #[ts(type = "number | null")]
    pub context: Option<u64>,
    /// Quantization of the weights.
    pub quantization: Option<String>,
    /// Short name of the licence.
    pub licence: Option<String>,
    /// Bytes on the disk, without conversions.
    #[ts(type = "number")]
    pub bytes: u64,
    /// Conversions of the model.
    pub conversions: Vec<LocalConversion>,
    /// Reason why the model cannot be used, in one sentence.
    pub problem: Option<Sentence>,
}

/// A conversion of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LocalConversion {
    /// Precision: `float32`, `float16`, `bfloat16`, `8bit` or `4bit`.
    pub precision: String,
    /// Bytes on the disk.
    #[ts(type = "number")]
    pub bytes: u64,
}

/// The models on this disk, and unfinished downloads.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LocalModels {
    /// The models, by name.
    pub models: Vec<LocalModel>,
    /// Unfinished downloads.
    pub pulls: Vec<PullState>,
    /// Folder of the cache shared with Hugging Face's tools.
    pub hub: String,
    /// Folder of converted models in the workspace.
    pub folder: String,
    /// Free bytes on the disk of the cache; `null` if the system does not report it.
    #[ts(type = "number | null")]
    pub free: Option<u64>,
}

/// A repository on a hub.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct HubModel {
    /// Name of the repository in the hub's spelling.
    pub repo: String,
    /// URL of the repository's page.
    pub page: String,
    /// Requested branch, tag or commit.
    pub revision: String,
    /// Commit of the revision.
    pub commit: String,
    /// Short name of the licence; `null` if the repository names none.
    pub licence: Option<String>,
    /// Whether the user must accept terms before files can be downloaded.
    pub gated: bool,
    /// Architecture, if the hub knows it.
    pub architecture: Option<String>,
    /// Number of weights, if the hub knows it.
    #[ts(type = "number | null")]
    pub parameters: Option<u64>,
    /// Tokens of context that the model was trained for, if the hub knows it.
    #[ts(type = "number | null")]
    pub context: Option<u64>,
    /// Models in the repository's files. Empty if none can be used; `problem` then has the reason.
    pub offers: Vec<HubOffer>,
    /// Reason why nothing can be downloaded, in one sentence.
    pub problem: Option<Sentence>,
    /// Free bytes on the disk of the cache.
    #[ts(type = "number | null")]
    pub free: Option<u64>,
}

/// A model that a repository offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct HubOffer {
    /// Format of the weights.
    pub kind: LocalKind,
    /// First file of the weights, which identifies the model.
    pub file: String,
    /// Quantization of the weights.
    pub quantization: Option<String>,
    /// Number of files.
    pub files: u32,
    /// Bytes of all files.
    #[ts(type = "number")]
    pub bytes: u64,
    /// Bytes that are not in the cache yet.
    #[ts(type = "number")]
    pub missing: u64,
}

/// Request to download a model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PullRequest {
    /// Name of the repository, optionally as `org/name@revision`.
    pub repo: String,
    /// A file of the requested model ([`HubOffer::file`]).
    #[serde(default)]
    #[ts(optional)]
    pub file: Option<String>,
    /// Quantization of the requested GGUF model: `4bit`, `8bit`, or a name such as `Q5_K_M`.
    #[serde(default)]
    #[ts(optional)]
    pub quantization: Option<String>,
    /// Patterns: exactly the files that match one of them are downloaded.
    #[serde(default)]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub include: Vec<String>,
}

/// Status of a download.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum PullStanding {
    /// The download is running.
    Running,
    /// The download is paused; received bytes are kept.
    Paused,
    /// The download ended with an error; received bytes are kept.
    Failed,
    /// All files are downloaded and verified.
    Done,
    /// The download was cancelled; its files are deleted.
    Cancelled,
}

/// State of a download.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PullState {
    /// Id of the download. It is always the same for the same model at the same commit.
    pub id: String,
    /// Name of the repository.
    pub repo: String,
    /// Requested branch, tag or commit.
    pub revision: String,
    /// Commit hash.
    pub commit: String,
    /// First file of the model's weights.
    pub file: String,
    /// Format of the weights.
    pub kind: LocalKind,
    /// Status of the download.
    pub standing: PullStanding,
    /// Reason of a failure.
    pub error: Option<WireError>,
    /// Received bytes.
    #[ts(type = "number")]
    pub done: u64,
    /// Bytes of all files.
    #[ts(type = "number")]
    pub total: u64,
    /// Bytes per second over the last seconds; `null` while unknown.
    pub speed: Option<f64>,
    /// Remaining seconds at this speed.
    pub eta_s: Option<f64>,
    /// Number of complete files, and number of all files.
    pub files: (u32, u32),
}

/// Part of a model to delete.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "part")]
#[ts(export)]
pub enum LocalPart {
    /// The model with its conversions.
    #[default]
    Everything,
    /// The downloaded files; conversions are kept.
    Source,
    /// Conversions: those of one precision, or all.
    Conversions {
        /// Name of the precision; all if missing.
        precision: Option<String>,
    },
}

/// Effect of a deletion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LocalRemoval {
    /// Name of the model.
    pub name: String,
    /// Bytes that are freed on the disk.
    #[ts(type = "number")]
    pub frees: u64,
    /// Added path that is removed from the list; its files are kept.
    pub stays: Option<String>,
}

/// Result of a verification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LocalVerified {
    /// Name of the model.
    pub name: String,
    /// Number of files with the expected content.
    pub sound: u32,
    /// Names of files with other content.
    pub wrong: Vec<String>,
    /// Number of files without a known hash.
    pub unknown: u32,
}

/// A model server on this machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ModelServer {
    /// Provider of its models: `vllm`, `ollama`, `lmstudio`, `llamacpp`.
    pub provider: String,
    /// Base URL of the server.
    pub base_url: String,
    /// Models of the server, as ids for runs.
    pub models: Vec<String>,
    /// Whether the server requires a key to list its models.
    pub wants_key: bool,
}
