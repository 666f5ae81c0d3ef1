//! Output of a run: its journal line by line, a level's log, the manifest, and its events.

use super::Dispatcher;
use super::events::finished_event;
use super::group::make_safe;
use crate::disk_work::disk_work;
use crate::plan::{Attempt, level_plans};
use crate::ports::StoreError;
use koab_core::event::{RunEvent, RunEventKind, RunOutcome};
use koab_core::level::Level;
use koab_core::run_record::published::{LogHeader, TaskAttempts, level_log};
use koab_core::run_record::{
    AttemptRecord, AttemptSummary, CacheRecord, JournalLine, LinePlace, RunManifest, Spending,
};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::task::Task;

impl Dispatcher {
    pub(super) fn write_level(&mut self, level: &Level) {
        let Some(log) = self.ports.log.as_mut().filter(|log| log.wants_levels()) else {
            return;
        };
        let mut tasks: Vec<(&Task, TaskAttempts<AttemptRecord>)> = Vec::new();
        let of_level = self.shared.tasks.iter().enumerate();
        for (place, task) in of_level.filter(|(_, task)| task.level == *level) {
            let Some((first, successes)) = self.table.of_task(place) else {
                continue;
            };
            match log.attempt(first) {
                Ok(first) => tasks.push((task, TaskAttempts { first, successes })),
                Err(StoreError(cause)) => return self.fail(cause),
            }
        }
        if tasks.is_empty() {
            if let Err(StoreError(cause)) = log.remove_level(level) {
                self.fail(cause);
            }
            return;
        }
        let header = LogHeader {
            model: &self.spec.model,
            timestamp: &self.ports.clock.local_iso(),
            protocol: self.spec.settings.protocol,
            repetitions: self.spec.settings.repetitions,
        };
        if let Err(StoreError(cause)) = log.write_level(level, &level_log(&header, level, tasks)) {
            self.fail(cause);
        }
    }

    pub(super) fn manifest(&mut self, outcome: Option<RunOutcome>, reason: Option<Sentence>) {
        let spec = (*self.spec).clone();
        let levels = level_plans(&self.shared.tasks);
        let mut manifest = RunManifest {
            outcome,
            reason,
            updated_ms: self.ports.clock.now_ms(),
            cache: CacheRecord {
                mode: spec.cache_mode.unwrap_or_default(),
                source: self.shared.source.clone(),
                ..CacheRecord::default()
            },
            spending: self.spending(),
            price: self.ports.model.limits().and_then(|limits| limits.budget.price()),
            ..RunManifest::begun(spec, self.started_ms, levels).changed(self.changes.clone())
        };
        manifest.count(self.planned(), self.table.tally());
        if let Some(log) = self.ports.log.as_mut()
            && let Err(StoreError(cause)) = log.write_manifest(&manifest)
        {
            self.fail(cause);
        }
    }

    /// Number of attempts of this shard that are planned or have ended.
    pub(super) fn planned(&self) -> usize {
        let going = self.under_way.iter().filter(|(task, _)| self.table.is_left_out(*task)).count();
        self.plan.len() - self.table.skipped() + going
    }

    pub(super) fn spending(&self) -> Option<Spending> {
        let agent = self.spec.agent.as_ref();
        if agent.is_some_and(|agent| agent.own_model) {
            return Some(Spending {
                note: Some(say!("the agent asked a model of its own, past the gateway")),
                ..Spending::default()
            });
        }
        Some(self.ports.model.limits()?.budget.spending())
    }

    /// Writes a line to the journal and returns its position. After a failure the run ends and the
    /// position has no meaning.
    pub(super) fn journal(&mut self, line: &JournalLine) -> LinePlace {
        let appended = self.ports.log.as_mut().map(|log| log.append(line));
        match appended {
            Some(Ok(place)) => place,
            Some(Err(StoreError(cause))) => {
                self.fail(cause);
                LinePlace::default()
            }
            None => LinePlace::default(),
        }
    }

    /// Begins a sync of the written attempts, unless one is running.
    pub(super) fn sync(&mut self) {
        if !self.group.waits() {
            return;
        }
        let work = self.ports.log.as_mut().map_or(Ok(None), |log| log.sync());
        match work {
            Ok(work) => {
                if let Some(ended) = self.group.begin(work) {
                    self.settle(Ok(ended));
                }
            }
            Err(StoreError(cause)) => self.fail(cause),
        }
    }

    /// Syncs everything that was written.
    pub(super) async fn sync_all(&mut self) {
        loop {
            if self.group.is_syncing() {
                let synced = self.group.synced().await;
                self.settle(synced);
            } else if self.group.waits() && self.failure.is_none() {
                self.sync();
            } else {
                break;
            }
        }
        let work = self.ports.log.as_mut().map_or(Ok(None), |log| log.sync());
        let done = match work {
            Ok(Some(work)) => make_safe(work).await,
            other => other.map(drop),
        };
        if let Err(StoreError(cause)) = done {
            self.fail(cause);
        }
    }

    /// Counts the attempts of a group after their sync.
    pub(super) fn settle(&mut self, synced: Result<Vec<(Attempt, AttemptSummary)>, StoreError>) {
        let attempts = match synced {
            Ok(attempts) => attempts,
            Err(StoreError(cause)) => return self.fail(cause),
        };
        for (attempt, ended) in attempts {
            self.under_way.remove(&(attempt.task, attempt.repetition));
            self.table.end(attempt, self.plan.number(attempt), &ended);
            if self.table.is_left_out(attempt.task) {
                // The log of the level may be written already, without this attempt.
                self.written.retain(|level| *level != ended.level);
            }
            self.event(finished_event(&ended));
            if self.table.is_whole(&ended.level) && !self.written.contains(&ended.level) {
                self.written.push(ended.level.clone());
                disk_work(|| self.write_level(&ended.level));
            }
        }
    }

    pub(super) fn event(&self, kind: RunEventKind) {
        let at_ms = self.ports.clock.now_ms();
        let event = RunEvent {
            at_ms,
            elapsed_ms: at_ms.saturating_sub(self.started_ms),
            run: self.spec.run.clone(),
            kind,
        };
        self.ports.sink.send(&event);
    }

    /// Stops the run after a failure. Only the first failure is reported.
    pub(super) fn fail(&mut self, cause: Sentence) {
        self.failure.get_or_insert(cause);
        self.stop.cancel();
    }
}
