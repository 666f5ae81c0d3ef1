//! Reconstructs the events of a past run from its files, so that the window can draw the run like a
//! live one.

use crate::Runs;
use koab_core::event::{LevelPlan, RunEvent, RunEventKind, RunOutcome, TaskSoFar};
use koab_core::run_record::{RunManifest, Spending};
use koab_core::say;
use koab_library::RunSnapshot;
use koab_store::RunLock;
use koab_store::journal_index::JournalIndex;
use koab_store::runs::RunEntry;
use koab_workspace::WireError;

impl Runs {
    /// Returns the events from which the screen of a run is drawn. The run is in the workspace or
    /// in this process.
    ///
    /// If another process is making the run, only the attempts that it has already written are
    /// included, and the run counts as unfinished.
    ///
    /// # Errors
    /// When the run does not exist, or has no journal because it was not made here.
    pub fn run_replay(&self, run: &str) -> Result<RunSnapshot, WireError> {
        if let Some(live) = self.library.live_run(run) {
            return Ok(live.so_far());
        }
        let entry = self.library.run_meant(run)?;
        // Checked before the manifest is read: a process that releases the lock has written the end
        // of the run.
        let is_running = RunLock::holder(&entry.run.folder).is_some();
        let manifest = entry.run.manifest()?.ok_or_else(|| {
            WireError::not_found(say!(
                "{} was not made here, so its course is not known; its tasks are in its logs",
                entry.id
            ))
        })?;
        let journal = self.library.journal(&entry.run.folder)?;
        let mut kinds = vec![started(&manifest, &journal)];
        let changes = journal.changes().iter();
        kinds.extend(changes.map(|record| RunEventKind::RunChanged {
            record: record.clone(),
            planned: manifest.attempts.counts.planned,
        }));
        let so_far = TaskSoFar::by_task(journal.attempts()).into_iter();
        kinds.extend(so_far.map(|so_far| RunEventKind::AttemptsEnded { so_far }));
        if !is_running {
            kinds.push(finished(&entry, &manifest, &journal));
        }
        let (begun, ended) = (manifest.started_ms, manifest.updated_ms);
        let last = if is_running { usize::MAX } else { kinds.len() - 1 };
        let event = |(place, kind)| {
            let at_ms = if place == last { ended.max(begun) } else { begun };
            RunEvent { at_ms, elapsed_ms: at_ms - begun, run: entry.id.clone(), kind }
        };
        Ok(RunSnapshot {
            run: entry.id.clone(),
            events: kinds.into_iter().enumerate().map(event).collect(),
            finished: !is_running,
        })
    }
}

fn finished(entry: &RunEntry, manifest: &RunManifest, journal: &JournalIndex) -> RunEventKind {
    let failed = journal.attempts().filter(|ended| ended.stop.is_technical()).count();
    RunEventKind::RunFinished {
        // A killed run has no outcome. Its results so far are kept, as after a cancellation.
        outcome: manifest.outcome.unwrap_or(RunOutcome::Cancelled),
        done: journal.len() as u32,
        failed: failed as u32,
        folder: Some(entry.run.folder.display().to_string()),
        reason: manifest.reason.clone(),
        // A killed session wrote only the spending of earlier sessions.
        spent: (manifest.spending.as_ref()).filter(|_| manifest.outcome.is_some()).and_then(Spending::spent),
    }
}

fn started(manifest: &RunManifest, journal: &JournalIndex) -> RunEventKind {
    let spec = &manifest.spec;
    RunEventKind::RunStarted {
        model: manifest.model.clone(),
        pack: spec.pack.clone(),
        protocol: spec.settings.protocol,
        repetitions: spec.settings.repetitions,
        concurrency: spec.concurrency,
        attempts: manifest.attempts.counts.planned,
        price: manifest.price,
        max_cost: spec.max_cost,
        max_total_tokens: spec.max_total_tokens,
        problems: journal.problems(Some(manifest)),
        resumed: journal.starts() > 1,
        levels: in_order(manifest.levels.clone()),
    }
}

fn in_order(mut levels: Vec<LevelPlan>) -> Vec<LevelPlan> {
    levels.sort_by(|one, other| one.level.cmp(&other.level));
    levels
}

#[cfg(test)]
mod tests;
