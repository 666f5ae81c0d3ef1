//! The files of a run, read without the product's own readers: what a start may rely on, and what
//! must never be lost.

use koab_core::run_record::checksum;
use koab_store::run_log::JOURNAL;
use koab_store::shards::{self, SHARDS};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Task and repetition of an attempt.
pub(super) type Key = (String, u32);

/// A line that is what was written.
#[derive(Clone, Debug)]
pub(super) enum Line {
    /// A step and what the model said in it, which no other answer says.
    Step { key: Key, step: u32, said: String },
    /// An attempt that ended.
    Ended {
        key: Key,
        is_technical: bool,
        /// Numbers of its steps.
        steps: Vec<u32>,
        /// What the model said in it.
        said: Vec<String>,
    },
    /// Anything else.
    Other,
}

impl Line {
    /// The attempt that it is of.
    pub(super) fn key(&self) -> Option<&Key> {
        match self {
            Self::Step { key, .. } | Self::Ended { key, .. } => Some(key),
            Self::Other => None,
        }
    }
}

/// The journal of a run.
pub(super) fn journal(run: &Path) -> PathBuf {
    run.join(JOURNAL)
}

/// The files of a part in the order of its starts; of all parts where none is named.
pub(super) fn of_part(run: &Path, part: Option<u32>) -> Vec<PathBuf> {
    let files = shards::files(run).expect("the folder of parts can be read");
    let of_part = files.into_iter().filter(|file| part.is_none_or(|part| file.index == part));
    of_part.map(|file| file.path).collect()
}

/// Whether a run has parts.
pub(super) fn has_parts(run: &Path) -> bool {
    run.join(SHARDS).is_dir() && !of_part(run, None).is_empty()
}

/// The sound lines of a file. One without a line end is none, but for the journal's last: who goes
/// on with a run mends it.
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

/// What a start finds of the attempts.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    /// Attempts that ended and are not to be made again.
    pub(super) ended: BTreeSet<Key>,
    /// What was said in each step.
    steps: BTreeMap<Key, BTreeMap<u32, BTreeSet<String>>>,
    /// What was said in attempts that failed for technical reasons, which are made from their
    /// beginning.
    failed: BTreeSet<String>,
}

impl Found {
    /// Reads these files.
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

    /// How many steps of an attempt must not be asked for: those from its first on that are there
    /// once. From a step that two starts made, which overlapped, either may be gone on with.
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
