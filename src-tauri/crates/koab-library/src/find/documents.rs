//! Attempts of a run as the index of the search holds them: from the journal, or from the logs of
//! levels that the journal does not have.

use super::scores::RunScores;
use super::status::word_of;
use crate::transcript::OpenRun;
use crate::transcript::attempt::{
    add_unexecuted, error_in_log, is_seeded_result, shown_results, status_in_log, status_of,
};
use koab_core::find::TextField;
use koab_core::fork::Speaker;
use koab_core::level::Level;
use koab_core::log::{LevelLog, LoggedTask};
use koab_core::run_record::AttemptRecord;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_store::find_index::{AttemptDocument, FieldText};
use koab_store::run_log::attempt_at;
use koab_workspace::WireError;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Reads all attempts of a run. Returns what could not be read, one sentence each.
pub(super) fn read(
    opened: &OpenRun,
    scores: &RunScores,
    each: &mut dyn FnMut(&AttemptDocument) -> Result<(), WireError>,
) -> Result<Vec<Sentence>, WireError> {
    let mut problems = opened.journal.problems(opened.manifest.as_ref());
    let mut in_journal = BTreeSet::new();
    for line in opened.journal.attempts() {
        in_journal.insert(&line.level);
        let record = match attempt_at(&opened.entry.run.folder, line.place()) {
            Ok(record) => record,
            Err(error) => {
                problems.push(WireError::from(error).message);
                continue;
            }
        };
        let mut document = from_record(&record);
        let lines = opened.journal.of_task(&line.task);
        if lines.first().is_some_and(|first| first.repetition == record.repetition) {
            document.scores = scores.of(&record.level, &record.task);
        }
        each(&document)?;
    }
    let run = &opened.entry.run;
    for level in run.levels.keys().filter(|level| !in_journal.contains(level)) {
        let log = match run.level(level) {
            Ok(log) => LevelLog::read_as(level.clone(), &log)
                .map_err(|error| say!("the log of {level} is not a run log: {error}")),
            Err(error) => Err(WireError::from(error).message),
        };
        let log = match log {
            Ok(log) => log,
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        for task in &log.tasks {
            let document = AttemptDocument { scores: scores.of(level, &task.id), ..from_log(level, task) };
            each(&document)?;
        }
        let skipped = log.skipped.iter();
        problems.extend(
            skipped.map(|task| say!("{id} of {level}: {reason}", id = task.id, reason = task.reason)),
        );
    }
    Ok(problems)
}

/// Attempt from its record in the journal.
fn from_record(record: &AttemptRecord) -> AttemptDocument {
    let calls = record.calls.iter().map(|call| {
        json!({
            "step": call.step, "tool_name": call.tool, "arguments": call.arguments, "success": call.success,
            "error": call.error, "result": call.result,
        })
    });
    let entry = json!({
        "task_id": record.task,
        "final_response": record.final_response,
        "tool_calls": calls.collect::<Vec<_>>(),
        "conversation_log": {"messages": record.messages},
    });
    let mut texts = LoggedTask::read(0, &entry).map(|task| texts_of(&task)).unwrap_or_default();
    for (i, call) in record.calls.iter().enumerate() {
        if let Some(arguments) = &call.unreadable_arguments {
            texts.push(text(TextField::Argument(None), i + 1, arguments.clone()));
        }
    }
    texts.extend(record.error.as_ref().map(|error| text(TextField::Error, 0, error.to_string())));
    let reported = record.steps.iter().any(|step| step.usage.is_some());
    AttemptDocument {
        task: record.task.clone(),
        level: record.level.to_string(),
        repetition: record.repetition,
        status: word_of(status_of(record.success, record.stop)).to_owned(),
        steps: record.steps.len() as u32,
        calls: record.calls.len() as u32,
        tokens: reported.then(|| record.usage().total_tokens),
        seconds: Some(record.took_s),
        tools: once(record.calls.iter().map(|call| call.tool.as_str())),
        scores: Vec::new(),
        texts,
    }
}

/// Attempt from the entry of its task in a log.
fn from_log(level: &Level, task: &LoggedTask) -> AttemptDocument {
    let mut texts = texts_of(task);
    texts.extend(error_in_log(task).map(|error| text(TextField::Error, 0, error.to_string())));
    let tokens = task.get("token_usage").get("total_tokens").and_then(Value::as_u64);
    AttemptDocument {
        task: task.id.clone(),
        level: level.to_string(),
        repetition: 1,
        status: word_of(status_in_log(task)).to_owned(),
        steps: task.get("steps_taken").as_u64().unwrap_or(0) as u32,
        calls: task.calls.len() as u32,
        // A log without token counts contains 0 instead of nothing.
        tokens: tokens.filter(|tokens| *tokens > 0),
        seconds: task.get("execution_time").as_f64(),
        tools: once(task.calls.iter().filter_map(|call| call.name())),
        scores: Vec::new(),
        texts,
    }
}

fn once<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let names: BTreeSet<&str> = names.collect();
    names.into_iter().map(ToOwned::to_owned).collect()
}

/// Texts of an attempt, without its error.
fn texts_of(task: &LoggedTask) -> Vec<FieldText> {
    let mut texts = Vec::new();
    let answer = match task.get("final_response") {
        Value::Null => String::new(),
        answer => readable(answer),
    };
    let messages = task.messages();
    for (i, message) in messages.iter().enumerate() {
        let mut content = readable(message.get("content").unwrap_or(&Value::Null));
        match Speaker::from_message(message) {
            Speaker::User => texts.push(text(TextField::Ask, i + 1, content)),
            Speaker::Assistant => {
                if task.calls.is_empty() {
                    add_unexecuted(&mut content, message);
                }
                if content != answer {
                    texts.push(text(TextField::Said, i + 1, content));
                }
            }
            // Results of the task's own calls have no call of the attempt.
            Speaker::Tool if is_seeded_result(message) || task.calls.is_empty() => {
                texts.push(text(TextField::Result, 0, content));
            }
            _ => {}
        }
    }
    let instruction = task.get("instruction").as_str().filter(|_| messages.is_empty());
    texts.extend(instruction.map(|instruction| text(TextField::Ask, 1, instruction.to_owned())));
    texts.push(text(TextField::Answer, 0, answer));
    let results = shown_results(task);
    for (i, call) in task.calls.iter().enumerate() {
        match &call.args {
            Value::Object(arguments) => {
                texts.extend(arguments.iter().map(|(name, value)| {
                    text(TextField::Argument(Some(name.clone())), i + 1, readable(value))
                }))
            }
            Value::Null => {}
            other => texts.push(text(TextField::Argument(None), i + 1, readable(other))),
        }
        let result = results.get(i).copied().unwrap_or(&call.result);
        texts.push(text(TextField::Result, i + 1, readable(result)));
        texts.push(text(TextField::Error, i + 1, readable(&call.error)));
    }
    texts.retain(|text| !text.text.is_empty());
    texts
}

fn text(field: TextField, number: usize, text: String) -> FieldText {
    FieldText { field, number: number as u32, text }
}

/// A value as text: texts as they are, other values as compact JSON, nothing for null. JSON within
/// a text has its letters instead of escapes, so that Korean is found.
fn readable(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) if text.starts_with(['{', '[']) && text.contains("\\u") => {
            serde_json::from_str::<Value>(text).map_or_else(|_| text.clone(), |value| value.to_string())
        }
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
