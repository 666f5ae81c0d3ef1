//! The attempts of a journal, and a level's log made of them again, which is how an edited log is found.

use crate::event::AnswerSource;
use crate::level::Level;
use crate::protocol::Protocol;
use crate::record::AttemptRecord;
use crate::record::published::{LogHeader, level_log};
use crate::task::Task;
use serde::Deserialize as _;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Finished attempts by level, task and repetition; one that was made again counts as its last.
#[derive(Debug, Default)]
pub(super) struct Attempts {
    made: BTreeMap<(Level, String, u32), AttemptRecord>,
    /// 1-based lines that are no JSON.
    pub(super) broken: Vec<usize>,
}

/// How a run's log was written.
pub(super) struct Written<'a> {
    pub(super) model: &'a str,
    pub(super) protocol: Protocol,
    pub(super) repetitions: u32,
}

/// What of a log is not what its journal has: the task, or none for the log's own figures, and the field.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Departure {
    pub(super) task: Option<String>,
    pub(super) field: String,
}

impl Attempts {
    pub(super) fn read(journal: &[u8]) -> Self {
        let mut attempts = Self::default();
        for (i, line) in journal.split(|byte| *byte == b'\n').enumerate() {
            if line.trim_ascii().is_empty() {
                continue;
            }
            let Ok(entry) = serde_json::from_slice::<Value>(line) else {
                attempts.broken.push(i + 1);
                continue;
            };
            if entry["type"] == "attempt" {
                match AttemptRecord::deserialize(&entry["record"]) {
                    Ok(record) => {
                        let key = (record.level, record.task.clone(), record.repetition);
                        attempts.made.insert(key, record);
                    }
                    Err(_) => attempts.broken.push(i + 1),
                }
            }
        }
        attempts
    }

    /// Calls by how they were answered: records, misses, real services, what is kept beside the pack.
    pub(super) fn answered(&self) -> [u32; 4] {
        let sources = [
            AnswerSource::Hit,
            AnswerSource::Miss,
            AnswerSource::Live,
            AnswerSource::Overlay,
        ];
        sources.map(|source| {
            let calls = self.made.values().flat_map(|record| &record.calls);
            calls.filter(|call| call.source == source).count() as u32
        })
    }

    /// Whether there is any attempt at all.
    pub(super) fn is_empty(&self) -> bool {
        self.made.is_empty()
    }

    /// Holds a level's log against the journal. Tasks of the pack are taken where they are known; without them the log's own
    /// statement of a task is believed, and only what the model did is held against the journal.
    pub(super) fn departures(
        &self,
        level: Level,
        log: &Value,
        written: &Written<'_>,
        pack: Option<&[Task]>,
    ) -> Vec<Departure> {
        let mut found = Vec::new();
        let results: Vec<&Value> = log["results"].as_array().into_iter().flatten().collect();
        let id = |result: &Value| result["task_id"].as_str().unwrap_or_default().to_owned();
        let told = |task: &str, field: &str| Departure {
            task: Some(task.to_owned()),
            field: field.to_owned(),
        };
        for task in self.tasks(level) {
            if !results.iter().any(|result| id(result) == task) {
                found.push(told(&task, "results"));
            }
        }
        let mut tasks = Vec::new();
        for result in &results {
            let id = id(result);
            let attempts: Vec<&AttemptRecord> = self.of(level, &id).collect();
            if attempts.is_empty() {
                found.push(told(&id, "results"));
                continue;
            }
            let of_pack = pack.and_then(|tasks| tasks.iter().find(|task| task.id == id));
            tasks.push((
                of_pack.cloned().unwrap_or_else(|| stated(level, &id, result)),
                attempts,
            ));
        }
        if !found.is_empty() {
            return found;
        }
        let header = LogHeader {
            model: written.model,
            timestamp: log["metadata"]["timestamp"].as_str().unwrap_or_default(),
            protocol: written.protocol,
            repetitions: written.repetitions,
        };
        let lines: Vec<(&Task, Vec<&AttemptRecord>)> = tasks
            .iter()
            .map(|(task, attempts)| (task, attempts.clone()))
            .collect();
        let made = level_log(&header, level, &lines);
        for (ours, theirs) in made["results"].as_array().into_iter().flatten().zip(&results) {
            for field in fields(ours, theirs) {
                // Which tools an L7 task offers is told by its turns, and those by the pack alone.
                if field != "expected_tools" || pack.is_some() {
                    found.push(told(&id(theirs), &field));
                }
            }
        }
        if found.is_empty() {
            for part in ["metadata", "tool_usage_statistics"] {
                let fields = fields(&made[part], &log[part]);
                found.extend(fields.into_iter().map(|field| Departure {
                    task: None,
                    field: format!("{part}.{field}"),
                }));
            }
        }
        found
    }

    fn tasks(&self, level: Level) -> Vec<String> {
        let mut tasks: Vec<String> = self
            .made
            .keys()
            .filter(|(of, ..)| *of == level)
            .map(|(_, task, _)| task.clone())
            .collect();
        tasks.dedup();
        tasks
    }

    fn of(&self, level: Level, task: &str) -> impl Iterator<Item = &AttemptRecord> {
        let from = (level, task.to_owned(), 0);
        let to = (level, task.to_owned(), u32::MAX);
        self.made.range(from..=to).map(|(_, record)| record)
    }
}

/// A task as its log states it.
fn stated(level: Level, id: &str, result: &Value) -> Task {
    let mut raw = Map::new();
    for (key, from) in [
        ("instruction", "instruction"),
        ("task_level", "level"),
        ("task_category", "category"),
        ("golden_action", "golden_action"),
        ("minimum_steps", "minimum_steps"),
        ("data_flow", "data_flow"),
        ("error_injection", "error_injection"),
        ("fallback_options", "fallback_options"),
        ("resp_schema", "resp_schema"),
        ("arg_schema", "arg_schema"),
    ] {
        if let Some(value) = result.get(from) {
            raw.insert(key.to_owned(), value.clone());
        }
    }
    Task {
        id: id.to_owned(),
        level,
        raw,
    }
}

/// Keys whose values are not the same, those of either.
fn fields(one: &Value, other: &Value) -> Vec<String> {
    let none = Map::new();
    let (one, other) = (
        one.as_object().unwrap_or(&none),
        other.as_object().unwrap_or(&none),
    );
    let mut keys: Vec<&String> = one
        .keys()
        .chain(other.keys().filter(|key| !one.contains_key(*key)))
        .collect();
    keys.retain(|key| one.get(*key) != other.get(*key));
    keys.into_iter().cloned().collect()
}
