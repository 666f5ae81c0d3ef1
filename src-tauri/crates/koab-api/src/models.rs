//! Models: the list of providers, and opening one.

use crate::Api;
use crate::local_run::{ComputeDevice, Dtype, LocalRun, LocalSettings};
use crate::pacing::provider;
use crate::wire::{KeyNeed, ModelKind, ModelSummary, WireError};
use koab_core::task::Task;
use koab_engine::egress::Purpose;
use koab_engine::ports::ModelAdapter;
use koab_providers::registry::{self, OpenError, Service};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A model, and whom asking it concerns.
pub(crate) struct Opened {
    pub(crate) model: Arc<dyn ModelAdapter>,
    pub(crate) id: String,
    pub(crate) base_url: Option<String>,
    /// Differs where the keys do.
    pub(crate) keys: u64,
    /// What a run writes down of a model inside the application.
    pub(crate) local: Option<LocalRun>,
}

/// How a model inside the application is wanted, should the id name one.
#[derive(Clone, Copy)]
pub(crate) struct LocalUse<'a> {
    pub(crate) settings: &'a LocalSettings,
    /// Conversations at once; `None` means a default.
    pub(crate) parallel: Option<u32>,
}

/// The published settings.
const PUBLISHED: &LocalSettings = &LocalSettings {
    quantization: None,
    dtype: Dtype::Auto,
    device: ComputeDevice::Auto,
    context: None,
    tool_form: None,
    constrained: false,
};

impl Default for LocalUse<'_> {
    fn default() -> Self {
        Self {
            settings: PUBLISHED,
            parallel: None,
        }
    }
}

/// The name of a model inside the application, when the id names one: what stands behind `local/`.
pub(crate) fn local_name(id: &str) -> Option<&str> {
    let (_, name) = id.trim().split_once('/')?;
    (provider(id) == "local").then_some(name)
}

/// Whether an id names a model inside the application.
pub(crate) fn is_local(id: &str) -> bool {
    local_name(id).is_some()
}

impl Api {
    /// Every model or kind of model that can be run, those that need nothing first.
    ///
    /// # Errors
    /// When the places of keys cannot be looked at.
    pub async fn models_list(&self) -> Result<Vec<ModelSummary>, WireError> {
        let keys = self.keys_list().await?.keys;
        let present: BTreeSet<String> = keys
            .into_iter()
            .filter(|key| key.present)
            .map(|key| key.name)
            .collect();
        let need = |names: &&[&str]| KeyNeed {
            any_of: names.iter().map(|name| (*name).to_owned()).collect(),
            present: names.iter().any(|name| present.contains(*name)),
        };
        let mut models: Vec<ModelSummary> = ["baseline/golden", "baseline/silent", "baseline/random"]
            .map(|id| ModelSummary {
                id: id.to_owned(),
                kind: ModelKind::Baseline,
                default_base_url: None,
                needs_base_url: false,
                needs: Vec::new(),
                local: None,
            })
            .into();
        models.extend(self.local_choices().await?);
        models.extend(registry::list().iter().filter_map(|provider| {
            if matches!(provider.service, Service::Baseline | Service::Embedded) {
                return None;
            }
            Some(ModelSummary {
                id: format!("{}/", provider.name),
                kind: ModelKind::Server,
                default_base_url: provider.base_url().map(str::to_owned),
                needs_base_url: provider.service == Service::Named,
                needs: provider.needs().iter().map(need).collect(),
                local: None,
            })
        }));
        Ok(models)
    }

    /// Opens a model for a purpose with the keys that are found for it; nothing is contacted yet.
    pub(crate) async fn open_model(
        &self,
        id: &str,
        base_url: Option<&str>,
        seed: Option<u64>,
        tasks: &[Task],
        local: LocalUse<'_>,
        purpose: Purpose,
    ) -> Result<Opened, WireError> {
        if base_url.is_some() && (id.starts_with("baseline/") || is_local(id)) {
            return Err(WireError::bad_request(format!(
                "{id} runs in this program and has no server; leave the base URL out"
            )));
        }
        if is_local(id) {
            let (model, run) = self.open_local(id, local.settings, local.parallel).await?;
            return Ok(Opened {
                model,
                id: id.to_owned(),
                base_url: None,
                keys: 0,
                local: Some(run),
            });
        }
        // Baselines ask nobody and must work where nothing can be read.
        if !id.starts_with("baseline/") {
            koab_providers::use_proxy(self.proxy()?);
        }
        let keys = self.keys_for_model(id).await?;
        let key = |name: &str| keys.get(name);
        let model =
            registry::open_for(purpose, id, base_url, seed.unwrap_or(0), tasks, &key).map_err(|error| {
                match error {
                    // Not a matter of how it was asked for: the key can be given and the same words then work.
                    OpenError::NoKey { .. } => WireError::not_found(keys.explain(error.to_string())),
                    _ => WireError::bad_request(error.to_string()),
                }
            })?;
        Ok(Opened {
            model,
            id: id.to_owned(),
            base_url: base_url.map(str::to_owned),
            keys: keys.fingerprint(&self.inner.limiters.seed),
            local: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KeyPlace;

    #[tokio::test]
    async fn the_list_says_where_models_are_and_what_they_need() {
        let folder = tempfile::tempdir().expect("a folder");
        let api = Api::open(Some(folder.path().to_owned())).expect("opened");
        let key = "sk-ant-secret".to_owned().into();
        let set = api.key_set("ANTHROPIC_API_KEY", &key, KeyPlace::Session);
        set.await.expect("held");
        let models = api.models_list().await.expect("listed");
        let of = |id: &str| models.iter().find(|model| model.id == id).expect("listed");
        let anthropic = of("anthropic/");
        assert_eq!(
            anthropic.default_base_url.as_deref(),
            Some("https://api.anthropic.com/v1")
        );
        let need = KeyNeed {
            any_of: vec!["ANTHROPIC_API_KEY".to_owned()],
            present: true,
        };
        assert_eq!(anthropic.needs, [need]);
        assert!(of("gemini/").default_base_url.is_some() && of("azure/").default_base_url.is_none());
        assert_eq!(of("bedrock/").needs.len(), 3);
        let without_address: Vec<&str> = models
            .iter()
            .filter(|model| model.needs_base_url)
            .map(|model| model.id.as_str())
            .collect();
        assert_eq!(without_address, ["openai_compat/"]);
        assert!(of("baseline/golden").needs.is_empty() && of("ollama/").needs.is_empty());
        let told = serde_json::to_string(&models).expect("JSON");
        assert!(!told.contains("sk-ant-secret"));
    }
}
