//! Why no model can be opened.

use crate::openai_compat::{BadBaseUrl, BadEndpoint};

/// A model id that leads to no model.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub enum OpenError {
    /// No slash, or nothing on one side of it.
    #[error("`{0}` is not a model id; write provider/model, such as ollama/qwen3:8b or baseline/golden")]
    NotAnId(String),
    /// A provider that is not in the table.
    #[error(
        "`{provider}` is not a provider; known are {known}; any other OpenAI-compatible server is openai_compat/{rest} with its base URL"
    )]
    UnknownProvider {
        /// What was given.
        provider: String,
        /// Names of the known ones.
        known: String,
        /// The id after its first slash.
        rest: String,
    },
    /// A baseline that does not exist.
    #[error("there is no baseline `{0}`; baselines are golden, silent and random")]
    UnknownBaseline(String),
    /// A provider that needs to be told more than a key.
    #[error("{provider} needs {what}; set {name} or give a base URL")]
    NoSetting {
        /// Who.
        provider: &'static str,
        /// What it is.
        what: &'static str,
        /// Name of the setting.
        name: &'static str,
    },
    /// Vertex AI has models of many makers, in protocols of their own.
    #[error("vertex_ai is spoken to for gemini-… and claude-… models; `{0}` is neither")]
    NotOnVertex(String),
    /// Google's credentials cannot be used.
    #[error("{0}")]
    GoogleCredentials(String),
    /// A model inside the application is loaded by whoever has the engine; this registry knows
    /// servers only.
    #[error("{0} is a model inside this application, and no server")]
    NotAServer(String),
    /// `openai_compat` has no address of its own.
    #[error(
        "openai_compat has no address of its own; name the server by its base URL, such as http://localhost:8000/v1"
    )]
    NoBaseUrl,
    /// An address to keep that holds what must not be kept.
    #[error("the address must hold no user name, password or query; store a key instead")]
    SecretInAddress,
    /// A hosted provider without its key.
    #[error(
        "{provider} needs a key; store it with `koab keys set {name}` or set the environment variable of that name"
    )]
    NoKey {
        /// Who.
        provider: &'static str,
        /// Name of the key.
        name: &'static str,
    },
    /// The base URL is none.
    #[error(transparent)]
    BaseUrl(#[from] BadBaseUrl),
    /// The adapter could not be made.
    #[error(transparent)]
    Endpoint(#[from] BadEndpoint),
}
