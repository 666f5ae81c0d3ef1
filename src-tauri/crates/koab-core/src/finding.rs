//! Findings of checks: faults in data, objections to a submission, checks of a bundle, remarks on a
//! log.

mod data;

pub use data::{Fault, Problem};

use crate::say;
use crate::sentence::Sentence;
use serde::{Deserialize, Serialize};

/// Severity of a finding, in rising order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The check passed.
    Pass,
    /// The finding is only information, or the check could not be decided.
    Note,
    /// The subject can be used in spite of the finding.
    Warning,
    /// The subject is left out or refused.
    // Name in packs of earlier versions.
    #[serde(alias = "rejected")]
    Error,
}

/// One finding of a check.
///
/// `C` is the type of the codes; each area has its own. The default code is for findings that were
/// written before there were codes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(bound(deserialize = "C: Deserialize<'de> + Default"))]
pub struct Finding<C> {
    /// Code of the finding; codes never change.
    #[serde(default)]
    pub code: C,
    /// Severity of the finding.
    pub severity: Severity,
    /// Path of the file that the finding is about, or the name of a part that is not a single file,
    /// such as `cache` for all cached responses of a pack.
    pub file: Option<String>,
    /// First line of the file that the finding is about, counted from 1.
    #[serde(default)]
    pub line: Option<usize>,
    /// Last line that the finding is about, if there are several lines.
    #[serde(default)]
    pub line_end: Option<usize>,
    /// Id of the task that the finding is about, or the task's 1-based position if it has no id.
    #[serde(default)]
    pub task: Option<String>,
    /// Path of the field that the finding is about, such as `golden_action[1].args.size`.
    #[serde(default)]
    pub field: Option<String>,
    /// Description of the finding: one sentence, or a fragment that is shown after
    /// [`Finding::place`].
    // Name in packs of earlier versions.
    #[serde(alias = "why")]
    pub sentence: Sentence,
    /// Remedy, one sentence; empty if nothing has to be done or no remedy is known.
    #[serde(default)]
    pub remedy: Sentence,
}

impl<C> Finding<C> {
    /// Creates a finding that names no file, task or field.
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

    /// Sets the file.
    #[must_use]
    pub fn in_file(mut self, file: impl Into<String>) -> Self {
        self.file = Some(file.into());
        self
    }

    /// Sets the lines.
    #[must_use]
    pub fn on_lines(mut self, from: usize, to: usize) -> Self {
        (self.line, self.line_end) = (Some(from), Some(to));
        self
    }

    /// Sets the task.
    #[must_use]
    pub fn in_task(mut self, task: impl Into<String>) -> Self {
        self.task = Some(task.into());
        self
    }

    /// Sets the path of the field inside the task or file.
    #[must_use]
    pub fn at(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// Sets the remedy.
    #[must_use]
    pub fn with_remedy(mut self, remedy: impl Into<Sentence>) -> Self {
        self.remedy = remedy.into();
        self
    }

    /// Whether the severity is [`Severity::Error`]: the subject of the finding is left out or
    /// refused.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// Place of the finding, such as `tasks/L5.json: L5-016: task_level`; empty if it is unknown.
    pub fn place(&self) -> Sentence {
        let file = self.file.as_ref().map(|file| match (self.line, self.line_end) {
            (Some(from), Some(to)) if from < to => say!("{file}, lines {from}–{to}"),
            (Some(line), _) => say!("{file}, line {line}"),
            (None, _) => file.clone().into(),
        });
        let inside = [&self.task, &self.field].into_iter().flatten();
        Sentence::joined(file.into_iter().chain(inside.cloned().map(Sentence::from)), ": ")
    }

    /// The sentence of the finding, preceded by its place.
    pub fn located(&self) -> Sentence {
        let sentence = self.sentence.clone();
        match [&self.file, &self.task, &self.field] {
            [None, None, None] => sentence,
            _ => say!("{place}: {said}", place = self.place(), said = sentence),
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
