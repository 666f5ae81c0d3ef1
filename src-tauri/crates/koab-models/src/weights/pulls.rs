//! Downloads: begun, paused, resumed, given up. What is wanted stands in
//! `<home>/models/pulls/<id>.json` until it is done, so that a download outlives the program that
//! began it; what came of it lies in the cache.

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

/// How often whoever waits for a download hears of it.
const TOLD_EVERY: Duration = Duration::from_millis(200);

impl Models {
    /// Asks the hub what a request means and begins to fetch it. A download of the same model that
    /// was paused goes on.
    ///
    /// # Errors
    /// When the hub cannot be reached or refuses, it is not clear what to fetch, or there is no
    /// room for it.
    pub async fn pull_start(&self, request: PullRequest) -> Result<PullState, WireError> {
        let wanted = want(&request)?;
        let asked = self.hub(Purpose::Weights).await?;
        let hub = asked.hub.shown();
        let (repo, revision) = named(&request.repo, &hub);
        let found = asked.hub.repository(model(repo), revision).await;
        let found = found.map_err(|error| asked.wire_error(error))?;
        let offer = choose::choose(&listed(&found.files), &wanted)
            .map_err(|why| WireError::bad_request(say!("{repo}: {why}")))?;
        let library = self.library()?;
        let plan = Plan::new((repo, revision), &found, &offer, &Cached::of_model(library.hub(), repo));
        let plan = match self.planned(&plan.id) {
            Ok(earlier) if earlier.files.len() == plan.files.len() => earlier,
            _ => plan,
        };
        self.begin_pull(plan)
    }

    /// Goes on with a download that was paused or failed.
    ///
    /// # Errors
    /// When there is none of this id, or there is no room for it.
    pub async fn pull_resume(&self, id: &str) -> Result<PullState, WireError> {
        let plan = self.planned(id)?;
        // Where no hub may be asked, that is said now.
        self.hub(Purpose::Weights).await?;
        self.begin_pull(plan)
    }

    /// Stops a download; what came is kept, also for other programs of Hugging Face's.
    ///
    /// # Errors
    /// When there is none of this id.
    pub fn pull_pause(&self, id: &str) -> Result<(), WireError> {
        match self.state.pulls.get(id) {
            Some(live) => drop(live.job.stop()),
            None => drop(self.planned(id)?),
        }
        Ok(())
    }

    /// Gives a download up: what it brought is deleted, what was there before stays.
    ///
    /// # Errors
    /// When there is none of this id, or the disk refuses.
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

    /// The downloads that are not done, those of earlier sessions too.
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

    /// Waits for the end of a download, and tells several times a second how far it is.
    ///
    /// # Errors
    /// When there is none of this id under way in this process.
    pub async fn pull_wait(
        &self,
        id: &str,
        progress: &(dyn Fn(&PullState) + Sync),
    ) -> Result<PullState, WireError> {
        let live = self.state.pulls.get(id).ok_or_else(|| unknown(id))?;
        let mut ticks = tokio::time::interval(TOLD_EVERY);
        loop {
            tokio::select! {
                biased;
                () = live.job.over() => return Ok(live.state()),
                _ = ticks.tick() => progress(&live.state()),
            }
        }
    }

    /// Forgets what was still to come of a model that is deleted.
    pub(super) fn forget_pulls_of(&self, entry: &Entry) {
        let koab_local::library::EntryOrigin::Hub { repo, .. } = &entry.origin else {
            return;
        };
        // A plan that stays is shown as a paused download, which can be given up, or as a file that
        // cannot be read.
        let plans = Plan::all(&self.plans()).unwrap_or_default();
        for plan in plans.iter().filter(|plan| plan.repo == *repo) {
            let _ = plan.remove(&self.plans());
        }
    }

    fn plans(&self) -> std::path::PathBuf {
        self.workspace.home().models().join("pulls")
    }

    fn planned(&self, id: &str) -> Result<Plan, WireError> {
        let found = Plan::all(&self.plans())?.into_iter().find(|plan| plan.id == id);
        found.ok_or_else(|| unknown(id))
    }

    /// Fetches on a task of its own; its job tells how it goes.
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
    WireError::not_found(say!("there is no download {id}; it is done or was given up"))
}
