//! Packs and what is published of them, from a hub or as the archive of a repository.
//!
//! What was fetched stays usable without a network: a pack is in the workspace, and of what is
//! published the files lie in the cache that Hugging Face's tools share, with a list of them in the
//! workspace's settings. The list is of this workspace; the files are not, and are never deleted
//! here.

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
    /// Fetches a pack, tasks or what is published of a benchmark. It goes on when whoever asked
    /// goes away; what came of a hub's files is kept when it fails or is stopped, and the next try
    /// continues from it.
    ///
    /// # Errors
    /// When the hub or host cannot be reached or refuses, there is no room, nothing that came can
    /// be used, or it was stopped.
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

    /// Imports what was fetched, as a job and on a thread of its own.
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
            let begun = Instant::now();
            let progress = |done: u64, total: u64| underway.progress(done, total);
            let watch = Watch { cancel: &cancel, progress: &progress };
            let imported =
                packs.workspace.store().and_then(|store| import(store, watch).map_err(WireError::from)).map(
                    |imported| PackImported {
                        pack: summary(&imported.pack),
                        problems: imported.problems,
                        seconds: begun.elapsed().as_secs_f64(),
                    },
                );
            underway.finish(imported)
        };
        tokio::task::spawn_blocking(work).await.map_err(WireError::internal)?
    }
}

#[cfg(test)]
mod tests;
