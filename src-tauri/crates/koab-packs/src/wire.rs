//! Tasks and packs as they cross to the page.

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

/// One pack of the workspace.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PackSummary {
    /// Name, unique in the workspace.
    pub name: String,
    /// Version of the pack.
    pub version: String,
    /// One line for people.
    pub title: String,
    /// Licence of its data.
    pub licence: String,
    /// Whether the data is invented sample data.
    pub sample: bool,
    /// Whether runs use it unless told otherwise.
    pub active: bool,
    /// Tasks a level, levels without tasks left out.
    pub levels: Vec<LevelCount>,
    /// Tool definitions; `null` where each item has its own.
    pub tools: Option<u32>,
    /// Cached responses; `null` where no tool is answered.
    pub records: Option<u32>,
    /// The benchmark whose items it holds in the place of tasks; `null` in packs of Ko-AgentBench's
    /// tasks.
    pub kind: Option<String>,
    /// Items by group, in that benchmark's order.
    pub groups: Vec<GroupCount>,
}

/// Items of one group of another benchmark.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct GroupCount {
    /// Names of the group, outermost first.
    pub group: Vec<String>,
    /// Its items.
    pub items: u32,
}

/// Tasks of one level in a pack.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LevelCount {
    /// The level.
    pub level: Level,
    /// Its tasks.
    pub tasks: u32,
}
