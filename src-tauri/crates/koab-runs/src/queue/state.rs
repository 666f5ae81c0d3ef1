//! What one process holds of the queue.

use crate::runs::live::LiveRun;
use crate::wire::{EndedRun, RunRequest};
use std::collections::VecDeque;
use std::sync::Arc;

/// Where this process's runs stand.
#[derive(Default)]
pub(crate) struct Queue {
    pub(super) current: Option<Current>,
    pub(super) waiting: VecDeque<RunRequest>,
    pub(super) ended: VecDeque<EndedRun>,
}

pub(super) struct Current {
    pub(super) live: Arc<LiveRun>,
    pub(super) model: String,
    /// Whether its attempts are over and it is being scored.
    pub(super) scoring: bool,
}
