//! Trials of one process. A trial loads a local model and measures its speed.

use super::wire::{LocalExamination, LocalTrial, LocalTrialRequest};
use koab_workspace::jobs::JobState;
use std::sync::{Arc, Mutex, OnceLock};

/// The trials of this process, the oldest first.
#[derive(Default)]
pub(crate) struct Trials(pub(super) Mutex<Vec<Arc<Trial>>>);

pub(super) struct Trial {
    pub(super) request: LocalTrialRequest,
    pub(super) job: Arc<JobState>,
    pub(super) found: OnceLock<LocalExamination>,
}

impl Trial {
    pub(super) fn view(&self) -> LocalTrial {
        LocalTrial {
            request: self.request.clone(),
            job: self.job.view().id,
            found: self.found.get().cloned(),
            error: self.job.error().cloned(),
        }
    }
}
