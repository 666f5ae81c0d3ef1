//! Version of the format of a run's files.

use crate::say;
use crate::sentence::Sentence;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Version of the format of `run.json` and `journal.jsonl`. A newer version cannot be read.
///
/// 1: lines without a checksum. 2: each journal line ends with a checksum. 3: a step has all data
/// that is needed to resume its attempt. 4: the run was changed while it was being made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub struct RunFormat(u32);

impl RunFormat {
    /// Newest version that this program writes.
    pub const CURRENT: Self = Self(4);
    /// Version of a run that was never changed. Earlier versions of this program can read it.
    pub const UNCHANGED: Self = Self(3);

    /// Version of a run, depending on whether it was changed while it was being made.
    pub fn of(is_changed: bool) -> Self {
        if is_changed { Self::CURRENT } else { Self::UNCHANGED }
    }

    /// Whether journal lines of this version have a checksum.
    pub fn has_checksums(self) -> bool {
        self.0 >= 2
    }
}

impl TryFrom<u32> for RunFormat {
    type Error = Sentence;

    fn try_from(number: u32) -> Result<Self, Sentence> {
        if number > Self::CURRENT.0 {
            return Err(say!(
                "it has format {number} of a newer version of this program; update this program"
            ));
        }
        Ok(Self(number))
    }
}

impl From<RunFormat> for u32 {
    fn from(format: RunFormat) -> Self {
        format.0
    }
}

impl fmt::Display for RunFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
