//! Level logs: rebuilt from the journal where there is one, else compared with their own counts.

use super::attempts::FirstAttempts;
use super::check::{CheckName, Findings};
use super::contents::{Contents, Log};
use super::journal::{no_run, place_of};
use super::names::{JOURNAL, level_log};
use super::texts::{AS_RUNS, Difference, LISTED, cut, differences, line};
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::python::{dumps, equal};
use koab_core::run_record::published::{LogHeader, TaskAttempts, level_log as log_of, metadata};
use koab_core::run_record::{AttemptSummary, Journal, RunManifest};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::task::Task;
use serde_json::Value;
use std::collections::BTreeSet;

pub(super) fn check(contents: &Contents, first: Option<&FirstAttempts>, findings: &mut Findings) {
    let before = findings.failures();
    of_one_run(contents, findings);
    let tasks: usize = contents.logs.values().map(|log| log.log.total()).sum();
    let levels = contents.logs.len();
    let said = match (&contents.run, &contents.journal, first) {
        (Some(run), Some(journal), Some(first)) => {
            let made = MadeLogs { journal, first };
            against_journal(contents, run, &made, findings);
            say!("{levels} level logs with {tasks} tasks are what the journal makes, byte for byte")
        }
        _ => {
            for (level, log) in &contents.logs {
                against_counts(*level, log, findings);
            }
            say!("{levels} level logs with {tasks} tasks agree with their own counts")
        }
    };
    findings.held_since(before, CheckName::Logs, "run", said);
}

/// What every log must say alike, and no task twice.
fn of_one_run(contents: &Contents, findings: &mut Findings) {
    let stated = contents.run.as_ref().map(|run| Value::from(run.model.as_str()));
    let first = contents.logs.values().next().map(|log| log.metadata("model"));
    let model = stated.as_ref().or(first).unwrap_or(&Value::Null);
    for (level, log) in &contents.logs {
        let mut fail = |said: Sentence| findings.failed(CheckName::Logs, level_log(*level), said);
        if log.metadata("model") != model {
            fail(say!(
                "is of the model {here}, and other logs are of {there}",
                here = line(log.metadata("model")),
                there = line(model)
            ));
        }
        if *log.metadata("level") != level.as_str() {
            fail(say!("says that it is of {stated}", stated = line(log.metadata("level"))));
        }
        let mut seen = BTreeSet::new();
        for task in &log.log.tasks {
            if !seen.insert(&task.id) {
                fail(say!("has the task {task} twice", task = task.id));
            }
        }
    }
}

fn against_journal(contents: &Contents, run: &RunManifest, made: &MadeLogs<'_>, findings: &mut Findings) {
    let journal = made.journal;
    let plans = &run.levels;
    let Some(spec) = journal.spec() else {
        return findings.failed(CheckName::Logs, JOURNAL, no_run());
    };
    let planned = |record: &&AttemptSummary| {
        let level = plans.iter().find(|plan| plan.level == record.level);
        level.is_some_and(|plan| plan.tasks.iter().any(|task| **task == *record.task))
            && (1..=spec.repetitions).contains(&record.repetition)
    };
    for record in journal.attempts.iter().filter(|record| !planned(record)) {
        let said = say!("is an attempt at a task that the run did not plan");
        findings.failed(CheckName::Logs, place_of(&record.task, record.repetition), said);
    }
    for level in contents.logs.keys() {
        if !plans.iter().any(|plan| plan.level == *level) {
            let said = say!("is the log of a level that the run did not plan");
            findings.failed(CheckName::Logs, level_log(*level), said);
        }
    }
    for plan in plans {
        let of_level = contents.pack.tasks.get(&plan.level);
        let task = |id: &String| of_level?.iter().find(|task| task.id == *id);
        let tasks: Vec<&Task> = plan.tasks.iter().filter_map(task).collect();
        let tried = journal
            .attempts
            .iter()
            .any(|record| record.level == plan.level && tasks.iter().any(|task| *task.id == *record.task));
        let name = level_log(plan.level);
        let Some(log) = contents.logs.get(&plan.level) else {
            if tried {
                let said = say!("the run has attempts at this level and no log of it");
                findings.failed(CheckName::Logs, name, said);
            }
            continue;
        };
        let header = LogHeader {
            model: &spec.model,
            // When a log was written is its own word.
            timestamp: log.metadata("timestamp").as_str().unwrap_or_default(),
            protocol: spec.protocol,
            repetitions: spec.repetitions,
        };
        let wanted = made.of_level(&header, plan.level, tasks);
        if dumps(&wanted, AS_RUNS).as_bytes() == log.text {
            continue;
        }
        let found = by_task(&log.document(), &wanted).concat();
        if found.is_empty() {
            let said = say!(
                "says the same as the journal in another spelling than the one that runs are written in"
            );
            findings.failed(CheckName::Logs, &name, said);
        }
        for Difference { at, here, there } in found.into_iter().take(LISTED) {
            let (here, there) = (cut(&here), cut(&there));
            let said = say!("{at} is {here}, and the journal makes it {there}");
            findings.failed(CheckName::Logs, &name, said);
        }
    }
}

/// Logs as a journal makes them.
pub(crate) struct MadeLogs<'a> {
    pub(crate) journal: &'a Journal<AttemptSummary>,
    pub(crate) first: &'a FirstAttempts,
}

impl MadeLogs<'_> {
    /// The log of a level with these tasks.
    pub(crate) fn of_level<'t>(
        &self,
        header: &LogHeader<'_>,
        level: Level,
        tasks: impl IntoIterator<Item = &'t Task>,
    ) -> Value {
        let mut seen = BTreeSet::new();
        let tasks = tasks.into_iter().filter_map(|task| {
            let first = self.first.get(level, &task.id)?;
            let attempts = self.journal.attempts.of_task(&task.id).into_iter();
            let of_level = attempts.filter(|attempt| attempt.level == level);
            let successes = of_level.map(|attempt| attempt.success).collect();
            seen.insert(&task.id).then_some((task, TaskAttempts { first, successes }))
        });
        log_of(header, level, tasks)
    }
}

/// Where two logs part: in their tasks, which go by their ids since who reads of `results[3]` would
/// have to count, and around them.
pub(crate) fn by_task(here: &Value, there: &Value) -> [Vec<Difference>; 2] {
    let results = |document: &Value| -> Value {
        let all = document["results"].as_array().into_iter().flatten();
        let by_id = all.filter_map(|result| Some((result["task_id"].as_str()?.to_owned(), result.clone())));
        Value::Object(by_id.collect())
    };
    let rest = |document: &Value| {
        let mut document = document.clone();
        if let Some(object) = document.as_object_mut() {
            object.shift_remove("results");
        }
        document
    };
    [differences(&results(here), &results(there)), differences(&rest(here), &rest(there))]
}

/// A log that was made elsewhere: what it says of itself must follow from its tasks.
fn against_counts(level: Level, log: &Log, findings: &mut Findings) {
    let text = |key: &str| log.metadata(key).as_str().unwrap_or_default();
    let header = LogHeader {
        model: text("model"),
        timestamp: text("timestamp"),
        protocol: Protocol::default(),
        repetitions: 1,
    };
    let document = log.document();
    let results = document["results"].as_array().map_or(&[][..], Vec::as_slice);
    let counted = metadata(&header, level, results);
    for (key, found) in counted.as_object().into_iter().flatten() {
        let stated = log.metadata(key);
        // Replies that were made elsewhere were counted and not measured.
        let is_said = level.place().is_some() || !stated.is_null();
        if is_said && !equal(stated, found) {
            let said = say!(
                "`metadata.{key}` is {stated}, and its tasks make it {found}",
                stated = line(stated),
                found = line(found)
            );
            findings.failed(CheckName::Logs, level_log(level), said);
        }
    }
}
