//! Third stage of preparing a run: opens and checks the model, the cached responses and the
//! services. This is done before a folder is created, because a refusal would leave an empty
//! folder.

use super::settle::SettledRun;
use crate::{Runs, otlp};
use koab_core::cache_source::CacheSource;
use koab_core::say;
use koab_core::task::Task;
use koab_engine::egress::Purpose;
use koab_engine::ports::{Cancel, ResponseCache};
use koab_library::RunRequest;
use koab_models::{LocalUse, ModelHandle};
use koab_providers::collector::Collector;
use koab_providers::services::Services;
use koab_workspace::WireError;
use koab_workspace::blocking;
use std::sync::Arc;

/// A run whose model, responses and services are available.
pub(super) struct CheckedRun {
    pub(super) settled: SettledRun,
    pub(super) model: ModelHandle,
    pub(super) cache: Arc<dyn ResponseCache>,
    pub(super) source: CacheSource,
    /// Live services of a run in write mode; `None` in read mode.
    pub(super) services: Option<Services>,
    /// Collector of the run's spans; `None` if the run sends no spans.
    pub(super) collector: Option<Collector>,
}

impl Runs {
    /// Opens and checks the model, the cached responses and the services.
    ///
    /// # Errors
    /// When the model cannot be opened or called, a cap is invalid, a snapshot or a key is missing,
    /// or `cancel` was triggered.
    pub(super) async fn checked_run(
        &self,
        mut settled: SettledRun,
        cancel: &Cancel,
    ) -> Result<CheckedRun, WireError> {
        let cancelled = || WireError::cancelled(say!("cancelled before the run began"));
        let model = tokio::select! {
            biased;
            _ = std::future::ready(()), if settled.request.own_model => unasked(&settled.request),
            () = cancel.cancelled() => return Err(cancelled()),
            opened = self.open_model(&settled.request, &settled.tasks) => opened?,
        };
        let SettledRun { request, spec, remarks, pack, tasks, earlier, .. } = &mut settled;
        spec.local =
            model.local.as_ref().map(serde_json::to_value).transpose().map_err(WireError::internal)?;
        if spec.settings.max_tokens.is_none() {
            // The record contains the limit that is sent.
            spec.settings.max_tokens = model.model.own_limit();
            remarks.extend(spec.settings.max_tokens.map(|limit| {
                say!("the benchmark names no limit of output tokens and the model's server demands one: {limit} were sent as the limit")
            }));
        }
        let (models, id, caps) = (self.models.clone(), request.model.clone(), request.caps());
        blocking(move || models.check_caps(&[id], &caps)).await?;
        let collector = match &request.otlp {
            Some(options) => Some(otlp::collector(options, &self.workspace.network()?)?),
            None => None,
        };
        tokio::select! {
            biased;
            () = cancel.cancelled() => return Err(cancelled()),
            checked = model.model.check() => checked?,
        }
        let (packs, label, snapshot) = (self.packs.clone(), pack.label(), request.cache_snapshot.clone());
        let (cache, source) = blocking(move || packs.recorded(&label, snapshot.as_deref())).await?;
        if let Some(before) = earlier.as_ref().and_then(|earlier| earlier.snapshot.as_ref())
            && source.snapshot.as_ref() != Some(before)
        {
            return Err(WireError::not_found(say!(
                "the run reads the snapshot `{}` with the hash {}, and the snapshot of that name here has other content; restore the former to resume",
                before.name,
                before.hash
            )));
        }
        let services = self.open_services(request, pack, tasks).await?;
        Ok(CheckedRun { settled, model, cache, source, services, collector })
    }

    async fn open_model(&self, request: &RunRequest, tasks: &[Task]) -> Result<ModelHandle, WireError> {
        let local = LocalUse { settings: &request.local, parallel: request.concurrency };
        let base_url = request.base_url.as_deref();
        self.models.open(&request.model, base_url, request.settings.seed, tasks, local, Purpose::Model).await
    }
}

/// Returns a model that is never called, for a run whose agent has a model of its own.
fn unasked(request: &RunRequest) -> ModelHandle {
    ModelHandle {
        model: koab_agents::unasked_model(),
        id: request.model.clone(),
        base_url: None,
        keys: 0,
        local: None,
    }
}
