//! What is wrong with the data of a pack or a scenario, said so that its author finds the place.

use super::{Finding, Severity};
use crate::say;
use crate::sentence::{Sentence, ToSentence};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What can be wrong with data, by a name that stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// Written by a version that named none.
    #[default]
    Unnamed,
    /// A file or record that cannot be read.
    Unreadable,
    /// A text that is not JSON.
    NotJson,
    /// Something that has to be there is not.
    Missing,
    /// Something that has another form than it must have.
    Form,
    /// A name that something else has.
    Taken,
    /// A tool that the pack does not have.
    UnknownTool,
    /// A value that a step before was to fill in.
    Placeholder,
    /// Arguments that no sound call of the tool has.
    Arguments,
    /// Another text than was imported or stated.
    Changed,
    /// Another number than was stated.
    Count,
    /// Records that answer nothing, or only as an earlier tool's.
    Records,
}

/// One fault in data.
pub type Problem = Finding<Fault>;

impl Fault {
    /// A fault that does not keep its subject from being used.
    pub fn warning(self, why: impl Into<Sentence>) -> Problem {
        Finding::new(self, Severity::Warning, why)
    }

    /// A fault for which its subject is left out.
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
