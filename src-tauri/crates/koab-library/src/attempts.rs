//! The attempts of a run that its published logs do not contain.
//!
//! They are read from the journal and converted to the form of the logs. So the same metrics score
//! them, and judges get the same questions about them (`docs/design/comparison.md`).

use koab_core::log::{LevelLog, LoggedTask};
use koab_core::protocol::Protocol;
use koab_core::python::truthy;
use koab_core::reason::Reason;
use koab_core::run_record::published::entry_of;
use koab_core::run_record::{AttemptSummary, RunSpec, StopReason};
use koab_report::Report;
use koab_report::repetitions::{AttemptFact, Collection, Repetitions};
use koab_store::journal_index::JournalIndex;
use koab_store::run_log::attempt_at;
use koab_workspace::WireError;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// All attempts of a run with several attempts at a task. Of the later attempts, only the positions
/// in the journal are in memory.
pub struct Attempts {
    /// Number of planned attempts per task.
    planned: u32,
    /// Largest number of attempts that a task has.
    pub(crate) most: u32,
    /// Whether judges are asked only about the attempts in the logs.
    pub(crate) first_only: bool,
    folder: PathBuf,
    journal: Arc<JournalIndex>,
    protocol: Protocol,
    /// Number of tasks per level that are scored, from the first.
    sample: usize,
}

impl Attempts {
    /// Collects the attempts of a run at the first `sample` tasks of each level. `None` if each
    /// task has only one attempt.
    pub(crate) fn read(
        logs: &[LevelLog],
        folder: &Path,
        spec: Option<&RunSpec>,
        journal: Arc<JournalIndex>,
        first_only: bool,
        sample: Option<usize>,
    ) -> Option<Self> {
        let mut attempts = Self {
            planned: spec.map_or(1, |spec| spec.settings.repetitions),
            most: 1,
            first_only,
            folder: folder.to_owned(),
            journal,
            protocol: spec.map(|spec| spec.settings.protocol).unwrap_or_default(),
            sample: sample.unwrap_or(usize::MAX),
        };
        attempts.most = attempts.tasks(logs).fold(1, |most, (log, task)| {
            let lines = attempts.lines(log, task);
            let own = match lines.last() {
                Some(last) => last.repetition,
                None => in_log(log, task).len() as u32,
            };
            most.max(own)
        });
        attempts.planned = attempts.planned.max(attempts.most);
        // Planned attempts alone do not count: without a second attempt there is nothing to
        // compare.
        (attempts.most > 1).then_some(attempts)
    }

    /// Returns the tasks that are scored, each with its log.
    fn tasks<'a>(
        &self,
        logs: &'a [LevelLog],
    ) -> impl Iterator<Item = (&'a LevelLog, &'a LoggedTask)> + use<'a> {
        let sample = self.sample;
        logs.iter().flat_map(move |log| {
            let tasks = log.tasks.iter().filter(move |task| task.position < sample);
            tasks.map(move |task| (log, task))
        })
    }

    /// Returns the entries of the journal for a task, in the order of repetitions.
    fn lines(&self, log: &LevelLog, task: &LoggedTask) -> Vec<&AttemptSummary> {
        let lines = self.journal.of_task(&task.id).into_iter();
        lines.filter(|line| line.level == log.level).collect()
    }

    /// Returns the attempts that the logs of the run do not contain, in the form of logs, one
    /// repetition after the other.
    pub(crate) fn later<'a>(
        &'a self,
        logs: &'a [LevelLog],
    ) -> impl Iterator<Item = Result<(u32, Vec<LevelLog>), WireError>> + 'a {
        let firsts: Vec<(&LevelLog, &LoggedTask, Option<u32>)> = self
            .tasks(logs)
            .map(|(log, task)| (log, task, self.lines(log, task).first().map(|line| line.repetition)))
            .collect();
        let read = move |repetition: u32| {
            let mut later: Vec<LevelLog> = Vec::new();
            for (log, task, first) in &firsts {
                let line = self.journal.attempt(&task.id, repetition);
                let line = line.filter(|line| line.level == log.level && *first != Some(repetition));
                let Some(line) = line else { continue };
                let entry = entry_of(task.entry(), self.protocol, &attempt_at(&self.folder, line.place())?);
                if later.last().is_none_or(|last| last.level != log.level) {
                    later.push(LevelLog {
                        level: log.level.clone(),
                        metadata: log.metadata.clone(),
                        tasks: Vec::new(),
                        skipped: Vec::new(),
                    });
                }
                if let Some(own) = later.last_mut() {
                    match LoggedTask::read(task.position, &entry) {
                        Ok(task) => own.tasks.push(task),
                        Err(skipped) => own.skipped.push(skipped),
                    }
                }
            }
            Ok((repetition, later))
        };
        let read = (1..=self.most).map(read);
        read.filter(|read| read.as_ref().map_or(true, |(_, later)| !later.is_empty()))
    }

    /// Scores all attempts. `logged` is the report of the attempts in the logs; `score` makes the
    /// report of a later repetition.
    ///
    /// # Errors
    /// When an attempt cannot be read from the journal.
    pub fn scored(
        &self,
        logs: &[LevelLog],
        logged: &Report,
        score: impl Fn(u32, &[LevelLog]) -> Report,
    ) -> Result<Repetitions, WireError> {
        let mut collection = Collection::new(self.planned, self.first_only, logged);
        for (log, task) in self.tasks(logs) {
            match self.lines(log, task).first() {
                Some(first) => collection.add(in_journal(first, true), Some(logged)),
                None => {
                    for fact in in_log(log, task) {
                        let report = fact.logged.then_some(logged);
                        collection.add(fact, report);
                    }
                }
            }
        }
        for read in self.later(logs) {
            let (repetition, later) = read?;
            let report = score(repetition, &later);
            for (log, task) in later.iter().flat_map(|log| log.tasks.iter().map(move |task| (log, task))) {
                if let Some(line) = self.journal.attempt(&task.id, repetition)
                    && line.level == log.level
                {
                    collection.add(in_journal(line, false), Some(&report));
                }
            }
            for (log, skipped) in later.iter().flat_map(|log| log.skipped.iter().map(move |task| (log, task)))
            {
                let line = self.journal.attempt(&skipped.id, repetition);
                if let Some(line) = line.filter(|line| line.level == log.level) {
                    collection.add(in_journal(line, false), Some(&report));
                }
            }
        }
        Ok(collection.finish())
    }
}

fn in_journal(line: &AttemptSummary, logged: bool) -> AttemptFact {
    let is_technical = line.stop.is_technical() || line.stop == StopReason::Cancelled;
    AttemptFact {
        level: line.level.clone(),
        task: line.task.to_string(),
        repetition: line.repetition,
        answered: line.success,
        technical: is_technical.then(|| {
            line.error()
                .cloned()
                .filter(|error| !error.is_empty())
                .unwrap_or_else(|| reason_of_end(line.stop).into())
        }),
        kept: true,
        logged,
    }
}

/// Returns the reason why an attempt without an error message ended.
fn reason_of_end(stop: StopReason) -> Reason {
    match stop {
        StopReason::TimedOut => Reason::TimeWasUp {},
        StopReason::BudgetSpent => Reason::BudgetWasSpent {},
        StopReason::Cancelled => Reason::RunWasCancelled {},
        StopReason::ModelFailed
        | StopReason::AgentFailed
        | StopReason::Answered
        | StopReason::CutOff
        | StopReason::StepLimit => Reason::ModelGaveNothing {},
    }
}

/// Returns the attempts that a log without a journal contains. One of them has its conversation,
/// the others have only their outcome.
fn in_log(log: &LevelLog, task: &LoggedTask) -> Vec<AttemptFact> {
    let fact = |repetition: u32, answered: bool, logged: bool| AttemptFact {
        level: log.level.clone(),
        task: task.id.clone(),
        repetition,
        answered,
        technical: None,
        kept: logged,
        logged,
    };
    let results = task.ends().iter().enumerate();
    let mut facts: Vec<AttemptFact> =
        results.map(|(place, answered)| fact(place as u32 + 1, *answered, place == 0)).collect();
    if facts.is_empty() {
        facts.push(fact(1, truthy(task.get("success")), true));
    }
    facts
}
