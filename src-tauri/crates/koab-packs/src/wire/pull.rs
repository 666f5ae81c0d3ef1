//! Packs from the web: requests, results, and the comparison of published tasks with an installed
//! pack.

use super::{LevelCount, PackImport};
use koab_core::finding::Problem;
use koab_core::level::Level;
use koab_core::published::DriftRow;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Request to download a pack.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PackPullRequest {
    /// Dataset on a hub, as `org/name` or `org/name@revision`. With [`PackPullRequest::archive`], a
    /// URL.
    pub from: String,
    /// Whether `from` is the URL of an archive, or of the page of a repository that offers an
    /// archive.
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub archive: bool,
    /// Installed pack with which published tasks are compared (by default the most similar one), or
    /// whose tools are used for tasks without tools (by default the active one).
    #[serde(default)]
    #[ts(optional)]
    pub pack: Option<String>,
}

/// Origin of a download.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PulledFrom {
    /// Name of the repository, or URL of the archive.
    pub name: String,
    /// Page of the repository or archive.
    pub page: String,
    /// Requested branch, tag or commit. `null` for the URL of a file.
    pub revision: Option<String>,
    /// Commit of the files. `null` when an archive does not state it.
    pub commit: Option<String>,
    /// Number of files that were needed.
    pub files: u32,
    /// Size of the needed files in bytes.
    #[ts(type = "number")]
    pub bytes: u64,
    /// SHA-256 of an archive, lower-case hex. `null` for repositories, where each file is checked
    /// against its own hash.
    pub sha256: Option<String>,
}

/// Result of a download.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[ts(export)]
pub enum PackPulled {
    /// A pack that can be run.
    Pack {
        /// Origin of the pack.
        from: PulledFrom,
        /// Result of importing the pack.
        imported: PackImport,
    },
    /// Tasks that can be run with the tools of an installed pack.
    Tasks {
        /// Origin of the tasks.
        from: PulledFrom,
        /// Result of importing the tasks.
        imported: PackImport,
        /// Pack whose tools, judge prompts and cached responses were copied.
        with: String,
    },
    /// Published tasks of a benchmark, which cannot be run.
    Published {
        /// Origin of the tasks.
        from: PulledFrom,
        /// The tasks, compared with an installed pack.
        published: PublishedView,
    },
}

/// Downloaded repository of published tasks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PublishedSummary {
    /// Name of the repository.
    pub repo: String,
    /// Page of the repository.
    pub page: String,
    /// Requested branch, tag or commit.
    pub revision: String,
    /// Commit of the files.
    pub commit: String,
    /// Licence that the repository states.
    pub licence: Option<String>,
    /// Time of the download, UTC, ISO 8601.
    pub pulled_at: String,
    /// Number of tasks.
    pub tasks: u32,
}

/// Published tasks, compared with an installed pack.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PublishedView {
    /// Entry of the repository in the list.
    pub summary: PublishedSummary,
    /// Number of tasks by level, without empty levels.
    pub levels: Vec<LevelCount>,
    /// Problems of the files.
    pub problems: Vec<Problem>,
    /// Comparison with a pack. `null` when no pack is installed.
    pub drift: Option<PublishedDrift>,
}

/// Comparison of published tasks with a pack.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PublishedDrift {
    /// Name of the pack.
    pub pack: String,
    /// Version of the pack.
    pub version: String,
    /// Counts by level, without levels that are empty on both sides.
    pub levels: Vec<DriftCounts>,
    /// All tasks that are published or in the pack.
    pub rows: Vec<DriftRow>,
}

/// Number of tasks of a level, by their difference from the pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DriftCounts {
    /// Level of the tasks.
    pub level: Level,
    /// Number of published tasks.
    pub published: u32,
    /// Number of tasks in the pack.
    pub in_pack: u32,
    /// Number of tasks in both, with the same tools.
    pub same: u32,
    /// Number of tasks in both, with different tools.
    pub other_tools: u32,
    /// Number of tasks in both, at another level of the pack.
    pub other_level: u32,
    /// Number of published tasks that the pack lacks.
    pub only_published: u32,
    /// Number of tasks in the pack that are not published.
    pub only_in_pack: u32,
}
