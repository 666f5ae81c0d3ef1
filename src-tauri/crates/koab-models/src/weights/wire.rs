//! Models on this disk, what a hub offers, downloads, and model servers on this machine.

use koab_core::sentence::Sentence;
use koab_workspace::WireError;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What the weights are kept as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum LocalKind {
    /// A Hugging Face folder; converted once before it first runs.
    Safetensors,
    /// A GGUF file, which runs as it is.
    Gguf,
}

/// Where a model comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum LocalPlace {
    /// The cache that Hugging Face's tools share.
    Hub,
    /// Converted here, and its source is gone.
    Converted,
    /// A folder or file that the user added; it stays where it is.
    Added,
}

/// A model on this disk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LocalModel {
    /// Its id for runs, `local/…`.
    pub id: String,
    /// The id without `local/`.
    pub name: String,
    /// What the weights are kept as.
    pub kind: LocalKind,
    /// Where it comes from.
    pub place: LocalPlace,
    /// The folder, or the GGUF file.
    pub path: String,
    /// The repository's commit.
    pub commit: Option<String>,
    /// Commits of the repository of which something is there.
    pub commits: u32,
    /// The architecture in the words of its files.
    pub architecture: Option<String>,
    /// Numbers in its weights.
    #[ts(type = "number | null")]
    pub parameters: Option<u64>,
    /// Tokens of context.
    #[ts(type = "number | null")]
    pub context: Option<u64>,
    /// How the weights were quantized.
    pub quantization: Option<String>,
    /// The licence's short name.
    pub licence: Option<String>,
    /// Bytes on the disk, conversions left out.
    #[ts(type = "number")]
    pub bytes: u64,
    /// What was made of it.
    pub conversions: Vec<LocalConversion>,
    /// Why it cannot be used, in one sentence.
    pub problem: Option<Sentence>,
}

/// A conversion of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LocalConversion {
    /// `float32`, `float16`, `bfloat16`, `8bit` or `4bit`.
    pub precision: String,
    /// Bytes on the disk.
    #[ts(type = "number")]
    pub bytes: u64,
}

/// The models on this disk, and what is being fetched.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LocalModels {
    /// The models, by name.
    pub models: Vec<LocalModel>,
    /// Downloads that are not done.
    pub pulls: Vec<PullState>,
    /// The cache that Hugging Face's tools share.
    pub hub: String,
    /// The workspace's folder of converted models.
    pub folder: String,
    /// Bytes that are free where the cache is; `null` when the system does not say.
    #[ts(type = "number | null")]
    pub free: Option<u64>,
}

/// What a hub has under a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct HubModel {
    /// The repository, as the hub spells it.
    pub repo: String,
    /// The hub's page of it.
    pub page: String,
    /// The branch, tag or commit that was asked for.
    pub revision: String,
    /// The commit behind it.
    pub commit: String,
    /// The licence's short name; `null` when the repository names none.
    pub licence: Option<String>,
    /// Whether its terms have to be accepted before files are given out.
    pub gated: bool,
    /// The architecture, where the hub knows it.
    pub architecture: Option<String>,
    /// Numbers in its weights, where the hub knows.
    #[ts(type = "number | null")]
    pub parameters: Option<u64>,
    /// Tokens of context, where the hub knows.
    #[ts(type = "number | null")]
    pub context: Option<u64>,
    /// The models that its files make. Empty when none of them can be used; then `problem` says
    /// why.
    pub offers: Vec<HubOffer>,
    /// Why nothing can be fetched, in one sentence.
    pub problem: Option<Sentence>,
    /// Bytes that are free where it would go.
    #[ts(type = "number | null")]
    pub free: Option<u64>,
}

/// A model that a repository offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct HubOffer {
    /// What the weights are kept as.
    pub kind: LocalKind,
    /// The first file of its weights, which names it.
    pub file: String,
    /// How it was quantized.
    pub quantization: Option<String>,
    /// Files that belong to it.
    pub files: u32,
    /// Bytes of all files.
    #[ts(type = "number")]
    pub bytes: u64,
    /// Bytes that are not here yet.
    #[ts(type = "number")]
    pub missing: u64,
}

/// What to fetch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PullRequest {
    /// The repository, also as `org/name@revision`.
    pub repo: String,
    /// The model by a file of it ([`HubOffer::file`]).
    #[serde(default)]
    #[ts(optional)]
    pub file: Option<String>,
    /// The GGUF model quantized so: `4bit`, `8bit`, or as names of files have it.
    #[serde(default)]
    #[ts(optional)]
    pub quantization: Option<String>,
    /// Exactly the files that fit these patterns.
    #[serde(default)]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub include: Vec<String>,
}

/// How a download stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum PullStanding {
    /// Bytes are coming.
    Running,
    /// Not under way; what came is kept.
    Paused,
    /// It ended with an error; what came is kept.
    Failed,
    /// All is there and verified.
    Done,
    /// It was given up; what it had brought is gone.
    Cancelled,
}

/// A download.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PullState {
    /// Its id: the same for the same model at the same commit, whoever begins it.
    pub id: String,
    /// The repository.
    pub repo: String,
    /// The branch, tag or commit that was asked for.
    pub revision: String,
    /// The commit.
    pub commit: String,
    /// The model's first file of weights.
    pub file: String,
    /// What the weights are kept as.
    pub kind: LocalKind,
    /// How it stands.
    pub standing: PullStanding,
    /// Why it failed.
    pub error: Option<WireError>,
    /// Bytes that are here.
    #[ts(type = "number")]
    pub done: u64,
    /// Bytes of all its files.
    #[ts(type = "number")]
    pub total: u64,
    /// Bytes a second over the last seconds; `null` while nothing can be said.
    pub speed: Option<f64>,
    /// Seconds that are left at this speed.
    pub eta_s: Option<f64>,
    /// Files that are here, and all of them.
    pub files: (u32, u32),
}

/// What of a model is deleted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "part")]
#[ts(export)]
pub enum LocalPart {
    /// All of it.
    #[default]
    Everything,
    /// What was fetched; conversions stay.
    Source,
    /// Conversions: one precision's, or all.
    Conversions {
        /// The precision.
        precision: Option<String>,
    },
}

/// What deleting does or did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LocalRemoval {
    /// The model's name.
    pub name: String,
    /// Bytes that the disk gets back.
    #[ts(type = "number")]
    pub frees: u64,
    /// An added path that is forgotten and stays where it is.
    pub stays: Option<String>,
}

/// What verifying found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LocalVerified {
    /// The model's name.
    pub name: String,
    /// Files whose content is what the hub promised.
    pub sound: u32,
    /// Files whose content is something else.
    pub wrong: Vec<String>,
    /// Files for which nothing was promised.
    pub unknown: u32,
}

/// A model server on this machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ModelServer {
    /// The provider that its models belong to: `vllm`, `ollama`, `lmstudio`, `llamacpp`.
    pub provider: String,
    /// Its address.
    pub base_url: String,
    /// Its models, as ids for runs.
    pub models: Vec<String>,
    /// Whether it wants a key before it tells its models.
    pub wants_key: bool,
}
