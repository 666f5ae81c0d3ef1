//! What tests read in a run's folder.

use super::{read_json, timeless};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

pub fn folder(run: &Value) -> PathBuf {
    PathBuf::from(run["folder"].as_str().expect("a folder"))
}

/// The seven logs without times and call ids.
pub fn logs(folder: &Path) -> Vec<Value> {
    let paths = (1..=7).map(|level| folder.join(format!("L{level}.json")));
    let there = paths.filter(|path| path.exists());
    there.map(|path| timeless(read_json(&path))).collect()
}

pub fn same_logs(one: &Path, other: &Path) {
    let (one, other) = (logs(one), logs(other));
    assert!(!one.is_empty(), "there is a log");
    assert_eq!(one.len(), other.len());
    for (one, other) in one.into_iter().zip(other) {
        let level = one["metadata"]["level"].clone();
        let tasks = |log: &Value| log["results"].as_array().expect("results").clone();
        for (one, other) in tasks(&one).iter().zip(tasks(&other)) {
            assert_eq!(*one, other, "{level}");
        }
        assert_eq!(one, other, "{level}");
    }
}

/// Model turns in the logs.
pub fn turns(folder: &Path) -> u64 {
    let steps = |log: &Value| log["metadata"]["total_steps"].as_u64().expect("a number");
    logs(folder).iter().map(steps).sum()
}

pub fn journal(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("journal.jsonl")).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

pub fn of_type<'a>(journal: &'a [Value], kind: &'a str) -> impl Iterator<Item = &'a Value> {
    journal.iter().filter(move |line| line["type"] == kind)
}

/// Calls and answer of a branch.
pub fn essence_of_branch(transcript: &Value) -> Value {
    let attempt = &transcript["attempt"];
    let calls = attempt["calls"].as_array().expect("calls").iter();
    let calls: Vec<Value> = calls
        .map(|call| json!([call["step"], call["tool"], call["arguments"], call["result"], call["error"]]))
        .collect();
    json!([calls, attempt["final_response"], attempt["steps"], attempt["stop"]])
}
