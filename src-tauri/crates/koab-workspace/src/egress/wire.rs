//! Types of the offline switch and the egress log for the window.

use koab_engine::egress::Purpose;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Offline state of koab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct OfflineView {
    /// Whether requests to other computers are refused now.
    pub on: bool,
    /// Whether the workspace's switch is on. The switch has no effect while [`OfflineView::forced`]
    /// has a reason.
    pub kept: bool,
    /// Reason that sets this process offline regardless of the switch. `null` when there is no such
    /// reason.
    pub forced: Option<OfflineForced>,
}

/// Reason that sets a process offline regardless of the switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum OfflineForced {
    /// The option `--offline`.
    Option,
    /// The environment variable `KOAB_OFFLINE`.
    Environment,
}

/// Requests in one minute to one host for one purpose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct EgressRow {
    /// Time of the first request in UTC, `2026-11-21T09:30:00.000Z`.
    pub from: String,
    /// Time of the last request.
    pub to: String,
    /// Host, with its port when it is not the default one.
    pub host: String,
    /// Purpose of the requests.
    pub purpose: Purpose,
    /// Number of requests, including refused ones.
    #[ts(type = "number")]
    pub requests: u64,
    /// Number of requests that were refused because koab was offline.
    #[ts(type = "number")]
    pub refused: u64,
}

/// Part of the egress log (the log of requests to other computers) with its totals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct EgressView {
    /// Rows, newest first.
    pub rows: Vec<EgressRow>,
    /// Number of all requests, including refused ones and those of rows left out.
    #[ts(type = "number")]
    pub requests: u64,
    /// Number of requests that were refused because koab was offline.
    #[ts(type = "number")]
    pub refused: u64,
    /// Start of the period in UTC. `null` when the log is empty.
    pub since: Option<String>,
    /// Number of older rows left out.
    #[ts(type = "number")]
    pub left_out: u64,
    /// Number of unreadable lines in the log.
    #[ts(type = "number")]
    pub unreadable: u64,
    /// Number of requests of this process that could not be logged, for example because the disk
    /// was full.
    #[ts(type = "number")]
    pub unwritten: u64,
    /// Path of the log's folder.
    pub folder: String,
}

/// Result of deleting the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct EgressCleared {
    /// Number of requests that were in the log.
    #[ts(type = "number")]
    pub requests: u64,
}
