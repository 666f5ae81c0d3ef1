//! Import of packs and published tasks from a hub, or from the archive of a repository.
//!
//! Downloads stay usable without a network. A pack is in the workspace. The files of published
//! tasks are in the shared Hugging Face cache, and the workspace's settings list them. The list
//! belongs to this workspace; the files may be shared and are never deleted here.

mod archive;
mod download;
mod published;
mod repository;

use crate::Packs;
use crate::wire::{PackPullRequest, PackPulled};
use crate::{PackImported, summary};
use koab_core::say;
use koab_engine::ports::Cancel;
use koab_store::import::{Imported, Watch};
use koab_store::{Error, Store};
use koab_workspace::WireError;
use koab_workspace::jobs::{JobKind, Underway};
use koab_workspace::paths::last_part;
use std::path::Path;
use std::time::Instant;

impl Packs {
    /// Downloads a pack, tasks, or published tasks of a benchmark.
    ///
    /// The download continues when the caller disconnects. When a download from a hub fails or is
    /// stopped, its files are kept, and the next try continues from them.
    ///
    /// # Errors
    /// When the hub or host cannot be reached or refuses, the disk has too little space, the
    /// download has no usable content, or it was stopped.
    pub async fn pull(&self, request: PackPullRequest, cancel: &Cancel) -> Result<PackPulled, WireError> {
        if request.from.trim().is_empty() {
            return Err(WireError::bad_request(say!(
                "name a dataset of a hub, such as huggingface-KREW/Ko-AgentBench, or an archive by its address"
            )));
        }
        let (packs, cancel) = (self.clone(), cancel.clone());
        let work = async move {
            if request.archive {
                archive::pull(&packs, &request, &cancel).await
            } else {
                repository::pull(&packs, &request, &cancel).await
            }
        };
        tokio::spawn(work).await.map_err(WireError::internal)?
    }

    /// Imports a download, as a job on a blocking thread.
    async fn import_pulled(
        &self,
        about: &Path,
        cancel: &Cancel,
        import: impl FnOnce(&Store, Watch<'_>) -> Result<Imported, Error> + Send + 'static,
    ) -> Result<PackImported, WireError> {
        let (packs, cancel) = (self.clone(), cancel.clone());
        let underway: Underway =
            self.workspace.begin_job(JobKind::PackImport, vec![last_part(about)], Some(&cancel));
        let work = move || {
            let start = Instant::now();
            let progress = |done: u64, total: u64| underway.progress(done, total);
            let watch = Watch { cancel: &cancel, progress: &progress };
            let imported =
                packs.workspace.store().and_then(|store| import(store, watch).map_err(WireError::from)).map(
                    |imported| PackImported {
                        pack: summary(&imported.pack),
                        problems: imported.problems,
                        seconds: start.elapsed().as_secs_f64(),
                    },
                );
            underway.finish(imported)
        };
        tokio::task::spawn_blocking(work).await.map_err(WireError::internal)?
    }
}

#[cfg(test)]
mod tests;
