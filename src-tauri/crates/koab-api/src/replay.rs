//! Runs of earlier sessions as the window draws live ones: their events, made up again from what they wrote.

use crate::Api;
use crate::wire::{RunSnapshot, WireError};
use koab_core::event::{LevelPlan, RunEvent, RunEventKind, RunOutcome};
use koab_core::level::Level;
use koab_core::record::AttemptRecord;
use koab_engine::replayed;
use koab_store::runs;
use serde_json::Value;

impl Api {
    /// A run of the workspace, or of this process, as the events that its screen is drawn from. Of a run that another
    /// process is making it is what has been written so far.
    ///
    /// # Errors
    /// When there is no such run, or it was not made here and so has no journal.
    pub fn run_replay(&self, run: &str) -> Result<RunSnapshot, WireError> {
        if let Some(live) = self.live_run(run) {
            return Ok(live.so_far());
        }
        let entry = runs::find(&self.home().logs(), run)?;
        let manifest = entry.run.manifest()?.ok_or_else(|| {
            WireError::not_found(format!(
                "{} was not made here, so how it went is not known; its tasks are in its logs",
                entry.id
            ))
        })?;
        let mut kinds = vec![started(&manifest)];
        let mut records: Vec<AttemptRecord> = Vec::new();
        for line in entry.run.journal()?.entries {
            // What this version cannot read is missing from the picture; the file itself is untouched.
            if line["type"] == "attempt"
                && let Ok(record) = serde_json::from_value::<AttemptRecord>(line["record"].clone())
            {
                // A second start repeats what failed for technical reasons; the newest counts.
                records.retain(|old| (&old.task, old.repetition) != (&record.task, record.repetition));
                records.push(record);
            }
        }
        kinds.extend(records.iter().flat_map(replayed));
        let outcome = outcome(&manifest);
        let failed = records.iter().filter(|record| record.stop.is_technical()).count();
        kinds.push(RunEventKind::RunFinished {
            // Killed: nobody wrote how it ended, and everything so far is kept, as after a cancel.
            outcome: outcome.unwrap_or(RunOutcome::Cancelled),
            done: records.len() as u32,
            failed: failed as u32,
            folder: Some(entry.run.folder.display().to_string()),
            reason: manifest["reason"].as_str().map(str::to_owned),
        });
        let (begun, ended) = (number(&manifest["started_ms"]), number(&manifest["updated_ms"]));
        let last = kinds.len() - 1;
        let event = |(place, kind)| {
            let at_ms = if place == last { ended.max(begun) } else { begun };
            RunEvent {
                at_ms,
                elapsed_ms: at_ms - begun,
                run: entry.id.clone(),
                kind,
            }
        };
        Ok(RunSnapshot {
            run: entry.id.clone(),
            events: kinds.into_iter().enumerate().map(event).collect(),
            finished: true,
        })
    }
}

/// How the run ended, if it lived to say so.
pub(crate) fn outcome(manifest: &Value) -> Option<RunOutcome> {
    match manifest["status"].as_str()? {
        "completed" => Some(RunOutcome::Completed),
        "cancelled" => Some(RunOutcome::Cancelled),
        "failed" => Some(RunOutcome::Failed),
        "budget_spent" => Some(RunOutcome::BudgetSpent),
        _ => None,
    }
}

fn started(manifest: &Value) -> RunEventKind {
    let spec = &manifest["spec"];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let levels: Vec<LevelPlan> = serde_json::from_value(manifest["levels"].clone()).unwrap_or_default();
    RunEventKind::RunStarted {
        model: text(&manifest["model"]),
        pack: text(&spec["pack"]),
        protocol: serde_json::from_value(spec["protocol"].clone()).unwrap_or_default(),
        repetitions: number(&spec["repetitions"]) as u32,
        concurrency: number(&spec["concurrency"]) as u32,
        attempts: number(&manifest["attempts"]["planned"]) as u32,
        price: serde_json::from_value(manifest["price"].clone()).ok(),
        max_cost: spec["max_cost"].as_f64(),
        max_total_tokens: spec["max_total_tokens"].as_u64(),
        levels: in_order(levels),
    }
}

fn in_order(mut levels: Vec<LevelPlan>) -> Vec<LevelPlan> {
    levels.sort_by_key(|plan| Level::ALL.iter().position(|level| *level == plan.level));
    levels
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_default()
}
