//! Objections, and the list of them as they are found.

use koab_core::comparability::FindingCode;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};

/// How much an objection weighs. Later is worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum ObjectionSeverity {
    /// A maintainer will ask; the row can stand beside the others all the same.
    Asked,
    /// The row does not belong beside the others as it is.
    Blocks,
}

/// One thing that a maintainer would object to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Objection {
    /// What it is about.
    pub code: FindingCode,
    /// How much it weighs.
    pub severity: ObjectionSeverity,
    /// Where: a file, with the level, task or column behind it.
    pub place: String,
    /// What it is, one sentence.
    pub sentence: Sentence,
    /// What to do about it, one sentence.
    pub remedy: Sentence,
}

/// Objections as they are found.
#[derive(Default)]
pub(super) struct Objections(pub(super) Vec<Objection>);

impl Objections {
    pub(super) fn blocks(
        &mut self,
        code: FindingCode,
        place: impl Into<String>,
        sentence: impl Into<Sentence>,
        remedy: impl Into<Sentence>,
    ) {
        self.push(code, ObjectionSeverity::Blocks, place, sentence, remedy);
    }

    pub(super) fn asked(
        &mut self,
        code: FindingCode,
        place: impl Into<String>,
        sentence: impl Into<Sentence>,
        remedy: impl Into<Sentence>,
    ) {
        self.push(code, ObjectionSeverity::Asked, place, sentence, remedy);
    }

    pub(super) fn push(
        &mut self,
        code: FindingCode,
        severity: ObjectionSeverity,
        place: impl Into<String>,
        sentence: impl Into<Sentence>,
        remedy: impl Into<Sentence>,
    ) {
        self.0.push(Objection {
            code,
            severity,
            place: place.into(),
            sentence: sentence.into(),
            remedy: remedy.into(),
        });
    }
}
