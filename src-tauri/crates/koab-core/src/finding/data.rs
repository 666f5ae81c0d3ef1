//! Faults in the data of a pack or a scenario, with their places for its author.

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
    /// No kind: the finding was written by an earlier version.
    #[default]
    Unnamed,
    /// A file or record that cannot be read.
    Unreadable,
    /// A text that is not JSON.
    NotJson,
    /// Something required is missing.
    Missing,
    /// A value of the wrong form.
    Form,
    /// A name that is already in use.
    Taken,
    /// A tool that the pack does not have.
    UnknownTool,
    /// A value that a step before was to fill in.
    Placeholder,
    /// Arguments that no sound call of the tool has.
    Arguments,
    /// A text that differs from the imported or stated one.
    Changed,
    /// A number that differs from the stated one.
    Count,
    /// Records that answer no call, or only calls of an earlier version of the tool.
    Records,
}

/// One fault in data.
pub type Problem = Finding<Fault>;

impl Fault {
    /// A fault whose subject can still be used.
    pub fn warning(self, why: impl Into<Sentence>) -> Problem {
        Finding::new(self, Severity::Warning, why)
    }

    /// A fault whose subject is left out.
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
