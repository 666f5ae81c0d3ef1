//! Health of a connection, for user interfaces.

use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Result of the last check of a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ConnectionState {
    /// The connection was never checked as it is now.
    #[default]
    Unchecked,
    /// The server answers, accepts the key and knows the models.
    Well,
    /// No server can be reached at the address.
    Address,
    /// The key is missing or refused.
    Key,
    /// Something answers at the address, in another protocol than the provider's.
    Protocol,
    /// The server does not have all models of the connection.
    Model,
    /// The server is busy or has a fault of its own.
    Server,
    /// The provider has no request for a check, so nothing was sent.
    NoCheck,
}

/// Health of a connection, as its last check found it.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export)]
pub struct ConnectionHealth {
    /// Name of the connection.
    pub name: String,
    /// Result of the last check.
    pub state: ConnectionState,
    /// Remedy for a fault, in one sentence.
    pub remedy: Option<Sentence>,
    /// Fault in the words of the server or the network.
    pub detail: Option<Sentence>,
    /// Models of the connection that the server does not have.
    pub missing: Vec<String>,
    /// Number of models that the server lists. `null` if it has no list.
    pub listed: Option<usize>,
    /// Time of the last check, in milliseconds since the Unix epoch.
    #[ts(type = "number | null")]
    pub checked_ms: Option<u64>,
    /// Duration of the last check until the answer, in milliseconds. `null` without an answer.
    #[ts(type = "number | null")]
    pub latency_ms: Option<u64>,
    /// Time of the last check without a fault, in milliseconds since the Unix epoch.
    #[ts(type = "number | null")]
    pub last_success_ms: Option<u64>,
}
