//! What a run leaves on the disk: its journal line by line, a level's log, the manifest.

use super::{Dispatcher, RUN_FORMAT};
use crate::budget::{Caps, Spending};
use crate::plan::level_plans;
use crate::ports::StoreError;
use koab_core::event::AnswerSource;
use koab_core::level::Level;
use koab_core::record::AttemptRecord;
use koab_core::record::published::{LogHeader, level_log};
use koab_core::task::Task;
use serde_json::{Value, json};

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

    pub(super) fn manifest(&mut self, status: &str, reason: Option<String>) {
        let (done, failed) = (self.count(|_| true), self.count(|r| r.stop.is_technical()));
        let cut_off = self.count(AttemptRecord::cut_off);
        let without_usage = self
            .records
            .iter()
            .flatten()
            .flat_map(|r| &r.steps)
            .filter(|s| s.usage.is_none())
            .count();
        let calls = || self.records.iter().flatten().flat_map(|r| &r.calls);
        let answered = |source| calls().filter(|call| call.source == source).count();
        let spec = &self.shared.spec;
        let mut cache = json!({
            "mode": if self.asks_services() { "write" } else { "read" },
            "snapshot": spec.cache.snapshot, "pack": spec.cache.pack,
            "hit": answered(AnswerSource::Hit), "miss": answered(AnswerSource::Miss),
            "injected": answered(AnswerSource::Injected), "refused": answered(AnswerSource::Refused),
        });
        if self.ports.live.is_some() {
            cache["live"] = answered(AnswerSource::Live).into();
            cache["overlay"] = answered(AnswerSource::Overlay).into();
        }
        let manifest = json!({
            "format": RUN_FORMAT,
            "status": status,
            "reason": reason,
            "model": self.shared.spec.model,
            "spec": self.spec_value(),
            "started_ms": self.started_ms,
            "updated_ms": self.ports.clock.now_ms(),
            "attempts": { "planned": self.records.len(), "done": done, "failed": failed, "cut_off": cut_off },
            "steps_without_usage": without_usage,
            "cache": cache,
            "spending": self.spending(),
            "price": self.ports.model.gate().and_then(|gate| gate.budget.price()),
            "levels": level_plans(&self.shared.tasks),
        });
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

    pub(super) fn caps(&self) -> Caps {
        let gate = self.ports.model.gate();
        gate.map(|gate| gate.budget.caps()).unwrap_or_default()
    }

    pub(super) fn spending(&self) -> Option<Spending> {
        Some(self.ports.model.gate()?.budget.spending())
    }

    fn asks_services(&self) -> bool {
        let live = self.ports.live.as_ref();
        live.is_some_and(|live| live.services.is_some())
    }

    pub(super) fn spec_value(&self) -> Value {
        let spec = &self.shared.spec;
        let caps = self.caps();
        let mut written = json!({
            "run": spec.run, "pack": spec.pack, "model": spec.model, "protocol": spec.protocol,
            "repetitions": spec.repetitions, "max_steps": spec.max_steps, "timeout_s": spec.timeout.as_secs_f64(),
            "full_rollout": spec.full_rollout, "temperature": spec.temperature, "max_tokens": spec.max_tokens,
            "effort": spec.effort, "seed": spec.seed, "concurrency": spec.concurrency,
            "base_url": spec.base_url, "max_cost": caps.cost, "max_total_tokens": caps.tokens,
        });
        if let Some(live) = &self.ports.live {
            let asks = self.asks_services();
            written["cache_mode"] = if asks { "write" } else { "read" }.into();
            // Beside the mode: answers that the user keeps make numbers of a run that asks nobody incomparable as well.
            written["overlay"] = live.overlay.is_some().into();
            if asks && spec.without_keys {
                written["without_keys"] = true.into();
            }
        }
        if let Some(completes) = &spec.completes {
            written["completes"] = completes.as_str().into();
        }
        if let Some(local) = &spec.local {
            written["local"] = local.clone();
        }
        if let Some(identity) = &spec.identity {
            written["identity"] = json!(identity);
        }
        written
    }

    pub(super) fn journal(&mut self, line: &Value) {
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
    pub(super) fn fail(&mut self, cause: String) {
        self.failure.get_or_insert(cause);
        self.stop.cancel();
    }
}
