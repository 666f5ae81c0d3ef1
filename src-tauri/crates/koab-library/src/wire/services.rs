//! Services that tools call, with the data that a run or a fill needs.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A service that tools may call, and whether its keys are present.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ServiceState {
    /// Service name, such as `kakao_local`.
    pub name: String,
    /// Display name of the service.
    pub title: String,
    /// The tools that call the service.
    pub tools: Vec<String>,
    /// All keys that the service needs; empty if it needs no key.
    pub keys: Vec<ServiceKey>,
    /// Whether all keys are present.
    pub ready: bool,
}

/// Key that a service needs, and whether it is present.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ServiceKey {
    /// Key name.
    pub name: String,
    /// Whether the key is present.
    pub present: bool,
}
