//! Level logs: rebuilt from the journal where there is one, else held against their own counts.

use super::check::{CheckName, Findings};
use super::contents::{Contents, Log};
use super::journal::{JournalFacts, place};
use super::names::level_log;
use super::run::plans;
use super::said::Said;
use super::texts::{AS_RUNS, LISTED, cut, differences, line};
use crate::level::Level;
use crate::protocol::Protocol;
use crate::python::{dumps, equal};
use crate::record::AttemptRecord;
use crate::record::published::{LogHeader, level_log as rebuilt, metadata};
use crate::task::Task;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

pub(super) fn check(contents: &Contents, findings: &mut Findings) {
    let before = findings.failures();
    of_one_run(contents, findings);
    let tasks: usize = contents.logs.values().map(|log| log.log.total()).sum();
    let (levels, tasks) = (contents.logs.len().to_string(), tasks.to_string());
    let said = match (&contents.run, &contents.journal) {
        (Some(run), Some(journal)) => {
            against_journal(contents, run, journal, findings);
            Said::LogsRebuilt { levels, tasks }
        }
        _ => {
            for (level, log) in &contents.logs {
                against_counts(*level, log, findings);
            }
            Said::LogsCounted { levels, tasks }
        }
    };
    if findings.failures() == before {
        findings.held(CheckName::Logs, "run", said);
    }
}

/// What every log must say alike, and no task twice.
fn of_one_run(contents: &Contents, findings: &mut Findings) {
    let stated = contents.run.as_ref().map(|run| &run["model"]);
    let first = contents
        .logs
        .values()
        .next()
        .map(|log| &log.document["metadata"]["model"]);
    let model = stated.or(first).unwrap_or(&Value::Null);
    for (level, log) in &contents.logs {
        let metadata = &log.document["metadata"];
        let mut fail = |said: Said| findings.failed(CheckName::Logs, level_log(*level), said);
        if metadata["model"] != *model {
            fail(Said::LogModel {
                here: line(&metadata["model"]),
                there: line(model),
            });
        }
        if metadata["level"] != level.as_str() {
            fail(Said::LogLevel {
                stated: line(&metadata["level"]),
            });
        }
        let mut seen = BTreeSet::new();
        for task in &log.log.tasks {
            if !seen.insert(&task.id) {
                fail(Said::LogTwice {
                    task: task.id.clone(),
                });
            }
        }
    }
}

fn against_journal(contents: &Contents, run: &Value, journal: &JournalFacts, findings: &mut Findings) {
    let plans = plans(run);
    let spec = journal.spec();
    let planned = |record: &&AttemptRecord| {
        let level = plans.iter().find(|plan| plan.level == record.level);
        level.is_some_and(|plan| plan.tasks.contains(&record.task))
            && u64::from(record.repetition) <= spec["repetitions"].as_u64().unwrap_or_default()
            && record.repetition > 0
    };
    for record in journal.attempts.iter().filter(|record| !planned(record)) {
        findings.failed(CheckName::Logs, place(record), Said::UnplannedAttempt {});
    }
    for level in contents.logs.keys() {
        if !plans.iter().any(|plan| plan.level == *level) {
            findings.failed(CheckName::Logs, level_log(*level), Said::LogUnplanned {});
        }
    }
    for plan in &plans {
        let mut tasks: Vec<(&Task, Vec<&AttemptRecord>)> = Vec::new();
        for id in &plan.tasks {
            let of_level = contents.pack.tasks.get(&plan.level).into_iter().flatten();
            let Some(task) = of_level.into_iter().find(|task| task.id == *id) else {
                continue;
            };
            let of_task = |record: &&AttemptRecord| record.task == *id && record.level == plan.level;
            let mut attempts: Vec<&AttemptRecord> = journal.attempts.iter().filter(of_task).collect();
            attempts.sort_by_key(|record| record.repetition);
            tasks.push((task, attempts));
        }
        let tried = tasks.iter().any(|(_, attempts)| !attempts.is_empty());
        let name = level_log(plan.level);
        let Some(log) = contents.logs.get(&plan.level) else {
            if tried {
                findings.failed(CheckName::Logs, name, Said::LogMissing {});
            }
            continue;
        };
        let header = LogHeader {
            model: spec["model"].as_str().unwrap_or_default(),
            // When a log was written is its own word.
            timestamp: log.document["metadata"]["timestamp"].as_str().unwrap_or_default(),
            protocol: protocol(spec),
            repetitions: spec["repetitions"].as_u64().unwrap_or_default() as u32,
        };
        let wanted = rebuilt(&header, plan.level, &tasks);
        if dumps(&wanted, AS_RUNS).as_bytes() == log.text {
            continue;
        }
        hold(&name, log, &wanted, findings);
    }
}

/// A log that is not what the journal makes: where they part.
fn hold(name: &str, log: &Log, wanted: &Value, findings: &mut Findings) {
    let found: Vec<_> = by_task(&log.document, wanted);
    if found.is_empty() {
        findings.failed(CheckName::Logs, name, Said::LogSpelled {});
    }
    for (at, here, there) in found.into_iter().take(LISTED) {
        let (here, there) = (cut(&here), cut(&there));
        findings.failed(CheckName::Logs, name, Said::LogDiffers { at, here, there });
    }
}

/// Differences, with tasks by their id: who reads of `results[3]` would have to count.
fn by_task(here: &Value, there: &Value) -> Vec<(String, String, String)> {
    let results = |document: &Value| -> Map<String, Value> {
        let all = document["results"].as_array().into_iter().flatten();
        all.filter_map(|result| Some((result["task_id"].as_str()?.to_owned(), result.clone())))
            .collect()
    };
    let rest = |document: &Value| {
        let mut document = document.clone();
        if let Some(object) = document.as_object_mut() {
            object.shift_remove("results");
        }
        document
    };
    let (ours, theirs) = (Value::Object(results(here)), Value::Object(results(there)));
    let tasks = differences(&ours, &theirs);
    let tasks = tasks.into_iter().map(|found| (found.at, found.here, found.there));
    let around = differences(&rest(here), &rest(there));
    let around = around
        .into_iter()
        .map(|found| (found.at, found.here, found.there));
    tasks.chain(around).collect()
}

pub(super) fn protocol(spec: &Value) -> Protocol {
    let named = spec["protocol"].as_str().and_then(|name| name.parse().ok());
    named.unwrap_or_default()
}

/// A log that was made elsewhere: what it says of itself must follow from its tasks.
fn against_counts(level: Level, log: &Log, findings: &mut Findings) {
    let text = |key: &str| log.document["metadata"][key].as_str().unwrap_or_default();
    let header = LogHeader {
        model: text("model"),
        timestamp: text("timestamp"),
        protocol: Protocol::default(),
        repetitions: 1,
    };
    let results = log.document["results"].as_array().map_or(&[][..], Vec::as_slice);
    let counted = metadata(&header, level, results);
    for (key, found) in counted.as_object().into_iter().flatten() {
        let stated = &log.document["metadata"][key];
        if !equal(stated, found) {
            let said = Said::LogCount {
                key: key.clone(),
                stated: line(stated),
                found: line(found),
            };
            findings.failed(CheckName::Logs, level_log(level), said);
        }
    }
}
