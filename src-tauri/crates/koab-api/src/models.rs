//! Models: the list of providers, and opening one.

use crate::Api;
use crate::wire::{ModelKind, ModelSummary, WireError};
use koab_core::task::Task;
use koab_engine::ports::ModelAdapter;
use koab_providers::registry::{self, OpenError, Service};
use std::sync::Arc;

impl Api {
    /// Every model or kind of model that can be run, those that need nothing first.
    pub fn models_list(&self) -> Vec<ModelSummary> {
        let mut models: Vec<ModelSummary> = ["baseline/golden", "baseline/silent", "baseline/random"]
            .map(|id| ModelSummary {
                id: id.to_owned(),
                kind: ModelKind::Baseline,
                default_base_url: None,
            })
            .into();
        models.extend(registry::list().iter().filter_map(|provider| {
            let default_base_url = match provider.service {
                Service::Hosted { base_url, .. } | Service::Local { base_url, .. } => {
                    Some(base_url.to_owned())
                }
                Service::Named | Service::OwnProtocol => None,
                Service::Baseline | Service::Embedded => return None,
            };
            Some(ModelSummary {
                id: format!("{}/", provider.name),
                kind: ModelKind::Server,
                default_base_url,
            })
        }));
        models
    }

    /// Opens a model with the keys that are found for it; nothing is contacted yet.
    pub(crate) async fn open_model(
        &self,
        id: &str,
        base_url: Option<&str>,
        seed: Option<u64>,
        tasks: &[Task],
    ) -> Result<Arc<dyn ModelAdapter>, WireError> {
        if base_url.is_some() && id.starts_with("baseline/") {
            return Err(WireError::bad_request(format!(
                "{id} is built in and has no server; leave --base-url out"
            )));
        }
        // Baselines ask nobody and must work where nothing can be read.
        if !id.starts_with("baseline/") {
            koab_providers::use_proxy(self.proxy()?);
        }
        let keys = self.keys_for_model(id).await?;
        registry::open(id, base_url, seed.unwrap_or(0), tasks, &|name| keys.get(name)).map_err(|error| {
            match error {
                // Not a matter of how it was asked for: the key can be given and the same words then work.
                OpenError::NoKey { .. } => WireError::not_found(keys.explain(error.to_string())),
                _ => WireError::bad_request(error.to_string()),
            }
        })
    }
}
