//! The providers that this application knows by name.

use crate::openai_compat::Dialect;

/// A provider of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Provider {
    /// Part of a model id before its first slash.
    pub name: &'static str,
    /// Location of the provider's server.
    pub location: Location,
    /// Names of the keys. The first key that is set is sent. If the list is empty, no key is ever
    /// sent.
    pub keys: &'static [&'static str],
    /// A model id as an example.
    pub example: &'static str,
}

/// Location of a provider's server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// On the internet; a key is required.
    Hosted {
        /// Base URL of the provider.
        base_url: &'static str,
        /// Field names of the provider.
        dialect: Dialect,
    },
    /// On this machine, at the default port of its software. A key is sent if there is one.
    Local {
        /// Base URL of the server.
        base_url: &'static str,
    },
    /// At the address in `--base-url`.
    Named,
    /// On the internet or at the address in `--base-url`, with its own protocol or its own form of
    /// address.
    OwnProtocol {
        /// Base URL of the provider, if it is the same for all users.
        base_url: Option<&'static str>,
    },
    /// Inside this application, without a network.
    Baseline,
    /// Inside this application, if it was built with local models.
    Embedded,
}

/// The key of servers without a key name of their own. Keys of hosted providers are never sent to
/// such servers.
const COMPATIBLE: &[&str] = &["OPENAI_COMPAT_API_KEY"];

const PROVIDERS: &[Provider] = &[
    Provider { name: "baseline", location: Location::Baseline, keys: &[], example: "baseline/golden" },
    Provider {
        name: "openai_compat",
        location: Location::Named,
        keys: COMPATIBLE,
        example: "openai_compat/my-model",
    },
    local("vllm", "http://localhost:8000/v1", "vllm/Qwen/Qwen3-8B"),
    local("ollama", "http://localhost:11434/v1", "ollama/qwen3:8b"),
    local("lmstudio", "http://localhost:1234/v1", "lmstudio/qwen3-8b"),
    local("llamacpp", "http://127.0.0.1:8080/v1", "llamacpp/default"),
    Provider {
        name: "openai",
        location: Location::Hosted { base_url: "https://api.openai.com/v1", dialect: Dialect::OpenAi },
        keys: &["OPENAI_API_KEY"],
        example: "openai/gpt-4.1-mini",
    },
    Provider {
        name: "openrouter",
        location: Location::Hosted { base_url: "https://openrouter.ai/api/v1", dialect: Dialect::OpenRouter },
        keys: &["OPENROUTER_API_KEY"],
        example: "openrouter/openai/gpt-4o-mini",
    },
    hosted("groq", "https://api.groq.com/openai/v1", &["GROQ_API_KEY"], "groq/llama-3.3-70b-versatile"),
    // The router supports Chat Completions (§10.10), so no more is needed here.
    hosted(
        "huggingface",
        "https://router.huggingface.co/v1",
        &["HF_TOKEN", "HUGGINGFACE_API_KEY"],
        "huggingface/Qwen/Qwen3-8B",
    ),
    own_protocol(
        "anthropic",
        Some("https://api.anthropic.com/v1"),
        &["ANTHROPIC_API_KEY"],
        "anthropic/claude-sonnet-4-5",
    ),
    own_protocol("azure", None, &["AZURE_API_KEY"], "azure/gpt-4o"),
    own_protocol(
        "gemini",
        Some("https://generativelanguage.googleapis.com/v1beta"),
        &["GEMINI_API_KEY"],
        "gemini/gemini-2.5-flash",
    ),
    own_protocol("vertex_ai", None, &["GOOGLE_APPLICATION_CREDENTIALS"], "vertex_ai/gemini-2.5-flash"),
    own_protocol(
        "bedrock",
        None,
        &["AWS_BEARER_TOKEN_BEDROCK", "AWS_ACCESS_KEY_ID"],
        "bedrock/us.amazon.nova-lite-v1:0",
    ),
    Provider { name: "local", location: Location::Embedded, keys: &[], example: "local/qwen3-4b" },
];

impl Provider {
    /// Default address; `None` if the provider has none, or if it depends on
    /// settings.
    pub fn base_url(&self) -> Option<&'static str> {
        match self.location {
            Location::Hosted { base_url, .. } | Location::Local { base_url } => Some(base_url),
            Location::OwnProtocol { base_url } => base_url,
            Location::Named | Location::Baseline | Location::Embedded => None,
        }
    }

    /// Keys and settings that the provider's own address requires: one name of each list must be
    /// set. A base URL of the user requires none.
    pub fn needs(&self) -> Vec<&'static [&'static str]> {
        match (self.name, self.location) {
            ("azure", _) => vec![&["AZURE_API_KEY"], &["AZURE_API_BASE"]],
            ("vertex_ai", _) => vec![&["GOOGLE_APPLICATION_CREDENTIALS"], &["VERTEXAI_PROJECT"]],
            ("bedrock", _) => vec![
                &["AWS_BEARER_TOKEN_BEDROCK", "AWS_ACCESS_KEY_ID"],
                &["AWS_BEARER_TOKEN_BEDROCK", "AWS_SECRET_ACCESS_KEY"],
                &["AWS_REGION_NAME", "AWS_REGION"],
            ],
            (_, Location::Hosted { .. } | Location::OwnProtocol { .. }) => vec![self.keys],
            (_, Location::Local { .. } | Location::Named | Location::Baseline | Location::Embedded) => {
                Vec::new()
            }
        }
    }
}

/// All providers, in the order of lists for the user.
pub fn list() -> &'static [Provider] {
    PROVIDERS
}

const fn local(name: &'static str, base_url: &'static str, example: &'static str) -> Provider {
    Provider { name, location: Location::Local { base_url }, keys: COMPATIBLE, example }
}

const fn hosted(
    name: &'static str,
    base_url: &'static str,
    keys: &'static [&'static str],
    example: &'static str,
) -> Provider {
    Provider { name, location: Location::Hosted { base_url, dialect: Dialect::Common }, keys, example }
}

const fn own_protocol(
    name: &'static str,
    base_url: Option<&'static str>,
    keys: &'static [&'static str],
    example: &'static str,
) -> Provider {
    Provider { name, location: Location::OwnProtocol { base_url }, keys, example }
}
