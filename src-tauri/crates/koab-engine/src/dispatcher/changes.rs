//! Changes of a running run: checks a request, makes its changes, and records them.

use super::Dispatcher;
use super::group::make_safe;
use crate::budget::Caps;
use crate::call_limits::CallLimits;
use crate::disk_work::disk_work;
use crate::plan::Attempt;
use crate::ports::{AskedChange, ChangeRequest, ChangeResult, Held, ModelAdapter, StoreError};
use koab_core::event::RunEventKind;
use koab_core::run_record::{
    AttemptEnd as _, AttemptLimits, AttemptSummary, ChangeRecord, JournalLine, LinePlace, RequestedSettings,
    RetriedAttempt, RunChange, RunSpec,
};
use koab_core::say;
use koab_core::sentence::Sentence;
use std::collections::BTreeSet;
use std::sync::Arc;

impl Dispatcher {
    /// Makes the changes of a request, all or none, and sends the result.
    pub(super) async fn change(&mut self, AskedChange { request, result }: AskedChange) {
        let outcome = match self.checked(&request) {
            Ok(changes) => self.made(changes, request.model).await,
            Err(why) => Err(why),
        };
        // The caller may no longer wait.
        let _ = result.send(outcome);
    }

    /// The changes of a request with their earlier values. Those that would change nothing are left
    /// out.
    ///
    /// # Errors
    /// When a change is not possible.
    fn checked(&self, request: &ChangeRequest) -> Result<Vec<RunChange>, Sentence> {
        if self.ports.log.is_none() {
            return Err(say!("the run saves no logs, so its changes would be in no record"));
        }
        if let Some(why) = &self.budget_spent {
            return Err(say!("the run is ending, so it cannot be changed any more: {why}"));
        }
        let (mut spec, mut changes) = ((*self.spec).clone(), Vec::new());
        for change in &request.changes {
            let change = self.checked_change(change.clone(), &spec, request)?;
            let change = change.with_earlier(&spec);
            if is_needed(&change) {
                change.apply(&mut spec);
                changes.push(change);
            }
        }
        if changes.is_empty() {
            return Err(say!("the run has these values already"));
        }
        Ok(changes)
    }

    fn checked_change(
        &self,
        change: RunChange,
        spec: &RunSpec,
        request: &ChangeRequest,
    ) -> Result<RunChange, Sentence> {
        match &change {
            RunChange::Concurrency { to: 0, .. } => {
                return Err(say!("the number of attempts at the same time must be 1 or more"));
            }
            RunChange::Concurrency { .. } | RunChange::Judges { .. } => {}
            RunChange::MaxSteps { .. } | RunChange::Timeout { .. } => {
                let mut changed = spec.clone();
                change.apply(&mut changed);
                RequestedSettings::from(changed.settings).check()?;
            }
            RunChange::MaxCost { to, .. } => {
                let limits = self.limits_to_change()?;
                let Some(to) = to else { return Ok(change) };
                if !to.is_finite() || *to <= 0.0 {
                    return Err(say!("a budget in USD must be an amount above 0"));
                }
                let spending = limits.budget.spending();
                let Some(spent) = spending.most().usd.filter(|_| limits.budget.price().is_some()) else {
                    return Err(say!("the cost of the run is not known, so a budget in USD cannot be kept"));
                };
                if *to < spent {
                    return Err(say!(
                        "up to ${spent:.4} is spent already, so a budget of ${cap} is too little; cancel the run to end it",
                        cap = *to
                    ));
                }
            }
            RunChange::MaxTotalTokens { to, .. } => {
                let spent = self.limits_to_change()?.budget.spending().most().tokens;
                if let Some(cap) = to.filter(|cap| *cap < spent) {
                    return Err(say!(
                        "up to {spent} tokens are used already, so a budget of {cap} is too little; cancel the run to end it"
                    ));
                }
            }
            RunChange::BaseUrl { .. } => {
                self.limits_to_change()?;
                if request.model.is_none() {
                    return Err(say!("the model was not opened at the new address"));
                }
            }
            RunChange::LeaveOut { tasks } => return self.left_out_by(tasks),
            RunChange::Retry { attempts } => return self.retried_by(attempts),
        }
        Ok(change)
    }

    /// Limits of the run's model.
    ///
    /// # Errors
    /// When the model has no server, or an agent calls its own model.
    fn limits_to_change(&self) -> Result<&CallLimits, Sentence> {
        let own_model = self.spec.agent.as_ref().is_some_and(|agent| agent.own_model);
        self.ports.model.limits().filter(|_| !own_model).ok_or_else(|| {
            say!("this program sends no calls to a server for this run, so it has neither an address nor a budget")
        })
    }

    fn left_out_by(&self, tasks: &[String]) -> Result<RunChange, Sentence> {
        let (mut named, mut open) = (Vec::new(), 0);
        for id in tasks {
            let task = self.task(id)?;
            if self.table.is_left_out(task) || named.contains(id) {
                continue;
            }
            let of_task = self.table.open_attempts(task).filter(|attempt| self.plan.has(*attempt)).count();
            if of_task == 0 {
                return Err(say!("all attempts at {task} have ended, so it cannot be left out", task = id));
            }
            open += of_task;
            named.push(id.clone());
        }
        if open == self.planned() {
            return Err(say!("no task would be left; cancel the run to end it"));
        }
        Ok(RunChange::LeaveOut { tasks: named })
    }

    /// The failed attempts that a request names; without any, all failed attempts.
    fn retried_by(&self, asked: &[RetriedAttempt]) -> Result<RunChange, Sentence> {
        if self.ports.log.as_ref().is_some_and(|log| !log.wants_levels()) {
            return Err(say!("a worker makes failed attempts of its part again at its next start"));
        }
        let lost = self.table.lost().map(|(attempt, _)| attempt);
        let lost: Vec<Attempt> = lost.filter(|attempt| !self.table.is_left_out(attempt.task)).collect();
        let mut attempts = Vec::new();
        for RetriedAttempt { task: id, repetition } in asked {
            let task = self.task(id)?;
            let is_asked = |attempt: &&Attempt| {
                attempt.task == task && repetition.is_none_or(|repetition| repetition == attempt.repetition)
            };
            let before = attempts.len();
            attempts.extend(lost.iter().filter(is_asked).copied());
            if attempts.len() == before {
                return Err(say!("no attempt at {task} has failed for technical reasons", task = id));
            }
        }
        if asked.is_empty() {
            attempts = lost;
        }
        if attempts.is_empty() {
            return Err(say!("no attempt has failed for technical reasons"));
        }
        let mut attempts: Vec<RetriedAttempt> =
            attempts.into_iter().map(|attempt| self.name(attempt)).collect();
        attempts.sort();
        attempts.dedup();
        Ok(RunChange::Retry { attempts })
    }

    fn task(&self, id: &str) -> Result<usize, Sentence> {
        let task = self.shared.tasks.iter().position(|task| task.id == id);
        task.ok_or_else(|| say!("the run has no task {task}", task = id))
    }

    fn name(&self, attempt: Attempt) -> RetriedAttempt {
        let task = self.shared.tasks[attempt.task].id.clone();
        RetriedAttempt { task, repetition: Some(attempt.repetition) }
    }

    /// Records changes and makes them. The result is sent after the record is safe.
    async fn made(&mut self, changes: Vec<RunChange>, model: Option<Arc<dyn ModelAdapter>>) -> ChangeResult {
        let (before, mut records) = (self.changes.len(), Vec::new());
        for change in changes {
            let record = ChangeRecord {
                at_ms: self.ports.clock.now_ms(),
                done: self.table.tally().done as u32,
                change,
            };
            let under_way = if record.change.is_limit() { self.names_under_way() } else { Vec::new() };
            let ChangeRecord { at_ms, done, change } = record.clone();
            self.journal(&JournalLine::Change { at_ms, done, change, under_way });
            if let Err(StoreError(cause)) = self.apply(&record.change, model.as_ref()) {
                self.fail(cause);
            }
            self.changes.push(record.clone());
            self.event(RunEventKind::RunChanged { record: record.clone(), planned: self.planned() as u32 });
            records.push(record);
        }
        let work = self.ports.log.as_mut().map_or(Ok(None), |log| log.sync());
        let safe = match work {
            Ok(Some(work)) => make_safe(work).await,
            other => other.map(drop),
        };
        if let Err(StoreError(cause)) = safe {
            self.fail(cause);
        }
        disk_work(|| self.manifest(None, None));
        debug_assert_eq!(self.changes.len(), before + records.len(), "each change is recorded once");
        match &self.failure {
            Some(cause) => Err(cause.clone()),
            None => Ok(records),
        }
    }

    /// Attempts that have begun and not ended, also those that an earlier start began.
    fn names_under_way(&self) -> Vec<RetriedAttempt> {
        let in_flight = self.under_way.iter();
        let in_flight =
            in_flight.map(|(task, repetition)| self.name(Attempt { task: *task, repetition: *repetition }));
        let earlier = self
            .steps
            .keys()
            .map(|(task, repetition)| RetriedAttempt { task: task.clone(), repetition: Some(*repetition) });
        let names: BTreeSet<RetriedAttempt> = in_flight.chain(earlier).collect();
        names.into_iter().collect()
    }

    fn apply(&mut self, change: &RunChange, model: Option<&Arc<dyn ModelAdapter>>) -> Result<(), StoreError> {
        if change.is_limit() {
            let limits = AttemptLimits::of(&self.spec);
            for attempt in self.steps.keys() {
                self.limits.entry(attempt.clone()).or_insert(limits);
            }
        }
        change.apply(Arc::make_mut(&mut self.spec));
        match change {
            RunChange::Concurrency { to, .. } => {
                if let Some(limits) = self.ports.model.limits() {
                    limits.limiter.set(*to);
                }
            }
            RunChange::MaxCost { .. } | RunChange::MaxTotalTokens { .. } => {
                let caps = Caps { cost: self.spec.max_cost, tokens: self.spec.max_total_tokens };
                self.changed_caps = Some(caps);
                if let Some(limits) = self.ports.model.limits() {
                    limits.budget.set_caps(caps);
                }
            }
            RunChange::BaseUrl { .. } => {
                if let Some(model) = model {
                    self.ports.model.move_to(Arc::clone(model));
                }
                if let Some(limits) = self.ports.model.limits() {
                    limits.limiter.renew();
                }
                self.unanswered.clear();
                self.unanswered_in_a_row = 0;
                if matches!(self.ports.pause.held(), Held::ForServer(_)) {
                    self.ports.pause.set(false);
                }
            }
            RunChange::LeaveOut { tasks } => {
                for task in tasks {
                    self.leave_out(task);
                }
            }
            RunChange::Retry { attempts } => {
                let names: Vec<(&str, Option<u32>)> =
                    attempts.iter().map(|attempt| (attempt.task.as_str(), attempt.repetition)).collect();
                let lost: Vec<(Attempt, LinePlace)> = self.table.lost().collect();
                for (attempt, place) in lost {
                    let id = self.shared.tasks[attempt.task].id.as_str();
                    if names.contains(&(id, Some(attempt.repetition))) {
                        self.reopen(attempt, place)?;
                    }
                }
            }
            RunChange::MaxSteps { .. } | RunChange::Timeout { .. } | RunChange::Judges { .. } => {}
        }
        Ok(())
    }

    /// Leaves a task out, in this start or in an earlier one.
    pub(super) fn leave_out(&mut self, id: &str) {
        if let Ok(task) = self.task(id) {
            let level = self.shared.tasks[task].level.clone();
            self.table.leave_out(task, &level, &self.plan);
        }
    }

    /// Puts a failed attempt back.
    fn reopen(&mut self, attempt: Attempt, place: LinePlace) -> Result<(), StoreError> {
        let Some(log) = self.ports.log.as_mut() else { return Ok(()) };
        let record = disk_work(|| log.attempt(place))?;
        let summary = AttemptSummary::from_record(record.into(), place);
        self.table.reopen(attempt, self.plan.number(attempt), &summary);
        // The log of the level has the failure.
        self.written.retain(|level| *level != summary.level);
        self.again.push_back(attempt);
        Ok(())
    }
}

/// Whether a change alters anything.
fn is_needed(change: &RunChange) -> bool {
    match change {
        RunChange::Concurrency { to, from } | RunChange::MaxSteps { to, from } => Some(*to) != *from,
        RunChange::Timeout { to, from } => Some(*to) != *from,
        RunChange::MaxCost { to, from } => to != from,
        RunChange::MaxTotalTokens { to, from } => to != from,
        // The address may hold a key that no record has, so the same text may be another address.
        RunChange::BaseUrl { .. } => true,
        RunChange::Judges { to, from, .. } => to != from,
        RunChange::LeaveOut { tasks } => !tasks.is_empty(),
        RunChange::Retry { attempts } => !attempts.is_empty(),
    }
}
