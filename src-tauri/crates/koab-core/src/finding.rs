//! What a look at something found: a fault in data, an objection to a submission, a check of a
//! bundle, a remark on a log.

mod data;

pub use data::{Fault, Problem};

use crate::say;
use crate::sentence::Sentence;
use serde::{Deserialize, Serialize};

/// How much a finding weighs. Later is worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// It is as it must be.
    Pass,
    /// Worth knowing, or nobody can tell.
    Note,
    /// It can be used in spite of it.
    Warning,
    /// It is left out or refused.
    // So packs of earlier versions keep it.
    #[serde(alias = "rejected")]
    Error,
}

/// One thing that was found. Each area has its codes, whose default stands for what was written
/// before there were any.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(bound(deserialize = "C: Deserialize<'de> + Default"))]
pub struct Finding<C> {
    /// What it is, by a name that stays.
    #[serde(default)]
    pub code: C,
    /// How much it weighs.
    pub severity: Severity,
    /// File, or what stands for one.
    pub file: Option<String>,
    /// First line, from 1.
    #[serde(default)]
    pub line: Option<usize>,
    /// Last line, where it is about several.
    #[serde(default)]
    pub line_end: Option<usize>,
    /// Task id, or the 1-based position when the task has no id.
    #[serde(default)]
    pub task: Option<String>,
    /// Field, as a path such as `golden_action[1].args.size`.
    #[serde(default)]
    pub field: Option<String>,
    /// What it is, one sentence or a fragment that goes on from the place.
    // So packs of earlier versions keep it.
    #[serde(alias = "why")]
    pub sentence: Sentence,
    /// What to do about it, one sentence; empty where nothing is to be done, or it is not known
    /// what.
    #[serde(default)]
    pub remedy: Sentence,
}

impl<C> Finding<C> {
    /// A finding without a place.
    pub fn new(code: C, severity: Severity, sentence: impl Into<Sentence>) -> Self {
        Self {
            code,
            severity,
            file: None,
            line: None,
            line_end: None,
            task: None,
            field: None,
            sentence: sentence.into(),
            remedy: Sentence::EMPTY,
        }
    }

    /// Says in which file.
    #[must_use]
    pub fn in_file(mut self, file: impl Into<String>) -> Self {
        self.file = Some(file.into());
        self
    }

    /// Says in which lines.
    #[must_use]
    pub fn on_lines(mut self, from: usize, to: usize) -> Self {
        (self.line, self.line_end) = (Some(from), Some(to));
        self
    }

    /// Says in which task.
    #[must_use]
    pub fn in_task(mut self, task: impl Into<String>) -> Self {
        self.task = Some(task.into());
        self
    }

    /// Says in which field.
    #[must_use]
    pub fn at(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// Says what to do about it.
    #[must_use]
    pub fn with_remedy(mut self, remedy: impl Into<Sentence>) -> Self {
        self.remedy = remedy.into();
        self
    }

    /// Whether what it concerns is left out or refused.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// Where it is, such as `tasks/L5.json: L5-016: task_level`; empty where nobody knows.
    pub fn place(&self) -> Sentence {
        let file = self.file.as_ref().map(|file| match (self.line, self.line_end) {
            (Some(from), Some(to)) if from < to => say!("{file}, lines {from}–{to}"),
            (Some(line), _) => say!("{file}, line {line}"),
            (None, _) => file.clone().into(),
        });
        let inside = [&self.task, &self.field].into_iter().flatten();
        Sentence::joined(file.into_iter().chain(inside.cloned().map(Sentence::from)), ": ")
    }

    /// The sentence with the place before it.
    pub fn located(&self) -> Sentence {
        let said = self.sentence.clone();
        match [&self.file, &self.task, &self.field] {
            [None, None, None] => said,
            _ => say!("{place}: {said}", place = self.place()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Finding, Problem, Severity};
    use serde_json::json;

    #[test]
    fn faults_that_earlier_versions_kept_are_read() {
        let row = json!({"severity": "rejected", "file": "tasks/L1.json", "task": "L1-001", "field": null, "why": "is odd"});
        let read: Problem = serde_json::from_value(row).expect("read");
        assert!(read.is_error());
        assert_eq!(read.to_string(), "tasks/L1.json: L1-001: is odd (left out)");
        let again: Problem = serde_json::from_value(json!(read)).expect("read again");
        assert_eq!(again, read);
    }

    #[test]
    fn a_place_is_said_as_far_as_it_is_known() {
        let found = Finding::new((), Severity::Error, "is not JSON");
        assert_eq!(found.located().to_string(), "is not JSON");
        let found = found.in_file("a.jsonl").on_lines(3, 3);
        assert_eq!(found.located().to_string(), "a.jsonl, line 3: is not JSON");
    }
}
