//! Which cached responses a run read: written into `run.json`, so that its numbers can be made
//! again.

use serde::{Deserialize, Serialize};

/// A snapshot of cached responses, as a run names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct SnapshotRef {
    /// Name in the workspace of whoever made the run.
    pub name: String,
    /// Hash of what it holds, the same in every workspace: lower-case hex.
    pub hash: String,
}

/// A pack, as a run names it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PackRef {
    /// Name in the workspace.
    pub name: String,
    /// Version.
    pub version: String,
    /// Hash of its tasks, tools, prompts and records, the same in every workspace: lower-case hex.
    /// Null where nobody computed it.
    pub hash: Option<String>,
}

impl PackRef {
    /// A pack of which only the label `name@version` is known.
    pub fn of_label(label: &str) -> Self {
        let (name, version) = label.rsplit_once('@').unwrap_or((label, ""));
        Self { name: name.to_owned(), version: version.to_owned(), hash: None }
    }
}

/// The cached responses that a run reads.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CacheSource {
    /// The snapshot; null for the pack's own records.
    pub snapshot: Option<SnapshotRef>,
    /// The pack, whose tasks and tools the run has in any case.
    #[serde(default)]
    pub pack: PackRef,
}
