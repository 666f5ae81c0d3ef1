//! Access of scenarios to the model gateway: environment variables, a token for each trial, and a
//! record of its calls.
//!
//! A record is written outside of the trial's folder, because the scenario could change it there.
//! The record is moved into that folder when the trial has ended.

use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::files::if_there;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::environment::{ConfigList, Environment};
use crate::layout::{Layout, TrialId};
use crate::model_calls::OfferedModel;
use crate::relay::Relay;
use crate::trial::TrialRuntime;
use koab_core::run_record::Spending;
use koab_core::sensitive::Sensitive;
use koab_engine::ports::Cancel;
use serde_json::json;

use super::gateway_route::GatewayRoute;
use super::request::ScenarioRequest;
use crate::Scenarios;
use koab_gateway::{AnswersFrom, FILE_NAME, Gateway, GatewayOptions, ModelCalls, TrialCalls};
use koab_models::ModelAddress;
use koab_workspace::WireError;

/// Folder in the results that holds records while trials run. Readers of results skip names that
/// begin with a dot.
const RECORDS: &str = ".model-calls";

/// A model that a run's scenarios may call.
pub(super) struct OfferedGateway {
    gateway: Gateway,
    route: GatewayRoute,
    model: String,
    base_url: String,
    records: PathBuf,
    replay: Option<Layout>,
    loose: bool,
    tokens: Mutex<HashMap<TrialId, Sensitive<String>>>,
}

impl OfferedGateway {
    /// Opens the gateway for trials in this runtime; `None` when the request names no model.
    /// `closed` means that some trials have no network.
    ///
    /// # Errors
    /// When the model, its key or the caps are not usable, or scenarios could not reach the
    /// gateway.
    pub(super) async fn open(
        scenarios: &Scenarios,
        request: &ScenarioRequest,
        runtime: &TrialRuntime,
        closed: bool,
        results: &Path,
        cancel: &Cancel,
    ) -> Result<Option<Arc<Self>>, WireError> {
        let offer = &request.offer;
        let Some(model) = &offer.model else {
            return Ok(None);
        };
        let ModelAddress { id: model, base_url } =
            &scenarios.models.resolve(model, offer.base_url.as_deref())?;
        let route = GatewayRoute::find(runtime, closed).await?;
        let options = GatewayOptions {
            base_url: base_url.clone(),
            caps: offer.caps(),
            spender: format!("scenarios {}", request.path),
            listen: route.listen(),
            socket: route.socket(),
            answers: if offer.replay.is_some() { AnswersFrom::Records } else { AnswersFrom::Model },
            ..GatewayOptions::new(model)
        };
        let gateway = Gateway::start(options, &scenarios.models).await?;
        let base_url = route.base_url(&gateway);
        route.probe(runtime, closed, &base_url, cancel).await?;
        Ok(Some(Arc::new(Self {
            base_url,
            route,
            gateway,
            model: model.clone(),
            records: results.join(RECORDS),
            replay: offer.replay.as_ref().map(Layout::new),
            loose: offer.loose,
            tokens: Mutex::default(),
        })))
    }

    /// Spending of all trials.
    pub(super) fn spent(&self) -> Spending {
        self.gateway.spent()
    }

    fn record(&self, trial: &TrialId) -> PathBuf {
        self.records.join(&trial.scenario).join(&trial.instance).join(format!("{}.jsonl", trial.repetition))
    }

    fn let_in(&self, trial: &TrialId, environment: &mut Environment) -> Result<(), WireError> {
        let record = self.record(trial);
        let folder = record.parent().unwrap_or(&self.records);
        fs::create_dir_all(folder).map_err(WireError::storage)?;
        // Left by a trial that was killed. The trial runs again, and so do its calls.
        if_there(fs::remove_file(&record)).map_err(WireError::storage)?;
        let token = self.gateway.token_for(TrialCalls {
            name: trial.to_string(),
            record_to: Some(record),
            replay_from: self.replay.as_ref().map(|layout| layout.trial(trial).join(FILE_NAME)),
            loose: self.loose,
        })?;
        let mut entry = serde_json::Map::new();
        entry.insert("model".to_owned(), json!(self.model));
        entry.insert("base_url".to_owned(), json!(self.base_url));
        entry.insert("api_key".to_owned(), json!(token.expose()));
        environment.set_config_list(&ConfigList::new(vec![entry], "the model gateway"));
        environment.set("OPENAI_BASE_URL", &self.base_url);
        environment.set_secret("OPENAI_API_KEY", token.expose());
        let mut tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        tokens.insert(trial.clone(), token);
        Ok(())
    }
}

#[async_trait::async_trait]
impl OfferedModel for OfferedGateway {
    async fn offer(&self, trial: &TrialId, environment: &mut Environment) -> Result<(), Sentence> {
        self.let_in(trial, environment).map_err(|error| error.message)
    }

    async fn take_back(&self, trial: &TrialId, folder: &Path) -> Option<ModelCalls> {
        let token = {
            let mut tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
            tokens.remove(trial)?
        };
        let mut calls = self.gateway.end_trial(&token).await?;
        calls.model.clone_from(&self.model);
        if let Err(error) = put(&self.record(trial), &folder.join(FILE_NAME)) {
            calls.note = Some(say!("the record of the calls could not be moved here: {error}"));
        }
        Some(calls)
    }

    fn relay(&self) -> Option<&Relay> {
        self.route.relay()
    }
}

/// Moves a record to its final path. A file or folder that the scenario created at that path is
/// replaced.
fn put(record: &Path, target: &Path) -> std::io::Result<()> {
    if target.symlink_metadata().is_ok_and(|meta| meta.is_dir()) {
        fs::remove_dir_all(target)?;
    }
    fs::rename(record, target)
}
