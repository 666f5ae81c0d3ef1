//! One model at one address, and how its server departs from OpenAI's form.

use crate::http::BaseUrl;
use koab_core::sensitive::Sensitive;
use koab_engine::egress::Purpose;

/// What a server calls the fields that servers do not agree on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// `max_tokens`, which every compatible server knows.
    #[default]
    Common,
    /// OpenAI itself: `max_completion_tokens`, and no temperature for its reasoning models, which
    /// refuse both the old name and any temperature but the default (§10.1).
    OpenAi,
    /// Azure: the key in a header of its own, and deployments whose names say nothing, so that the
    /// list of models is no evidence. `max_tokens`, and what `learned` makes of a refusal.
    Azure,
    /// OpenRouter: its own field for effort, and judges only where the form of the answer is kept
    /// (§10.7).
    OpenRouter,
}

/// Where a model is and how it is asked.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// Address up to and without `/chat/completions`.
    pub base_url: BaseUrl,
    /// Model name as the server knows it.
    pub model: String,
    /// Sent as bearer token when given.
    pub key: Option<Sensitive<String>>,
    /// Field names.
    pub dialect: Dialect,
    /// Whether it is asked as a model, a judge or for a scenario.
    pub purpose: Purpose,
}
