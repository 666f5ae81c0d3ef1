//! What is wrong with a pack's data, said so that its author finds the place.

use crate::say;
use crate::sentence::Sentence;
use crate::sentence::ToSentence;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Whether the thing can be used in spite of its fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// It is kept and can be run.
    Warning,
    /// It is left out.
    Rejected,
}

/// One fault in a pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// Whether what it concerns is kept.
    pub severity: Severity,
    /// File inside the pack, with `/`; a pure parser does not know it.
    pub file: Option<String>,
    /// Task id, or the 1-based position when the task has no id.
    pub task: Option<String>,
    /// Field, as a path such as `golden_action[1].args.size`.
    pub field: Option<String>,
    /// The fault, as a sentence fragment.
    pub why: Sentence,
}

impl Problem {
    /// A fault that does not keep its subject from being used.
    pub fn warning(why: impl Into<Sentence>) -> Self {
        Self {
            severity: Severity::Warning,
            file: None,
            task: None,
            field: None,
            why: why.into(),
        }
    }

    /// A fault for which its subject is left out.
    pub fn rejected(why: impl Into<Sentence>) -> Self {
        Self {
            severity: Severity::Rejected,
            ..Self::warning(why)
        }
    }

    /// Says in which file.
    #[must_use]
    pub fn in_file(mut self, file: impl Into<String>) -> Self {
        self.file = Some(file.into());
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
}

impl ToSentence for Problem {
    fn to_sentence(&self) -> Sentence {
        let places = [&self.file, &self.task, &self.field].into_iter().flatten().rev();
        let said = places.fold(self.why.clone(), |said, place| say!("{place}: {said}"));
        if self.severity == Severity::Rejected {
            say!("{said} (left out)")
        } else {
            said
        }
    }
}

impl fmt::Display for Problem {
    /// `tasks/L5.json: L5-016: task_level: is missing`, leaving out what is not known.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_sentence().fmt(f)
    }
}
