//! Faults in the data of a pack or a scenario, with their places, for the author of the data.

use super::{Finding, Severity};
use crate::say;
use crate::sentence::{Sentence, ToSentence};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Kinds of faults in data; their names never change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// The kind is unknown, because an earlier version wrote the finding.
    #[default]
    Unnamed,
    /// A file or record cannot be read.
    Unreadable,
    /// A text is not JSON.
    NotJson,
    /// Required data is missing.
    Missing,
    /// A value has the wrong type or structure.
    Form,
    /// A name is already in use.
    Taken,
    /// The pack has no tool of this name.
    UnknownTool,
    /// A placeholder was not replaced by a value of an earlier step.
    Placeholder,
    /// The tool's schema refuses the arguments.
    Arguments,
    /// A file or text has changed since its import, or differs from its stated hash.
    Changed,
    /// A number differs from the number of items that the manifest states.
    Count,
    /// Cached responses belong to no call, or only to calls of an earlier version of the tool.
    Records,
}

/// One fault in data.
pub type Problem = Finding<Fault>;

impl Fault {
    /// Creates a fault whose subject can still be used.
    pub fn warning(self, why: impl Into<Sentence>) -> Problem {
        Finding::new(self, Severity::Warning, why)
    }

    /// Creates a fault whose subject is left out.
    pub fn rejected(self, why: impl Into<Sentence>) -> Problem {
        Finding::new(self, Severity::Error, why)
    }
}

impl ToSentence for Problem {
    fn to_sentence(&self) -> Sentence {
        match (self.is_error(), self.located()) {
            (true, said) => say!("{said} (left out)"),
            (false, said) => said,
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_sentence().fmt(f)
    }
}
