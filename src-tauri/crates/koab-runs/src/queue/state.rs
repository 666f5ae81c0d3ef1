//! State of the queue in one process.

use koab_library::live::LiveRun;
use koab_library::{EndedRun, RunRequest, ScoreAfter};
use koab_models::SpendingCaps;
use std::collections::VecDeque;
use std::sync::Arc;

/// The current, waiting and ended runs of this process.
#[derive(Default)]
pub(crate) struct Queue {
    pub(super) current: Option<Current>,
    pub(super) waiting: VecDeque<RunRequest>,
    pub(super) ended: VecDeque<EndedRun>,
}

pub(super) struct Current {
    pub(super) live: Arc<LiveRun>,
    pub(super) model: String,
    /// Whether all attempts of the run have ended and the run is being scored.
    pub(super) scoring: bool,
    /// Settings for scoring the run after its end. Judges can be changed until then.
    pub(super) score: Option<ScoreAfter>,
    /// Caps of the run and its judges, as requested.
    pub(super) caps: SpendingCaps,
}
