//! Downloads in one process.

use super::meter::Meter;
use super::plan::Plan;
use crate::weights::{PullStanding, PullState};
use koab_workspace::ErrorCode;
use koab_workspace::jobs::JobState;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The downloads of this process by id, including those that have ended.
#[derive(Default)]
pub(crate) struct Pulls {
    pub(super) live: Mutex<BTreeMap<String, Arc<CurrentPull>>>,
}

/// A download of this process.
pub(super) struct CurrentPull {
    pub(super) plan: Plan,
    pub(super) job: Arc<JobState>,
    pub(super) given_up: AtomicBool,
    /// Received bytes, by file.
    pub(super) bytes: Vec<AtomicU64>,
    pub(super) meter: Mutex<Meter>,
}

impl Pulls {
    pub(super) fn all(&self) -> MutexGuard<'_, BTreeMap<String, Arc<CurrentPull>>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn get(&self, id: &str) -> Option<Arc<CurrentPull>> {
        self.all().get(id).cloned()
    }
}

impl CurrentPull {
    pub(super) fn new(plan: Plan, job: Arc<JobState>) -> Self {
        Self {
            bytes: plan.files.iter().map(|_| AtomicU64::new(0)).collect(),
            plan,
            job,
            given_up: AtomicBool::new(false),
            meter: Mutex::default(),
        }
    }

    pub(super) fn done(&self) -> u64 {
        self.bytes.iter().map(|bytes| bytes.load(Ordering::Relaxed)).sum()
    }

    /// Records the number of received bytes of a file.
    pub(super) fn note(&self, file: usize, bytes: u64) {
        if let Some(counter) = self.bytes.get(file) {
            counter.store(bytes, Ordering::Relaxed);
        }
        let mut meter = self.meter.lock().unwrap_or_else(PoisonError::into_inner);
        meter.note(self.done());
    }

    pub(super) fn state(&self) -> PullState {
        let standing = match (self.job.is_over(), self.job.error()) {
            (false, _) => PullStanding::Running,
            (true, None) => PullStanding::Done,
            (true, Some(_)) if self.given_up.load(Ordering::Relaxed) => PullStanding::Cancelled,
            (true, Some(error)) if error.code == ErrorCode::Cancelled => PullStanding::Paused,
            (true, Some(_)) => PullStanding::Failed,
        };
        let mut state = self.plan.state(standing, |at, _| self.bytes[at].load(Ordering::Relaxed));
        if standing == PullStanding::Running {
            let meter = self.meter.lock().unwrap_or_else(PoisonError::into_inner);
            state.speed = meter.speed();
            let remaining = state.total.saturating_sub(state.done) as f64;
            state.eta_s = state.speed.filter(|speed| *speed > 0.0).map(|speed| remaining / speed);
        }
        if standing == PullStanding::Failed {
            state.error = self.job.error().cloned();
        }
        state
    }
}

#[cfg(test)]
mod tests;
