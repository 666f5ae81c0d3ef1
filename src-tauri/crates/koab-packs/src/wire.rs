//! Types of tasks and packs for the window.

mod drafts;
mod packs;
mod pull;
mod snapshots;
mod tasks;

pub use drafts::*;
pub use packs::*;
pub use pull::*;
pub use snapshots::*;
pub use tasks::*;

use koab_core::level::Level;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Pack in the list of packs.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PackSummary {
    /// Name of the pack, unique in the workspace.
    pub name: String,
    /// Version of the pack.
    pub version: String,
    /// Title in one line.
    pub title: String,
    /// Licence of the data.
    pub licence: String,
    /// Whether the data is invented sample data.
    pub sample: bool,
    /// Whether runs use the pack by default.
    pub active: bool,
    /// Number of tasks by level, without empty levels.
    pub levels: Vec<LevelCount>,
    /// Number of tool definitions. `null` when each item has its own.
    pub tools: Option<u32>,
    /// Number of cached responses. `null` when the pack's tools are never called.
    pub records: Option<u32>,
    /// Name of the benchmark whose items the pack contains instead of tasks. `null` for tasks of
    /// Ko-AgentBench.
    pub kind: Option<String>,
    /// Number of items by group, in the benchmark's order.
    pub groups: Vec<GroupCount>,
}

/// Number of items in one group of another benchmark.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct GroupCount {
    /// Names of the group, outermost first.
    pub group: Vec<String>,
    /// Number of items.
    pub items: u32,
}

/// Number of tasks of one level in a pack.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LevelCount {
    /// Level of the tasks.
    pub level: Level,
    /// Number of tasks.
    pub tasks: u32,
}
