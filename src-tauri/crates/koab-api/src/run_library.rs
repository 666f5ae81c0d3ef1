//! Runs that the workspace keeps: list, show, delete, and what is needed to go on with one.

use crate::Api;
use crate::local_run::{LocalRun, LocalSettings};
use crate::options::{CacheMode, RunOptions};
use crate::pacing::concurrency;
use crate::replay::outcome;
use crate::wire::{ErrorCode, RunLevel, RunStatus, RunSummary, WireError};
use koab_core::cache_source::SnapshotRef;
use koab_core::comparability::PackIdentity;
use koab_core::protocol::Protocol;
use koab_core::record::{AttemptRecord, TokenUsage};
use koab_store::runs::{self, RunEntry};
use koab_store::{Remark, RunLock};
use serde::Deserialize;
use serde_json::Value;
use std::collections::HashMap;

/// An unfinished run, as its journal tells it.
pub(crate) struct Earlier {
    pub(crate) pack: String,
    pub(crate) attempts: Vec<AttemptRecord>,
    /// Tokens of all its starts, attempts that were broken off included.
    pub(crate) spent: TokenUsage,
    spec: Spec,
    tasks: Vec<String>,
    /// What it reads instead of its pack's own records.
    pub(crate) snapshot: Option<SnapshotRef>,
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
    /// The most calls in flight, asked for or found by itself.
    #[serde(default)]
    concurrency: Option<u32>,
    #[serde(default)]
    base_url: Option<String>,
    #[serde(default)]
    max_cost: Option<f64>,
    #[serde(default)]
    max_total_tokens: Option<u64>,
    #[serde(default)]
    local: Option<LocalRun>,
    /// Written where more than recorded responses counts.
    #[serde(default)]
    cache_mode: CacheMode,
    #[serde(default)]
    overlay: bool,
    #[serde(default)]
    without_keys: bool,
    #[serde(default)]
    completes: Option<String>,
    /// Runs of earlier versions did not write it down.
    #[serde(default)]
    identity: Option<PackIdentity>,
}

impl Earlier {
    /// The settings that a manifest tells, without anything that was done.
    pub(crate) fn of_manifest(manifest: &Value) -> Result<Self, String> {
        let spec: Spec =
            serde_json::from_value(manifest["spec"].clone()).map_err(|e| format!("its run.json: {e}"))?;
        let snapshot =
            Option::deserialize(&manifest["cache"]["snapshot"]).map_err(|e| format!("its run.json: {e}"))?;
        let tasks = manifest["levels"].as_array().into_iter().flatten();
        let tasks = tasks.flat_map(|l| l["tasks"].as_array().into_iter().flatten());
        Ok(Self {
            pack: spec.pack.clone(),
            attempts: Vec::new(),
            spent: TokenUsage::default(),
            spec,
            tasks: tasks.filter_map(Value::as_str).map(str::to_owned).collect(),
            snapshot,
        })
    }

    /// What its pack was, in hashes.
    pub(crate) fn identity(&self) -> Option<&PackIdentity> {
        self.spec.identity.as_ref()
    }

    /// The run's own settings; what may differ now (address, concurrency, caps) is taken from `now`. Concurrency and
    /// caps stay until others are given.
    pub(crate) fn options(&self, now: &RunOptions) -> Result<RunOptions, WireError> {
        let spec = &self.spec;
        if !now.model.is_empty() && now.model != spec.model {
            return Err(WireError::bad_request(format!(
                "the run was made with {}; leave --model out to go on with it",
                spec.model
            )));
        }
        let base_url = now.base_url.clone().or_else(|| spec.base_url.clone());
        // What nobody asked for is found anew, from few calls at once to the same most.
        let (_, found) = concurrency(None, &spec.model, base_url.as_deref());
        let asked = spec.concurrency.filter(|most| *most != found);
        Ok(RunOptions {
            run: now.run.clone(),
            pack: Some(spec.pack.clone()),
            model: spec.model.clone(),
            base_url,
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
            concurrency: now.concurrency.or(asked),
            save_logs: true,
            resume: None,
            max_cost: now.max_cost.or(spec.max_cost),
            max_total_tokens: now.max_total_tokens.or(spec.max_total_tokens),
            max_cost_per_day: now.max_cost_per_day,
            max_total_tokens_per_day: now.max_total_tokens_per_day,
            otlp: now.otlp.clone(),
            // Another precision would be another model; where it computes may change with the machine.
            local: match &spec.local {
                Some(local) => LocalSettings {
                    device: now.local.device,
                    ..local.settings.clone()
                },
                None => now.local.clone(),
            },
            cache_mode: spec.cache_mode,
            // Once left out, always left out; a key that is there by now counts all the same.
            without_keys: now.without_keys || spec.without_keys,
            cache_snapshot: self.snapshot.as_ref().map(|snapshot| snapshot.name.clone()),
            with_overlay: spec.overlay && spec.cache_mode == CacheMode::Read,
            misses_of: None,
            completes: spec.completes.clone(),
        })
    }
}

impl Api {
    /// Every run, the newest first.
    ///
    /// # Errors
    /// When the logs folder cannot be read. A run whose manifest cannot be read is listed as incomplete.
    pub fn runs_list(&self) -> Result<Vec<RunSummary>, WireError> {
        let mut remarks = if self.home().database().exists() {
            self.store()?.run_remarks()?
        } else {
            HashMap::new()
        };
        let listed = runs::list(&self.home().logs())?.into_iter().map(|entry| {
            let run = summary(&entry);
            match remarks.remove(&run.id) {
                Some(remark) => with_remark(run, remark),
                None => run,
            }
        });
        Ok(listed.collect())
    }

    /// One run, by id or folder.
    ///
    /// # Errors
    /// When there is no such run.
    pub fn run_show(&self, id: &str) -> Result<RunSummary, WireError> {
        let run = summary(&runs::find(&self.home().logs(), id)?);
        if !self.home().database().exists() {
            return Ok(run);
        }
        let remark = self.store()?.run_remark(&run.id)?;
        Ok(with_remark(run, remark))
    }

    /// Keeps the user's tags and note on a run, in place of earlier ones. Tags are trimmed, and each is kept once. They
    /// lie in the workspace's database; the run's files stay as they are.
    ///
    /// # Errors
    /// When there is no such run, or the database cannot be written.
    pub fn run_remark(&self, id: &str, tags: Vec<String>, note: String) -> Result<RunSummary, WireError> {
        let run = summary(&runs::find(&self.home().logs(), id)?);
        let remark = Remark::new(tags, note);
        self.store()?.set_run_remark(&run.id, &remark)?;
        Ok(with_remark(run, remark))
    }

    /// Moves a run and its logs to the workspace's trash, from where [`Api::run_restore`] brings it back.
    ///
    /// # Errors
    /// When there is no such run in the workspace, somebody is making it, or the disk refuses.
    pub fn run_trash(&self, id: &str) -> Result<(), WireError> {
        let entry = self.free(id)?;
        Ok(runs::trash(&self.home().logs(), &self.home().trash(), &entry)?)
    }

    /// Brings a run back from the trash.
    ///
    /// # Errors
    /// When it is not there, or a run of its name has been made since.
    pub fn run_restore(&self, id: &str) -> Result<(), WireError> {
        Ok(runs::restore(&self.home().logs(), &self.home().trash(), id)?)
    }

    /// Removes a run and its logs for good.
    ///
    /// # Errors
    /// When there is no such run in the workspace, or the disk refuses.
    pub fn run_delete(&self, id: &str) -> Result<(), WireError> {
        let entry = self.free(id)?;
        Ok(runs::remove(&self.home().logs(), &entry)?)
    }

    /// A run of the workspace that nobody is making.
    fn free(&self, id: &str) -> Result<RunEntry, WireError> {
        let entry = runs::find(&self.home().logs(), id)?;
        if let Some(holder) = RunLock::holder(&entry.run.folder) {
            return Err(WireError::new(
                ErrorCode::Busy,
                format!(
                    "process {} is making {}; wait until it is done or end it",
                    holder.pid, entry.id
                ),
            ));
        }
        Ok(entry)
    }

    /// The run that is to go on: by id or folder, or `last`, the newest that is neither complete nor being made.
    ///
    /// # Errors
    /// When there is none.
    pub(crate) fn to_resume(&self, id: &str) -> Result<RunEntry, WireError> {
        let logs = self.home().logs();
        if id != "last" {
            return Ok(runs::find(&logs, id)?);
        }
        let unfinished = |entry: &RunEntry| summary(entry).resume.is_some();
        let all = runs::list(&logs)?;
        let newest = all.first().map(|entry| entry.id.clone());
        all.into_iter().find(unfinished).ok_or_else(|| {
            WireError::not_found(match newest {
                // What was killed while it was scored has all its answers.
                Some(id) => format!(
                    "no run is unfinished; to score the newest, or to go on scoring it, use `koab evaluate {id}`"
                ),
                None => "no run is unfinished, and there is none; make one with `koab run`".to_owned(),
            })
        })
    }

    /// What a run that is to go on has done. Whoever goes on with it has locked it before.
    pub(crate) fn earlier(&self, entry: &RunEntry) -> Result<Earlier, WireError> {
        let folder = &entry.run.folder;
        let cannot =
            |why: String| WireError::bad_request(format!("{} cannot be resumed: {why}", folder.display()));
        let manifest = entry
            .run
            .manifest()?
            .ok_or_else(|| cannot("it has no run.json, so it was not made here".to_owned()))?;
        let settings = Earlier::of_manifest(&manifest).map_err(&cannot)?;
        let (mut attempts, mut spent) = (Vec::new(), TokenUsage::default());
        for line in entry.run.journal()?.entries {
            // Every call that was answered has a step, whether its attempt was finished or not.
            if line["type"] == "step"
                && let Ok(Some(usage)) = Option::<TokenUsage>::deserialize(&line["step"]["usage"])
            {
                spent += usage;
            }
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
            attempts,
            spent,
            ..settings
        })
    }
}

fn with_remark(run: RunSummary, Remark { tags, note }: Remark) -> RunSummary {
    RunSummary { tags, note, ..run }
}

pub(crate) fn summary(entry: &RunEntry) -> RunSummary {
    let read = entry.run.manifest();
    // Published logs have no manifest and are whole. One that cannot be read says nothing of the kind.
    let published = matches!(&read, Ok(None)) && !entry.run.levels.is_empty();
    let manifest = read.ok().flatten();
    let from = |path: &str| manifest.as_ref().and_then(|m| m.pointer(path)).cloned();
    let levels: Vec<RunLevel> = match from("/levels") {
        Some(Value::Array(levels)) => levels
            .iter()
            .filter_map(|l| {
                let level = l["level"].as_str()?.parse().ok()?;
                Some(RunLevel {
                    level,
                    tasks: Some(l["tasks"].as_array()?.len() as u32),
                })
            })
            .collect(),
        // Published logs have no manifest; counting their tasks would mean reading megabytes, but they say their number.
        _ => entry
            .run
            .levels
            .keys()
            .map(|level| RunLevel {
                level: *level,
                tasks: entry.run.tasks_told(*level),
            })
            .collect(),
    };
    let text = |path: &str| from(path).and_then(|v| v.as_str().map(str::to_owned));
    let number = |path: &str| from(path).and_then(|v| v.as_u64());
    let complete = published || text("/status").as_deref() == Some("completed");
    let held_by = if complete {
        None
    } else {
        RunLock::holder(&entry.run.folder).map(|holder| holder.pid)
    };
    let status = manifest.as_ref().map(|manifest| RunStatus {
        outcome: outcome(manifest),
        reason: text("/reason"),
        planned: number("/attempts/planned").unwrap_or_default() as u32,
        done: number("/attempts/done").unwrap_or_default() as u32,
        max_cost: from("/spec/max_cost").and_then(|cap| cap.as_f64()),
        max_total_tokens: number("/spec/max_total_tokens"),
        here: held_by == Some(std::process::id()),
    });
    RunSummary {
        status,
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
        complete,
        held_by,
        resume: (!complete && held_by.is_none()).then(|| format!("koab run --resume {}", entry.id)),
        usd: from("/spending/usd").and_then(|usd| usd.as_f64()),
        cache_mode: from("/spec/cache_mode").and_then(|mode| serde_json::from_value(mode).ok()),
        overlay: from("/spec/overlay").and_then(|overlay| overlay.as_bool()),
        completes: text("/spec/completes"),
        tags: Vec::new(),
        note: String::new(),
        folder: entry.run.folder.display().to_string(),
    }
}
