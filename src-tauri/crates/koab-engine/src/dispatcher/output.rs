//! What a run leaves on the disk: its journal line by line, a level's log, the manifest.

use super::Dispatcher;
use crate::plan::level_plans;
use crate::ports::StoreError;
use koab_core::event::RunOutcome;
use koab_core::level::Level;
use koab_core::record::published::{LogHeader, level_log};
use koab_core::record::{
    AttemptRecord, AttemptSums, CacheRecord, CacheUse, JournalLine, RunFormat, RunManifest, Spending,
};
use koab_core::sentence::Sentence;
use koab_core::task::Task;
use serde_json::Map;

impl Dispatcher {
    pub(super) fn write_level(&mut self, level: Level) {
        let Some(log) = self.ports.log.as_mut() else {
            return;
        };
        let tasks: Vec<(&Task, Vec<&AttemptRecord>)> = self
            .shared
            .tasks
            .iter()
            .enumerate()
            .filter(|(_, task)| task.level == level)
            .map(|(i, task)| {
                let places = self
                    .attempts
                    .iter()
                    .zip(&self.records)
                    .filter(|(a, _)| a.task == i);
                let mut attempts: Vec<&AttemptRecord> = places.filter_map(|(_, r)| r.as_ref()).collect();
                attempts.sort_by_key(|record| record.repetition);
                (task, attempts)
            })
            .collect();
        if tasks.iter().all(|(_, attempts)| attempts.is_empty()) {
            return;
        }
        let header = LogHeader {
            model: &self.shared.spec.model,
            timestamp: &self.ports.clock.local_iso(),
            protocol: self.shared.spec.protocol,
            repetitions: self.shared.spec.repetitions,
        };
        if let Err(StoreError(cause)) = log.write_level(level, &level_log(&header, level, &tasks)) {
            self.fail(cause);
        }
    }

    pub(super) fn manifest(&mut self, outcome: Option<RunOutcome>, reason: Option<Sentence>) {
        let spec = &self.shared.spec;
        let mut manifest = RunManifest {
            format: RunFormat::CURRENT,
            outcome,
            reason,
            model: spec.model.clone(),
            spec: spec.clone(),
            started_ms: self.started_ms,
            updated_ms: self.ports.clock.now_ms(),
            attempts: AttemptSums::default(),
            steps_without_usage: 0,
            cache: CacheRecord {
                mode: spec.cache_mode.unwrap_or_default(),
                source: self.shared.source.clone(),
                calls: CacheUse::default(),
                other: Map::new(),
            },
            spending: self.spending(),
            price: self.ports.model.gate().and_then(|gate| gate.budget.price()),
            levels: level_plans(&self.shared.tasks),
            other: Map::new(),
        };
        manifest.count(self.records.len(), self.records.iter().flatten());
        if let Some(log) = self.ports.log.as_mut()
            && let Err(StoreError(cause)) = log.write_manifest(&manifest)
        {
            self.fail(cause);
        }
    }

    /// Attempts that have ended and are like this.
    pub(super) fn count(&self, is: impl Fn(&AttemptRecord) -> bool) -> usize {
        self.records.iter().flatten().filter(|record| is(record)).count()
    }

    pub(super) fn spending(&self) -> Option<Spending> {
        Some(self.ports.model.gate()?.budget.spending())
    }

    pub(super) fn journal(&mut self, line: &JournalLine) {
        if let Some(log) = self.ports.log.as_mut()
            && let Err(StoreError(cause)) = log.append(line)
        {
            self.fail(cause);
        }
    }

    pub(super) fn sync(&mut self) {
        if let Some(log) = self.ports.log.as_mut()
            && let Err(StoreError(cause)) = log.sync()
        {
            self.fail(cause);
        }
    }

    /// The first failure is the one that is told.
    pub(super) fn fail(&mut self, cause: Sentence) {
        self.failure.get_or_insert(cause);
        self.stop.cancel();
    }
}
