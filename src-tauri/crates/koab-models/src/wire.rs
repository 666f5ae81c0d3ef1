//! A model in lists.

use koab_workspace::connections::Connection;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Kind of access to a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ModelKind {
    /// Built into the application; needs nothing.
    Baseline,
    /// On a server; needs the model's name.
    Server,
    /// On this disk, run inside the application.
    Local,
}

/// A model or kind of model that can be run.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ModelSummary {
    /// `provider/model`, or `provider/` if the user must add the model's name.
    pub id: String,
    /// Kind of access to the model.
    pub kind: ModelKind,
    /// Default base URL.
    pub default_base_url: Option<String>,
    /// Whether the model cannot be used without a base URL.
    pub needs_base_url: bool,
    /// Keys and settings that the default address requires; another base URL requires none.
    pub needs: Vec<KeyNeed>,
    /// Options of a local model; left out for all other models.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub local: Option<LocalChoice>,
    /// The connection, if the entry is one; left out for all other entries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub connection: Option<Connection>,
}

/// Options of a local model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LocalChoice {
    /// Whether the model is converted before its first run, so that its precision can be chosen;
    /// false for GGUF files.
    pub converts: bool,
    /// Tokens of context that the model was trained for; null if unknown.
    pub context: Option<u32>,
}

/// A key or setting that a provider needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct KeyNeed {
    /// Names of the key; one of them is enough.
    pub any_of: Vec<String>,
    /// Whether one of them is set.
    pub present: bool,
}
