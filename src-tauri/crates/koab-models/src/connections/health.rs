//! Health of connections: what a check found, and when one last succeeded.
//!
//! A connection is checked on request only. The last result is kept in the workspace, a setting for
//! each connection, apart from the connections themselves: a page that saves connections cannot
//! overwrite a result that came meanwhile.

mod fault;
mod kept;
mod wire;

pub use wire::{ConnectionHealth, ConnectionState};

use crate::{LocalUse, Models};
use kept::Kept;
use koab_core::say;
use koab_core::sentence::ToSentence as _;
use koab_engine::disk_work;
use koab_engine::egress::Purpose;
use koab_engine::ports::{Clock as _, ModelError, ServerCheck};
use koab_providers::registry;
use koab_workspace::clock::SystemClock;
use koab_workspace::connections::Connection;
use koab_workspace::{ErrorCode, WireError};
use std::time::Instant;
use tokio::task::JoinSet;

/// Maximum number of connections that are checked at once.
const MAX_AT_ONCE: usize = 4;
/// Maximum number of models of a connection whose server is asked about each of them.
const MAX_ASKED_MODELS: usize = 20;

fn setting_of(name: &str) -> String {
    format!("connection_check/{name}")
}

impl Models {
    /// Health of all connections, from the last check of each. Nothing is sent.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn connections_health(&self) -> Result<Vec<ConnectionHealth>, WireError> {
        let health = |connection: &Connection| {
            let check = self.kept_check(connection)?;
            Ok(check.map_or_else(|| kept::unchecked(connection), |check| check.health(connection)))
        };
        self.workspace.connections()?.iter().map(health).collect()
    }

    /// Checks a connection: its address, key, protocol and models. No model answers, so a check
    /// costs nothing. The result is kept.
    ///
    /// # Errors
    /// When there is no such connection, koab is offline and the server on another computer, or the
    /// workspace cannot be read or written. A fault of the connection is a result.
    pub async fn connection_check(&self, name: &str) -> Result<ConnectionHealth, WireError> {
        let connection = disk_work(|| self.connection(name))?;
        let mut check = self.checked(&connection).await?;
        disk_work(|| {
            let before = self.kept_check(&connection)?;
            let is_well = check.state == ConnectionState::Well && check.missing(&connection).is_empty();
            check.last_success_ms =
                if is_well { Some(check.checked_ms) } else { before.and_then(|check| check.last_success_ms) };
            let text = serde_json::to_string(&check).map_err(WireError::internal)?;
            self.workspace.store()?.set_setting(&setting_of(&connection.name), Some(&text))?;
            Ok(check.health(&connection))
        })
    }

    /// Checks these connections, a few at once, and returns their results in the same order.
    pub async fn connections_check(&self, names: &[String]) -> Vec<Result<ConnectionHealth, WireError>> {
        let mut results: Vec<_> = names.iter().map(|_| None).collect();
        let mut waiting = names.iter().cloned().enumerate();
        let mut checks = JoinSet::new();
        loop {
            while checks.len() < MAX_AT_ONCE
                && let Some((at, name)) = waiting.next()
            {
                let models = self.clone();
                checks.spawn(async move { (at, models.connection_check(&name).await) });
            }
            match checks.join_next().await {
                Some(Ok((at, result))) => results[at] = Some(result),
                Some(Err(_)) => {}
                None => break,
            }
        }
        let lost = || Err(WireError::internal("a check ended without a result"));
        results.into_iter().map(|result| result.unwrap_or_else(lost)).collect()
    }

    fn connection(&self, name: &str) -> Result<Connection, WireError> {
        let all = self.workspace.connections()?;
        all.into_iter().find(|one| one.name.eq_ignore_ascii_case(name.trim())).ok_or_else(|| {
            WireError::not_found(say!("there is no connection {name}; `koab models connections` lists them"))
        })
    }

    /// The kept result, if it is about this provider and address.
    fn kept_check(&self, connection: &Connection) -> Result<Option<Kept>, WireError> {
        let text = self.workspace.store()?.setting(&setting_of(&connection.name))?;
        // An unreadable result, such as one of a newer version, counts as missing.
        let check = text.and_then(|text| serde_json::from_str::<Kept>(&text).ok());
        Ok(check.filter(|check| check.is_of(connection)))
    }

    async fn checked(&self, connection: &Connection) -> Result<Kept, WireError> {
        let mut check = Kept {
            provider: connection.provider.clone(),
            base_url: connection.base_url.clone(),
            state: ConnectionState::Well,
            checked_ms: SystemClock.now_ms(),
            ..Kept::default()
        };
        if let Some(names) = self.missing_keys(connection).await? {
            check.state = ConnectionState::Key;
            check.remedy = Some(fault::missing_keys(&names));
            return Ok(check);
        }
        // The answer of a server with a list does not depend on the model.
        let first = connection.models.first().map_or("-", String::as_str);
        let began = Instant::now();
        let answer = match self.asked(connection, first).await {
            // With a key, the same connection may be well.
            Err(error) if error.code == ErrorCode::NotFound => {
                (check.state, check.remedy) = (ConnectionState::Key, Some(error.message));
                return Ok(check);
            }
            answer => answer?,
        };
        match answer {
            Ok(ServerCheck::NotAsked) => {
                check.state = ConnectionState::NoCheck;
                return Ok(check);
            }
            Ok(ServerCheck::Lists(listed)) => check.listed = Some(listed),
            Ok(ServerCheck::NoList) => {}
            Ok(ServerCheck::KnowsModel) => {
                check.latency_ms = Some(milliseconds(began));
                return self.ask_about_others(connection, check).await;
            }
            Err(ModelError::UnknownModel { message, .. }) => {
                check.latency_ms = Some(milliseconds(began));
                check.unknown = connection.models.iter().take(1).cloned().collect();
                check.detail = (!check.unknown.is_empty()).then_some(message);
                return self.ask_about_others(connection, check).await;
            }
            Err(error) => {
                (check.state, check.remedy) = fault::of(&error);
                if !matches!(error, ModelError::Unreachable { .. }) {
                    check.latency_ms = Some(milliseconds(began));
                }
                check.detail = Some(error.to_sentence());
                return Ok(check);
            }
        }
        check.latency_ms = Some(milliseconds(began));
        Ok(check)
    }

    /// Asks about the models behind the first one, each by itself.
    async fn ask_about_others(&self, connection: &Connection, mut kept: Kept) -> Result<Kept, WireError> {
        for model in connection.models.iter().skip(1).take(MAX_ASKED_MODELS - 1) {
            match self.asked(connection, model).await? {
                Err(ModelError::UnknownModel { .. }) => kept.unknown.push(model.clone()),
                Ok(_) => {}
                Err(error) => {
                    (kept.state, kept.remedy) = fault::of(&error);
                    kept.detail = Some(error.to_sentence());
                    break;
                }
            }
        }
        Ok(kept)
    }

    /// Asks the server of a connection. The outer error is not a fault of the connection.
    async fn asked(
        &self,
        connection: &Connection,
        model: &str,
    ) -> Result<Result<ServerCheck, ModelError>, WireError> {
        let id = format!("{}/{model}", connection.provider);
        let (local, base_url) = (LocalUse::default(), connection.base_url.as_deref());
        let opened = self.open(&id, base_url, None, &[], local, Purpose::Model).await?;
        match opened.model.check_server().await {
            Err(ModelError::Offline(offline)) => {
                Err(WireError::new(ErrorCode::Offline, ModelError::Offline(offline)))
            }
            answer => Ok(answer),
        }
    }

    /// Names of keys and settings that the provider's own address requires and that are not set,
    /// each with its alternatives.
    async fn missing_keys(&self, connection: &Connection) -> Result<Option<Vec<String>>, WireError> {
        let entry = registry::list().iter().find(|entry| entry.name == connection.provider);
        let Some(entry) = entry.filter(|_| connection.base_url.is_none()) else {
            return Ok(None);
        };
        let keys = self.keys.for_model(entry.example, None).await?;
        let is_set = |names: &&[&str]| names.iter().any(|name| keys.get(name).is_some());
        let missing: Vec<String> =
            entry.needs().into_iter().filter(|names| !is_set(names)).map(|names| names.join(" / ")).collect();
        Ok((!missing.is_empty()).then_some(missing))
    }
}

fn milliseconds(began: Instant) -> u64 {
    u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
