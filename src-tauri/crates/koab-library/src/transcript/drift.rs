//! Compares the tool calls of a run with other cached responses, to show which results would differ
//! now.
//!
//! Each call is repeated with its original arguments and the tools of the compared state. A call
//! that these tools reject has no result now. Failures that a task injected have a kind of their
//! own, because no cached response answers such a call. All other failures are only counted as
//! errors.

use super::{OpenRun, attempt};
use crate::Library;
use crate::wire::{CallDrift, CallDriftKind, DriftTotals, RunDrift, TaskDrift, ToolDrift};
use koab_core::catalog::ToolCatalog;
use koab_core::changes::changes;
use koab_core::event::AnswerSource;
use koab_core::level::Level;
use koab_core::log::LoggedTask;
use koab_core::run_record::CallRecord;
use koab_core::sanitize::sanitize;
use koab_core::sentence::ToSentence;
use koab_core::tool::ToolFault;
use koab_store::CacheState;
use koab_store::run_log::attempt_at;
use koab_store::snapshots::RecordedAnswer;
use koab_workspace::WireError;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Maximum number of differences per call: when a whole run is compared, and when one task is
/// compared.
const MAX_PLACES: (usize, usize) = (8, 60);

/// A call in the run's files.
struct OriginalCall {
    step: Option<u32>,
    tool: String,
    arguments: Map<String, Value>,
    outcome: Outcome,
}

/// Outcome of a call in the run.
enum Outcome {
    Result(Value),
    NotKept,
    Miss,
    Injected,
    Error,
}

/// A call, with the error message that the model received; `None` if it received none.
type CallBefore = (OriginalCall, Option<String>);

impl Library {
    /// Compares the results of a run's tool calls with another state of cached responses.
    ///
    /// `against` is `pack` for the cached responses of the run's pack, `now` for these and the
    /// saved responses, or the name of a snapshot. If the run's pack is not installed, the active
    /// pack is used. `task` limits the comparison to one task and returns more differences per
    /// call.
    ///
    /// # Errors
    /// When the run, task, pack or snapshot does not exist, or a file cannot be read.
    pub fn drift(&self, run: &str, against: &str, task: Option<&str>) -> Result<RunDrift, WireError> {
        let opened = self.open_run(run)?;
        let own = opened.pack();
        let of = self.packs.state_of(against, pack_for_drift(self, own.as_deref())?.as_deref())?;
        let state = self.workspace.store()?.state(&of)?;
        let mut drift = RunDrift {
            run: opened.entry.id.clone(),
            pack: own,
            against: self.packs.state_view(&of, &state)?,
            totals: DriftTotals::default(),
            tools: Vec::new(),
            tasks: Vec::new(),
        };
        let mut check = DriftCheck {
            catalog: ToolCatalog::new(state.pack()?.tools),
            state,
            places: if task.is_some() { MAX_PLACES.1 } else { MAX_PLACES.0 },
            tools: BTreeMap::new(),
        };
        for level in opened.levels() {
            for (id, repetition, calls) in calls_of(self, &opened, level, task)? {
                let mut task_drift = TaskDrift {
                    task: id,
                    level: level.clone(),
                    repetition,
                    totals: DriftTotals::default(),
                    calls: Vec::with_capacity(calls.len()),
                };
                for (place, call) in calls.into_iter().enumerate() {
                    let call = check.compare(place, call)?;
                    task_drift.totals.count(call.kind);
                    drift.totals.count(call.kind);
                    task_drift.calls.push(call);
                }
                drift.tasks.push(task_drift);
            }
        }
        if let Some(task) = task {
            // A task without calls is left out, but a missing task is an error.
            self.level_of(&opened, task, &opened.journal.of_task(task))?;
        }
        drift.tasks.retain(|task_drift| !task_drift.calls.is_empty());
        drift.tools = check.tools.into_iter().map(|(tool, totals)| ToolDrift { tool, totals }).collect();
        Ok(drift)
    }
}

/// Returns the pack that a run is compared with for `pack` and `now`: the run's own pack, in
/// the version of the run if this version is installed.
fn pack_for_drift(library: &Library, label: Option<&str>) -> Result<Option<String>, WireError> {
    let Some(label) = label else { return Ok(None) };
    let name = library.workspace.pack_of_label(label)?;
    Ok(library.workspace.store()?.pack_info(&name).is_ok().then_some(name))
}

/// Returns the calls of a level: those of every attempt in the journal, or otherwise those in
/// the log of the level.
fn calls_of(
    library: &Library,
    opened: &OpenRun,
    level: &Level,
    task: Option<&str>,
) -> Result<Vec<(String, u32, Vec<CallBefore>)>, WireError> {
    let is_requested = |id: &str| task.is_none_or(|task| task == id);
    let mut lines: Vec<_> = opened.journal.attempts().collect();
    lines.retain(|line| line.level == *level);
    if !lines.is_empty() || !opened.entry.run.levels.contains_key(level) {
        lines.sort_by(|a, b| (&a.task, a.repetition).cmp(&(&b.task, b.repetition)));
        let mut attempts = Vec::new();
        for line in lines.into_iter().filter(|line| is_requested(&line.task)) {
            let record = attempt_at(&opened.entry.run.folder, line.place())?;
            let calls = record.calls.iter().map(call_before).collect();
            attempts.push((record.task, record.repetition, calls));
        }
        return Ok(attempts);
    }
    let log = library.level(opened, level)?;
    let tasks = log.tasks.iter().filter(|logged| is_requested(&logged.id));
    Ok(tasks.map(|logged| (logged.id.clone(), 1, calls_before(logged))).collect())
}

fn call_before(call: &CallRecord) -> CallBefore {
    let outcome = match (call.source, &call.result) {
        (AnswerSource::Injected, _) => Outcome::Injected,
        (AnswerSource::Miss, _) => Outcome::Miss,
        (_, Some(result)) if call.success => Outcome::Result(result.clone()),
        (_, None) if call.success => Outcome::NotKept,
        _ => Outcome::Error,
    };
    let then = OriginalCall {
        step: Some(call.step),
        tool: call.tool.clone(),
        arguments: call.arguments.as_object().cloned().unwrap_or_default(),
        outcome,
    };
    (then, call.error.clone())
}

/// Returns the calls of a task in a log. A failure of the tool whose failure the task injects
/// counts as injected, as in [`attempt`].
fn calls_before(task: &LoggedTask) -> Vec<CallBefore> {
    let injected = task.get("error_injection").get("tool").and_then(Value::as_str);
    let results = attempt::shown_results(task);
    let calls = task.calls.iter().enumerate();
    calls
        .map(|(i, call)| {
            let outcome = if call.failed() && injected.is_some_and(|tool| call.is_to(tool)) {
                Outcome::Injected
            } else if call.not_recorded {
                Outcome::Miss
            } else if !call.succeeded() {
                Outcome::Error
            } else if !call.result.is_null() {
                Outcome::Result(call.result.clone())
            } else {
                // A log leaves out results that are falsy in Python; the conversation has them.
                match results.get(i) {
                    Some(result) => Outcome::Result(attempt::readable(result)),
                    None => Outcome::NotKept,
                }
            };
            let then = OriginalCall {
                step: call.step.as_u64().map(|step| step as u32),
                tool: call.name().unwrap_or_default().to_owned(),
                arguments: call.args.as_object().cloned().unwrap_or_default(),
                outcome,
            };
            (then, call.error.as_str().map(str::to_owned))
        })
        .collect()
}

/// The state that calls are compared with, and the totals of the comparison.
struct DriftCheck {
    state: CacheState,
    catalog: ToolCatalog,
    places: usize,
    tools: BTreeMap<String, DriftTotals>,
}

impl DriftCheck {
    fn compare(&mut self, place: usize, (then, error): CallBefore) -> Result<CallDrift, WireError> {
        let now = self.now(&then.tool, &then.arguments)?;
        let (kind, places) = match (&then.outcome, &now) {
            (Outcome::Injected, _) => (CallDriftKind::Injected, None),
            (Outcome::Error, _) => (CallDriftKind::ErrorThen, None),
            (Outcome::NotKept, _) => (CallDriftKind::NotKept, None),
            (Outcome::Miss, Ok(_)) => (CallDriftKind::Found, None),
            (Outcome::Miss, Err(_)) => (CallDriftKind::StillMissing, None),
            (Outcome::Result(_), Err(_)) => (CallDriftKind::Missing, None),
            (Outcome::Result(result), Ok(found)) => {
                // Cached responses were truncated and their keys removed at the import.
                let mut result = result.clone();
                sanitize(&then.tool, &mut result);
                koab_store::import::redact(&mut result);
                let places = changes(&result, &found.data, self.places);
                match places.total {
                    0 => (CallDriftKind::Same, None),
                    _ => (CallDriftKind::Differs, Some(places)),
                }
            }
        };
        self.tools.entry(then.tool.clone()).or_default().count(kind);
        let (found, fault) = match now {
            Ok(found) => (Some(found), None),
            Err(fault) => (None, Some(fault)),
        };
        Ok(CallDrift {
            call: place as u32,
            step: then.step,
            tool: then.tool,
            arguments: Value::Object(then.arguments).into(),
            kind,
            error,
            reason: fault.map(|fault| fault.to_sentence()),
            recorded_at: found.as_ref().map(|found| found.created_at.clone()),
            origin: found.and_then(|found| found.origin),
            places,
        })
    }

    /// Returns the response that the call would get now, or the reason why it would get none. Only
    /// unreadable data is an error.
    fn now(
        &self,
        tool: &str,
        raw: &Map<String, Value>,
    ) -> Result<Result<RecordedAnswer, ToolFault>, WireError> {
        let normalized = match self.catalog.normalized(tool, raw) {
            Ok(normalized) => normalized,
            Err(fault) => return Ok(Err(fault)),
        };
        let missing =
            || ToolFault::NotCached { tool: tool.to_owned(), key: self.catalog.key(tool, &normalized) };
        Ok(self.state.find(tool, &normalized)?.ok_or_else(missing))
    }
}

#[cfg(test)]
mod tests;
