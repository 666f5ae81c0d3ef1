//! The attempts of a run that its published logs do not have: read from the journal, put into the logs' form, so that the
//! same metrics score them and the same questions are asked about them (`docs/design/comparison.md`).

use crate::Runs;
use crate::options::EvaluateOptions;
use crate::scoring::run::{Attempts, Run};
use crate::wire::WireError;
use koab_core::log::{LevelLog, LoggedTask};
use koab_core::python::truthy;
use koab_core::reason::Reason;
use koab_core::record::StopReason;
use koab_core::record::published::entry_of;
use koab_core::report::repetitions::AttemptFact;
use koab_store::journal_index::{AttemptLine, JournalIndex};
use std::collections::BTreeMap;

impl Runs {
    /// A run with all its attempts, as far as its files have several.
    ///
    /// # Errors
    /// When its journal cannot be read.
    pub(crate) fn with_attempts(&self, mut run: Run, options: &EvaluateOptions) -> Result<Run, WireError> {
        run.attempts = self.attempts_of(&run, options)?;
        Ok(run)
    }

    fn attempts_of(&self, run: &Run, options: &EvaluateOptions) -> Result<Option<Attempts>, WireError> {
        let folder = &run.entry.run.folder;
        let mut journal = JournalIndex::default();
        journal.update(folder)?;
        let spec = run.manifest.as_ref().map(|manifest| &manifest.spec);
        let protocol = spec.map(|spec| spec.protocol).unwrap_or_default();
        let mut facts: Vec<AttemptFact> = Vec::new();
        let mut later: BTreeMap<u32, Vec<LevelLog>> = BTreeMap::new();
        for log in &run.logs {
            let sampled = |task: &&LoggedTask| options.sample.is_none_or(|sample| task.position < sample);
            for task in log.tasks.iter().filter(sampled) {
                let lines = journal.of_task(&task.id);
                let lines: Vec<&AttemptLine> =
                    lines.into_iter().filter(|line| line.level == log.level).collect();
                let Some(first) = lines.first() else {
                    facts.extend(in_log(log, task));
                    continue;
                };
                for line in &lines {
                    let is_logged = line.repetition == first.repetition;
                    facts.push(in_journal(line, is_logged));
                    if is_logged {
                        continue;
                    }
                    let entry = entry_of(task.entry(), protocol, &line.read(folder)?);
                    let logs = later.entry(line.repetition).or_default();
                    let own = match logs.iter().position(|own| own.level == log.level) {
                        Some(place) => &mut logs[place],
                        None => {
                            logs.push(LevelLog {
                                level: log.level,
                                metadata: log.metadata.clone(),
                                tasks: Vec::new(),
                                skipped: Vec::new(),
                            });
                            let last = logs.len() - 1;
                            &mut logs[last]
                        }
                    };
                    match LoggedTask::read(task.position, &entry) {
                        Ok(task) => own.tasks.push(task),
                        Err(skipped) => own.skipped.push(skipped),
                    }
                }
            }
        }
        let most = facts.iter().map(|fact| fact.repetition).max().unwrap_or(1);
        let planned = spec.map_or(1, |spec| spec.repetitions).max(most);
        // A run that was to make several and made one each so far is not one with a single repetition.
        Ok((most > 1).then(|| Attempts {
            planned,
            first_only: options.first_repetition,
            facts,
            later: later.into_iter().collect(),
        }))
    }
}

fn in_journal(line: &AttemptLine, logged: bool) -> AttemptFact {
    let is_technical = line.stop.is_technical() || line.stop == StopReason::Cancelled;
    AttemptFact {
        level: line.level,
        task: line.task.clone(),
        repetition: line.repetition,
        answered: line.success,
        technical: is_technical.then(|| {
            line.error
                .clone()
                .filter(|error| !error.is_empty())
                .unwrap_or_else(|| stopped(line.stop).into())
        }),
        kept: true,
        logged,
    }
}

/// Why an attempt ended that left no error.
fn stopped(stop: StopReason) -> Reason {
    match stop {
        StopReason::TimedOut => Reason::TimeWasUp {},
        StopReason::BudgetSpent => Reason::BudgetWasSpent {},
        StopReason::Cancelled => Reason::RunWasCancelled {},
        StopReason::ModelFailed | StopReason::Answered | StopReason::CutOff | StopReason::StepLimit => {
            Reason::ModelGaveNothing {}
        }
    }
}

/// The attempts that a log without a journal tells of: one with its conversation, of the others how they ended.
fn in_log(log: &LevelLog, task: &LoggedTask) -> Vec<AttemptFact> {
    let fact = |repetition: u32, answered: bool, logged: bool| AttemptFact {
        level: log.level,
        task: task.id.clone(),
        repetition,
        answered,
        technical: None,
        kept: logged,
        logged,
    };
    let results = task.list("repetition_results").iter().enumerate();
    let mut facts: Vec<AttemptFact> = results
        .map(|(place, answered)| fact(place as u32 + 1, truthy(answered), place == 0))
        .collect();
    if facts.is_empty() {
        facts.push(fact(1, truthy(task.get("success")), true));
    }
    facts
}
