//! What one process holds of downloads.

use super::meter::Meter;
use super::plan::Plan;
use crate::weights::{PullStanding, PullState};
use koab_engine::ports::Cancel;
use koab_workspace::{ErrorCode, WireError};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// The downloads of this process by id, those that ended in it too.
#[derive(Default)]
pub(crate) struct Pulls {
    pub(super) live: Mutex<BTreeMap<String, Arc<Live>>>,
}

/// A download under way in this process.
pub(super) struct Live {
    pub(super) plan: Plan,
    pub(super) pause: Cancel,
    pub(super) given_up: AtomicBool,
    /// Bytes that are here, by file.
    pub(super) bytes: Vec<AtomicU64>,
    pub(super) meter: Mutex<Meter>,
    pub(super) end: OnceLock<Result<(), WireError>>,
    /// Triggered at its end.
    pub(super) over: Cancel,
}

impl Pulls {
    pub(super) fn all(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Live>>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn get(&self, id: &str) -> Option<Arc<Live>> {
        self.all().get(id).cloned()
    }
}

impl Live {
    pub(super) fn new(plan: Plan) -> Self {
        Self {
            bytes: plan.files.iter().map(|_| AtomicU64::new(0)).collect(),
            plan,
            pause: Cancel::new(),
            given_up: AtomicBool::new(false),
            meter: Mutex::default(),
            end: OnceLock::new(),
            over: Cancel::new(),
        }
    }

    pub(super) fn done(&self) -> u64 {
        self.bytes.iter().map(|bytes| bytes.load(Ordering::Relaxed)).sum()
    }

    /// Takes down how many bytes of a file are here.
    pub(super) fn note(&self, file: usize, bytes: u64) {
        if let Some(known) = self.bytes.get(file) {
            known.store(bytes, Ordering::Relaxed);
        }
        let mut meter = self.meter.lock().unwrap_or_else(PoisonError::into_inner);
        meter.note(self.done());
    }

    pub(super) fn state(&self) -> PullState {
        let standing = match self.end.get() {
            None => PullStanding::Running,
            Some(Ok(())) => PullStanding::Done,
            Some(Err(_)) if self.given_up.load(Ordering::Relaxed) => PullStanding::Cancelled,
            Some(Err(error)) if error.code == ErrorCode::Cancelled => PullStanding::Paused,
            Some(Err(_)) => PullStanding::Failed,
        };
        let mut state = self
            .plan
            .state(standing, |at, _| self.bytes[at].load(Ordering::Relaxed));
        if standing == PullStanding::Running {
            let meter = self.meter.lock().unwrap_or_else(PoisonError::into_inner);
            state.speed = meter.speed();
            let left = state.total.saturating_sub(state.done) as f64;
            state.eta_s = state.speed.filter(|speed| *speed > 0.0).map(|speed| left / speed);
        }
        if standing == PullStanding::Failed {
            state.error = self.end.get().and_then(|end| end.as_ref().err().cloned());
        }
        state
    }
}
