//! Cached responses that a run reads, as `run.json` names them, so that its numbers can be
//! reproduced.

use serde::{Deserialize, Serialize};

/// A snapshot of cached responses, as a run names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct SnapshotRef {
    /// Name of the snapshot in the workspace where the run was made.
    pub name: String,
    /// Hash of the snapshot's contents, lower-case hex; the same in every workspace.
    pub hash: String,
}

/// A pack, as a run names it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PackRef {
    /// Name of the pack in the workspace.
    pub name: String,
    /// Version of the pack.
    pub version: String,
    /// Hash of the pack's tasks, tools, prompts and records, lower-case hex; the same in every
    /// workspace. Null if it was not computed.
    pub hash: Option<String>,
}

impl PackRef {
    /// Parses a label `name@version`. The hash stays null.
    pub fn of_label(label: &str) -> Self {
        let (name, version) = label.rsplit_once('@').unwrap_or((label, ""));
        Self { name: name.to_owned(), version: version.to_owned(), hash: None }
    }
}

/// The cached responses that a run reads.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CacheSource {
    /// The snapshot; null if the run reads the pack's own cached responses.
    pub snapshot: Option<SnapshotRef>,
    /// The pack. It provides the tasks and tools, with or without a snapshot.
    #[serde(default)]
    pub pack: PackRef,
}
