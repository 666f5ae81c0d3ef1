//! Result of a check, as the workspace keeps it.

use super::fault;
use super::wire::{ConnectionHealth, ConnectionState};
use koab_core::sentence::Sentence;
use koab_providers::openai_compat;
use koab_workspace::connections::Connection;
use serde::{Deserialize, Serialize};

/// Result of a check in the workspace.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Kept {
    pub(super) provider: String,
    pub(super) base_url: Option<String>,
    /// Fault other than missing models. `Well` if there was none.
    pub(super) state: ConnectionState,
    pub(super) remedy: Option<Sentence>,
    pub(super) detail: Option<Sentence>,
    /// Models that the server lists. `None` if it has no list.
    pub(super) listed: Option<Vec<String>>,
    /// Models that the server did not know when it was asked about each.
    pub(super) unknown: Vec<String>,
    pub(super) checked_ms: u64,
    pub(super) latency_ms: Option<u64>,
    pub(super) last_success_ms: Option<u64>,
}

impl Kept {
    pub(super) fn is_of(&self, connection: &Connection) -> bool {
        self.provider == connection.provider && self.base_url == connection.base_url
    }

    pub(super) fn missing(&self, connection: &Connection) -> Vec<String> {
        let is_missing = |model: &&String| match &self.listed {
            Some(listed) => !openai_compat::lists(listed, model),
            None => self.unknown.contains(model),
        };
        connection.models.iter().filter(is_missing).cloned().collect()
    }

    pub(super) fn health(&self, connection: &Connection) -> ConnectionHealth {
        let missing = self.missing(connection);
        let (state, remedy) = match self.state {
            ConnectionState::Well if !missing.is_empty() => {
                (ConnectionState::Model, Some(fault::missing_models(&missing)))
            }
            state => (state, self.remedy.clone()),
        };
        ConnectionHealth {
            name: connection.name.clone(),
            state,
            remedy,
            detail: self.detail.clone(),
            missing,
            listed: self.listed.as_ref().map(Vec::len),
            checked_ms: Some(self.checked_ms),
            latency_ms: self.latency_ms,
            last_success_ms: self.last_success_ms,
        }
    }
}

/// Health of a connection without a kept result.
pub(super) fn unchecked(connection: &Connection) -> ConnectionHealth {
    ConnectionHealth {
        name: connection.name.clone(),
        state: ConnectionState::Unchecked,
        remedy: None,
        detail: None,
        missing: Vec::new(),
        listed: None,
        checked_ms: None,
        latency_ms: None,
        last_success_ms: None,
    }
}
