//! A model as lists show it.

use koab_workspace::connections::Connection;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What a model is reached through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ModelKind {
    /// Built in; needs nothing.
    Baseline,
    /// Behind a server; needs a model name.
    Server,
    /// On this disk, run inside the application.
    Local,
}

/// A model or kind of model that can be run.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ModelSummary {
    /// `provider/model`, or `provider/` where the model's name is the user's to give.
    pub id: String,
    /// How it is reached.
    pub kind: ModelKind,
    /// The base URL used when none is given.
    pub default_base_url: Option<String>,
    /// Whether it cannot be asked without a base URL.
    pub needs_base_url: bool,
    /// Keys and settings without which it cannot be asked at its own address; with another base URL
    /// none is needed.
    pub needs: Vec<KeyNeed>,
    /// What can be chosen of a model inside the application; left out for all others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub local: Option<LocalChoice>,
    /// The connection, for an entry that is one; left out for all others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub connection: Option<Connection>,
}

/// What can be chosen of a model inside the application.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LocalChoice {
    /// Whether it is converted before its first run, so that its precision can be chosen; GGUF
    /// files are not.
    pub converts: bool,
    /// Tokens that it was trained for; null when its files do not say.
    pub context: Option<u32>,
}

/// A key or setting that a provider needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct KeyNeed {
    /// Its names; one of them is enough.
    pub any_of: Vec<String>,
    /// Whether one of them is there.
    pub present: bool,
}
