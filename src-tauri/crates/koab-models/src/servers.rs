//! Model servers on this machine, offered for runs.

use crate::Models;
use crate::weights::ModelServer;
use koab_core::say;
use koab_providers::servers::{self, Place};
use koab_workspace::WireError;

impl Models {
    /// The model servers that answer on this machine's usual ports, and at `more`, addresses on this machine as well. Asked only when
    /// somebody wants to know.
    ///
    /// # Errors
    /// When one of `more` is on another machine.
    pub async fn servers_find(&self, more: &[String]) -> Result<Vec<ModelServer>, WireError> {
        let mut places = servers::usual();
        for address in more {
            if !servers::is_here(address) {
                return Err(WireError::bad_request(say!(
                    "{address} is not an address on this machine; give one like http://localhost:8000/v1"
                )));
            }
            places.push(Place {
                provider: "openai_compat".to_owned(),
                base_url: address.clone(),
            });
        }
        let found = servers::find(&places).await.into_iter();
        Ok(found
            .map(|found| ModelServer {
                models: found
                    .models
                    .iter()
                    .map(|model| format!("{}/{model}", found.place.provider))
                    .collect(),
                provider: found.place.provider,
                base_url: found.place.base_url,
                wants_key: found.wants_key,
            })
            .collect())
    }
}
