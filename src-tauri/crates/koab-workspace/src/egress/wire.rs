//! The offline switch and the log of what has left this computer.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Whether koab is offline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct OfflineView {
    /// Whether anything that would leave this computer is refused now.
    pub on: bool,
    /// Whether the workspace's switch is on: it counts wherever nothing forces it.
    pub kept: bool,
    /// What puts this process offline whatever the switch says; `null` where nothing does.
    pub forced: Option<OfflineForced>,
}

/// What puts a process offline whatever the switch says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum OfflineForced {
    /// `--offline`.
    Option,
    /// `KOAB_OFFLINE`.
    Environment,
}

/// What a request to another computer is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum EgressPurpose {
    /// A turn of a model under test.
    Model,
    /// A judge's verdict.
    Judge,
    /// A model call of a scenario.
    Scenario,
    /// A pack from a hub.
    Pack,
    /// The archive of a repository.
    Archive,
    /// A model from a hub.
    Weights,
    /// A scenario benchmark.
    Benchmark,
    /// A tool's real service.
    Service,
    /// A page behind a search result.
    Page,
    /// The collector of spans.
    Collector,
    /// A container engine on another computer.
    Engine,
    /// A container image.
    Image,
    /// A link in the browser.
    Link,
    /// The window's own next version.
    Update,
}

/// Requests of one minute to one host for one purpose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct EgressRow {
    /// The first of them, UTC, `2026-11-21T09:30:00.000Z`.
    pub from: String,
    /// The last of them.
    pub to: String,
    /// Host, with its port where that is not the usual one.
    pub host: String,
    /// What for.
    pub purpose: EgressPurpose,
    /// How many, refused ones included.
    #[ts(type = "number")]
    pub requests: u64,
    /// How many of them were refused because koab was offline.
    #[ts(type = "number")]
    pub refused: u64,
}

/// What has left this computer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct EgressView {
    /// The newest first.
    pub rows: Vec<EgressRow>,
    /// Requests in all, refused ones and those of rows that are left out included.
    #[ts(type = "number")]
    pub requests: u64,
    /// How many of them were refused because koab was offline.
    #[ts(type = "number")]
    pub refused: u64,
    /// Since when the log tells, UTC; `null` where it is empty.
    pub since: Option<String>,
    /// Older rows that are there and not here.
    #[ts(type = "number")]
    pub left_out: u64,
    /// Lines of the log that cannot be read.
    #[ts(type = "number")]
    pub unreadable: u64,
    /// Requests of this process that could not be written down, for one because the disk was full.
    #[ts(type = "number")]
    pub unwritten: u64,
    /// Where the log lies.
    pub folder: String,
}

/// A log that was removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct EgressCleared {
    /// Requests that were in it.
    #[ts(type = "number")]
    pub requests: u64,
}
