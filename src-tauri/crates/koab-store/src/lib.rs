//! All storage on disk: packs and their cached responses in one SQLite file, runs and reports in
//! folders.
//!
//! The engine uses this crate only through its ports (`ResponseCache`, `RunLog`). `koab-workspace`
//! decides the name and path of a workspace's folder; every function here takes paths.
//!
//! Nothing here ever writes into the folder or archive that a pack is imported from.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod atomic;
pub mod benchmark_pack;
pub mod benchmarks;
pub mod bundle_file;
pub mod cache;
pub mod change_requests;
mod copies;
pub mod db;
pub mod draft;
pub mod drafts;
pub mod egress_log;
mod error;
pub mod export;
pub mod find_index;
pub mod flags;
mod folder;
pub mod forks;
mod group_logs;
pub mod holds;
pub mod import;
pub mod intake;
mod journal_file;
pub mod journal_index;
mod json_file;
mod judging_progress;
mod migrate;
pub mod overlay;
pub mod overrides;
pub mod own_versions;
pub mod packs;
pub mod queues;
mod recorded_turns;
pub mod recording;
mod records_hash;
pub mod redefined;
mod remarks;
pub mod report_files;
pub mod report_index;
pub mod repository_files;
pub mod run_folder;
pub mod run_lock;
pub mod run_log;
pub mod runs;
pub mod shard_progress;
pub mod shards;
pub mod snapshots;
pub mod spending;
mod table;
mod trash;
mod trashed;
mod trashed_packs;
pub mod verdict_shards;
pub mod verdicts;

pub use benchmark_pack::{BenchmarkFiles, BenchmarkPack, not_asked_here};
pub use benchmarks::{BenchmarkCounts, GroupItems};
pub use cache::PackCache;
pub use db::Store;
pub use drafts::{DraftEdit, DraftInfo, DraftItem, DraftWritten, ItemKind, StoredDraft};
pub use egress_log::{EgressLine, EgressLines, EgressLog};
pub use error::Error;
pub use flags::TaskFlag;
pub use forks::{ForkLog, Forks};
pub use import::Imported;
pub use judging_progress::JudgingProgress;
pub use migrate::workspace_format;
pub use overlay::{Overlay, OverlayEntry};
pub use own_versions::{DraftSaving, OwnPackVersion, SavedVersion};
pub use packs::{PackInfo, RecordCounts};
pub use remarks::Remark;
pub use run_folder::RunFolder;
pub use run_lock::RunLock;
pub use run_log::FolderLog;
pub use shard_progress::{ShardCount, ShardProgress};
pub use snapshots::{CacheState, SnapshotInfo, StateOf};
pub use table::record::ToolRecords;
pub use trash::{Trash, TrashPlaces};
pub use trashed::{Deleted, Emptied, TRASH_DAYS, TrashKind, Trashed};
