//! Models: providers, opening a model, prices and limits; models on this disk and the hub that they
//! come from.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod check;
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

pub use connections::{ConnectionHealth, ConnectionState};
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
use koab_providers::{Network, Proxy};
use koab_workspace::{WireError, Workspace, commands};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use weights::*;

/// Models of a workspace. A clone is cheap and shares everything.
#[derive(Clone)]
pub struct Models {
    workspace: Workspace,
    keys: Keys,
    state: Arc<State>,
}

/// State of the models in one process.
#[derive(Default)]
struct State {
    /// Limiters of the calls in flight to each server.
    limiters: limits::Limiters,
    /// The local model in memory.
    #[cfg(feature = "local")]
    loaded: local_models::Loaded,
    /// Downloads of models.
    #[cfg(feature = "local")]
    pulls: weights::Pulls,
    /// Trials of local models.
    trials: local_models::Trials,
}

/// An opened model with its server and keys.
pub struct ModelHandle {
    /// The model.
    pub model: Arc<dyn ModelAdapter>,
    /// Id, as it was requested.
    pub id: String,
    /// Address of the server, if one was given.
    pub base_url: Option<String>,
    /// Fingerprint of the keys: it differs if the keys differ.
    pub keys: u64,
    /// Facts that a run records about a local model.
    pub local: Option<LocalRun>,
}

/// Options that apply if a model id means a local model.
#[derive(Clone, Copy)]
pub struct LocalUse<'a> {
    /// Settings that the user chose.
    pub settings: &'a LocalSettings,
    /// Conversations at once; `None` means a default.
    pub parallel: Option<u32>,
}

/// Default settings of a local model. The published runs used the same settings.
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

/// Name of a local model: the part of the id after `local/`. `None` for other models.
pub fn local_name(id: &str) -> Option<&str> {
    let (_, name) = id.trim().split_once('/')?;
    (provider(id) == "local").then_some(name)
}

/// Whether an id names a local model.
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

    /// Every model or kind of model that can be run: baselines, local models, connections, then the
    /// providers of models.
    ///
    /// # Errors
    /// When the stores of keys cannot be read.
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

    /// Refuses a text that is not a model id, or whose provider is unknown. The key is not read, so
    /// that a plan can be made without one.
    ///
    /// # Errors
    /// The fault of the id in one sentence.
    pub fn check_id(&self, id: &str) -> Result<(), WireError> {
        koab_workspace::connections::check_id(&self.workspace.connections()?, id)
    }

    /// Opens a model for a purpose, with the keys that are found for it. Nothing is sent yet.
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
        // Baselines make no API calls and must work even if no settings can be read.
        let network = if id.starts_with("baseline/") {
            Network::new(self.workspace.gate().clone(), Proxy::Direct)
        } else {
            self.workspace.network()?
        };
        let keys = self.keys.for_model(id, base_url).await?;
        let key = |name: &str| keys.get(name);
        let seed = seed.unwrap_or(0);
        let opened = registry::open_for(&network, purpose, id, base_url, seed, tasks, &key);
        let model = opened.map_err(|error| match error {
            // The request itself is valid: with a key it would succeed.
            OpenError::NoKey { .. } => WireError::not_found(keys.explain(error.to_sentence())),
            _ => WireError::bad_request(error.to_sentence()),
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
    disk prices_list() -> Vec<PriceRow> [reads Models] = models.prices();
    disk price_set(model: String, price: Option<(f64, f64)>) -> Vec<PriceRow> [writes Models] =
        models.price_set(&model, price);
    slow model_check(model: String, base_url: Option<String>) -> () [reads Keys] =
        models.check_model(&model, base_url.as_deref()).await;
    disk connections_health() -> Vec<ConnectionHealth> [reads Models, Settings] =
        models.connections_health();
    slow connection_check(name: String) -> ConnectionHealth [writes Models] =
        models.connection_check(&name).await;
    slow models_list() -> Vec<ModelSummary> [reads Models, Keys] = models.list().await;
    disk local_list() -> LocalModels [reads Models] = models.local_list();
    disk local_add(path: PathBuf) -> LocalModel [writes Models] = models.local_add(&path);
    disk local_removal(name: String, part: LocalPart) -> LocalRemoval [reads Models] =
        models.local_removal(&name, &part);
    disk local_delete(name: String, part: LocalPart) -> LocalRemoval [writes Models] =
        models.local_delete(&name, &part);
    quick local_engine() -> LocalEngine [touches nothing] = models.local_engine();
    disk local_need(request: LocalTrialRequest) -> LocalNeed [reads Models] = models.local_need(&request);
    quick local_trial(name: String) -> Option<LocalTrial> [reads Models] = models.local_trial(&name);
    slow local_verify(name: String) -> LocalVerified [reads Models] = models.local_verify(&name).await;
    slow hub_model(repo: String) -> HubModel [reads Keys] = models.hub_model(&repo).await;
    slow pull_start(request: PullRequest) -> PullState [writes Models] = models.pull_start(request).await;
    slow pull_resume(id: String) -> PullState [writes Models] = models.pull_resume(&id).await;
    quick pull_pause(id: String) -> () [writes Models] = models.pull_pause(&id);
    slow pull_cancel(id: String) -> () [writes Models] = models.pull_cancel(&id).await;
    disk pulls_list() -> Vec<PullState> [reads Models] = models.pulls_list();
    slow servers_find() -> Vec<ModelServer> [touches nothing] = models.servers_find(&[]).await;
    slow models_at(provider: String, base_url: Option<String>) -> Option<Vec<String>> [reads Keys] =
        models.models_at(&provider, base_url.as_deref()).await;
    slow model_probe(model: String, base_url: Option<String>) -> ModelProbe [reads Keys] =
        models.model_probe(&model, base_url.as_deref()).await;
}

#[cfg(test)]
mod tests;
