//! One model at one address, and how its server differs from OpenAI's form.

use crate::http::{BaseUrl, Network};
use koab_core::sensitive::Sensitive;
use koab_engine::egress::Purpose;

/// Names and rules of the fields that servers disagree about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// `max_tokens`, which every compatible server supports.
    #[default]
    Common,
    /// OpenAI itself: `max_completion_tokens`, and no temperature for its reasoning models, which
    /// refuse both the old name and any temperature but the default (§10.1).
    OpenAi,
    /// Azure: the key has its own header. Names of deployments do not identify the model, so the
    /// list of models is no evidence. The field is `max_tokens` until `learned` changes it after a
    /// refusal.
    Azure,
    /// OpenRouter: its own field for effort, and for judges only hosts that respect the form of the
    /// answer (§10.7).
    OpenRouter,
}

/// Address, name and options of a model.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// Address up to and without `/chat/completions`.
    pub base_url: BaseUrl,
    /// Model name as the server knows it.
    pub model: String,
    /// Key, which is sent as bearer token.
    pub key: Option<Sensitive<String>>,
    /// Field names of the server.
    pub dialect: Dialect,
    /// Network of the requests.
    pub network: Network,
    /// Purpose of the requests: a model under test, a judge, or a scenario.
    pub purpose: Purpose,
}
