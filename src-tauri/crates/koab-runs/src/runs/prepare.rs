//! Checks and opens everything that a run needs before the first call, in four stages: the run that
//! is resumed, its settings, the model and the responses, and the run's files.

mod check;
mod open;
mod resume;
mod settle;

pub(crate) use self::open::run_id;
pub(crate) use self::settle::is_same_pack;

use crate::Runs;
use crate::runs::live::LiveRun;
use crate::wire::{RunRequest, WireError};
use koab_engine::ports::Cancel;
use koab_engine::{RunInput, RunPorts};
use koab_otlp::Export;
use std::path::PathBuf;
use std::sync::Arc;

/// A run with everything it needs, checked before the first call.
pub(crate) struct PreparedRun {
    pub(crate) input: RunInput,
    pub(crate) ports: RunPorts,
    pub(super) folder: Option<PathBuf>,
    /// `<model folder>/<date>`.
    pub(super) id: Option<String>,
    pub(super) export: Option<Arc<Export>>,
}

impl Runs {
    /// # Errors
    /// When the run makes no sense, something that it needs is missing or refuses, or `cancel` was
    /// triggered. Nothing of a new run exists then.
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
