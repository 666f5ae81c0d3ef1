//! Shows the tasks of a run one by one: the conversation, the calls compared with the golden path,
//! the scores and the reasons for the scores.
//!
//! The data is read from the run's journal, or from the published logs of a run without a journal.
//! Nothing is written, and no API is called. Recently read files remain in memory ([`cache`]),
//! because users step through tasks. [`attempt`] makes a conversation of an attempt, and [`scores`]
//! makes the scores. Verdicts come from reports and, in [`answers`], from the store; [`verdicts`]
//! decides which of them count.

mod answers;
pub(crate) mod attempt;
mod branch;
pub(crate) mod cache;
mod drift;
mod judge_texts;
mod live;
mod opened;
mod scores;
mod verdicts;

pub use answers::by_judge;
pub use answers::votes_of;
pub use branch::Recorded;

use crate::Library;
use crate::conduct;
use crate::forkable::no_fork;
use crate::wire::{RawTranscript, Repetition, RunTask, TaskStatus, Transcript};
use attempt::AttemptWithGolden;
use koab_core::event::LevelPlan;
use koab_core::level::Level;
use koab_core::log::{LevelLog, LoggedTask, SkippedTask};
use koab_core::protocol::Protocol;
use koab_core::run_record::published::{LogHeader, TaskAttempts, level_log};
use koab_core::run_record::{AttemptSummary, RunManifest, RunSpec};
use koab_core::task::Task;
use koab_store::journal_index::JournalIndex;
use koab_store::run_log::attempt_at;
use koab_store::runs::RunEntry;
use koab_workspace::WireError;
use scores::ScoredTask;
use serde_json::Value;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

/// A run that is open for reading.
pub struct OpenRun {
    /// Id and folder of the run.
    pub entry: RunEntry,
    /// Content of `run.json`; `None` for a run that another program made.
    pub manifest: Option<RunManifest>,
    /// Positions of the attempts in the journal; empty without a journal.
    pub journal: Arc<JournalIndex>,
}

impl OpenRun {
    /// Returns the settings of the run; `None` if another program made the run.
    pub fn spec(&self) -> Option<&RunSpec> {
        Some(&self.manifest.as_ref()?.spec)
    }

    fn protocol(&self) -> Option<Protocol> {
        Some(self.spec()?.settings.protocol)
    }

    /// Returns the pack of the run, `name@version`, if the run's files contain it.
    pub fn pack(&self) -> Option<String> {
        let label = self.spec().map(|spec| spec.pack.clone());
        label.or_else(|| self.entry.run.pack_of_logs())
    }

    /// Returns the planned tasks of each level; empty if another program made the run.
    pub(crate) fn planned(&self) -> &[LevelPlan] {
        self.manifest.as_ref().map(|manifest| manifest.levels.as_slice()).unwrap_or_default()
    }

    /// Returns all levels that the run has planned or has logs for, in order.
    pub(crate) fn levels(&self) -> BTreeSet<&Level> {
        let levels = self.planned().iter().map(|plan| &plan.level);
        levels.chain(self.entry.run.levels.keys()).collect()
    }
}

impl Library {
    /// Returns the tasks of a run, ordered by level and then as in the dataset.
    ///
    /// # Errors
    /// When the run does not exist, or its files cannot be read.
    pub fn run_tasks(&self, run: &str) -> Result<Vec<RunTask>, WireError> {
        let opened = self.open_run(run)?;
        let pack = self.pack_of(&opened)?;
        let mut tasks = Vec::new();
        let plans = opened.planned();
        let level_plan = |level: &Level| plans.iter().find(|plan| plan.level == *level);
        for level in opened.levels() {
            let in_journal = opened.journal.attempts().any(|line| line.level == *level);
            if let Some(LevelPlan { tasks: ids, .. }) = level_plan(level)
                && (in_journal || !opened.entry.run.levels.contains_key(level))
            {
                let instruction = |id: &str| Some(pack.as_ref()?.task(id)?.instruction().to_owned());
                tasks.extend(ids.iter().map(|id| in_plan(level, id, instruction(id), &opened.journal)));
            } else if opened.entry.run.levels.contains_key(level) {
                let log = self.level(&opened, level)?;
                let mut logged: Vec<(usize, RunTask)> = Vec::new();
                logged.extend(log.tasks.iter().map(|task| (task.position, in_log(level, task))));
                logged.extend(log.skipped.iter().map(|task| (task.position, unreadable(level, task))));
                logged.sort_by_key(|(position, _)| *position);
                tasks.extend(logged.into_iter().map(|(_, task)| task));
            }
        }
        Ok(tasks)
    }

    /// Returns the transcript of one task of a run.
    ///
    /// `report` names the report whose verdicts count. Without it, the verdicts of the run's own
    /// reports count. `repetition` counts from 1, and the default is 1.
    ///
    /// # Errors
    /// When the run has no such task, the report does not exist, or a file cannot be read.
    pub fn transcript(
        &self,
        run: &str,
        task: &str,
        report: Option<&str>,
        repetition: Option<u32>,
    ) -> Result<Transcript, WireError> {
        let number = repetition.unwrap_or(1).max(1);
        // Checked before the files are read, so that an attempt which ends meanwhile is found in
        // them.
        let under_way = self.live_run(run).is_some_and(|live| live.awaits(task, number));
        let opened = self.open_run(run)?;
        let pack = self.pack_of(&opened)?;
        let lines = opened.journal.of_task(task);
        let level = self.level_of(&opened, task, &lines)?;
        let pack_task = pack.as_ref().and_then(|pack| pack.task(task));
        let log = self.scored_log(&opened, &level, task, pack_task, &lines)?;
        let logged = log.as_ref().and_then(|log| log.tasks.iter().find(|logged| logged.id == task));
        let (pack_task, other) = same_task(pack_task, logged);
        let fact = |key: &str| match (pack_task.and_then(|pack_task| pack_task.raw.get(key)), logged) {
            (Some(value), _) => value.clone(),
            (None, Some(logged)) => logged.get(key).clone(),
            (None, None) => Value::Null,
        };
        let line = lines.iter().find(|line| line.repetition == number);
        let record = line.map(|line| attempt_at(&opened.entry.run.folder, line.place())).transpose()?;
        // An attempt that failed for technical reasons is in the journal while it is made again.
        let is_ended = record.as_ref().is_some_and(|record| !record.stop.is_technical());
        let so_far = match pack_task.filter(|_| under_way && !is_ended) {
            Some(task) => opened.attempt_so_far(task, number)?,
            None => None,
        };
        let beside = match (&so_far, &record, logged) {
            (Some(so_far), ..) => Some(attempt::from_unfinished(so_far, fact)),
            (None, Some(record), _) => Some(attempt::from_record(record, fact)),
            (None, None, Some(logged)) if number == 1 => Some(attempt::from_log(&level, logged)),
            _ => None,
        };
        let dataset = pack_task.map(|pack_task| Value::Object(pack_task.raw.clone()));
        let items = self.items_of(&level, opened.pack().as_deref())?;
        let scored = log.as_deref().zip(logged).map(|(log, task)| ScoredTask {
            log,
            task,
            dataset: dataset.as_ref(),
            items: items.as_ref(),
        });
        let judging = self.judged(&opened, &level, task, report, scored.as_ref(), pack.as_deref())?;
        let first = lines.first().map_or(1, |line| line.repetition);
        let (mut attempt, golden) = match beside {
            Some(AttemptWithGolden { attempt, golden }) => (Some(attempt), golden),
            None => (None, Vec::new()),
        };
        let facts = record.as_ref().and_then(|record| record.agent.as_deref());
        if let (Some(attempt), Some(facts), None) = (&mut attempt, facts, &so_far) {
            let folder = &opened.entry.run.folder;
            attempt.agent = Some(conduct::of_attempt(folder, task, attempt.repetition, facts));
        }
        let attempt_is_scored = attempt.as_ref().is_some_and(|attempt| {
            so_far.is_none()
                && attempt.repetition == first
                && logged.is_some_and(|logged| logged.calls.len() == attempt.calls.len())
        });
        let text = |key: &str| fact(key).as_str().map(ToOwned::to_owned);
        Ok(Transcript {
            run: opened.entry.id.clone(),
            task: task.to_owned(),
            no_fork: no_fork(opened.spec(), task, &level),
            level,
            model: self.model_name(
                &self.model_of(&opened, log.as_deref()),
                opened.spec().and_then(|spec| spec.base_url.as_deref()),
            ),
            pack: opened.pack(),
            protocol: opened.protocol(),
            category: text("task_category").or_else(|| text("category")),
            instruction: text("instruction").unwrap_or_default(),
            injection: attempt::injection(&fact("error_injection")),
            dataset: dataset.map(Into::into),
            other_instruction: other,
            golden,
            repetitions: repetitions(&lines, logged, opened.spec().map(|spec| spec.settings.repetitions)),
            attempt,
            under_way: under_way && !is_ended,
            attempt_is_scored,
            metrics: judging.metrics,
            verdicts: judging.verdicts,
            questions: judging.questions,
            reports: judging.reports,
        })
    }

    /// Returns the task's entry in the log of the level, and the record of the repetition in the
    /// journal.
    ///
    /// # Errors
    /// Every error of [`Library::transcript`].
    pub fn transcript_raw(
        &self,
        run: &str,
        task: &str,
        repetition: Option<u32>,
    ) -> Result<RawTranscript, WireError> {
        let opened = self.open_run(run)?;
        let lines = opened.journal.of_task(task);
        let level = self.level_of(&opened, task, &lines)?;
        let log = if opened.entry.run.levels.contains_key(&level) {
            let mut document = opened.entry.run.level(&level)?;
            let entries = document["results"].as_array_mut();
            let of_task = |entry: &&mut Value| entry["task_id"].as_str() == Some(task);
            entries.and_then(|entries| entries.iter_mut().find(of_task).map(Value::take))
        } else {
            None
        };
        let number = repetition.unwrap_or(1);
        let line = lines.iter().find(|line| line.repetition == number);
        let record = line.map(|line| attempt_at(&opened.entry.run.folder, line.place())).transpose()?;
        let attempt = record.map(serde_json::to_value).transpose().map_err(WireError::internal)?;
        Ok(RawTranscript { log: log.map(Into::into), attempt: attempt.map(Into::into) })
    }

    /// Returns the log that a task is scored from: the log of its level, or otherwise a log of this
    /// task alone. The latter is made from the task's attempts, in the form that the run will
    /// write.
    fn scored_log(
        &self,
        opened: &OpenRun,
        level: &Level,
        task: &str,
        pack_task: Option<&Task>,
        lines: &[&AttemptSummary],
    ) -> Result<Option<Arc<LevelLog>>, WireError> {
        if opened.entry.run.levels.contains_key(level) {
            let log = self.level(opened, level)?;
            if log.tasks.iter().any(|logged| logged.id == task) {
                return Ok(Some(log));
            }
        }
        let (Some(pack_task), Some(protocol)) = (pack_task, opened.protocol()) else {
            return Ok(None);
        };
        let folder = &opened.entry.run.folder;
        let Some(first) = lines.first() else {
            return Ok(None);
        };
        let attempts = TaskAttempts {
            first: attempt_at(folder, first.place())?,
            successes: lines.iter().map(|line| line.success).collect(),
        };
        let header = LogHeader {
            model: opened.spec().map_or("", |spec| &spec.model),
            timestamp: "",
            protocol,
            repetitions: lines.len() as u32,
        };
        let document = level_log(&header, level, [(pack_task, attempts)]);
        let log = LevelLog::read_as(level.clone(), &document).map_err(WireError::internal)?;
        Ok(Some(Arc::new(log)))
    }
}

/// Returns the task of the pack, unless its instruction differs from that in the log, because
/// another pack may have another task with the same id.
///
/// If the instruction differs, the second value is the pack's instruction.
fn same_task<'a>(task: Option<&'a Task>, logged: Option<&LoggedTask>) -> (Option<&'a Task>, Option<String>) {
    match task {
        Some(task)
            if logged
                .is_some_and(|logged| logged.get("instruction").as_str() != Some(task.instruction())) =>
        {
            (None, Some(task.instruction().to_owned()))
        }
        task => (task, None),
    }
}

fn in_plan(level: &Level, id: &str, instruction: Option<String>, journal: &JournalIndex) -> RunTask {
    let lines = journal.of_task(id);
    let first = lines.first();
    RunTask {
        id: id.to_owned(),
        level: level.clone(),
        instruction,
        status: first.map_or(TaskStatus::Waiting, |line| attempt::status_of(line.success, line.stop)),
        success: first.map(|line| line.success),
        stop: first.map(|line| line.stop),
        error: first.and_then(|line| line.error().cloned()),
        // Other benchmarks execute no tools.
        calls: first.filter(|_| level.place().is_some()).map(|line| line.calls),
        steps: first.map(|line| line.steps),
        took_ms: first.map(|line| line.took_s * 1000.0),
        total_tokens: first.and_then(|line| line.total_tokens()),
        repetitions: lines.len() as u32,
    }
}

fn in_log(level: &Level, task: &LoggedTask) -> RunTask {
    let tokens = task.get("token_usage").get("total_tokens").and_then(Value::as_u64);
    RunTask {
        id: task.id.clone(),
        level: level.clone(),
        instruction: task.get("instruction").as_str().map(ToOwned::to_owned),
        status: attempt::status_in_log(task),
        success: task.get("success").as_bool(),
        stop: None,
        error: attempt::error_in_log(task),
        calls: level.place().map(|_| task.calls.len() as u32),
        steps: task.get("steps_taken").as_u64().map(|steps| steps as u32),
        took_ms: task.get("execution_time").as_f64().map(|seconds| seconds * 1000.0),
        total_tokens: tokens.filter(|tokens| *tokens > 0),
        repetitions: task.ends().len().max(1) as u32,
    }
}

fn unreadable(level: &Level, task: &SkippedTask) -> RunTask {
    RunTask {
        id: task.id.clone(),
        level: level.clone(),
        instruction: None,
        status: TaskStatus::Unreadable,
        success: None,
        stop: None,
        error: Some(task.reason.clone()),
        calls: None,
        steps: None,
        took_ms: None,
        total_tokens: None,
        repetitions: 0,
    }
}

/// Maximum number of waiting repetitions in a list. The number of ended repetitions is added to it.
const MAX_WAITING: usize = 1000;

/// Returns the repetitions of a task, from the journal's `lines` or, without any, from the log.
///
/// With a journal, these are the repetitions that have ended and the next that wait for their
/// start. A log keeps the conversation of repetition 1 only; of the others it has only whether they
/// ended with an answer.
fn repetitions(
    lines: &[&AttemptSummary],
    logged: Option<&LoggedTask>,
    planned: Option<u32>,
) -> Vec<Repetition> {
    if !lines.is_empty() || logged.is_none() {
        let from_journal = lines.iter().map(|line| Repetition {
            repetition: line.repetition,
            status: attempt::status_of(line.success, line.stop),
            kept: true,
        });
        let mut all: Vec<Repetition> = from_journal.collect();
        let numbers: HashSet<u32> = all.iter().map(|ended| ended.repetition).collect();
        let waiting = (1..=planned.unwrap_or(1)).filter(|repetition| !numbers.contains(repetition));
        // A plan may have millions of repetitions; only the next ones are listed.
        let next = waiting.take(lines.len() + MAX_WAITING).map(|repetition| Repetition {
            repetition,
            status: TaskStatus::Waiting,
            kept: false,
        });
        all.extend(next);
        all.sort_by_key(|repetition| repetition.repetition);
        return all;
    }
    let results = logged.map_or(&[][..], LoggedTask::ends);
    let first = logged.map_or(TaskStatus::Waiting, attempt::status_in_log);
    let later = results.iter().skip(1).enumerate().map(|(i, result)| Repetition {
        repetition: i as u32 + 2,
        status: if *result { TaskStatus::Answered } else { TaskStatus::Unanswered },
        kept: false,
    });
    let first = Repetition { repetition: 1, status: first, kept: true };
    std::iter::once(first).chain(later).collect()
}
