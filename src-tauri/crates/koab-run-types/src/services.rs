//! The services behind tools, as far as a run or a fill needs them.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A service that may be asked, with what is there of its keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ServiceState {
    /// Its name, such as `kakao_local`.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// The tools that it is needed for.
    pub tools: Vec<String>,
    /// The keys that it needs, all of them; empty for a service that needs none.
    pub keys: Vec<ServiceKey>,
    /// Whether all of them are there.
    pub ready: bool,
}

/// A key of a service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ServiceKey {
    /// Its name.
    pub name: String,
    /// Whether there is one.
    pub present: bool,
}
