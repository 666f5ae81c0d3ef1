//! Checks level logs. They are compared with logs that are rebuilt from the journal, or, without a
//! journal, with their own counts.

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
    let sentence = match (&contents.run, &contents.journal, first) {
        (Some(run), Some(journal), Some(first)) => {
            let rebuilt = RebuiltLogs { journal, first };
            against_journal(contents, run, &rebuilt, findings);
            say!("{levels} level logs with {tasks} tasks are those that the journal gives, byte for byte")
        }
        _ => {
            for (level, log) in &contents.logs {
                against_counts(level, log, findings);
            }
            say!("{levels} level logs with {tasks} tasks agree with their own counts")
        }
    };
    findings.held_since(before, CheckName::Logs, "run", sentence);
}

/// Checks that all logs name the same model and that no log contains a task twice.
fn of_one_run(contents: &Contents, findings: &mut Findings) {
    let run_model = contents.run.as_ref().map(|run| Value::from(run.model.as_str()));
    let first = contents.logs.values().next().map(|log| log.metadata("model"));
    let model = run_model.as_ref().or(first).unwrap_or(&Value::Null);
    for (level, log) in &contents.logs {
        let mut fail = |sentence: Sentence| findings.failed(CheckName::Logs, level_log(level), sentence);
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
        let mut ids = BTreeSet::new();
        for task in &log.log.tasks {
            if !ids.insert(&task.id) {
                fail(say!("has the task {task} twice", task = task.id));
            }
        }
    }
}

fn against_journal(
    contents: &Contents,
    run: &RunManifest,
    rebuilt: &RebuiltLogs<'_>,
    findings: &mut Findings,
) {
    let journal = rebuilt.journal;
    let plans = &run.levels;
    let Some(spec) = journal.spec() else {
        return findings.failed(CheckName::Logs, JOURNAL, no_run());
    };
    let is_planned = |record: &&AttemptSummary| {
        let level = plans.iter().find(|plan| plan.level == record.level);
        level.is_some_and(|plan| plan.tasks.iter().any(|task| **task == *record.task))
            && (1..=spec.settings.repetitions).contains(&record.repetition)
    };
    for record in journal.attempts.iter().filter(|record| !is_planned(record)) {
        let sentence = say!("is an attempt at a task that the run did not plan");
        findings.failed(CheckName::Logs, place_of(&record.task, record.repetition), sentence);
    }
    for level in contents.logs.keys() {
        if !plans.iter().any(|plan| plan.level == *level) {
            let sentence = say!("is the log of a level that the run did not plan");
            findings.failed(CheckName::Logs, level_log(level), sentence);
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
        let name = level_log(&plan.level);
        let Some(log) = contents.logs.get(&plan.level) else {
            if tried {
                let sentence = say!("the run has attempts at this level and no log of it");
                findings.failed(CheckName::Logs, name, sentence);
            }
            continue;
        };
        let header = LogHeader {
            model: &spec.model,
            // The time of writing is only in the log itself.
            timestamp: log.metadata("timestamp").as_str().unwrap_or_default(),
            protocol: spec.settings.protocol,
            repetitions: spec.settings.repetitions,
        };
        let expected = rebuilt.of_level(&header, &plan.level, tasks);
        if dumps(&expected, AS_RUNS).as_bytes() == log.text {
            continue;
        }
        let changes = by_task(&log.document(), &expected).concat();
        if changes.is_empty() {
            let sentence =
                say!("has the content of the journal, but not in the form in which runs are written");
            findings.failed(CheckName::Logs, &name, sentence);
        }
        for Difference { at, here, there } in changes.into_iter().take(LISTED) {
            let (here, there) = (cut(&here), cut(&there));
            let sentence = say!("{at} is {here}, and the journal gives {there}");
            findings.failed(CheckName::Logs, &name, sentence);
        }
    }
}

/// Logs that are rebuilt from a journal.
pub(crate) struct RebuiltLogs<'a> {
    pub(crate) journal: &'a Journal<AttemptSummary>,
    pub(crate) first: &'a FirstAttempts,
}

impl RebuiltLogs<'_> {
    /// Rebuilt log of a level that contains these tasks.
    pub(crate) fn of_level<'t>(
        &self,
        header: &LogHeader<'_>,
        level: &Level,
        tasks: impl IntoIterator<Item = &'t Task>,
    ) -> Value {
        let mut ids = BTreeSet::new();
        let tasks = tasks.into_iter().filter_map(|task| {
            let first = self.first.get(level, &task.id)?;
            let attempts = self.journal.attempts.of_task(&task.id).into_iter();
            let of_level = attempts.filter(|attempt| attempt.level == *level);
            let successes = of_level.map(|attempt| attempt.success).collect();
            ids.insert(&task.id).then_some((task, TaskAttempts { first, successes }))
        });
        log_of(header, level, tasks)
    }
}

/// Differences between two logs, first those of their tasks, then all others. Tasks are compared by
/// id, because an index such as `results[3]` does not identify the task.
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

/// Compares the metadata of a log with the log's tasks, for a run of another tool.
fn against_counts(level: &Level, log: &Log, findings: &mut Findings) {
    let text = |key: &str| log.metadata(key).as_str().unwrap_or_default();
    let header = LogHeader {
        model: text("model"),
        timestamp: text("timestamp"),
        protocol: Protocol::default(),
        repetitions: 1,
    };
    let document = log.document();
    let results = document["results"].as_array().map_or(&[][..], Vec::as_slice);
    let expected = metadata(&header, level, results);
    for (key, expected) in expected.as_object().into_iter().flatten() {
        let value = log.metadata(key);
        // Logs of other benchmarks that were made elsewhere lack some of these keys.
        let is_compared = level.place().is_some() || !value.is_null();
        if is_compared && !equal(value, expected) {
            let sentence = say!(
                "`metadata.{key}` is {stated}, and the tasks of the log give {found}",
                stated = line(value),
                found = line(expected)
            );
            findings.failed(CheckName::Logs, level_log(level), sentence);
        }
    }
}
