//! Models: the list of providers, opening one, prices, limits; models of this disk and the hub that
//! they come from.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod connections;
pub mod downloads;
mod limits;
pub mod local_models;
mod model_probe;
mod prices;
mod servers;
pub mod weights;
mod wire;
mod without_local;

pub use koab_workspace::connections::{Connection, ModelAddress};
pub use limits::{SpendingCaps, concurrency, provider};
pub use local_models::{
    ComputeDevice, Dtype, LocalEngine, LocalNeed, LocalRun, LocalSettings, LocalTrial, LocalTrialRequest,
    Quantization,
};
pub use model_probe::ModelProbe;
pub use prices::PriceRow;
pub use wire::{KeyNeed, LocalChoice, ModelKind, ModelSummary};

use koab_core::say;
use koab_core::sentence::ToSentence;
use koab_core::task::Task;
use koab_engine::egress::Purpose;
use koab_engine::ports::ModelAdapter;
use koab_keys::Keys;
use koab_providers::registry::{self, Location, OpenError};
use koab_workspace::{WireError, Workspace, commands};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use weights::*;

/// Models of a workspace. Cheap to clone; clones share everything.
#[derive(Clone)]
pub struct Models {
    workspace: Workspace,
    keys: Keys,
    state: Arc<State>,
}

/// What one process holds of models.
#[derive(Default)]
struct State {
    /// Calls in flight to each server.
    limiters: limits::Limiters,
    /// The model that is in memory.
    #[cfg(feature = "local")]
    loaded: local_models::Loaded,
    /// Models that are being fetched.
    #[cfg(feature = "local")]
    pulls: weights::Pulls,
    /// Models that were tried.
    trials: local_models::Trials,
}

/// A model, and whom asking it concerns.
pub struct ModelHandle {
    /// The model.
    pub model: Arc<dyn ModelAdapter>,
    /// Its id, as it was asked for.
    pub id: String,
    /// Address of its server, where one was named.
    pub base_url: Option<String>,
    /// Differs where the keys do.
    pub keys: u64,
    /// What a run writes down of a model inside the application.
    pub local: Option<LocalRun>,
}

/// How a model inside the application is wanted, should the id name one.
#[derive(Clone, Copy)]
pub struct LocalUse<'a> {
    /// What the user chose.
    pub settings: &'a LocalSettings,
    /// Conversations at once; `None` means a default.
    pub parallel: Option<u32>,
}

/// The published settings.
const PUBLISHED: &LocalSettings = &LocalSettings {
    quantization: None,
    dtype: Dtype::Auto,
    device: ComputeDevice::Auto,
    context: None,
    tool_form: None,
    constrained: false,
    threads: None,
};

impl Default for LocalUse<'_> {
    fn default() -> Self {
        Self { settings: PUBLISHED, parallel: None }
    }
}

/// The name of a model inside the application, when the id names one: what stands behind `local/`.
pub fn local_name(id: &str) -> Option<&str> {
    let (_, name) = id.trim().split_once('/')?;
    (provider(id) == "local").then_some(name)
}

/// Whether an id names a model inside the application.
pub fn is_local(id: &str) -> bool {
    local_name(id).is_some()
}

impl Models {
    /// The models of this workspace, with its keys.
    pub fn new(workspace: Workspace, keys: Keys) -> Self {
        Self { workspace, keys, state: Arc::default() }
    }

    /// For tests: the models of a workspace in this folder.
    #[cfg(test)]
    fn at(folder: &std::path::Path) -> Self {
        let workspace = Workspace::open(Some(folder.to_owned())).expect("opened");
        Self::new(workspace.clone(), Keys::new(workspace))
    }

    /// Every model or kind of model that can be run, those that need nothing first.
    ///
    /// # Errors
    /// When the places of keys cannot be looked at.
    pub async fn list(&self) -> Result<Vec<ModelSummary>, WireError> {
        let keys = self.keys.list().await?.keys;
        let present: BTreeSet<String> =
            keys.into_iter().filter(|key| key.present).map(|key| key.name).collect();
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
                connection: None,
            })
            .into();
        models.extend(self.local_choices().await?);
        for connection in self.workspace.connections()? {
            let provider = registry::list().iter().find(|one| one.name == connection.provider);
            let own = provider.filter(|_| connection.base_url.is_none());
            models.push(ModelSummary {
                id: format!("{}/", connection.name),
                kind: ModelKind::Server,
                default_base_url: own
                    .and_then(|own| own.base_url().map(str::to_owned))
                    .or_else(|| connection.base_url.clone()),
                needs_base_url: false,
                needs: own.iter().flat_map(|own| own.needs()).map(|names| need(&names)).collect(),
                local: None,
                connection: Some(connection),
            });
        }
        models.extend(registry::list().iter().filter_map(|provider| {
            if matches!(provider.location, Location::Baseline | Location::Embedded) {
                return None;
            }
            Some(ModelSummary {
                id: format!("{}/", provider.name),
                kind: ModelKind::Server,
                default_base_url: provider.base_url().map(str::to_owned),
                needs_base_url: provider.location == Location::Named,
                needs: provider.needs().iter().map(need).collect(),
                local: None,
                connection: None,
            })
        }));
        Ok(models)
    }

    /// Refuses what is not a model id, or one of a provider that nobody here speaks to. Its key is
    /// not looked for, so that a plan can be made without one.
    ///
    /// # Errors
    /// One sentence on what is wrong with the id.
    pub fn check_id(&self, id: &str) -> Result<(), WireError> {
        koab_workspace::connections::check_id(&self.workspace.connections()?, id)
    }

    /// Opens a model for a purpose with the keys that are found for it; nothing is contacted yet.
    pub async fn open(
        &self,
        id: &str,
        base_url: Option<&str>,
        seed: Option<u64>,
        tasks: &[Task],
        local: LocalUse<'_>,
        purpose: Purpose,
    ) -> Result<ModelHandle, WireError> {
        if base_url.is_some() && (id.starts_with("baseline/") || is_local(id)) {
            return Err(WireError::bad_request(say!(
                "{id} runs in this program and has no server; leave the base URL out"
            )));
        }
        if is_local(id) {
            let (model, run) = self.open_local(id, local.settings, local.parallel).await?;
            return Ok(ModelHandle { model, id: id.to_owned(), base_url: None, keys: 0, local: Some(run) });
        }
        // Baselines ask nobody and must work where nothing can be read.
        if !id.starts_with("baseline/") {
            koab_providers::use_proxy(self.workspace.proxy()?);
        }
        let keys = self.keys.for_model(id, base_url).await?;
        let key = |name: &str| keys.get(name);
        let model =
            registry::open_for(purpose, id, base_url, seed.unwrap_or(0), tasks, &key).map_err(|error| {
                match error {
                    // Not a matter of how it was asked for: the key can be given and the same words
                    // then work.
                    OpenError::NoKey { .. } => WireError::not_found(keys.explain(error.to_sentence())),
                    _ => WireError::bad_request(error.to_sentence()),
                }
            })?;
        Ok(ModelHandle {
            model,
            id: id.to_owned(),
            base_url: base_url.map(str::to_owned),
            keys: keys.fingerprint(&self.state.limiters.seed),
            local: None,
        })
    }
}

commands! { Models: models, sink;
    disk prices_list() -> Vec<PriceRow> = models.prices();
    disk price_set(model: String, price: Option<(f64, f64)>) -> Vec<PriceRow> = models.price_set(&model, price);
    slow models_list() -> Vec<ModelSummary> = models.list().await;
    disk local_list() -> LocalModels = models.local_list();
    disk local_add(path: PathBuf) -> LocalModel = models.local_add(&path);
    disk local_removal(name: String, part: LocalPart) -> LocalRemoval = models.local_removal(&name, &part);
    disk local_delete(name: String, part: LocalPart) -> LocalRemoval = models.local_delete(&name, &part);
    quick local_engine() -> LocalEngine = models.local_engine();
    disk local_need(request: LocalTrialRequest) -> LocalNeed = models.local_need(&request);
    quick local_trial(name: String) -> Option<LocalTrial> = models.local_trial(&name);
    slow local_verify(name: String) -> LocalVerified = models.local_verify(&name).await;
    slow hub_model(repo: String) -> HubModel = models.hub_model(&repo).await;
    slow pull_start(request: PullRequest) -> PullState = models.pull_start(request).await;
    slow pull_resume(id: String) -> PullState = models.pull_resume(&id).await;
    quick pull_pause(id: String) -> () = models.pull_pause(&id);
    slow pull_cancel(id: String) -> () = models.pull_cancel(&id).await;
    disk pulls_list() -> Vec<PullState> = models.pulls_list();
    slow servers_find() -> Vec<ModelServer> = models.servers_find(&[]).await;
    slow models_at(provider: String, base_url: Option<String>) -> Option<Vec<String>> = models.models_at(&provider, base_url.as_deref()).await;
    slow model_probe(model: String, base_url: Option<String>) -> ModelProbe = models.model_probe(&model, base_url.as_deref()).await;
}

#[cfg(test)]
mod tests;
