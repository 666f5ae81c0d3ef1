//! Owns the state of a run: begins attempts, puts what they tell in one order, writes journal and logs.
//!
//! Executors and dispatcher share nothing but a channel. A journal that cannot be written ends the run: the record is
//! the product.

use crate::budget::{Caps, Spending};
use crate::executor::{Bench, NoRecord, Told, attempt};
use crate::gate::Gate;
use crate::plan::{Attempt, RunSpec, level_plans, plan};
use crate::ports::{Cancel, StoreError};
use crate::run::{RunInput, RunPorts, RunReport};
use crate::turn::Control;
use koab_core::event::{AnswerSource, RunEvent, RunEventKind, RunOutcome};
use koab_core::level::Level;
use koab_core::record::published::{LogHeader, level_log};
use koab_core::record::{AttemptRecord, StopReason};
use koab_core::task::Task;
use koab_core::tool::ToolCatalog;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::Arc;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

/// Version of the journal's and the manifest's form. Readers refuse newer ones.
pub const RUN_FORMAT: u32 = 1;

enum Message {
    Told(Told),
    Ended(usize, Box<Result<AttemptRecord, NoRecord>>),
}

struct Shared {
    spec: RunSpec,
    tasks: Vec<Task>,
    catalog: ToolCatalog,
}

pub(crate) struct Dispatcher {
    shared: Arc<Shared>,
    ports: RunPorts,
    cancel: Cancel,
    /// Ends the attempts in flight, whoever wants them ended: the user or a failure of the run itself.
    stop: Cancel,
    attempts: Vec<Attempt>,
    records: Vec<Option<AttemptRecord>>,
    /// Levels whose log stands as it will remain.
    written: Vec<Level>,
    started_ms: u64,
    failure: Option<String>,
    /// Why no more calls may be made, once the budget is spent.
    budget_spent: Option<String>,
}

impl Dispatcher {
    pub(crate) fn new(input: RunInput, ports: RunPorts, cancel: Cancel) -> Self {
        let attempts = plan(&input.tasks, &input.spec);
        let mut records: Vec<Option<AttemptRecord>> = vec![None; attempts.len()];
        for record in input.kept {
            let place = attempts
                .iter()
                .position(|a| input.tasks[a.task].id == record.task && a.repetition == record.repetition);
            if let Some(place) = place {
                records[place] = Some(record);
            }
        }
        let started_ms = ports.clock.now_ms();
        let stop = cancel.child_token();
        let shared = Shared {
            spec: input.spec,
            tasks: input.tasks,
            catalog: input.catalog,
        };
        Self {
            shared: Arc::new(shared),
            ports,
            cancel,
            stop,
            attempts,
            records,
            written: Vec::new(),
            started_ms,
            failure: None,
            budget_spent: None,
        }
    }

    pub(crate) async fn run(mut self) -> RunReport {
        self.begin();
        let (send, mut receive) = mpsc::unbounded_channel();
        let mut waiting: VecDeque<usize> = (0..self.attempts.len())
            .filter(|i| self.records[*i].is_none())
            .collect();
        let mut flying = JoinSet::new();
        let limit = self.shared.spec.concurrency.max(1) as usize;
        let (pause, stop, mut paused) = (self.ports.pause.clone(), self.stop.clone(), false);
        while self.failure.is_none() {
            if pause.is_on() != paused {
                paused = !paused;
                self.event(if paused {
                    RunEventKind::RunPaused {}
                } else {
                    RunEventKind::RunResumed {}
                });
            }
            while !paused && flying.len() < limit && self.may_begin(flying.len()) {
                let Some(index) = waiting.pop_front() else { break };
                let place = self.attempts[index];
                self.event(RunEventKind::AttemptStarted {
                    task: self.shared.tasks[place.task].id.clone(),
                    level: self.shared.tasks[place.task].level,
                    repetition: place.repetition,
                });
                flying.spawn(self.executor(index, send.clone()));
            }
            // With nothing under way only a paused run has something to wait for.
            let held = paused && !waiting.is_empty() && self.budget_spent.is_none() && !stop.is_cancelled();
            if flying.is_empty() && !held {
                break;
            }
            tokio::select! {
                // What an attempt has told comes before its end, so that no more seem to be under way than are.
                biased;
                Some(message) = receive.recv() => self.hear(message),
                Some(ended) = flying.join_next() => {
                    if let Err(panic) = ended && panic.is_panic() {
                        self.fail(format!("an attempt broke off by a fault of this program: {panic}"));
                    }
                }
                () = pause.until(!paused) => {}
                () = stop.cancelled(), if held => {}
            }
        }
        self.stop.cancel();
        while flying.join_next().await.is_some() {}
        while let Ok(message) = receive.try_recv() {
            self.hear(message);
        }
        self.end()
    }

    /// Whether one more attempt would do more than stand in line. With none under way one always begins: it is its wait
    /// that the run then shows.
    fn may_begin(&self, flying: usize) -> bool {
        let has_room = |gate: &Gate| gate.limiter.has_room(flying) && !gate.budget.is_tight();
        !self.stop.is_cancelled()
            && self.budget_spent.is_none()
            && (flying == 0 || self.ports.model.gate().is_none_or(has_room))
    }

    fn executor(
        &self,
        index: usize,
        send: mpsc::UnboundedSender<Message>,
    ) -> impl Future<Output = ()> + use<> {
        let shared = Arc::clone(&self.shared);
        let (model, cache) = (Arc::clone(&self.ports.model), Arc::clone(&self.ports.cache));
        let (place, stop, pause) = (self.attempts[index], self.stop.clone(), self.ports.pause.clone());
        async move {
            // The receiver outlives every executor; a failed send means the run is over anyway.
            let tell = |told| drop(send.send(Message::Told(told)));
            let bench = Bench {
                spec: &shared.spec,
                catalog: &shared.catalog,
                model: &*model,
                cache: &*cache,
                control: Control {
                    cancel: &stop,
                    pause: &pause,
                },
                tell: &tell,
            };
            let ended = attempt(&bench, &shared.tasks[place.task], place.repetition).await;
            drop(send.send(Message::Ended(index, Box::new(ended))));
        }
    }

    fn begin(&mut self) {
        self.manifest("running", None);
        let spec = &self.shared.spec;
        let caps = self.caps();
        let kind = RunEventKind::RunStarted {
            model: spec.model.clone(),
            pack: spec.pack.clone(),
            protocol: spec.protocol,
            levels: level_plans(&self.shared.tasks),
            repetitions: spec.repetitions,
            concurrency: spec.concurrency,
            attempts: self.attempts.len() as u32,
            price: self.ports.model.gate().and_then(|gate| gate.budget.price()),
            max_cost: caps.cost,
            max_total_tokens: caps.tokens,
        };
        let mut line = json!({ "type": "run", "format": RUN_FORMAT, "at_ms": self.started_ms });
        line["spec"] = self.spec_value();
        self.journal(&line);
        self.event(kind);
        let kept: Vec<RunEventKind> = self.records.iter().flatten().flat_map(replayed).collect();
        for kind in kept {
            self.event(kind);
        }
    }

    fn hear(&mut self, message: Message) {
        match message {
            Message::Told(Told::Event(kind)) => self.event(kind),
            Message::Told(Told::Waiting {
                task,
                repetition,
                reason,
                wait,
            }) => {
                let wait_ms = wait.map(|wait| wait.as_millis() as u64);
                let until_ms = wait_ms.map(|wait| self.ports.clock.now_ms() + wait);
                self.journal(&json!({
                    "type": "wait", "task": task, "repetition": repetition, "reason": reason, "until_ms": until_ms,
                }));
                self.event(RunEventKind::Waiting {
                    task,
                    repetition,
                    reason,
                    wait_ms: wait_ms.unwrap_or(0),
                    until_ms,
                });
            }
            Message::Told(Told::Step {
                task,
                repetition,
                step,
                content,
                calls,
            }) => {
                let line = json!({
                    "type": "step", "task": task, "repetition": repetition, "step": step, "content": content,
                    "calls": calls,
                });
                self.journal(&line);
            }
            Message::Ended(index, ended) => match *ended {
                Ok(record) => self.keep(index, record),
                Err(NoRecord::Cancelled) => {}
                Err(NoRecord::Store(StoreError(cause))) => self.fail(cause),
                Err(NoRecord::Refused(error)) => self.fail(error.to_string()),
                Err(NoRecord::BudgetSpent(why)) => {
                    let place = self.attempts[index];
                    self.journal(&json!({
                        "type": "unfinished", "task": self.shared.tasks[place.task].id,
                        "repetition": place.repetition, "stop": StopReason::BudgetSpent,
                    }));
                    self.budget_spent.get_or_insert(why);
                }
            },
        }
    }

    fn keep(&mut self, index: usize, record: AttemptRecord) {
        match serde_json::to_value(&record) {
            Ok(value) => {
                self.journal(&json!({ "type": "attempt", "record": value }));
                self.sync();
            }
            Err(error) => self.fail(format!("an attempt cannot be written: {error}")),
        }
        let level = record.level;
        self.event(finished_event(&record));
        self.records[index] = Some(record);
        let whole = self
            .attempts
            .iter()
            .zip(&self.records)
            .all(|(a, r)| self.shared.tasks[a.task].level != level || r.is_some());
        if whole {
            self.written.push(level);
            self.write_level(level);
        }
    }

    fn end(mut self) -> RunReport {
        let done = self.records.iter().flatten().count();
        let failed = self
            .records
            .iter()
            .flatten()
            .filter(|r| r.stop.is_technical())
            .count();
        for level in Level::ALL {
            if !self.written.contains(&level) {
                self.write_level(level);
            }
        }
        let mut outcome = if self.failure.is_some() {
            RunOutcome::Failed
        } else if done == self.records.len() {
            RunOutcome::Completed
        } else if self.cancel.is_cancelled() {
            RunOutcome::Cancelled
        } else {
            RunOutcome::BudgetSpent
        };
        let status = match outcome {
            RunOutcome::Completed => "completed",
            RunOutcome::Cancelled => "cancelled",
            RunOutcome::Failed => "failed",
            RunOutcome::BudgetSpent => "budget_spent",
        };
        let reason = self.failure.clone().or_else(|| self.budget_spent.clone());
        self.journal(&json!({ "type": "end", "outcome": status, "reason": reason }));
        self.sync();
        self.manifest(status, reason.clone());
        // Telling the end may itself fail.
        if self.failure.is_some() {
            outcome = RunOutcome::Failed;
        }
        let reason = self.failure.clone().or(reason);
        let spending = self.spending();
        self.event(RunEventKind::RunFinished {
            outcome,
            done: done as u32,
            failed: failed as u32,
            folder: self.ports.folder.clone(),
            reason: reason.clone(),
        });
        let planned = self.records.len();
        let mut attempts: Vec<(usize, AttemptRecord)> = self
            .attempts
            .iter()
            .map(|a| a.task)
            .zip(std::mem::take(&mut self.records))
            .filter_map(|(task, record)| Some((task, record?)))
            .collect();
        attempts.sort_by_key(|(task, record)| (*task, record.repetition));
        RunReport {
            outcome,
            reason,
            attempts: attempts.into_iter().map(|(_, r)| r).collect(),
            planned,
            spending,
        }
    }

    fn write_level(&mut self, level: Level) {
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

    fn manifest(&mut self, status: &str, reason: Option<String>) {
        let done = self.records.iter().flatten().count();
        let failed = self
            .records
            .iter()
            .flatten()
            .filter(|r| r.stop.is_technical())
            .count();
        let cut_off = self.records.iter().flatten().filter(|r| r.cut_off()).count();
        let without_usage = self
            .records
            .iter()
            .flatten()
            .flat_map(|r| &r.steps)
            .filter(|s| s.usage.is_none())
            .count();
        let calls = || self.records.iter().flatten().flat_map(|r| &r.calls);
        let answered = |source| calls().filter(|call| call.source == source).count();
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
            "cache": {
                "hit": answered(AnswerSource::Hit), "miss": answered(AnswerSource::Miss),
                "injected": answered(AnswerSource::Injected), "refused": answered(AnswerSource::Refused),
            },
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

    fn caps(&self) -> Caps {
        let gate = self.ports.model.gate();
        gate.map(|gate| gate.budget.caps()).unwrap_or_default()
    }

    fn spending(&self) -> Option<Spending> {
        Some(self.ports.model.gate()?.budget.spending())
    }

    fn spec_value(&self) -> Value {
        let spec = &self.shared.spec;
        let caps = self.caps();
        json!({
            "run": spec.run, "pack": spec.pack, "model": spec.model, "protocol": spec.protocol,
            "repetitions": spec.repetitions, "max_steps": spec.max_steps, "timeout_s": spec.timeout.as_secs_f64(),
            "full_rollout": spec.full_rollout, "temperature": spec.temperature, "max_tokens": spec.max_tokens,
            "effort": spec.effort, "seed": spec.seed, "concurrency": spec.concurrency,
            "base_url": spec.base_url, "max_cost": caps.cost, "max_total_tokens": caps.tokens,
        })
    }

    fn journal(&mut self, line: &Value) {
        if let Some(log) = self.ports.log.as_mut()
            && let Err(StoreError(cause)) = log.append(line)
        {
            self.fail(cause);
        }
    }

    fn sync(&mut self) {
        if let Some(log) = self.ports.log.as_mut()
            && let Err(StoreError(cause)) = log.sync()
        {
            self.fail(cause);
        }
    }

    /// The first failure is the one that is told.
    fn fail(&mut self, cause: String) {
        self.failure.get_or_insert(cause);
        self.stop.cancel();
    }

    fn event(&self, kind: RunEventKind) {
        let at_ms = self.ports.clock.now_ms();
        let event = RunEvent {
            at_ms,
            elapsed_ms: at_ms.saturating_sub(self.started_ms),
            run: self.shared.spec.run.clone(),
            kind,
        };
        self.ports.sink.send(&event);
    }
}

/// The events of an attempt that is over, as they would have come.
pub fn replayed(record: &AttemptRecord) -> Vec<RunEventKind> {
    let mut kinds = Vec::new();
    for step in &record.steps {
        let calls = || record.calls.iter().filter(|call| call.step == step.step);
        kinds.push(RunEventKind::StepFinished {
            task: record.task.clone(),
            repetition: record.repetition,
            step: step.step,
            calls: calls().count() as u32,
            prompt_tokens: step.usage.map(|usage| usage.prompt_tokens),
            completion_tokens: step.usage.map(|usage| usage.completion_tokens),
            ttft_ms: step.ttft_s.map(|seconds| seconds * 1000.0),
            latency_ms: step.latency_s * 1000.0,
            finish: step.finish.clone(),
        });
        kinds.extend(calls().map(|call| RunEventKind::ToolAnswered {
            task: record.task.clone(),
            repetition: record.repetition,
            step: call.step,
            tool: call.tool.clone(),
            call_id: None,
            ok: call.success,
            source: call.source,
            took_ms: None,
        }));
    }
    kinds.push(finished_event(record));
    kinds
}

fn finished_event(record: &AttemptRecord) -> RunEventKind {
    RunEventKind::AttemptFinished {
        task: record.task.clone(),
        level: record.level,
        repetition: record.repetition,
        success: record.success,
        stop: record.stop,
        cut_off: record.cut_off(),
        steps: record.steps.len() as u32,
        calls: record.calls.len() as u32,
        total_tokens: record.usage().total_tokens,
        took_ms: (record.took_s * 1000.0) as u64,
        error: record.error.clone(),
    }
}
