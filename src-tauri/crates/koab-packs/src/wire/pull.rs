//! Packs from elsewhere: what is asked for, what came, and how what is published stands to an
//! installed pack.

use super::{LevelCount, PackImport};
use koab_core::finding::Problem;
use koab_core::level::Level;
use koab_core::published::DriftRow;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What to fetch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PackPullRequest {
    /// A dataset on a hub, as `org/name` or `org/name@revision`; with [`PackPullRequest::archive`]
    /// an address.
    pub from: String,
    /// Whether `from` is the address of an archive, or of the page of a repository of which there
    /// is one.
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub archive: bool,
    /// The installed pack that what is published is compared with, or whose tools solve tasks that
    /// come without any; the one that fits best when none is named.
    #[serde(default)]
    #[ts(optional)]
    pub pack: Option<String>,
}

/// Where something was fetched from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PulledFrom {
    /// The repository, or the address of an archive.
    pub name: String,
    /// Its page.
    pub page: String,
    /// The branch, tag or commit that was asked for; `null` for the address of a file.
    pub revision: Option<String>,
    /// The commit; `null` where an archive does not say.
    pub commit: Option<String>,
    /// Files that were needed.
    pub files: u32,
    /// Their bytes.
    #[ts(type = "number")]
    pub bytes: u64,
    /// SHA-256 of an archive, lower-case hex; `null` for repositories, whose files are each
    /// compared with their hash.
    pub sha256: Option<String>,
}

/// What a pull brought.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[ts(export)]
pub enum PackPulled {
    /// A pack that can be run.
    Pack {
        /// Where it came from.
        from: PulledFrom,
        /// As of any import.
        imported: PackImport,
    },
    /// Tasks that can be run with the tools of an installed pack.
    Tasks {
        /// Where they came from.
        from: PulledFrom,
        /// As of any import.
        imported: PackImport,
        /// The pack whose tools, judge prompts and cached responses it has.
        with: String,
    },
    /// What is published of a benchmark, which cannot be run.
    Published {
        /// Where it came from.
        from: PulledFrom,
        /// What it says.
        published: PublishedView,
    },
}

/// What is published of a benchmark and was fetched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PublishedSummary {
    /// The repository.
    pub repo: String,
    /// Its page.
    pub page: String,
    /// The branch, tag or commit that was asked for.
    pub revision: String,
    /// The commit.
    pub commit: String,
    /// Licence as the repository states it.
    pub licence: Option<String>,
    /// When it was fetched, UTC, ISO 8601.
    pub pulled_at: String,
    /// Tasks.
    pub tasks: u32,
}

/// What is published, compared with an installed pack.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PublishedView {
    /// As in the list.
    pub summary: PublishedSummary,
    /// Tasks a level, levels without tasks left out.
    pub levels: Vec<LevelCount>,
    /// What is wrong with its files.
    pub problems: Vec<Problem>,
    /// How it stands to a pack; `null` where none is installed.
    pub drift: Option<PublishedDrift>,
}

/// What is published beside what a pack has.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PublishedDrift {
    /// Name of the pack.
    pub pack: String,
    /// Its version.
    pub version: String,
    /// Counts a level, levels without tasks on both sides left out.
    pub levels: Vec<DriftCounts>,
    /// Every task of either side.
    pub rows: Vec<DriftRow>,
}

/// Tasks of a level by how they stand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DriftCounts {
    /// The level.
    pub level: Level,
    /// Published.
    pub published: u32,
    /// In the pack.
    pub in_pack: u32,
    /// In both, with the same tools.
    pub same: u32,
    /// In both, with other tools.
    pub other_tools: u32,
    /// In both, at another level of the pack.
    pub other_level: u32,
    /// Not in the pack.
    pub only_published: u32,
    /// Not published.
    pub only_in_pack: u32,
}
