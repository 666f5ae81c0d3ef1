//! Model servers on this machine, offered for runs.

use crate::Models;
use crate::weights::ModelServer;
use koab_core::say;
use koab_providers::servers::{self, ServerAddress};
use koab_workspace::WireError;

impl Models {
    /// The model servers that answer on this machine's usual ports and at the addresses `more`.
    /// They are only contacted on request.
    ///
    /// # Errors
    /// When one of `more` is on another machine.
    pub async fn servers_find(&self, more: &[String]) -> Result<Vec<ModelServer>, WireError> {
        let mut addresses = servers::usual();
        for address in more {
            if !servers::is_here(address) {
                return Err(WireError::bad_request(say!(
                    "{address} is not an address on this machine; give one like http://localhost:8000/v1"
                )));
            }
            addresses.push(ServerAddress { provider: "openai_compat".to_owned(), base_url: address.clone() });
        }
        let servers = servers::find(self.workspace.gate(), &addresses).await.into_iter();
        Ok(servers
            .map(|server| ModelServer {
                models: server
                    .models
                    .iter()
                    .map(|model| format!("{}/{model}", server.address.provider))
                    .collect(),
                provider: server.address.provider,
                base_url: server.address.base_url,
                wants_key: server.wants_key,
            })
            .collect())
    }
}

#[cfg(test)]
mod tests;
