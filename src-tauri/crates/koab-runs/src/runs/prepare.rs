//! Checks and opens everything that a run needs before its first call. There are four stages: the
//! run that is resumed, the settings, the model with the responses, and the run's files.

mod check;
mod open;
mod resume;
mod same_pack;
mod settle;

pub use self::open::run_id;
pub(crate) use self::same_pack::is_same_pack;

use crate::Runs;
use crate::otlp::Export;
use koab_engine::ports::Cancel;
use koab_engine::{RunInput, RunPorts};
use koab_library::RunRequest;
use koab_library::live::LiveRun;
use koab_workspace::WireError;
use std::path::PathBuf;
use std::sync::Arc;

/// A run that is checked and ready for its first call.
pub(crate) struct PreparedRun {
    pub(crate) input: RunInput,
    pub(crate) ports: RunPorts,
    pub(super) folder: Option<PathBuf>,
    /// Run id, `<model folder>/<date>`; `None` if the run is not saved.
    pub(super) id: Option<String>,
    pub(super) export: Option<Arc<Export>>,
}

impl Runs {
    /// Prepares a run.
    ///
    /// # Errors
    /// When the request is invalid, something that the run needs is missing or refuses, or `cancel`
    /// was triggered. No file of a new run exists then.
    pub(crate) async fn prepare(
        &self,
        request: &RunRequest,
        live: Arc<LiveRun>,
        cancel: &Cancel,
    ) -> Result<PreparedRun, WireError> {
        let resumed = self.resumed(request).await?;
        let settled = self.settled_run(request, resumed).await?;
        let checked = self.checked_run(settled, cancel).await?;
        self.opened_run(checked, live).await
    }
}
