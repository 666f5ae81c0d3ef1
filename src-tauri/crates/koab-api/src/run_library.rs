//! Runs that the workspace keeps: list, show, delete, and what is needed to go on with one.

use crate::Api;
use crate::options::RunOptions;
use crate::wire::{LevelCount, RunSummary, WireError};
use koab_core::protocol::Protocol;
use koab_core::record::AttemptRecord;
use koab_store::runs::{self, RunEntry};
use serde::Deserialize;
use serde_json::Value;
use std::path::PathBuf;

/// An unfinished run, as its journal tells it.
pub(crate) struct Earlier {
    pub(crate) folder: PathBuf,
    pub(crate) pack: String,
    pub(crate) attempts: Vec<AttemptRecord>,
    spec: Spec,
    tasks: Vec<String>,
}

/// The part of a run's manifest that decides how it goes on.
#[derive(Deserialize)]
struct Spec {
    model: String,
    pack: String,
    protocol: Protocol,
    repetitions: u32,
    max_steps: u32,
    timeout_s: f64,
    full_rollout: bool,
    temperature: f64,
    max_tokens: u32,
    effort: Option<String>,
    seed: Option<u64>,
}

impl Earlier {
    /// The run's own settings; what may differ now (address, concurrency) is taken from `now`.
    pub(crate) fn options(&self, now: &RunOptions) -> Result<RunOptions, WireError> {
        let spec = &self.spec;
        if !now.model.is_empty() && now.model != spec.model {
            return Err(WireError::bad_request(format!(
                "the run was made with {}; leave --model out to go on with it",
                spec.model
            )));
        }
        let name = spec
            .pack
            .rsplit_once('@')
            .map_or(spec.pack.as_str(), |(name, _)| name);
        Ok(RunOptions {
            run: now.run.clone(),
            pack: Some(name.to_owned()),
            model: spec.model.clone(),
            base_url: now.base_url.clone(),
            levels: Vec::new(),
            tasks: self.tasks.clone(),
            protocol: spec.protocol,
            repetitions: spec.repetitions,
            max_steps: spec.max_steps,
            timeout_s: spec.timeout_s,
            full_rollout: spec.full_rollout,
            temperature: spec.temperature,
            max_tokens: spec.max_tokens,
            effort: spec.effort.clone(),
            seed: spec.seed,
            concurrency: now.concurrency,
            save_logs: true,
            resume: None,
        })
    }
}

impl Api {
    /// Every run, the newest first.
    ///
    /// # Errors
    /// When the logs folder cannot be read. A run whose manifest cannot be read is listed as incomplete.
    pub fn runs_list(&self) -> Result<Vec<RunSummary>, WireError> {
        Ok(runs::list(&self.home().logs())?.iter().map(summary).collect())
    }

    /// One run, by id or folder.
    ///
    /// # Errors
    /// When there is no such run.
    pub fn run_show(&self, id: &str) -> Result<RunSummary, WireError> {
        Ok(summary(&runs::find(&self.home().logs(), id)?))
    }

    /// Removes a run and its logs for good.
    ///
    /// # Errors
    /// When there is no such run in the workspace, or the disk refuses.
    pub fn run_delete(&self, id: &str) -> Result<(), WireError> {
        let logs = self.home().logs();
        let entry = runs::find(&logs, id)?;
        Ok(runs::remove(&logs, &entry)?)
    }

    /// A run that is to go on.
    pub(crate) fn earlier(&self, id: &str) -> Result<Earlier, WireError> {
        let entry = runs::find(&self.home().logs(), id)?;
        let folder = entry.run.folder.clone();
        let cannot =
            |why: String| WireError::bad_request(format!("{} cannot be resumed: {why}", folder.display()));
        let manifest = entry
            .run
            .manifest()?
            .ok_or_else(|| cannot("it has no run.json, so it was not made here".to_owned()))?;
        let spec: Spec = serde_json::from_value(manifest["spec"].clone())
            .map_err(|e| cannot(format!("its run.json: {e}")))?;
        let tasks = manifest["levels"].as_array().into_iter().flatten();
        let tasks = tasks.flat_map(|l| l["tasks"].as_array().into_iter().flatten());
        let tasks: Vec<String> = tasks.filter_map(Value::as_str).map(str::to_owned).collect();
        let mut attempts = Vec::new();
        for line in entry.run.journal()?.entries {
            if line["type"] == "attempt" {
                let record: AttemptRecord = serde_json::from_value(line["record"].clone())
                    .map_err(|e| cannot(format!("an attempt in its journal: {e}")))?;
                // What failed for technical reasons is what a second start is for.
                attempts
                    .retain(|a: &AttemptRecord| (&a.task, a.repetition) != (&record.task, record.repetition));
                if !record.stop.is_technical() {
                    attempts.push(record);
                }
            }
        }
        Ok(Earlier {
            folder,
            pack: spec.pack.clone(),
            attempts,
            spec,
            tasks,
        })
    }
}

pub(crate) fn summary(entry: &RunEntry) -> RunSummary {
    let read = entry.run.manifest();
    // Published logs have no manifest and are whole. One that cannot be read says nothing of the kind.
    let published = matches!(&read, Ok(None)) && !entry.run.levels.is_empty();
    let manifest = read.ok().flatten();
    let from = |path: &str| manifest.as_ref().and_then(|m| m.pointer(path)).cloned();
    let levels: Vec<LevelCount> = match from("/levels") {
        Some(Value::Array(levels)) => levels
            .iter()
            .filter_map(|l| {
                let level = l["level"].as_str()?.parse().ok()?;
                Some(LevelCount {
                    level,
                    tasks: l["tasks"].as_array()?.len() as u32,
                })
            })
            .collect(),
        // Published logs have no manifest; counting their tasks would mean reading megabytes.
        _ => entry
            .run
            .levels
            .keys()
            .map(|level| LevelCount {
                level: *level,
                tasks: 0,
            })
            .collect(),
    };
    let text = |path: &str| from(path).and_then(|v| v.as_str().map(str::to_owned));
    RunSummary {
        id: entry.id.clone(),
        model: entry
            .run
            .model()
            .ok()
            .flatten()
            .unwrap_or_else(|| entry.model_folder.clone()),
        date: entry.date.clone(),
        pack: text("/spec/pack"),
        protocol: text("/spec/protocol").and_then(|p| p.parse().ok()),
        levels,
        complete: published || text("/status").as_deref() == Some("completed"),
        folder: entry.run.folder.display().to_string(),
    }
}
