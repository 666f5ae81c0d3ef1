//! What one process holds of trials.

use super::wire::{LocalExamination, LocalTrial, LocalTrialRequest};
use koab_workspace::WireError;
use std::sync::{Arc, Mutex, OnceLock};

/// The trials of this process, the oldest first.
#[derive(Default)]
pub(crate) struct Trials(pub(super) Mutex<Vec<Arc<Trial>>>);

pub(super) struct Trial {
    pub(super) request: LocalTrialRequest,
    pub(super) job: String,
    pub(super) end: OnceLock<Result<LocalExamination, WireError>>,
}

impl Trial {
    pub(super) fn view(&self) -> LocalTrial {
        let end = self.end.get();
        LocalTrial {
            request: self.request.clone(),
            job: self.job.clone(),
            found: end.and_then(|end| end.as_ref().ok()).cloned(),
            error: end.and_then(|end| end.as_ref().err()).cloned(),
        }
    }
}
