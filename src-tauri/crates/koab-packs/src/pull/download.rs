//! A download of packs, shown as a job.

use crate::Packs;
use koab_engine::ports::Cancel;
use koab_workspace::WireError;
use koab_workspace::jobs::{JobKind, Underway};
use std::sync::Arc;

/// Job of a download.
pub(super) struct Download(pub(super) Arc<Underway>);

impl Download {
    pub(super) fn begin(packs: &Packs, about: &str, cancel: &Cancel) -> Self {
        let about = vec![about.to_owned()];
        Self(Arc::new(packs.workspace.begin_job(JobKind::PackPull, about, Some(cancel))))
    }

    /// Callback for progress: bytes downloaded, and the total if known.
    pub(super) fn progress(&self) -> impl Fn(u64, Option<u64>) + Send + Sync + 'static {
        let underway = Arc::clone(&self.0);
        move |bytes, total| underway.progress(bytes, total.unwrap_or(u64::MAX))
    }

    /// Finishes the job with the result of its work, and returns the result.
    pub(super) fn finish<T>(&self, ended: Result<T, WireError>) -> Result<T, WireError> {
        self.0.finish(ended)
    }
}
