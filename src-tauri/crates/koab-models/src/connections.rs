//! Connections: servers of models under names that the user gives, and the models that they list.

mod health;

pub use health::{ConnectionHealth, ConnectionState};

use crate::limits::provider;
use crate::{LocalUse, ModelAddress, Models};
use koab_core::say;
use koab_core::sentence::ToSentence;
use koab_engine::egress::Purpose;
use koab_providers::registry::ModelId;
use koab_workspace::WireError;
use koab_workspace::connections::{self, Connection};

impl Models {
    /// The connections of the workspace.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn connections(&self) -> Result<Vec<Connection>, WireError> {
        self.workspace.connections()
    }

    /// Saves a connection. A connection with the same name is replaced.
    ///
    /// # Errors
    /// When the connection is invalid, or the workspace cannot be written.
    pub fn connect(&self, connection: Connection) -> Result<Connection, WireError> {
        let mut settings = self.workspace.settings()?;
        let name = connection.name.trim().to_lowercase();
        settings.connections.retain(|one| one.name != name);
        settings.connections.push(connection);
        let connections = self.workspace.settings_set(settings)?.settings.connections;
        connections
            .into_iter()
            .find(|one| one.name == name)
            .ok_or_else(|| WireError::internal(say!("the connection was not kept")))
    }

    /// Deletes a connection. Its models are also removed from the default judges; their ids are
    /// returned. Runs and reports contain the provider and the address themselves.
    ///
    /// # Errors
    /// When no connection has this name, or the workspace cannot be written.
    pub fn disconnect(&self, name: &str) -> Result<Vec<String>, WireError> {
        let mut settings = self.workspace.settings()?;
        let before = settings.connections.len();
        settings.connections.retain(|one| !one.name.eq_ignore_ascii_case(name.trim()));
        if settings.connections.len() == before {
            return Err(WireError::not_found(say!(
                "there is no connection {name}; `koab models connections` lists them"
            )));
        }
        let is_of =
            |id: &String| id.split_once('/').is_some_and(|(of, _)| of.eq_ignore_ascii_case(name.trim()));
        let judges = settings.judges.extract_if(.., |id| is_of(id)).collect();
        self.workspace.settings_set(settings)?;
        Ok(judges)
    }

    /// Replaces a connection's name in a model id by its provider and address.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn resolve(&self, id: &str, base_url: Option<&str>) -> Result<ModelAddress, WireError> {
        Ok(connections::resolve(&self.workspace.connections()?, id, base_url))
    }

    /// Refuses an address unless the user has a connection to the model's provider there. The
    /// provider's key is sent to the address, and only the user may decide where keys are sent.
    ///
    /// # Errors
    /// When there is no such connection, or the workspace cannot be read.
    pub fn check_connected(&self, id: &str, base_url: Option<&str>) -> Result<(), WireError> {
        let tidy = |url: &str| url.trim().trim_end_matches('/').to_owned();
        let Some(address) = base_url.map(tidy).filter(|url| !url.is_empty()) else {
            return Ok(());
        };
        let connections = self.workspace.connections()?;
        let provider = provider(&connections::resolve(&connections, id, None).id);
        let is_of = |one: &Connection| {
            one.provider == provider && one.base_url.as_deref().map(tidy).as_ref() == Some(&address)
        };
        if connections.iter().any(is_of) {
            return Ok(());
        }
        Err(WireError::bad_request(say!(
            "no connection of the workspace to {provider} has the address {address}; the user makes one with `koab models connect`, since the key of {provider} is sent there"
        )))
    }

    /// Resolves the judges of one scoring: their ids, and their common address. Without an address
    /// each provider's own is used.
    ///
    /// # Errors
    /// When the connections have different addresses.
    pub fn resolve_judges(
        &self,
        ids: &[String],
        base_url: Option<&str>,
    ) -> Result<(Vec<String>, Option<String>), WireError> {
        let mut all = Vec::new();
        for id in ids {
            all.push(self.resolve(id, base_url)?);
        }
        let first = all.first().and_then(|one| one.base_url.clone());
        if let Some(at) = all.iter().position(|one| one.base_url != first) {
            return Err(WireError::bad_request(say!(
                "{} and {} are at different addresses; name judges that share one address, or judges of providers at the providers' own addresses",
                ids[0],
                ids[at]
            )));
        }
        Ok((all.into_iter().map(|one| one.id).collect(), first))
    }

    /// Refuses models of unknown providers, before anything is estimated or sent. `ids` are the ids
    /// that [`Models::resolve_judges`] returned.
    ///
    /// # Errors
    /// When an id is not a model id, or its provider is unknown.
    pub fn check_providers(&self, ids: &[String]) -> Result<(), WireError> {
        for id in ids.iter().filter(|id| !id.to_ascii_lowercase().starts_with("local/")) {
            ModelId::parse(id).map_err(|error| WireError::bad_request(error.to_sentence()))?;
        }
        Ok(())
    }

    /// Names of the models that a provider's server lists, sorted; `None` if it lists none.
    ///
    /// # Errors
    /// When the provider is unknown, its key is missing or refused, or the server does not answer.
    pub async fn models_at(
        &self,
        provider: &str,
        base_url: Option<&str>,
    ) -> Result<Option<Vec<String>>, WireError> {
        // The list does not depend on the model.
        let any = format!("{}/-", provider.trim());
        let local = LocalUse::default();
        let opened = self.open(&any, base_url, None, &[], local, Purpose::Model).await?;
        Ok(opened.model.models().await?)
    }
}

#[cfg(test)]
mod tests;
