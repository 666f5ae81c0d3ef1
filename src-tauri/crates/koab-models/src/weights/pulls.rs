//! Downloads of models: started, paused, resumed, cancelled.
//!
//! The plan of a download is stored in `<home>/models/pulls/<id>.json` until it is done, so a
//! download can be resumed in a later session. Its files are in the cache.

mod fetching;
mod live;
mod meter;
mod plan;

use crate::Models;
use crate::downloads::named;
use crate::weights::hub_model::{listed, model, want};
use crate::weights::{PullRequest, PullStanding, PullState};
use koab_core::say;
use koab_engine::egress::Purpose;
use koab_engine::ports::Cancel;
use koab_hub::Repository as Cached;
use koab_local::library::{Entry, choose};
use koab_workspace::WireError;
use koab_workspace::jobs::JobKind;
use live::CurrentPull;
pub(crate) use live::Pulls;
use plan::Plan;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Interval of progress reports to a caller that waits for a download.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

impl Models {
    /// Resolves a request on the hub and starts the download. A paused download of the same model
    /// is resumed.
    ///
    /// # Errors
    /// When the hub cannot be reached or refuses, the request is ambiguous, or the disk has no
    /// room.
    pub async fn pull_start(&self, request: PullRequest) -> Result<PullState, WireError> {
        let choice = want(&request)?;
        let access = self.hub(Purpose::Weights).await?;
        let hub = access.hub.shown();
        let (repo, revision) = named(&request.repo, &hub);
        let listing = access.hub.repository(model(repo), revision).await;
        let listing = listing.map_err(|error| access.wire_error(error))?;
        let offer = choose::choose(&listed(&listing.files), &choice)
            .map_err(|why| WireError::bad_request(say!("{repo}: {why}")))?;
        let library = self.library()?;
        let plan = Plan::new((repo, revision), &listing, &offer, &Cached::of_model(library.hub(), repo));
        let plan = match self.planned(&plan.id) {
            Ok(earlier) if earlier.files.len() == plan.files.len() => earlier,
            _ => plan,
        };
        self.begin_pull(plan)
    }

    /// Resumes a download that was paused or failed.
    ///
    /// # Errors
    /// When no download has this id, or the disk has no room.
    pub async fn pull_resume(&self, id: &str) -> Result<PullState, WireError> {
        let plan = self.planned(id)?;
        // If no hub may be used, the error is reported now.
        self.hub(Purpose::Weights).await?;
        self.begin_pull(plan)
    }

    /// Pauses a download. Received bytes are kept, also for other tools of Hugging Face.
    ///
    /// # Errors
    /// When no download has this id.
    pub fn pull_pause(&self, id: &str) -> Result<(), WireError> {
        match self.state.pulls.get(id) {
            Some(live) => drop(live.job.stop()),
            None => drop(self.planned(id)?),
        }
        Ok(())
    }

    /// Cancels a download. Files that the download added to the cache are deleted; files that were
    /// there before are kept.
    ///
    /// # Errors
    /// When no download has this id, or the file system reports an error.
    pub async fn pull_cancel(&self, id: &str) -> Result<(), WireError> {
        let plan = self.planned(id)?;
        if let Some(live) = self.state.pulls.get(id) {
            live.given_up.store(true, Ordering::Relaxed);
            live.job.stop();
            live.job.over().await;
        }
        let cache = Cached::of_model(self.library()?.hub(), &plan.repo);
        let folder = self.plans();
        tokio::task::spawn_blocking(move || {
            let brought = plan.files.iter().filter(|file| file.brought);
            let brought: Vec<_> = brought.map(|file| (file.path.as_str(), file.hash.as_str())).collect();
            cache.undo(&plan.commit, &brought).map_err(WireError::storage)?;
            plan.remove(&folder)
        })
        .await
        .map_err(WireError::internal)??;
        self.state.pulls.all().remove(id);
        Ok(())
    }

    /// The unfinished downloads, including those of earlier sessions.
    ///
    /// # Errors
    /// When the system names no home folder.
    pub fn pulls_list(&self) -> Result<Vec<PullState>, WireError> {
        let library = self.library()?;
        let plans = Plan::all(&self.plans())?.into_iter();
        Ok(plans
            .map(|plan| match self.state.pulls.get(&plan.id) {
                Some(live) => live.state(),
                None => {
                    let cache = Cached::of_model(library.hub(), &plan.repo);
                    plan.state(PullStanding::Paused, |_, file| file.here(&cache, &plan.commit))
                }
            })
            .collect())
    }

    /// Waits for the end of a download, and reports its progress several times per second.
    ///
    /// # Errors
    /// When no download with this id is running in this process.
    pub async fn pull_wait(
        &self,
        id: &str,
        progress: &(dyn Fn(&PullState) + Sync),
    ) -> Result<PullState, WireError> {
        let live = self.state.pulls.get(id).ok_or_else(|| unknown(id))?;
        let mut ticks = tokio::time::interval(PROGRESS_INTERVAL);
        loop {
            tokio::select! {
                biased;
                () = live.job.over() => return Ok(live.state()),
                _ = ticks.tick() => progress(&live.state()),
            }
        }
    }

    /// Removes the plans of unfinished downloads of a model that is deleted.
    pub(super) fn forget_pulls_of(&self, entry: &Entry) {
        let koab_local::library::EntryOrigin::Hub { repo, .. } = &entry.origin else {
            return;
        };
        // A plan that cannot be removed is listed as a paused download, which can be cancelled, or
        // as an unreadable file.
        let plans = Plan::all(&self.plans()).unwrap_or_default();
        for plan in plans.iter().filter(|plan| plan.repo == *repo) {
            let _ = plan.remove(&self.plans());
        }
    }

    fn plans(&self) -> std::path::PathBuf {
        self.workspace.home().models().join("pulls")
    }

    fn planned(&self, id: &str) -> Result<Plan, WireError> {
        let plan = Plan::all(&self.plans())?.into_iter().find(|one| one.id == id);
        plan.ok_or_else(|| unknown(id))
    }

    /// Begins a download in the background. The download's job reports the progress.
    fn begin_pull(&self, plan: Plan) -> Result<PullState, WireError> {
        if let Some(live) = self.state.pulls.get(&plan.id).filter(|live| !live.job.is_over()) {
            return Ok(live.state());
        }
        let hub = self.hub_folder()?;
        let files = fetching::files(&hub, &plan)?;
        files.check_room(&hub)?;
        self.workspace.home().create()?;
        plan.write(&self.plans())?;
        let (pause, about) = (Cancel::new(), vec![plan.repo.clone()]);
        let underway = self.workspace.begin_job(JobKind::ModelPull, about, Some(&pause));
        let live = Arc::new(CurrentPull::new(plan, underway.state()));
        self.state.pulls.all().insert(live.plan.id.clone(), Arc::clone(&live));
        let state = live.state();
        tokio::spawn(fetching::fetch(self.clone(), Arc::new(files), live, pause, underway));
        Ok(state)
    }
}

fn unknown(id: &str) -> WireError {
    WireError::not_found(say!("there is no download {id}; it has ended or was cancelled"))
}
