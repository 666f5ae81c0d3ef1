//! A model behind a protocol of its own, and its address.

use crate::credentials::Credential;
use crate::http::{BaseUrl, Network};
use crate::structured::ObjectMethod;
use genai::adapter::AdapterKind;
use koab_engine::egress::Purpose;

/// A protocol other than Chat Completions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// Anthropic Messages; paths such as `messages` below the base URL.
    Anthropic,
    /// Google's Gemini; paths such as `models/x:streamGenerateContent`.
    Gemini,
    /// Gemini and Claude on Vertex AI; the base URL ends with the location.
    Vertex,
    /// AWS Bedrock Converse; paths such as `model/x/converse-stream`.
    Bedrock,
}

/// Maker of the model, as far as requests depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Maker {
    Anthropic,
    Google,
    Other,
}

/// A model with its protocol, address and credentials.
#[derive(Debug)]
pub(crate) struct NativeEndpoint {
    pub(crate) protocol: Protocol,
    pub(crate) base_url: BaseUrl,
    pub(crate) model: String,
    pub(crate) credential: Credential,
    pub(crate) network: Network,
    pub(crate) purpose: Purpose,
}

impl Protocol {
    pub(super) fn kind(self) -> AdapterKind {
        match self {
            Protocol::Anthropic => AdapterKind::Anthropic,
            Protocol::Gemini => AdapterKind::Gemini,
            Protocol::Vertex => AdapterKind::Vertex,
            Protocol::Bedrock => AdapterKind::BedrockApi,
        }
    }

    /// Usual end of the protocol's addresses.
    pub(super) fn ending(self) -> &'static str {
        match self {
            Protocol::Anthropic => "/v1",
            Protocol::Gemini => "/v1beta",
            Protocol::Vertex | Protocol::Bedrock => "",
        }
    }

    pub(super) fn maker(self, model: &str) -> Maker {
        match self {
            Protocol::Anthropic => Maker::Anthropic,
            Protocol::Gemini => Maker::Google,
            Protocol::Vertex if model.starts_with("gemini") => Maker::Google,
            Protocol::Vertex => Maker::Anthropic,
            Protocol::Bedrock if model.contains("anthropic.") => Maker::Anthropic,
            Protocol::Bedrock => Maker::Other,
        }
    }

    /// Methods to get an object that `genai` supports for the model. On Bedrock, and for Claude on
    /// Vertex, a tool can be offered but not required.
    pub(super) fn ways(self, maker: Maker) -> &'static [ObjectMethod] {
        match (self, maker) {
            (Protocol::Bedrock, _) | (Protocol::Vertex, Maker::Anthropic) => {
                &[ObjectMethod::Tool, ObjectMethod::Words]
            }
            _ => &[ObjectMethod::Schema, ObjectMethod::Tool, ObjectMethod::Words],
        }
    }
}
