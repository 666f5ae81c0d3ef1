//! Reads the files of a run without the product's own readers, to find the attempts and steps that
//! a start must use and that must not be lost.

use koab_core::run_record::checksum;
use koab_store::run_log::JOURNAL;
use koab_store::shards::{self, SHARDS};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Task id and repetition of an attempt.
pub(super) type Key = (String, u32);

/// A line of a journal or of a part's file, with a valid checksum.
#[derive(Clone, Debug)]
pub(super) enum Line {
    /// A step, with the model's answer. No other answer has the same text.
    Step { key: Key, step: u32, said: String },
    /// An attempt that ended.
    Ended {
        key: Key,
        is_technical: bool,
        /// Numbers of the attempt's steps.
        steps: Vec<u32>,
        /// Answers of the model in the attempt.
        said: Vec<String>,
    },
    /// A line of another type.
    Other,
}

impl Line {
    /// Attempt that the line belongs to.
    pub(super) fn key(&self) -> Option<&Key> {
        match self {
            Self::Step { key, .. } | Self::Ended { key, .. } => Some(key),
            Self::Other => None,
        }
    }
}

/// Path of a run's journal.
pub(super) fn journal(run: &Path) -> PathBuf {
    run.join(JOURNAL)
}

/// Paths of a part's files, one for each start of the part, the oldest first. `None` means the
/// files of all parts.
pub(super) fn of_part(run: &Path, part: Option<u32>) -> Vec<PathBuf> {
    let files = shards::files(run).expect("the folder of parts can be read");
    let of_part = files.into_iter().filter(|file| part.is_none_or(|part| file.index == part));
    of_part.map(|file| file.path).collect()
}

/// Whether the run's folder contains files of parts, which workers write.
pub(super) fn has_parts(run: &Path) -> bool {
    run.join(SHARDS).is_dir() && !of_part(run, None).is_empty()
}

/// Lines of a file that have a valid checksum. A line without a newline is ignored, except for the
/// last line of the journal: a start that resumes the run completes this line.
pub(super) fn lines(path: &Path) -> Vec<Line> {
    let Ok(content) = fs::read(path) else {
        return Vec::new();
    };
    let is_journal = path.ends_with(JOURNAL);
    let whole =
        content.split_inclusive(|byte| *byte == b'\n').filter(|line| is_journal || line.ends_with(b"\n"));
    whole.filter_map(|line| sound(line.trim_ascii())).collect()
}

fn sound(text: &[u8]) -> Option<Line> {
    let body = checksum::body_of(text).ok().flatten()?;
    let line: Value = serde_json::from_slice(&body).ok()?;
    let key = |of: &Value| {
        let repetition = of["repetition"].as_u64().unwrap_or_default() as u32;
        (of["task"].as_str().unwrap_or_default().to_owned(), repetition)
    };
    let number = |step: &Value| step["step"].as_u64().unwrap_or_default() as u32;
    Some(match line["type"].as_str() {
        Some("step") => Line::Step {
            key: key(&line),
            step: number(&line["step"]),
            said: line["content"].as_str().unwrap_or_default().to_owned(),
        },
        Some("attempt") => {
            let record = &line["record"];
            let list = |name: &str| record[name].as_array().cloned().unwrap_or_default();
            let said = list("messages").into_iter();
            let said = said.filter(|message| message["role"] == "assistant");
            Line::Ended {
                key: key(record),
                is_technical: record["stop"] != "answered",
                steps: list("steps").iter().map(number).collect(),
                said: said.filter_map(|message| message["content"].as_str().map(str::to_owned)).collect(),
            }
        }
        _ => Line::Other,
    })
}

/// Results of earlier starts that a start finds in the files.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    /// Attempts that have ended and must not be made again.
    pub(super) ended: BTreeSet<Key>,
    /// Answers of the model in each step. Two starts that overlap may have made the same step.
    steps: BTreeMap<Key, BTreeMap<u32, BTreeSet<String>>>,
    /// Answers in attempts that failed for technical reasons. These attempts are made again from
    /// their first step.
    failed: BTreeSet<String>,
}

impl Found {
    /// Reads the results in these files.
    pub(super) fn of(files: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut found = Self::default();
        for line in files.into_iter().flat_map(|file| lines(&file)) {
            match line {
                Line::Step { key, step, said } => {
                    let steps = found.steps.entry(key).or_default();
                    steps.entry(step).or_default().insert(said);
                }
                Line::Ended { is_technical: true, said, .. } => found.failed.extend(said),
                Line::Ended { key, .. } => {
                    found.ended.insert(key);
                }
                Line::Other => {}
            }
        }
        found
    }

    /// Number of steps of an attempt that a start must not request from the model again. These are
    /// the steps from the first one on that have exactly one answer. If two overlapping starts made
    /// a step, the attempt may continue with either answer, so the count ends before this step.
    pub(super) fn answered(&self, key: &Key) -> u32 {
        let Some(steps) = self.steps.get(key) else {
            return 0;
        };
        let is_there_once = |step: &u32| {
            let said = steps.get(step).into_iter().flatten();
            said.filter(|said| !self.failed.contains(*said)).count() == 1
        };
        (1..).take_while(is_there_once).count() as u32
    }
}
