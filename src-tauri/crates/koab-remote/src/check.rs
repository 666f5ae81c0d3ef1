//! Checks a run before it is submitted to an engine: whether workers can make it, the keys that
//! they need, and the caps.

use super::agent::{by_hand, contained};
use crate::Remote;
use koab_agents::Definition;
use koab_core::catalog::ToolCatalog;
use koab_core::run_record::{CacheMode, RunManifest, RunSpec, TokenUsage};
use koab_core::say;
use koab_core::sensitive::Sensitive;
use koab_core::task::Task;
use koab_engine::RunInput;
use koab_engine::budget::{Budget, Caps};
use koab_engine::call_limits::CallLimits;
use koab_engine::egress::Purpose;
use koab_engine::limiter::Limiter;
use koab_engine::ports::{Amount, Ledger as _};
use koab_library::RunRequest;
use koab_models::{LocalUse, is_local};
use koab_runs::runs::request::{chosen, spec};
use koab_workspace::{ErrorCode, WireError};
use std::path::Path;
use std::sync::Arc;

/// A run to submit. It was checked as far as possible on this computer.
pub(super) struct CheckedRun {
    pub(super) request: RunRequest,
    pub(super) input: RunInput,
    pub(super) keys: Vec<(String, Sensitive<String>)>,
    pub(super) agent: Option<Definition>,
}

impl Remote {
    /// Checks a new run as far as possible without calling its model.
    pub(super) async fn checked(&self, request: &RunRequest) -> Result<CheckedRun, WireError> {
        let settled = self.runs.settled(request)?;
        let mut request = self.runs.with_settings(&settled)?;
        request.run = "cli".to_owned();
        // A run that completes another reads the saved responses, too.
        if request.cache_mode == CacheMode::Write || request.with_overlay {
            return Err(WireError::bad_request(say!(
                "a run on a cluster reads the pack's responses or a snapshot only: answers of live services are kept in one database, which many machines cannot share; leave --cache-mode, --with-overlay and --misses-of out"
            )));
        }
        let pack = self.runs.pack_for(request.pack.as_deref())?;
        let tasks = chosen(&pack, &request)?;
        // Chosen from the request without the workspace's caps, which were not given for this run.
        let (mut spec, agent) = self.agent_there(&settled, spec(&request, &pack)?, tasks.len()).await?;
        let own = agent.as_ref().filter(|agent| agent.own_model);
        if own.is_some() {
            (request.max_cost_per_day, request.max_total_tokens_per_day) = (None, None);
        }
        let (models, url) = (std::slice::from_ref(&request.model), request.base_url.as_deref());
        spec.identity = Some(self.runs.library.pack_identity(&pack, &tasks, request.settings.protocol)?);
        let keys = match own {
            // This computer does not call an agent's own model.
            Some(agent) => agent.definition.named_keys().map_err(WireError::bad_request)?,
            None => {
                self.check_asked(models, url)?;
                self.keys_for(models, url, (request.settings.seed, &tasks), Purpose::Model).await?
            }
        };
        let caps = request.caps();
        self.runs.models.check_caps(models, &caps)?;
        if (caps.max_cost_per_day.is_some() && caps.max_cost.is_none())
            || (caps.max_total_tokens_per_day.is_some() && caps.max_total_tokens.is_none())
        {
            return Err(WireError::bad_request(say!(
                "workers do not see what other runs spend today; give the run a cap of its own, with --max-cost or --max-total-tokens"
            )));
        }
        spec.max_cost = caps.max_cost;
        spec.max_total_tokens = caps.max_total_tokens;
        let (_, source) = self.packs.recorded(&pack.label(), request.cache_snapshot.as_deref())?;
        Ok(CheckedRun {
            input: RunInput { source, ..RunInput::new(spec, tasks, ToolCatalog::new(pack.tools)) },
            request,
            keys,
            agent: agent.map(|agent| agent.definition),
        })
    }

    /// Rejects models that workers cannot call.
    ///
    /// These are models inside the application, models at an address that may contain a secret, and
    /// all models of a server while koab is offline.
    pub(crate) fn check_asked(&self, models: &[String], base_url: Option<&str>) -> Result<(), WireError> {
        if models.iter().any(|model| is_local(model)) {
            return Err(WireError::bad_request(say!(
                "a model inside the application runs on this computer; on a cluster serve it, as with vLLM, and give its address with --base-url"
            )));
        }
        if base_url.is_some_and(|url| url.contains(['@', '?'])) {
            return Err(WireError::bad_request(say!(
                "the address of the server may hold a secret, and would be written into a folder that many see; give the key by its variable, and the address without it"
            )));
        }
        let remote_models: Vec<&str> =
            models.iter().map(String::as_str).filter(|model| !model.starts_with("baseline/")).collect();
        if self.workspace.offline().on && !remote_models.is_empty() {
            return Err(WireError::new(
                ErrorCode::Offline,
                say!(
                    "koab is offline, and workers would ask the server of {}; turn it off with `koab offline off`",
                    remote_models.join(", ")
                ),
            ));
        }
        Ok(())
    }

    /// Returns the keys that workers need for these models, without duplicates. This finds a
    /// missing key or a wrong name before the submission.
    pub(crate) async fn keys_for(
        &self,
        models: &[String],
        base_url: Option<&str>,
        (seed, tasks): (Option<u64>, &[Task]),
        purpose: Purpose,
    ) -> Result<Vec<(String, Sensitive<String>)>, WireError> {
        let mut keys: Vec<(String, Sensitive<String>)> = Vec::new();
        for model in models {
            let local = LocalUse::default();
            self.runs.models.open(model, base_url, seed, tasks, local, purpose).await?;
            for key in self.keys_of(model, base_url).await? {
                if keys.iter().all(|(name, _)| *name != key.0) {
                    keys.push(key);
                }
            }
        }
        Ok(keys)
    }

    /// Returns the keys that workers need for a model.
    pub(crate) async fn keys_of(
        &self,
        model: &str,
        base_url: Option<&str>,
    ) -> Result<Vec<(String, Sensitive<String>)>, WireError> {
        Ok(self.keys.for_model(model, base_url).await?.into_values())
    }

    /// Returns the keys that workers of a resumed run need: the keys of its model, or the keys of
    /// an agent with its own model.
    pub(super) async fn keys_of_run(
        &self,
        folder: &Path,
        manifest: &RunManifest,
        base_url: Option<&str>,
    ) -> Result<Vec<(String, Sensitive<String>)>, WireError> {
        match &manifest.spec.agent {
            Some(agent) if agent.is_by_hand() => Err(by_hand(&agent.name)),
            Some(agent) if agent.contained => Err(contained(&agent.name)),
            Some(agent) if agent.own_model => {
                let definition = koab_agents::reopen(folder)?;
                definition.check_own_run(self.workspace.gate()).map_err(WireError::bad_request)?;
                definition.named_keys().map_err(WireError::bad_request)
            }
            _ => {
                self.check_asked(std::slice::from_ref(&manifest.model), base_url)?;
                self.keys_of(&manifest.model, base_url).await
            }
        }
    }

    /// Reserves the run's own caps in the workspace's caps for the day, because workers on other
    /// machines do not know what the workspace has already spent today.
    pub(super) fn hold_caps(&self, id: &str, request: &RunRequest) -> Result<(), WireError> {
        let caps = request.caps();
        if caps.max_cost_per_day.is_none() && caps.max_total_tokens_per_day.is_none() {
            return Ok(());
        }
        let of_day = Caps { cost: caps.max_cost_per_day, tokens: caps.max_total_tokens_per_day };
        let ledger = self.workspace.store()?.spending_ledger(id, of_day, koab_workspace::clock::today)?;
        let whole = Amount { cost: caps.max_cost.unwrap_or(0.0), tokens: caps.max_total_tokens.unwrap_or(0) };
        match ledger.hold(whole)? {
            Some(refused) => Err(WireError::bad_request(refused)),
            None => Ok(()),
        }
    }

    /// Returns the call limits that are written into the run's plan, with the run's caps on cost
    /// and tokens. This process makes no calls, so the limits only describe the run.
    ///
    /// `None` for a model that costs nothing, and for an agent with its own model.
    pub(super) fn limits(&self, spec: &RunSpec) -> Result<Option<CallLimits>, WireError> {
        let own_model = spec.agent.as_ref().is_some_and(|agent| agent.own_model);
        if own_model || spec.model.starts_with("baseline/") {
            return Ok(None);
        }
        let caps = Caps { cost: spec.max_cost, tokens: spec.max_total_tokens };
        let price = self.runs.models.price(&spec.model)?;
        Ok(Some(CallLimits {
            limiter: Arc::new(Limiter::new(1, 1)),
            budget: Arc::new(Budget::new(price, caps, TokenUsage::default(), None)),
        }))
    }
}
