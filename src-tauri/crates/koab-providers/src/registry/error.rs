//! Errors of opening a model.

use crate::openai_compat::{BadBaseUrl, BadEndpoint};

/// Reason why a model cannot be opened.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub enum OpenError {
    /// The id has no slash, or nothing on one side of it.
    #[error("`{0}` is not a model id; write provider/model, such as ollama/qwen3:8b or baseline/golden")]
    NotAnId(String),
    /// The provider is unknown.
    #[error(
        "`{provider}` is not a provider; the providers are {known}; write any other OpenAI-compatible server as openai_compat/{rest} with its base URL"
    )]
    UnknownProvider {
        /// Name that was given.
        provider: String,
        /// Names of the known providers.
        known: String,
        /// Part of the id after its first slash.
        rest: String,
    },
    /// The baseline does not exist.
    #[error("there is no baseline `{0}`; baselines are golden, silent and random")]
    UnknownBaseline(String),
    /// The provider needs a setting in addition to a key.
    #[error("{provider} needs {what}; set {name} or give a base URL")]
    NoSetting {
        /// Name of the provider.
        provider: &'static str,
        /// Description of the setting.
        what: &'static str,
        /// Name of the setting.
        name: &'static str,
    },
    /// The model is not supported on Vertex AI, which has models of many makers with their own
    /// protocols.
    #[error("vertex_ai is used only for gemini-… and claude-… models; `{0}` is neither")]
    NotOnVertex(String),
    /// Google's credentials cannot be used.
    #[error("{0}")]
    GoogleCredentials(String),
    /// The model runs inside the application. The owner of the local engine loads it; this registry
    /// opens only models on servers.
    #[error("{0} is a model inside this application, not on a server")]
    NotAServer(String),
    /// `openai_compat` has no address of its own.
    #[error(
        "openai_compat has no address of its own; name the server by its base URL, such as http://localhost:8000/v1"
    )]
    NoBaseUrl,
    /// An address to be stored contains a part that must not be stored.
    #[error("the address must hold no user name, password or query; store a key instead")]
    SecretInAddress,
    /// The key of a hosted provider is missing.
    #[error(
        "{provider} needs a key; store it with `koab keys set {name}` or set the environment variable of that name"
    )]
    NoKey {
        /// Name of the provider.
        provider: &'static str,
        /// Name of the key.
        name: &'static str,
    },
    /// The base URL is invalid.
    #[error(transparent)]
    BaseUrl(#[from] BadBaseUrl),
    /// The adapter could not be created.
    #[error(transparent)]
    Endpoint(#[from] BadEndpoint),
}
